import ArgumentParser
import Frontend
import Models
import Ports

extension PeopleCommand {
  struct GroupPeople: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "group", abstract: "List, create, rename and delete groups, and add and remove people.",
      subcommands: [
        ListGroups.self, CreateGroup.self, AddToGroup.self, RenameGroup.self, RemoveFromGroup.self, DeleteGroup.self,
      ])

    static func edits(_ services: CompositionRoot) throws(Failure) -> GroupEdits {
      try GroupEdits(services.people(), services.library(), services.coder)
    }

    /// Says what was changed.
    static func report(_ changes: GroupEdits.Changes, of group: String, _ services: CompositionRoot) {
      let (cards, people) = (changes.cards.count, changes.people.count)
      services.answer.done([
        "group": .string(group), "cards": .int(cards), "people": .int(people),
      ]) {
        let words = [
          cards > 0 ? cards.counted("card of a group", "cards of groups") : nil,
          people > 0 ? people.counted("person", "people") : nil,
        ]
        services.terminal.line("changed \(words.compactMap(\.self).joined(separator: ", "))")
      }
      if changes.isSent { services.noteWaiting() }
    }
  }

  struct ListGroups: ListingCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the groups of people, or the people of one.",
      discussion: """
        A group is named by the cards of its people, or has a card of its own in an address book, which names them. Members \
        whose cards are not in the address book are missing.
        """)

    @Argument(help: "The group.", completion: Completions.groups) var group: String?
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let edits = try GroupPeople.edits(services)
      if let group { return try members(edits.named(group), services) }
      let rows = edits.groups.all.map { group -> JSONObject in
        var row: JSONObject = ["group": .string(group.name), "people": .int(group.people.count)]
        if !group.missing.isEmpty { row["missing"] = .int(group.missing.count) }
        row["book"] = group.card.map { .string($0.origin) }
        return row
      }
      return services.answer.list(rows, columns: ["group", "people", "missing", "book"], empty: "nobody is in a group")
    }

    private func members(_ groups: [PeopleGroups.Group], _ services: CompositionRoot) throws(Failure) -> ExitStatus {
      var rows: [JSONObject] = []
      for id in groups.flatMap(\.people) where !rows.contains(where: { $0["id"]?.string?.exact == id }) {
        rows.append(["id": .string(id.text), "fullName": try services.fields(.people, id.text)["fullName"] ?? ""])
      }
      rows += groups.flatMap(\.missing).map { ["missing": .string($0)] }
      return services.answer.list(
        rows, columns: ["id", "fullName", "missing"], empty: "nobody is in '\(Printable.text(groups[0].name))'")
    }
  }

  struct CreateGroup: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "create", abstract: "Create a group with a card of its own in an address book.",
      discussion: """
        The next sync adds the card. Its people are people of that address book. A group without a card needs no \
        command: \(help: "people group add") writes its name into the cards of people.
        """)

    @Argument(help: "The new group.") var group: String
    @Argument(help: "People: names, or ids or their beginnings.", completion: Completions.people) var ids: [String] = []
    @OptionGroup var book: BookOption
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func validate() throws {
      try require(
        book.to != nil,
        "--to needs the address book that gets the card; \(help: "people group add") makes a group without one")
    }

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      guard let book = try book.book(services) else { return .done }
      let people = try ids.map { (text) throws(Failure) in
        try RecordArgument.id(text, in: .people, as: .words, services)
      }
      let made = try await GroupPeople.edits(services).create(group, of: people, in: book)
      services.answer.done(made)
      book.note(services)
      return .done
    }
  }

  struct RenameGroup: ReadingCommand {
    static let configuration = CommandConfiguration(
      commandName: "rename", abstract: "Rename a group.",
      discussion: "The next sync changes the cards: those of groups of that name, or those of people that name it.")

    @Argument(help: "The group.", completion: Completions.groups) var group: String
    @Argument(help: "The new name.") var name: String
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      GroupPeople.report(try await GroupPeople.edits(services).rename(group, to: name), of: group, services)
      return .done
    }
  }

  struct DeleteGroup: ReadingCommand {
    static let configuration = CommandConfiguration(
      commandName: "delete", abstract: "Delete a group; its people stay.",
      discussion: "The next sync removes the cards of groups of that name, and the name from the cards of people.")

    @Argument(help: "The group.", completion: Completions.groups) var group: String
    @Flag(name: .shortAndLong, help: "Do not ask; needed without a terminal.") var yes = false
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let edits = try GroupPeople.edits(services)
      _ = try edits.named(group)
      let question = "delete the group '\(Printable.text(group))'? Its people stay."
      guard try services.terminal.confirms(question, unless: yes) else { return .mixed }
      GroupPeople.report(try await edits.delete(group), of: group, services)
      return .done
    }
  }

  struct AddToGroup: ReadingCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add people to a group.",
      discussion: """
        A group that has a card in the address book of a person gets the person as a member. Otherwise the person's own card \
        names the group. The next sync changes the cards.
        """)

    @OptionGroup var members: GroupMembers
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      try await members.change(services, adds: true)
    }
  }

  struct RemoveFromGroup: ReadingCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove people from a group.",
      discussion: "The next sync changes the cards: that of the group, or those of the people.")

    @OptionGroup var members: GroupMembers
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      try await members.change(services, adds: false)
    }
  }
}

struct GroupMembers: ParsableArguments {
  @Argument(help: "The group.", completion: Completions.groups) var group: String
  @Argument(help: "People: names, or ids or their beginnings.", completion: Completions.people) var ids: [String]

  func change(_ services: CompositionRoot, adds: Bool) async throws(Failure) -> ExitStatus {
    let people = try ids.map { (text) throws(Failure) in try id(text, services, adds: adds) }
    let changes = try await PeopleCommand.GroupPeople.edits(services).change(people, of: group, adds: adds)
    let terminal = services.terminal
    for card in changes.cards {
      terminal.note("\(card["name"]?.string ?? ""): \((card["members"]?.array?.count ?? 0).counted("member"))")
    }
    for person in changes.people {
      let groups = person.details.groups
      terminal.note(Advice("\(person.fullName): \(groups.isEmpty ? "in no group" : Printable.list(groups))"))
    }
    if terminal.format != .table {
      Answer(terminal: terminal).list(
        changes.members + changes.people.map(\.fields), columns: [], csvFields: CollectionColumns.csv(.people))
    }
    if changes.isSent { services.noteWaiting() }
    return .done
  }

  /// The person whom a text means.
  private func id(_ text: String, _ services: CompositionRoot, adds: Bool) throws(Failure) -> String {
    do throws(Failure) {
      let id = try RecordArgument.id(text, in: .people, as: .words, services)
      _ = try services.library().record(.people, id)
      return id
    } catch {
      var failure = error
      let isPerson = try !services.library().records(.people, meaning: group, as: .words, limit: 1).isEmpty
      if failure.reason == .notFound, isPerson {
        let people = [group] + ids.filter { $0.exact != text.exact }
        failure.hint =
          "the group comes first, and then the people: \(command: ["people", "group", adds ? "add" : "remove", text] + people)"
      }
      if failure.hint == nil { failure.hint = "\(command: "list", "people") lists them" }
      throw failure
    }
  }
}
