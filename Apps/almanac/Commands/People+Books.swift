import ArgumentParser
import Frontend
import Models
import Ports

extension PeopleCommand {
  struct Move: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "move", abstract: "Move people to another address book.",
      discussion: """
        The next sync adds the card, with all its properties, to that address book, and then removes it from the former \
        one. Who is in no address book belongs to that one then. A sync that was interrupted is continued by the next one.
        """)

    @OptionGroup var transfer: TransferOptions
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      try await transfer.run(services) { (people, id, book) throws(Failure) in try await people.move(id, to: book) }
    }
  }

  struct Copy: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "copy", abstract: "Add copies of people to another address book.",
      discussion: """
        The next sync adds a card with the same properties and another UID. The copy is a person of its own: an edit of one \
        does not change the other.
        """)

    @OptionGroup var transfer: TransferOptions
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      try await transfer.run(services) { (people, id, book) throws(Failure) in try await people.copy(id, to: book) }
    }
  }
}

struct TransferOptions: ParsableArguments {
  @Argument(help: "People: names, or ids or their beginnings.", completion: Completions.people) var ids: [String]
  @OptionGroup var book: BookOption

  func validate() throws {
    try require(book.to != nil, "--to needs the address book that gets the card")
  }

  /// Does it to each person. All are found before the first is moved.
  func run(
    _ services: CompositionRoot,
    _ transfer: (any PeopleService, String, FollowedBook) async throws(Failure) -> ChangedPerson
  ) async throws(Failure) -> ExitStatus {
    guard let book = try book.book(services) else { return .done }
    var meant: [String] = []
    for text in ids { meant.append(try RecordArgument.id(text, in: .people, as: .words, services)) }
    let (people, terminal) = (try services.people(), services.terminal)
    var rows: [JSONObject] = []
    for id in meant {
      let changed = try await transfer(people, id, book)
      rows.append(changed.person.fields)
      terminal.note(
        changed.isChanged
          ? "\(changed.person.fullName): \(command: "sync") adds the card to \(book.follow)"
          : "\(changed.person.fullName) is in \(book.follow) already")
    }
    if terminal.format != .table { terminal.answer.list(rows, columns: [], csvFields: CollectionColumns.csv(.people)) }
    return .done
  }
}
