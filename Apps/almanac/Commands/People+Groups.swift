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
      commandName: "list", abstract: "List the groups of people, or the people of one.",
      discussion: """
        A group is named by the cards of its people, or has a card of its own in an address book, which names them. Members \
        whose cards are not in the address book are missing.
        """)

    @Argument(help: "The group.") var group: String?
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let groups = try services.people().groups().all
      if let group { return try members(groups.filter { $0.name.exact == group.exact }, services) }
      let rows = groups.map { group -> JSONObject in
        var row: JSONObject = ["group": .string(group.name), "people": .int(group.people.count)]
        if !group.missing.isEmpty { row["missing"] = .int(group.missing.count) }
        row["book"] = group.card.map { .string($0.origin) }
        return row
      }
      Answer(terminal: services.terminal).list(
        rows, columns: ["group", "people", "missing", "book"].map { .init($0) }, empty: "nobody is in a group")
      return .done
    }

    private func members(
      _ groups: [PeopleGroups.Group], _ services: CompositionRoot
    ) throws(Failure) -> ExitStatus {
      guard let name = groups.first?.name else {
        throw Failure(
          .config, .notFound, "there is no group '\(Printable.text(group ?? ""))'",
          hint: "\(command: "people", "group", "list") names them", code: .own(.notFound))
      }
      var rows: [JSONObject] = []
      for id in groups.flatMap(\.people) where !rows.contains(where: { $0["id"]?.string?.exact == id }) {
        let record = try services.library().record(.people, id.text)
        let fields = try Failure.from { () throws(ParsingError) in try services.coder.decode(record) }
        rows.append(["id": .string(id.text), "fullName": fields["fullName"] ?? ""])
      }
      rows += groups.flatMap(\.missing).map { ["missing": .string($0)] }
      Answer(terminal: services.terminal).list(
        rows, columns: ["id", "fullName", "missing"].map { .init($0) }, empty: "nobody is in '\(Printable.text(name))'")
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
      try await members.change(services, adds: true) { (input, group, old) throws(PersonInput.Mistake) in
        try input.add(group, to: "groups", of: old)
      }
    }
  }

  struct RemoveFromGroup: ReadingCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove people from a group.",
      discussion: "The next sync changes the cards: that of the group, or those of the people.")

    @OptionGroup var members: GroupMembers
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      try await members.change(services, adds: false) { (input, group, old) throws(PersonInput.Mistake) in
        try input.remove(group, from: "groups", of: old)
      }
    }
  }
}

struct GroupMembers: ParsableArguments {
  @Argument(help: "The group.") var group: String
  @Argument(help: "People: names, or ids or their beginnings.", completion: Completions.people) var ids: [String]

  /// Changes each person, or the card of the group. All are found, and can be changed, before the first is.
  func change(
    _ services: CompositionRoot, adds: Bool,
    _ change: (inout PersonInput, String, ContactDetails) throws(PersonInput.Mistake) -> Void
  ) async throws(Failure) -> ExitStatus {
    var changes: [(id: String, input: PersonInput, stored: [UInt8])] = []
    let groups = try services.people().groups()
    var members: [ExactString: [String]] = [:]
    var rows: [JSONObject] = []
    for text in ids {
      let id = try RecordArgument.id(text, in: .people, as: .words, services)
      let stored = try services.library().record(.people, id)
      let fields = try Failure.from { () throws(ParsingError) in try services.coder.decode(stored) }
      if let card = groups.card(named: group, in: fields["origin"]?.string) {
        let known = members[card.id.exact] ?? card.members
        guard let member = groups.member(id) else {
          let name = Printable.text(fields["fullName"]?.string ?? id)
          throw Failure(
            .config, .usage,
            "the card of \(name) has no UID, by which the card of '\(Printable.text(group))' could name it",
            hint: "sync the address book, and try again", code: .own(.badDetail))
        }
        let isThere = known.contains { $0.exact == member.exact }
        if adds || isThere {
          members[card.id.exact] = adds ? known + (isThere ? [] : [member]) : known.filter { $0.exact != member.exact }
          rows.append(fields)
          continue
        }
      }
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
    for (id, members) in members.sorted(by: { $0.key < $1.key }) {
      let change = FieldChange("members", .array(members.map { .string($0) }))
      let changed = try await services.library().edit(.groups, id.text, [change])
      terminal.note("\(changed["name"]?.string ?? ""): \(members.count.counted("member"))")
    }
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
