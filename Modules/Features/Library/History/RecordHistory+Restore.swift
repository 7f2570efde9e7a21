public import Models
public import Ports

// A restoration is an edit like any other: it is made by the feature that edits the records, and sent to their source.

extension RecordHistory {
  public func restoration(
    of collection: CollectionName, _ id: String, at moment: Moment
  ) throws(Failure) -> Restoration {
    let (then, now) = try Failure.from { () throws(StoreError) in
      (
        try store.snapshot(at: moment.commit).object(collection, id, coder),
        try StoredNow(collection, id, in: store.snapshot(), restoring.edits, coder)
      )
    }
    guard let then else {
      throw Failure(
        .store, .notFound, "there was no record '\(id)' in \(collection) at \(moment.at)",
        code: .own(.notFound), path: "\(collection)/\(id)")
    }
    let restoration = try restoration(of: collection, now, to: then)
    if restoration.edit.isEmpty, now.fields != nil || restoration.leftOut.isEmpty {
      let isSame = restoration.leftOut.isEmpty
      throw Failure(
        .store, .usage,
        isSame
          ? "\(collection)/\(now.id) is as it was at \(moment.at)"
          : "what changed in \(collection)/\(now.id) cannot be edited here, or is not kept any more: "
            + restoration.leftOut.joined(separator: ", "),
        code: .own(isSame ? .nothing : .notEditable), path: "\(collection)/\(now.id)")
    }
    return restoration
  }

  /// A record as it is stored now, under the id that it has now.
  struct StoredNow {
    let id: String
    /// `nil` if it is not stored.
    let bytes: [UInt8]?
    let fields: JSONObject?

    init(
      _ collection: CollectionName, _ id: String, in snapshot: any StoreSnapshot, _ edits: any PendingEdits,
      _ coder: any RecordCoder
    ) throws(StoreError) {
      let current = try edits.currentID(of: collection, id, in: snapshot)
      self.id = current
      bytes = try snapshot.record(collection, current)
      fields = try bytes.map { (bytes) throws(StoreError) in try coder.object(bytes, collection, current) }
    }
  }

  /// The edit that gives a record these fields; without fields where none of the changes can be edited.
  func restoration(
    of collection: CollectionName, _ stored: StoredNow, to then: JSONObject
  ) throws(Failure) -> Restoration {
    let (now, current) = (stored.fields, stored.id)
    let changes = changes(from: now ?? [:], to: then, of: collection)
    let names = editable(collection, isNew: now == nil)
    var edited = changes.filter { change in
      names?.contains { $0.exact == change.field.exact || change.field.hasPrefix("\($0).") } ?? true
    }
    if collection == .people, let place = edited.firstIndex(where: { $0.field == "photo" }),
      let photo = edited[place].to?.object
    {
      if let whole = try self.photo(photo, of: current) {
        edited[place].to = .object(whole)
      } else {
        edited.remove(at: place)
      }
    }
    let others = Set(edited.map(\.field.exact))
    return Restoration(
      collection, current, now == nil ? .post : .put,
      JSONObject(members: edited.map { .init(key: $0.field, value: $0.to ?? .null) }),
      over: JSONObject(members: edited.map { .init(key: $0.field, value: $0.from ?? .null) }),
      leftOut: changes.map(\.field).filter { !others.contains($0.exact) },
      current: stored.bytes)
  }

  /// A photo with its bytes, where these are known: they are in the record while an edit waits, else in the card, or in a
  /// former one. `nil` where they are not known.
  private func photo(_ fields: JSONObject, of id: String) throws(Failure) -> JSONObject? {
    let photo = ContactPhoto(fields: fields)
    if !photo.isInCard { return fields }
    return try Failure.from { () throws(StoreError) in
      if let whole = restoring.people.photo(photo, in: try cards(of: id)) { return whole.fields }
      var before: UInt64?
      while true {
        let page = try store.history(.people, id, before: before, limit: 100)
        for state in page.flatMap({ [$0.after, $0.before] }).compactMap(\.self) {
          let other = try coder.object(state, .people, id)["photo"]?.object
          if other?["bytes"] == fields["bytes"], other?["data"] != nil { return other }
        }
        guard let oldest = page.last else { return nil }
        before = oldest.commit
      }
    }
  }

  /// The cards that are known of a person, the newest first.
  private func cards(of id: String) throws(StoreError) -> [StoredCard] {
    var states: [[UInt8]?] = [try store.snapshot().record(.cards, id)]
    do throws(StoreError) {
      states += try store.history(.cards, id, before: nil, limit: .max).map(\.before)
    } catch {
      guard error.code == .notKept else { throw error }
    }
    var cards: [StoredCard] = []
    for state in states.compactMap(\.self) {
      if let card = StoredCard(fields: try coder.object(state, .cards, id)) { cards.append(card) }
    }
    return cards
  }

  @discardableResult
  public func restore(_ restoration: Restoration, in books: [FollowedBook]) async throws(Failure) -> RestoredRecord {
    let id = try await restored(restoration, in: books)
    return try store.read { (snapshot) throws(StoreError) in
      var restored = RestoredRecord(
        id: id, waits: try !restoring.edits.edits(of: restoration.collection, id, in: snapshot).isEmpty)
      if restoration.collection == .people, let former = restoration.edit["origin"]?.string {
        let origin = try snapshot.object(.people, id, coder)?["origin"]?.string
        if origin?.exact != former.exact { restored.formerBook = former }
        restored.hasNewCard = try snapshot.record(.cards, id) == nil && former != Person.imported
      }
      return restored
    }
  }

  private func restored(_ restoration: Restoration, in books: [FollowedBook]) async throws(Failure) -> String {
    var restoration = restoration
    let (collection, id) = (restoration.collection, restoration.id)
    let target = "\(collection)/\(id)"
    if restoration.kind == .post,
      let removal = try restoring.outbox.entries().first(where: { $0.kind == .delete && $0.$target == target.exact })
    {
      // The server still has it: giving up the removal brings the record back, and the rest is a change.
      _ = try await restoring.outbox.discard(removal.id)
      let stored = try Failure.reading(store.snapshot().record(collection, id))
      let now = try Failure.reading(
        stored.map { (bytes) throws(StoreError) in try coder.object(bytes, collection, id) })
      let record = catalog[collection]?.record
      restoration.edit.members.removeAll {
        ["origin", "remoteID"].contains($0.key) || now?[$0.key] == record?.accepted($0.key, $0.value) ?? $0.value
      }
      (restoration.kind, restoration.current) = (.put, stored)
      if restoration.edit.isEmpty { return id }
    }
    if isOwn(collection) {
      try await put(restoration)
      return id
    }
    if collection == .people {
      let card = restoration.kind == .post ? try Failure.reading(cards(of: id).first) : nil
      return try await restoring.people.restore(restoration, card: card, in: books).id
    }
    let proposal = Proposal(
      id: restoring.edits.newID(), restoration.kind, of: collection, restoration.kind == .post ? nil : id,
      restoration.edit,
      over: restoration.base, by: "", at: Timestamp(secondsSinceEpoch: 0))
    // A removed record comes back as a new one, to which its id leads.
    let note = CommitNote(StateKey(.moved, target), isInUse: { _ in false }) { id, _ in ["to": .string(id)] }
    try await restoring.editor.apply(proposal, ifStored: restoration.current, alongside: note)
    return try Failure.reading(restoring.edits.currentID(of: collection, id, in: store.snapshot()))
  }

  /// Whether no source fills the collection: its records were imported.
  private func isOwn(_ collection: CollectionName) -> Bool { catalog[collection]?.fields.isEmpty ?? true }

  /// The fields that an edit may have; `nil` for all.
  private func editable(_ collection: CollectionName, isNew: Bool) -> [String]? {
    switch collection {
    case .people: PersonInput.fields + (isNew ? ["origin", "remoteID"] : [])
    case .profiles where !isNew: ProfileChange.fields
    case _ where isOwn(collection): nil
    default:
      isNew
        ? (catalog[collection]?.newFields ?? []) + (catalog[collection]?.addressFields ?? [])
        : catalog[collection]?.editableFields ?? []
    }
  }

  /// The fields that differ, in the form that the editor of the collection takes: members of objects by their paths, unless
  /// it takes whole fields.
  private func changes(
    from now: JSONObject, to then: JSONObject, of collection: CollectionName
  ) -> [HistoryEntry.Difference] {
    if collection != .people, collection != .profiles, !isOwn(collection) {
      return HistoryEntry.differences(now, then).filter { $0.field != "id" }
    }
    return (then.keys + now.keys.filter { then[$0] == nil }).filter { $0 != "id" && then[$0] != now[$0] }
      .map { HistoryEntry.Difference($0, from: now[$0], to: then[$0]) }
  }

  private func put(_ restoration: Restoration) async throws(Failure) {
    let (collection, id) = (restoration.collection, restoration.id)
    try await personal.change { (transaction) throws(StoreError) -> Result<Void, Failure> in
      guard try transaction.record(collection, id) == restoration.current else {
        return .failure(.changed(collection, id))
      }
      var record = try transaction.object(collection, id, coder) ?? ["id": .string(id)]
      for member in restoration.edit.members { record[member.key] = member.value == .null ? nil : member.value }
      try transaction.put(coder.encode(record), id: id, in: collection)
      return .success(())
    }
  }
}
