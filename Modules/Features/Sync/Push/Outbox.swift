public import Models
public import Ports

/// Lists the pending edits and applies the user's decisions about them.
public struct Outbox: OutboxService {
  let store: any RecordStore
  let coder: any RecordCoder
  private let catalog: CollectionCatalog
  private let time: any TimeSource
  /// Another one in tests.
  package var process = ProcessIdentity.current()
  /// Why its commits are made, where the store does not say so.
  var cause: ChangeCause?
  private let events: any EventSink
  private let suggestions: Suggestions

  public init(
    store: any RecordStore, coder: any RecordCoder, catalog: CollectionCatalog, time: any TimeSource,
    events: any EventSink, suggestions: Suggestions = Suggestions()
  ) {
    (self.time, self.suggestions, self.store) = (time, suggestions, store)
    (self.coder, self.catalog, self.events) = (coder, catalog, events)
  }

  /// All entries, oldest first. O(n log n) for n entries.
  public func entries() throws(Failure) -> [OutboxEntry] {
    try Failure.reading(OutboxQueue(in: store.snapshot(), coder).entries)
  }

  /// O(edits that are being sent).
  public func holds() throws(Failure) -> [ExactString: EditHold] {
    return try Failure.reading(SendLease.holds(besides: process, at: time.now, in: store.snapshot(), coder))
  }

  /// A refused entry whose fields the remote has changed since becomes a conflict.
  ///
  /// - Returns: the entries that are pending again or became conflicts; a given entry that was already pending is
  ///   returned unchanged.
  public func retry(_ id: String?, makesAgain: Bool) async throws(Failure) -> [OutboxEntry] {
    if let id {
      let entry = try await change(id) { (entry, transaction) throws(StoreError) in
        if entry.isMade, !makesAgain { return .failure(.madeAlready(entry, suggestions)) }
        if entry.retried != entry { try transaction.put(entry.retried, coder) }
        return .success((entry.retried, .retry))
      }
      return [entry]
    }
    let entries = try await store.commit { (transaction) throws(StoreError) -> [OutboxEntry] in
      let refused = try OutboxQueue(in: transaction, coder).entries.filter {
        $0.state == .refused && (makesAgain || !$0.isMade)
      }
      for entry in refused { try transaction.put(entry.retried, coder) }
      return refused.map(\.retried)
    }
    for entry in entries { report(entry, .retry) }
    return entries
  }

  /// A new record (`post`) goes with its edit; only a person stays, who is no longer one of an address book. The edited fields
  /// of a changed record get the remote's last known values, except fields of another edit. A removed record is restored from
  /// the remote's last known copy.
  public func discard(_ id: String) async throws(Failure) -> OutboxEntry {
    try await change(id) { (entry, transaction) throws(StoreError) in
      try discard(entry, in: &transaction)
      return .success((entry, .discarded))
    }
  }

  /// With `theirs`, later edits of the same field are based on the remote's value and may become conflicts themselves.
  public func resolve(_ id: String, take side: ConflictSide) async throws(Failure) -> OutboxEntry {
    try await change(id) { (entry, transaction) throws(StoreError) in
      guard entry.state == .conflict else { return .failure(.noConflict(entry, suggestions)) }
      return try resolve(entry, take: side, in: &transaction)
    }
  }

  private func resolve(
    _ entry: OutboxEntry, take side: ConflictSide, in transaction: inout any StoreTransaction
  ) throws(StoreError) -> Result<(OutboxEntry, EditOutcome), Failure> {
    switch side {
    case .mine where entry.kind == .put && !entry.isRemoved:
      return .success((try keep(Set(entry.edit.keys.map(\.exact)), of: entry, in: &transaction), .resolvedMine))
    case .mine where entry.isRemoved && !canCreate(entry.targetCollection):
      return .failure(
        Failure(
          .store, .usage, "\(entry.target) cannot be created again: its source takes no new records",
          hint: "take theirs: the record is removed here, as the server has it", code: .own(.notAddable)))
    case .mine:
      var mine = entry
      mine.base = entry.theirs ?? entry.base
      mine.decide()
      try transaction.put(mine, coder)
      try rebase(on: mine, in: &transaction)
      return .success((mine, .resolvedMine))
    case .theirs:
      let mine = unopposed(entry)
      if !mine.isEmpty { return .success((try keep(mine, of: entry, in: &transaction), .resolvedTheirs)) }
      try discard(entry, in: &transaction)
      return .success((ended(entry), .resolvedTheirs))
    }
  }

  /// Whether the source of a record that the remote removed can create it again.
  private func canCreate(_ collection: CollectionName) -> Bool {
    catalog[collection].map { $0.keepsLocal || !$0.newFields.isEmpty } ?? true
  }

  /// An edit of which nothing is left.
  private func ended(_ entry: OutboxEntry) -> OutboxEntry {
    var none = entry
    none.edit = [:]
    none.decide()
    return none
  }

  /// Undoes an edit, and those that wait for it.
  private func discard(_ entry: OutboxEntry, in transaction: inout any StoreTransaction) throws(StoreError) {
    try transaction.delete(.outbox, entry.id)
    try revert(entry, in: &transaction)
    for other in try OutboxQueue(in: transaction, coder).entries where other.after?.exact == entry.$target {
      try discard(other, in: &transaction)
    }
  }

  /// The fields that the remote has not changed stay those of the edit, named or not. If all fields in conflict are of one
  /// side, the result is that of `resolve(_:take:)`.
  public func resolve(_ id: String, mine fields: Set<ExactString>) async throws(Failure) -> OutboxEntry {
    try await change(id) { (entry, transaction) throws(StoreError) in
      let names = Set(entry.edit.keys.map(\.exact))
      guard entry.state == .conflict else { return .failure(.noConflict(entry, suggestions)) }
      guard fields.isSubset(of: names) else { return .failure(Self.noField(fields.subtracting(names), of: entry)) }
      let contested = entry.contested
      let chosen = fields.intersection(contested)
      guard entry.kind == .put, !chosen.isEmpty, chosen != contested else {
        let side: ConflictSide = fields.isEmpty || chosen != contested ? .theirs : .mine
        return try resolve(entry, take: side, in: &transaction)
      }
      return .success((try keep(chosen.union(unopposed(entry)), of: entry, in: &transaction), .resolvedByField))
    }
  }

  /// The edited fields that the remote has not changed. Empty if the remote removed the record.
  private func unopposed(_ entry: OutboxEntry) -> Set<ExactString> {
    guard entry.kind == .put, let theirs = entry.theirs, !entry.isRemoved else { return [] }
    return Set(entry.edit.keys.filter { theirs[$0] ?? .null == entry.base[$0] ?? .null }.map(\.exact))
  }

  /// Keeps some fields of an edit in conflict as a pending edit; the others take the remote's values. A field that follows
  /// kept ones, as a full name follows the last name, is derived from the remote's values and theirs.
  private func keep(
    _ fields: Set<ExactString>, of entry: OutboxEntry, in transaction: inout any StoreTransaction
  ) throws(StoreError) -> OutboxEntry {
    let theirs = entry.theirs ?? entry.base
    let followers = try followers(fields, of: entry, in: transaction)
    let fields = fields.subtracting(followers.keys).union(followers.filter { $0.value != nil }.keys)
    guard !fields.isEmpty else {
      try transaction.delete(.outbox, entry.id)
      try revert(entry, in: &transaction)
      return ended(entry)
    }
    var mine = entry
    mine.edit = entry.edit.filtered { fields.contains($0.exact) }
    mine.base = theirs.filtered { fields.contains($0.exact) }
    mine.decide()
    for case (let key, let value?) in followers { mine.edit[key.text] = value }
    try transaction.put(coder.encode(mine.fields), id: entry.id, in: .outbox)
    var dropped = entry
    dropped.edit = entry.edit.filtered { !fields.contains($0.exact) }
    try revert(dropped, in: &transaction)
    try rebase(on: mine, in: &transaction)
    try follow(mine, followers.keys, in: &transaction)
    return mine
  }

  /// O(log n) for n records.
  public func followingFields(of entry: OutboxEntry) throws(Failure) -> [ExactString: [String]] {
    try Failure.reading(following(entry, in: store.snapshot()))
  }

  /// The derived fields of an edit that it changed only because it changed what they are derived from, with the edited
  /// fields that they are derived from.
  private func following(
    _ entry: OutboxEntry, in reader: some RecordReader
  ) throws(StoreError) -> [ExactString: [String]] {
    guard entry.kind == .put, !entry.isRemoved, let type = catalog[entry.targetCollection]?.record,
      type.dependentFields.keys.contains(where: { entry.edit[$0] != nil }),
      let record = try reader.object(entry.targetCollection, entry.targetID, coder)
    else { return [:] }
    let before = Self.changed(record, entry.base, entry.edit.keys)
    var following: [ExactString: [String]] = [:]
    for (key, sources) in type.dependentFields where entry.edit[key] != nil {
      let edited = sources.filter { entry.edit[$0] != nil }
      let after = Self.changed(before, entry.edit, edited)
      guard !edited.isEmpty,
        catalog.derived(key, from: before, to: after, in: entry.targetCollection) == entry.edit[key]
      else { continue }
      following[key.exact] = edited
    }
    return following
  }

  /// The values of the following fields of an edit after some of its fields were kept; `nil` where none of those that they
  /// follow were.
  private func followers(
    _ kept: Set<ExactString>, of entry: OutboxEntry, in reader: some RecordReader
  ) throws(StoreError) -> [ExactString: JSONValue?] {
    let following = try following(entry, in: reader)
    guard !following.isEmpty, let record = try reader.object(entry.targetCollection, entry.targetID, coder) else {
      return [:]
    }
    let theirs = Self.changed(record, entry.theirs ?? entry.base, entry.edit.keys)
    var followers: [ExactString: JSONValue?] = [:]
    for (key, edited) in following {
      let taken = edited.filter { kept.contains($0.exact) }
      let after = Self.changed(theirs, entry.edit, taken)
      followers[key] = .some(
        taken.isEmpty ? nil : catalog.derived(key.text, from: theirs, to: after, in: entry.targetCollection))
    }
    return followers
  }

  /// The record with these of the values; null removes a field.
  private static func changed(_ record: JSONObject, _ values: JSONObject, _ keys: some Sequence<String>) -> JSONObject {
    var record = record
    for key in keys { record[key] = values[key].flatMap { $0 == .null ? nil : $0 } }
    return record
  }

  /// Gives the stored record the values of an edit in some fields, unless a later edit has them.
  private func follow(
    _ entry: OutboxEntry, _ keys: some Sequence<ExactString>, in transaction: inout any StoreTransaction
  ) throws(StoreError) {
    let (collection, id) = (entry.targetCollection, entry.targetID)
    guard var record = try transaction.object(collection, id, coder) else { return }
    let edits = try OutboxQueue(in: transaction, coder, only: entry.target)[collection, id]
    let later = edits.drop { $0.$id != entry.$id }.dropFirst()
    var isChanged = false
    for key in keys.map(\.text) where !later.contains(where: { $0.edit[key] != nil }) {
      guard let value = entry.edit[key], value != record[key] else { continue }
      record[key] = value
      isChanged = true
    }
    if isChanged { try transaction.put(coder.encode(record), id: id, in: collection) }
  }

  private static func noField(_ names: Set<ExactString>, of entry: OutboxEntry) -> Failure {
    Failure(
      .store, .usage,
      "the edit of \(entry.target) has no field \(names.sorted().map { "'\($0.text)'" }.joined(separator: ", "))",
      hint: "its fields are \(entry.edit.keys.joined(separator: ", "))", code: .own(.noField))
  }

  /// Updates the later edits of the same fields after the choice of these values over those of the remote.
  private func rebase(on entry: OutboxEntry, in transaction: inout any StoreTransaction) throws(StoreError) {
    let edits = try OutboxQueue(in: transaction, coder, only: entry.target)[entry.targetCollection, entry.targetID]
    for var later in edits.drop(while: { $0.$id != entry.$id }).dropFirst() {
      let keys = later.edit.keys.filter { entry.edit[$0] != nil && later.base[$0] != entry.base[$0] }
      guard !keys.isEmpty else { continue }
      for key in keys { later.base[key] = entry.base[key] }
      try transaction.put(later, coder)
    }
  }

  /// Undoes an edit locally. Fields of other edits keep their values; these edits are then based on the remote's
  /// current values, and may become conflicts.
  private func revert(_ entry: OutboxEntry, in transaction: inout any StoreTransaction) throws(StoreError) {
    let (collection, id) = (entry.targetCollection, entry.targetID)
    let remote = try RemoteState(collection, id, in: transaction, coder)
    let others = try OutboxQueue(in: transaction, coder, only: entry.target)[collection, id]
    switch entry.kind {
    case .post: return try unmake(entry, others, in: &transaction)
    case .delete: return try restore(entry, remote, others, in: &transaction)
    case .put: break
    }
    if remote.isGone { return try revert(entry, removedElsewhere: others, in: &transaction) }
    guard var record = try transaction.object(collection, id, coder) else { return }
    var chain = EditChain(others.filter { $0.kind == .put })
    for key in entry.edit.keys {
      // If the complete remote record is stored, it is newer than the values in the edit.
      let theirs = remote.copy.base.map { $0[key] ?? .null } ?? (entry.theirs ?? entry.base)[key] ?? .null
      var value = chain.value(key) ?? theirs
      // Whether an edit with an unknown outcome has arrived is determined at the next read of the remote.
      let isSure = !entry.outcomeUnknown || entry.theirs != nil
      if chain.reconcile(key, theirs, isSure: isSure) { value = theirs }
      record[key] = value == .null ? nil : value
    }
    let outcome = chain.outcome()
    for edit in outcome.completed { try transaction.delete(.outbox, edit.id) }
    for edit in outcome.changed { try transaction.put(edit, coder) }
    try transaction.put(coder.encode(record), id: id, in: collection)
  }

  /// Removes a new record that is not sent, with its later edits. One that may be here alone gets the values back that the
  /// program set before, such as where a person comes from. An edit that may have arrived keeps them, so that the record is
  /// found again at the remote.
  private func unmake(
    _ entry: OutboxEntry, _ others: [OutboxEntry], in transaction: inout any StoreTransaction
  ) throws(StoreError) {
    let (collection, id) = (entry.targetCollection, entry.targetID)
    guard catalog[collection]?.keepsLocal == true else {
      for other in others { try transaction.delete(.outbox, other.id) }
      return try RecordRemoval.delete(id, of: collection, catalog[collection], in: &transaction)
    }
    guard !entry.outcomeUnknown, var record = try transaction.object(collection, id, coder) else { return }
    for key in catalog[collection]?.record?.assignedFields ?? [] {
      guard let set = entry.edit[key], record[key] == set else { continue }
      record[key] = entry.base[key].flatMap { $0 == .null ? nil : $0 }
    }
    try transaction.put(coder.encode(record), id: id, in: collection)
  }

  /// Undoes an edit of a record that the remote removed; the record is deleted with its last edit. Other edits become
  /// conflicts: sent as they are, they would create the record again, with values that the user did not choose.
  private func revert(
    _ entry: OutboxEntry, removedElsewhere others: [OutboxEntry], in transaction: inout any StoreTransaction
  ) throws(StoreError) {
    let (collection, id) = (entry.targetCollection, entry.targetID)
    guard !others.isEmpty, var record = try transaction.object(collection, id, coder) else {
      try RecordRemoval.delete(id, of: collection, catalog[collection], in: &transaction)
      return try transaction.clearState(RemoteState.key(collection, id))
    }
    for member in entry.base.members {
      // The newest of the edits that are left, which can be an earlier one than this.
      let value = others.last { $0.edit[member.key] != nil }?.edit[member.key] ?? member.value
      record[member.key] = value == .null ? nil : value
    }
    try transaction.put(coder.encode(record), id: id, in: collection)
    for var other in others where other.kind == .put {
      other.conflictWithRemoval()
      try transaction.put(other, coder)
    }
  }

  /// Restores a removed record from the remote's last known copy, including the pending edits.
  private func restore(
    _ entry: OutboxEntry, _ remote: RemoteState, _ others: [OutboxEntry], in transaction: inout any StoreTransaction
  ) throws(StoreError) {
    let (collection, id) = (entry.targetCollection, entry.targetID)
    guard try transaction.record(collection, id) == nil else { return }
    var record = entry.theirs ?? remote.copy.base ?? entry.base
    for member in others.filter({ $0.kind != .delete }).flatMap(\.edit.members) {
      record[member.key] = member.value == .null ? nil : member.value
    }
    record = JSONObject(
      members: [JSONObject.Member(key: "id", value: .string(id))] + record.members.filter { $0.key != "id" })
    let whole = (try? catalog.canonical(record, in: collection)) ?? record
    try transaction.put(coder.encode(whole), id: id, in: collection)
  }

  /// Changes an entry in one commit, and reports the outcome.
  private func change(
    _ id: String,
    _ body: (OutboxEntry, inout any StoreTransaction) throws(StoreError) -> Result<(OutboxEntry, EditOutcome), Failure>
  ) async throws(Failure) -> OutboxEntry {
    let result = try await store.commit {
      (transaction) throws(StoreError) -> Result<(OutboxEntry, EditOutcome), Failure> in
      if let cause { transaction.explain(cause) }
      if let entry = try transaction.record(OutboxEntry.self, id, coder) { return try body(entry, &transaction) }
      return .failure(
        Failure(
          .store, .notFound, "the outbox has no entry \(id)", hint: suggestions(.listEdits), code: .own(.notFound)))
    }
    let (entry, outcome) = try result.get()
    report(entry, outcome)
    return entry
  }

  private func report(_ entry: OutboxEntry, _ outcome: EditOutcome) {
    events.report(.edit(id: entry.id, target: entry.target, outcome: outcome))
  }
}

extension JSONObject {
  fileprivate func filtered(_ isIncluded: (String) -> Bool) -> JSONObject {
    JSONObject(members: members.filter { isIncluded($0.key) })
  }
}
