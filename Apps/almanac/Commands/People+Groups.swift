import ArgumentParser
import Frontend
import Models
import Ports

extension PeopleCommand {
  struct GroupPeople: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "group", abstract: "List groups, and add and remove people.",
      subcommands: [ListGroups.self, AddToGroup.self, RemoveFromGroup.self])
  }

  struct ListGroups: ListingCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the groups of people, with the number of people.")

    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      var counts: [ExactString: Int] = [:]
      try services.library().list(.people, LibraryQuery()) { (record) throws(Failure) in
        let fields = try Failure.from { () throws(ParsingError) in try services.coder.decode(record.copied) }
        for group in ContactDetails(fields: fields).groups { counts[group.exact, default: 0] += 1 }
        return .next
      }
      let rows = counts.sorted { $0.key < $1.key }.map { group, count -> JSONObject in
        ["group": .string(group.text), "people": .int(count)]
      }
      Answer(terminal: services.terminal).list(
        rows, columns: ["group", "people"].map { .init($0) }, empty: "nobody is in a group")
      return .done
    }
  }

  struct AddToGroup: ReadingCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add people to a group.",
      discussion: "The cards of people of address books are changed by the next sync.")

    @OptionGroup var members: GroupMembers
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      try await members.change(services) { (input, group, old) throws(PersonInput.Mistake) in
        try input.add(group, to: "groups", of: old)
      }
    }
  }

  struct RemoveFromGroup: ReadingCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove people from a group.",
      discussion: "The cards of people of address books are changed by the next sync.")

    @OptionGroup var members: GroupMembers
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      try await members.change(services) { (input, group, old) throws(PersonInput.Mistake) in
        try input.remove(group, from: "groups", of: old)
      }
    }
  }
}

struct GroupMembers: ParsableArguments {
  @Argument(help: "The group.") var group: String
  @Argument(help: "People: names, or ids or their beginnings.", completion: Completions.people) var ids: [String]

  /// Changes each person. All are found, and can be changed, before the first is.
  func change(
    _ services: CompositionRoot,
    _ change: (inout PersonInput, String, ContactDetails) throws(PersonInput.Mistake) -> Void
  ) async throws(Failure) -> ExitStatus {
    var changes: [(id: String, input: PersonInput, stored: [UInt8])] = []
    for text in ids {
      let id = try RecordArgument.id(text, in: .people, as: .words, services)
      let stored = try services.library().record(.people, id)
      let fields = try Failure.from { () throws(ParsingError) in try services.coder.decode(stored) }
      var input = PersonInput()
      do throws(PersonInput.Mistake) { try change(&input, group, ContactDetails(fields: fields)) } catch {
        let name = Printable.text(fields["fullName"]?.string ?? id)
        throw Failure(
          .config, .usage, "\(name) is not in '\(Printable.text(group))'", hint: error.hint.map { Advice($0) },
          code: .own(.badDetail))
      }
      changes.append((id, input, stored))
    }
    let (people, terminal) = (try services.people(), services.terminal)
    var rows: [JSONObject] = []
    for one in changes {
      let changed = try await people.edit(one.id, PersonChange(one.input), ifStored: one.stored)
      rows.append(changed.person.fields)
      let groups = changed.person.details.groups
      terminal.note(
        Advice("\(changed.person.fullName): \(groups.isEmpty ? "in no group" : Printable.list(groups))"))
    }
    if terminal.format != .table {
      Answer(terminal: terminal).list(rows, columns: [], csvFields: CollectionColumns.csv(.people))
    }
    return .done
  }
}
