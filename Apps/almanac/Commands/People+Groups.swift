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

    static func named(_ name: String, in groups: PeopleGroups) throws(Failure) -> [PeopleGroups.Group] {
      let found = groups.all.filter { $0.name.exact == name.exact }
      if !found.isEmpty { return found }
      throw Failure(
        .config, .notFound, "there is no group '\(Printable.text(name))'",
        hint: "\(command: "people", "group", "list") names them", code: .own(.notFound))
    }

    /// How the card of a group in an address book names a person.
    static func member(
      _ id: String, _ fields: JSONObject, of group: String, in groups: PeopleGroups
    ) throws(Failure) -> String {
      if let member = groups.member(id) { return member }
      throw .usage(
        "the card of \(Printable.text(fields["fullName"]?.string ?? id)) has no UID, by which the card of "
          + "'\(Printable.text(group))' could name it", hint: "sync the address book, and try again",
        code: .badDetail)
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
      let groups = try services.people().groups()
      if let group { return try members(GroupPeople.named(group, in: groups), services) }
      let rows = groups.all.map { group -> JSONObject in
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
        command: 'people group add' writes its name into the cards of people.
        """)

    @Argument(help: "The new group.") var group: String
    @Argument(help: "People: names, or ids or their beginnings.", completion: Completions.people) var ids: [String] = []
    @OptionGroup var book: BookOption
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func validate() throws {
      try require(book.to != nil, "--to needs the address book that gets the card")
    }

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      guard let book = try book.book(services) else { return .done }
      let groups = try services.people().groups()
      if groups.card(named: group, in: book.follow) != nil {
        throw .usage(
          "\(book.follow) has a group '\(Printable.text(group))' already",
          hint: "\(command: "people", "group", "add") adds people to it", code: .duplicate)
      }
      var members: [JSONValue] = []
      for text in ids {
        let id = try RecordArgument.id(text, in: .people, as: .words, services)
        let fields = try services.fields(.people, id)
        guard fields["origin"]?.string?.exact == book.follow.exact else {
          throw .usage(
            "\(Printable.text(fields["fullName"]?.string ?? id)) is not in \(book.follow)",
            hint: "\(command: "people", "copy") adds a copy to it", code: .badDetail)
        }
        let member = JSONValue.string(try GroupPeople.member(id, fields, of: group, in: groups))
        if !members.contains(member) { members.append(member) }
      }
      let made = try await services.library().add(
        .groups,
        [
          FieldChange("name", .string(group)), FieldChange("members", .array(members)),
          FieldChange("origin", .string(book.follow)),
        ])
      services.answer.done(made)
      book.note(services.terminal)
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
      let groups = try GroupPeople.named(group, in: services.people().groups())
      return try await groups.change(services) { (library, card) throws(Failure) in
        _ = try await library.edit(.groups, card.id, [FieldChange("name", .string(name))])
      } person: { (input, old) throws(PersonInput.Mistake) in
        try input.remove(group, from: "groups", of: old)
        try input.add(name, to: "groups", of: old)
      }
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
      let groups = try GroupPeople.named(group, in: services.people().groups())
      let question = "delete the group '\(Printable.text(group))'? Its people stay."
      guard try services.terminal.confirms(question, unless: yes) else { return .mixed }
      return try await groups.change(services) { (library, card) throws(Failure) in
        try await library.remove(.groups, card.id)
      } person: { (input, old) throws(PersonInput.Mistake) in
        try input.remove(group, from: "groups", of: old)
      }
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

extension [PeopleGroups.Group] {
  fileprivate func change(
    _ services: CompositionRoot, card change: (any LibraryService, PersonGroup) async throws(Failure) -> Void,
    person: (inout PersonInput, ContactDetails) throws(PersonInput.Mistake) -> Void
  ) async throws(Failure) -> ExitStatus {
    let (people, library) = (try services.people(), try services.library())
    var counts = (cards: 0, people: 0)
    var isSent = false
    for group in self {
      if let card = group.card {
        try await change(library, card)
        counts.cards += 1
        isSent = true
        continue
      }
      for id in group.people.map(\.text) {
        let stored = try library.record(.people, id)
        let fields = try Failure.from { () throws(ParsingError) in try services.coder.decode(stored) }
        var input = PersonInput()
        try Failure.from { () throws(PersonInput.Mistake) in try person(&input, ContactDetails(fields: fields)) }
        isSent = try await people.edit(id, PersonChange(input), ifStored: stored).isSent || isSent
        counts.people += 1
      }
    }
    let name = self.first?.name ?? ""
    services.answer.done(["group": .string(name), "cards": .int(counts.cards), "people": .int(counts.people)]) {
      let cards = counts.cards > 0 ? counts.cards.counted("card of a group", "cards of groups") : nil
      let people = counts.people > 0 ? counts.people.counted("person", "people") : nil
      services.terminal.line("changed \([cards, people].compactMap(\.self).joined(separator: ", "))")
    }
    if isSent { services.terminal.note("stored locally; \(command: "sync") sends it") }
    return .done
  }
}

struct GroupMembers: ParsableArguments {
  @Argument(help: "The group.", completion: Completions.groups) var group: String
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
      let (id, stored): (String, [UInt8])
      do throws(Failure) {
        id = try RecordArgument.id(text, in: .people, as: .words, services)
        stored = try services.library().record(.people, id)
      } catch {
        var failure = error
        let isPerson = try !services.library().records(.people, meaning: group, as: .words, limit: 1).isEmpty
        if failure.reason == .notFound, isPerson {
          let turned: Advice =
            adds
            ? "\(command: "people", "group", "add", text, group)"
            : "\(command: "people", "group", "remove", text, group)"
          failure.hint = "the group comes first, and then the people: \(turned)"
        }
        throw failure
      }
      let fields = try Failure.from { () throws(ParsingError) in try services.coder.decode(stored) }
      if let card = groups.card(named: group, in: fields["origin"]?.string) {
        let known = members[card.id.exact] ?? card.members
        let member = try PeopleCommand.GroupPeople.member(id, fields, of: group, in: groups)
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
        throw .usage(
          "\(name) is not in '\(Printable.text(group))'", hint: error.hint.map { Advice($0) }, code: .badDetail)
      }
      changes.append((id, input, stored))
    }
    let (people, terminal) = (try services.people(), services.terminal)
    for (id, members) in members.sorted(by: { $0.key < $1.key }) {
      let change = FieldChange("members", .texts(members))
      let changed = try await services.library().edit(.groups, id.text, [change])
      terminal.note("\(changed["name"]?.string ?? ""): \(members.count.counted("member"))")
    }
    var isSent = !members.isEmpty
    for one in changes {
      let changed = try await people.edit(one.id, PersonChange(one.input), ifStored: one.stored)
      isSent = isSent || changed.isSent
      rows.append(changed.person.fields)
      let groups = changed.person.details.groups
      terminal.note(Advice("\(changed.person.fullName): \(groups.isEmpty ? "in no group" : Printable.list(groups))"))
    }
    if isSent { terminal.note("stored locally; \(command: "sync") sends it") }
    if terminal.format != .table { terminal.answer.list(rows, columns: [], csvFields: CollectionColumns.csv(.people)) }
    return .done
  }
}
