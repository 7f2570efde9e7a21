public import Models
public import Ports

public struct People: PeopleService {
  let store: any RecordStore
  let coder: any RecordCoder
  let edits: any PendingEdits
  let contactFormat: any ContactFormat
  let calendarFormat: any CalendarFormat
  let time: any TimeSource
  let suggestions: Suggestions

  public init(
    store: any RecordStore, coder: any RecordCoder, edits: any PendingEdits, contacts: any ContactFormat,
    calendar: any CalendarFormat, time: any TimeSource,
    suggestions: Suggestions = Suggestions()
  ) {
    (self.suggestions, self.store, self.coder, self.edits) = (suggestions, store, coder, edits)
    contactFormat = contacts
    calendarFormat = calendar
    self.time = time
  }

  /// Adds a person. O(n) for n people.
  public func add(
    firstName: String, lastName: String, birthday: Birthday?, fullName: String?, details: JSONObject,
    to book: FollowedBook?, isNew: Bool, alongside note: CommitNote?
  ) async throws(Failure) -> Person {
    var (first, last) = (firstName.trimmed, lastName.trimmed)
    let full = fullName.map(\.trimmed)
    if first.isEmpty, last.isEmpty, let full { (first, last) = Person.names(of: full) }
    let new = Person(
      id: edits.newID(), firstName: first, lastName: last, birthday: birthday, fullName: full,
      details: try Self.details(ContactDetails(), details), origin: book?.follow)
    return try await add(new, besides: isNew ? .all : .others, to: book, card: nil, alongside: note)
  }

  /// The stored people beside whom a person may be added.
  enum Known {
    /// Those whom nobody takes for the same person.
    case others
    /// Those with other letters in their names, also where these differ only in case or accents.
    case unequal
    case all
  }

  /// Adds a person with all fields.
  ///
  /// - Parameter card: one that is known of the person already.
  func add(
    _ new: Person, besides accepted: Known, to book: FollowedBook?, card: StoredCard?, alongside note: CommitNote?
  ) async throws(Failure) -> Person {
    try Self.checkName(new)
    return try await change { (transaction) throws(StoreError) in
      var person = new
      if try transaction.record(.people, person.id) != nil { return .failure(.changed(.people, person.id)) }
      let namesakes = accepted == .all ? [] : try namesakes(of: person, isExact: accepted == .unequal, in: transaction)
      if let book {
        let pending = try pending(in: transaction)
        var local: [Person] = []
        for other in namesakes where try isLocal(other, pending: pending, in: transaction) { local.append(other) }
        if let other = try known(as: person, among: local, .file, in: transaction) {
          return .failure(isThere(other, toBeAddedTo: book))
        }
      }
      if let other = try known(as: person, among: namesakes, .entry, in: transaction) {
        var failure = Self.isThere(other)
        if accepted == .others { failure.hint = suggestions(.addNamesake(of: other.id)) }
        return .failure(failure)
      }
      if let card { try StoredCard.put(card.bytes, person.id, in: &transaction, coder) }
      if book == nil { try keepPhoto(of: &person, in: &transaction) }
      try transaction.put(person, coder)
      if let book { try queue(person, for: book, from: nil, in: &transaction) }
      try RemovalMarker.link(person, in: &transaction, coder)
      try transaction.put(note, with: .people, person.id, coder)
      return .success(person)
    }
  }

  /// Changes a stored person. If the person is in the outbox and cannot be on the server yet, the pending edit changes
  /// too.
  ///
  /// - Throws: `Failure`: `notFound` if there is no such person; `usage` if both names would be empty, if the names or the
  ///   birthday become those of another person of the same origin, or if a detail is not as expected.
  public func edit(
    _ id: String, _ change: PersonChange, ifStored current: [UInt8]?
  ) async throws(Failure) -> ChangedPerson {
    try await self.change { (transaction) throws(StoreError) in
      let id = try edits.currentID(of: .people, id, in: transaction)
      guard let stored = try transaction.record(Person.self, id, coder) else { return .failure(notFound(id)) }
      if try !transaction.holds(current, .people, id) { return .failure(.changed(.people, id)) }
      let old = try completed(stored, in: &transaction)
      var person = old
      if let firstName = change.firstName { person.firstName = firstName.trimmed }
      if let lastName = change.lastName { person.lastName = lastName.trimmed }
      if change.firstName != nil || change.lastName != nil || change.fullName != nil {
        let isRenamed = person.firstName != old.firstName || person.lastName != old.lastName
        person.fullName =
          change.fullName.map(\.trimmed) ?? (isRenamed ? old.fullName(renamedTo: person) ?? "" : old.fullName)
      }
      if let birthday = change.birthday { person.birthday = birthday }
      if change.clearsBirthday { person.birthday = nil }
      do throws(Failure) {
        person.details = try Self.details(old.details, change.details, checks: !change.wasStored)
      } catch {
        return .failure(error)
      }
      let isForeign = try isForeign(id, in: transaction)
      let isSent = isForeign && !change.staysHere
      let sent = isSent ? try remoteFields(of: old, in: change, transaction) : old.fields
      if person == old, sent == old.fields {
        let waits = try !edits.edits(of: .people, id, in: transaction).isEmpty
        return .success(ChangedPerson(person: old, isOnServer: false, isChanged: false, waits: waits))
      }
      let isOnServer = try mayBeOnServer(person, in: transaction)
      do throws(Failure) { try Self.checkName(person) } catch { return .failure(error) }
      let isRenamed =
        (person.firstName, person.lastName) != (old.firstName, old.lastName) || person.birthday != old.birthday
      if isRenamed, !change.isDistinct {
        // The list of a server without address books finds its people by names and birthday, and also gets those who were
        // added here or imported.
        let list = try namesakes(of: person, in: transaction).filter { Self.book(of: $0) == Self.book(of: person) }
        if let other = try known(as: person, among: list, .entry, in: transaction) {
          var failure = Self.isThere(other)
          failure.hint = suggestions(.keepNamesake(id, of: other.id))
          return .failure(failure)
        }
      }
      if let refusal = try refusal(ofChanging: old, to: person, in: transaction) { return .failure(refusal) }
      if isSent, let refusal = try readOnly(old, in: transaction) { return .failure(refusal) }
      if !isForeign || change.staysHere { try keepPhoto(of: &person, in: &transaction) }
      try replace(old, with: person, in: &transaction)
      if isSent {
        // Nothing is left to send where the person is again as the server has it.
        let entry = try edits.queueChange(of: .people, id, from: sent, to: person.fields, in: &transaction)
        return .success(ChangedPerson(person: person, isOnServer: entry != nil, isSent: entry != nil))
      }
      if Self.sent(old) != Self.sent(person) { try requeue(person, in: &transaction) }
      return .success(ChangedPerson(person: person, isOnServer: isOnServer))
    }
  }

  /// The fields of a person, of which those that a change names have the value of the server unless an edit of them waits: one
  /// that was changed only here is sent by a change to the value that it has.
  private func remoteFields(
    of old: Person, in change: PersonChange, _ reader: some RecordReader
  ) throws(StoreError) -> JSONObject {
    var fields = old.fields
    guard let base = try edits.remoteCopy(of: .people, old.id, in: reader)?.base else { return fields }
    let waiting = try edits.edits(of: .people, old.id, in: reader)
    var names = change.details.keys.filter { $0 != "photo" }
    if change.firstName != nil { names.append("firstName") }
    if change.lastName != nil { names.append("lastName") }
    if change.fullName != nil { names.append("fullName") }
    if change.birthday != nil || change.clearsBirthday { names.append("birthday") }
    for name in names where !waiting.contains(where: { $0.edit[name] != nil }) { fields[name] = base[name] }
    return fields
  }

  /// Removes a stored person and the pending edits. A person whom the server has, or may have, is not added again by the
  /// next sync, with or without ids in the server's list.
  public func remove(_ id: String, ifStored current: [UInt8]?) async throws(Failure) -> ChangedPerson {
    try await change { (transaction) throws(StoreError) in
      let id = try edits.currentID(of: .people, id, in: transaction)
      guard let person = try transaction.record(Person.self, id, coder) else { return .failure(notFound(id)) }
      if try !transaction.holds(current, .people, id) { return .failure(.changed(.people, id)) }
      if try isForeign(id, in: transaction), let refusal = try readOnly(person, in: transaction) {
        return .failure(refusal)
      }
      return .success(try removal(of: person, in: &transaction))
    }
  }

  /// Removes a person.
  ///
  /// - Parameter after: the target whose edits are accepted before a server removes the person.
  func removal(
    of person: Person, after: String? = nil, in transaction: inout any StoreTransaction
  ) throws(StoreError) -> ChangedPerson {
    let id = person.id
    if try isForeign(id, in: transaction) {
      // No server has a person who was never sent.
      let isSent = try edits.queueRemoval(of: .people, id, after: after, in: &transaction) != nil
      return ChangedPerson(person: person, isOnServer: isSent, isSent: isSent)
    }
    let isOnServer = try mayBeOnServer(person, in: transaction)
    var marks: Set<StateKey> = []
    if isOnServer {
      if let remoteID = person.remoteID { marks.insert(PersonKey.removed(remoteID: remoteID)) }
      let copy = try edits.remoteCopy(of: .people, id, in: transaction)?.base
      let there = copy.flatMap { try? Person(fields: $0) } ?? person
      marks.insert(PersonKey.removed(identity: PersonEvidence(there)))
    }
    for entry in try edits.withdraw(.people, id, in: &transaction) {
      // The edit may have reached the server.
      guard entry.outcomeUnknown, let sent = Self.sent(entry) else { continue }
      marks.insert(PersonKey.removed(identity: PersonEvidence(sent)))
    }
    try RemovalMarker.unlink(id, in: &transaction, coder)
    for mark in marks.sorted(by: { $0.$name < $1.$name }) {
      try transaction.setState(mark, to: RemovalMarker.fields(of: person), coder)
    }
    try RecordRemoval.delete(id, of: .people, .people, in: &transaction)
    return ChangedPerson(person: person, isOnServer: isOnServer)
  }

  /// Runs one commit. The body can fail before it changes anything.
  func change<Value: Sendable>(
    _ body: (inout any StoreTransaction) throws(StoreError) -> Result<Value, Failure>
  ) async throws(Failure) -> Value {
    try await Failure.from { () async throws(StoreError) in try await store.write(body).value }.get()
  }

  func notFound(_ id: String) -> Failure {
    Failure(
      .store, .notFound, "there is no person '\(id)'",
      hint: suggestions(.listPeople), code: .own(.notFound),
      path: "people/\(id)")
  }

  /// Whether the person is one of another source, which takes changes and removals, or waits to be added there.
  func isForeign(_ id: String, in reader: some RecordReader) throws(StoreError) -> Bool {
    try edits.owner(of: .people, id, in: reader).isOther(than: .people)
  }

  /// Why a person of an address book cannot be changed or removed there; `nil` if nothing is known against it.
  func readOnly(_ person: Person, in reader: some RecordReader) throws(StoreError) -> Failure? {
    guard let book = person.origin,
      try reader.memory(ofFollow: book, coder)?.isReadOnly == true
    else { return nil }
    return Failure(
      .config, .usage, "\(person.fullName) is one of \(book), which may only be read",
      hint: suggestions(.editHere(person: person.id, book: book)), code: .own(.readOnly), path: "people/\(person.id)")
  }

  static func isThere(_ other: Person) -> Failure {
    Failure(
      .config, .usage, "\(other.fullName)\(other.birthday.map { ", born \($0)," } ?? "") exists already",
      hint: "its id is \(other.id)", code: .own(.duplicate), path: "people/\(other.id)")
  }

  private func isThere(_ other: Person, toBeAddedTo book: FollowedBook) -> Failure {
    var failure = Self.isThere(other)
    failure.hint = suggestions(.sendPerson(person: other.id, book: book.follow))
    return failure
  }

  /// The path of the address book whose person it is; `nil` for one of no address book.
  private static func book(of person: Person) -> ExactString? {
    person.origin == Person.imported ? nil : person.origin?.exact
  }

  /// The other stored people with the same names. O(n) for n people.
  ///
  /// - Parameter isExact: whether names that differ only in case or accents are others.
  func namesakes(of person: Person, isExact: Bool = true, in reader: some RecordReader) throws(StoreError) -> [Person] {
    func letters(_ name: String) -> String { isExact ? name : FoldedText.folded(name) }
    let (first, last) = (letters(person.firstName), letters(person.lastName))
    var namesakes: [Person] = []
    try reader.scan(.people, .all) { (record: RawSpan) throws(StoreError) -> ScanStep in
      // The first name is enough for most people, and takes a tenth of the time of a whole person.
      if let firstName = try? coder.text("firstName", of: record), letters(firstName) != first { return .next }
      let other = try Person(stored: record, coder)
      if letters(other.firstName) == first, letters(other.lastName) == last, other.id.exact != person.id.exact {
        namesakes.append(other)
      }
      return .next
    }
    return namesakes
  }

  /// The person among others whom `PersonMatcher` takes a person for.
  func known(
    as person: Person, among others: [Person], _ policy: PersonMatcher.Policy, in reader: some RecordReader
  ) throws(StoreError) -> Person? {
    guard !others.isEmpty else { return nil }
    var matcher = PersonMatcher(policy)
    for other in others { matcher.add(try evidence(of: other, in: reader)) }
    guard case .same(let index, _) = matcher.match(try evidence(of: person, in: reader)) else { return nil }
    return others[index]
  }

  /// What is known of a stored person, with the `UID` of the stored card.
  func evidence(of person: Person, in reader: some RecordReader) throws(StoreError) -> PersonEvidence {
    let card = try StoredCard.bytes(person.id, in: reader, coder)
    return PersonEvidence(person, uid: card.flatMap { contactFormat.uid(of: $0) })
  }

  func pending(in reader: some RecordReader) throws(StoreError) -> Set<ExactString> {
    Set(try edits.edits(of: .people, in: reader).map(\.targetID.exact))
  }

  /// Whether the person is only here: no server has the person, or gets the person by one of the pending edits.
  func isLocal(
    _ person: Person, pending: Set<ExactString>, in reader: any StoreTransaction
  ) throws(StoreError) -> Bool {
    if pending.contains(person.id.exact) { return false }
    return try !isOnServer(person, in: reader)
  }

  private static func details(
    _ old: ContactDetails, _ change: JSONObject, checks: Bool = true
  ) throws(Failure) -> ContactDetails {
    guard !change.isEmpty else { return old }
    let new: ContactDetails
    do throws(RecordError) { new = try old.changed(by: change) } catch {
      throw Failure(
        .config, .usage, "'\(error.field)' is not valid: expected \(error.expected), found \(error.found)",
        hint: "write null to remove a detail", code: .own(.badDetail), path: error.field)
    }
    if checks { try Failure.from { () throws(PersonInput.Mistake) in try PersonInput.check(new, over: old) } }
    return new
  }

  private static func checkName(_ person: Person) throws(Failure) {
    if person.firstName.isEmpty, person.lastName.isEmpty {
      throw Failure(
        .config, .usage, "a person needs a name", hint: "give a first name, a last name or a full name",
        code: .own(.noName), path: "firstName")
    }
  }

  /// Writes the changed person; what no field reads is kept.
  ///
  /// - Parameter others: further members of that kind.
  func replace(
    _ old: Person, with person: Person, adding others: [JSONObject.Member] = [],
    in transaction: inout any StoreTransaction
  ) throws(StoreError) {
    var fields = person.fields
    fields.members += try (otherMembers(of: old, in: transaction) + others).filter { fields[$0.key] == nil }
    try transaction.put(coder.encode(fields), id: person.id, in: .people)
  }

  /// The stored members that no field of the person reads, also because they are not as expected.
  func otherMembers(of person: Person, in reader: some RecordReader) throws(StoreError) -> [JSONObject.Member] {
    let known = person.fields
    let stored = try reader.object(.people, person.id, coder)?.members ?? []
    // Earlier versions stored a name that was not given as an empty text.
    return stored.filter {
      known[$0.key] == nil && $0.value != .null && $0.key != "firstName" && $0.key != "lastName"
    }
  }
}
