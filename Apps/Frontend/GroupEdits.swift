public import Models
public import Ports

/// Creates, renames, deletes and fills groups of people: by the card of a group in an address book, or by the cards of the
/// people that name it.
public struct GroupEdits: Sendable {
  /// What was changed.
  public struct Changes: Sendable {
    /// The cards of groups, as they are now, or as they were before they were removed.
    public fileprivate(set) var cards: [JSONObject] = []
    /// The people whose own cards were changed.
    public fileprivate(set) var people: [Person] = []
    /// The people who are now in the group, or not any more, by the card of the group.
    public fileprivate(set) var members: [JSONObject] = []
    /// Whether a sync sends something of it.
    public fileprivate(set) var isSent = false
  }

  public let groups: PeopleGroups
  private let people: any PeopleService
  private let library: any LibraryService
  private let coder: any RecordCoder

  /// - Throws: `Failure` if the store cannot be read.
  public init(
    _ people: any PeopleService, _ library: any LibraryService, _ coder: any RecordCoder
  ) throws(Failure) {
    groups = try people.groups()
    (self.people, self.library, self.coder) = (people, library, coder)
  }

  /// The groups of a name.
  ///
  /// - Throws: `Failure`: `notFound` if there is none.
  public func named(_ name: String) throws(Failure) -> [PeopleGroups.Group] {
    let found = groups.all.filter { $0.name.exact == name.exact }
    if !found.isEmpty { return found }
    let meant = NearestName.of(name, among: groups.all.map(\.name)).map { "did you mean '\($0)'? " } ?? ""
    throw Failure(
      .config, .notFound, "there is no group '\(name)'",
      hint: "\(meant)\(command: "people", "group", "list") names them", code: .own(.notFound))
  }

  /// Creates a group with a card of its own, of people of that address book.
  ///
  /// - Throws: `Failure`: `usage` if the book has a group of that name, or does not have one of the people.
  public func create(_ name: String, of ids: [String], in book: FollowedBook) async throws(Failure) -> JSONObject {
    if groups.card(named: name, in: book.follow) != nil {
      throw Failure(
        .config, .usage, "\(book.follow) has a group '\(name)' already",
        hint: "\(command: "people", "group", "add") adds people to it", code: .own(.duplicate))
    }
    var members: [JSONValue] = []
    for id in ids {
      let fields = try record(id).fields
      guard fields["origin"]?.string?.exact == book.follow.exact else {
        throw Failure(
          .config, .usage, "\(fields["fullName"]?.string ?? id) is not in \(book.follow)",
          hint: "\(command: "people", "copy") adds a copy to it", code: .own(.badDetail))
      }
      let member = JSONValue.string(try self.member(id, fields, of: name))
      if !members.contains(member) { members.append(member) }
    }
    return try await library.add(
      .groups,
      [
        FieldChange("name", .string(name)), FieldChange("members", .array(members)),
        FieldChange("origin", .string(book.follow)),
      ])
  }

  /// Renames the groups of a name.
  ///
  /// - Throws: `Failure`: `notFound` if there is none; the errors of the edits.
  public func rename(_ name: String, to new: String) async throws(Failure) -> Changes {
    try await change(name) { (card) throws(Failure) in
      try await library.edit(.groups, card.id, [FieldChange("name", .string(new))])
    } person: { (input, old) throws(PersonInput.Mistake) in
      try input.remove(name, from: "groups", of: old)
      try input.add(new, to: "groups", of: old)
    }
  }

  /// Deletes the groups of a name; their people stay.
  ///
  /// - Throws: `Failure`: `notFound` if there is none; the errors of the edits.
  public func delete(_ name: String) async throws(Failure) -> Changes {
    try await change(name) { (card) throws(Failure) in
      try await library.remove(.groups, card.id)
      return card.fields
    } person: { (input, old) throws(PersonInput.Mistake) in
      try input.remove(name, from: "groups", of: old)
    }
  }

  /// Adds people to a group, or removes them from it. All are found, and can be changed, before the first is.
  ///
  /// - Throws: `Failure`: `usage` if somebody who is to be removed is not in the group; the errors of the edits.
  public func change(_ ids: [String], of name: String, adds: Bool) async throws(Failure) -> Changes {
    var changes = Changes()
    var inputs: [(id: String, input: PersonInput, stored: [UInt8])] = []
    var members: [ExactString: [String]] = [:]
    for id in ids {
      let (stored, fields) = try record(id)
      if let card = groups.card(named: name, in: fields["origin"]?.string) {
        let known = members[card.id.exact] ?? card.members
        let member = try self.member(id, fields, of: name)
        let isThere = known.contains { $0.exact == member.exact }
        if adds || isThere {
          members[card.id.exact] = adds ? known + (isThere ? [] : [member]) : known.filter { $0.exact != member.exact }
          changes.members.append(fields)
          continue
        }
      }
      var input = PersonInput()
      let old = ContactDetails(fields: fields)
      do throws(PersonInput.Mistake) {
        if adds { try input.add(name, to: "groups", of: old) } else { try input.remove(name, from: "groups", of: old) }
      } catch {
        if adds { throw error.failure }
        throw Failure(
          .config, .usage, "\(fields["fullName"]?.string ?? id) is not in '\(name)'",
          hint: error.hint.map { Advice($0) }, code: .own(.badDetail))
      }
      inputs.append((id, input, stored))
    }
    for (id, members) in members.sorted(by: { $0.key < $1.key }) {
      let change = FieldChange("members", .array(members.map { .string($0) }))
      changes.cards.append(try await library.edit(.groups, id.text, [change]))
      changes.isSent = true
    }
    for one in inputs { try await change(one.id, one.input, one.stored, &changes) }
    return changes
  }

  /// Changes the cards of the groups of a name, or of the people that name one.
  private func change(
    _ name: String, card change: (PersonGroup) async throws(Failure) -> JSONObject,
    person: (inout PersonInput, ContactDetails) throws(PersonInput.Mistake) -> Void
  ) async throws(Failure) -> Changes {
    var changes = Changes()
    for group in try named(name) {
      if let card = group.card {
        changes.cards.append(try await change(card))
        changes.isSent = true
        continue
      }
      for id in group.people.map(\.text) {
        let (stored, fields) = try record(id)
        var input = PersonInput()
        try Failure.from { () throws(PersonInput.Mistake) in try person(&input, ContactDetails(fields: fields)) }
        try await self.change(id, input, stored, &changes)
      }
    }
    return changes
  }

  private func change(
    _ id: String, _ input: PersonInput, _ stored: [UInt8], _ changes: inout Changes
  ) async throws(Failure) {
    let changed = try await people.edit(id, PersonChange(input), ifStored: stored)
    changes.people.append(changed.person)
    changes.isSent = changes.isSent || changed.isSent
  }

  private func record(_ id: String) throws(Failure) -> (stored: [UInt8], fields: JSONObject) {
    let stored = try library.record(.people, id)
    return (stored, try Failure.from { () throws(ParsingError) in try coder.decode(stored) })
  }

  /// How the card of a group in an address book names a person.
  private func member(_ id: String, _ fields: JSONObject, of group: String) throws(Failure) -> String {
    if let member = groups.member(id) { return member }
    throw Failure(
      .config, .usage,
      "the card of \(fields["fullName"]?.string ?? id) has no UID, by which the card of '\(group)' could name it",
      hint: "sync the address book, and try again", code: .own(.badDetail))
  }
}

extension Advice.StringInterpolation {
  fileprivate mutating func appendInterpolation(command words: String...) {
    appendInterpolation(commandLine: ["almanac"] + words)
  }
}
