public import Models
public import Ports

/// Shows and edits the profiles of the store.
public struct Profiles: ProfileService {
  let store: any RecordStore
  let coder: any RecordCoder
  let time: any TimeSource
  let random: any RandomSource

  /// A service over a store.
  public init(
    store: any RecordStore, coder: any RecordCoder, time: any TimeSource, random: any RandomSource
  ) {
    self.store = store
    self.coder = coder
    self.time = time
    self.random = random
  }

  /// The profile as it stands here, edits included.
  public func profile(_ id: String) throws(Failure) -> Profile {
    do throws(StoreError) {
      if let profile = try store.snapshot().record(Profile.self, id, coder) { return profile }
    } catch {
      throw error.failure
    }
    throw Self.notFound(id)
  }

  /// Edits the profile here and queues the edit, in one commit.
  public func edit(_ id: String, _ change: ProfileChange) async throws(Failure) -> Profile {
    try Self.check(change)
    let edited: Profile?
    do throws(StoreError) {
      edited = try await store.write { (transaction) throws(StoreError) -> Profile? in
        guard let old = try transaction.record(Profile.self, id, coder) else { return nil }
        let new = old.applying(change)
        if new != old {
          try transaction.put(keepingUnknown(of: old, in: transaction, new), id: id, in: .profiles)
          try queue(old, new, in: &transaction)
        }
        return new
      }.value
    } catch {
      throw error.failure
    }
    guard let edited else { throw Self.notFound(id) }
    return edited
  }

  /// The new record's bytes; members that no model knows stay.
  private func keepingUnknown(
    of old: Profile, in transaction: any StoreTransaction, _ new: Profile
  ) throws(StoreError) -> [UInt8] {
    var fields = new.fields
    let known = old.fields
    let stored = try transaction.object(.profiles, old.id, coder)?.members ?? []
    fields.members += stored.filter { known[$0.key] == nil && fields[$0.key] == nil && $0.value != .null }
    return coder.encode(fields)
  }

  private func queue(
    _ old: Profile, _ new: Profile, in transaction: inout any StoreTransaction
  ) throws(StoreError) {
    let target = "\(CollectionName.profiles)/\(old.id)"
    var earlier: [OutboxEntry] = []
    try transaction.scan(OutboxEntry.self, .all, coder) { (entry) throws(StoreError) in
      if entry.$target == target.exact { earlier.append(entry) }
      return .next
    }
    earlier.sort { ($0.createdAt, $0.$id) < ($1.createdAt, $1.$id) }
    // Only the newest may take the edit up: an older one is sent before those that came after it.
    let waiting = earlier.last.flatMap { $0.isUntouched ? $0 : nil }
    if waiting != nil { earlier.removeLast() }
    let remote = try remoteCopy(old.id, in: transaction)
    // Edits of one record are sent in the order of these times, which must tell them apart also within one second
    // and after the clock was set back.
    let createdAt = earlier.map { $0.createdAt + 1 }.max().map { max($0, time.now) } ?? time.now
    var entry =
      waiting
      ?? OutboxEntry(
        id: RecordID.make(at: createdAt, random: random.next), target: target, kind: .put, edit: [:], base: [:],
        createdAt: createdAt)
    let (before, after) = (old.fields, new.fields)
    for key in ["name", "email", "description"] {
      let value = after[key] ?? .null
      guard value != before[key] ?? .null else { continue }
      let others = earlier.filter { $0.edit[key] != nil }
      if entry.base[key] == nil {
        // The base is what the remote had when somebody here last saw it: where an earlier edit stands here in its
        // place, what that one stood on. What the remote changed since then is to be asked about.
        entry.base[key] =
          others.last?.base[key] ?? remote.map { $0[key] ?? .null } ?? before[key] ?? .null
      }
      entry.edit[key] = value
      // Back to what the remote has, and nothing on its way there: nothing is left to send of this field.
      if entry.base[key] == value, others.isEmpty {
        entry.edit[key] = nil
        entry.base[key] = nil
      }
    }
    if entry.edit.isEmpty {
      try transaction.delete(.outbox, entry.id)
    } else {
      try transaction.put(entry, coder)
    }
  }

  /// The profile as the remote last had it, where that is remembered.
  private func remoteCopy(_ id: String, in reader: any StoreTransaction) throws(StoreError) -> JSONObject? {
    try reader.object(.state, "remote/\(CollectionName.profiles)/\(id)", coder)?["memory"]?.object?["base"]?.object
  }

  /// Refuses what a server would: a user without a name or an address is none, so the edit would never be taken.
  private static func check(_ change: ProfileChange) throws(Failure) {
    if let name = change.name, name.allSatisfy(\.isWhitespace) {
      throw Failure(.config, .usage, "a profile needs a name: it cannot be empty", code: "no-name")
    }
    if let email = change.email, email.allSatisfy(\.isWhitespace) {
      throw Failure(.config, .usage, "a profile needs a mail address: it cannot be empty", code: "no-email")
    }
  }

  private static func notFound(_ id: String) -> Failure {
    Failure(
      .store, .notFound, "there is no profile '\(id)' here", hint: "follow it first: almanac follow users/\(id)",
      code: "not-found", path: "profiles/\(id)")
  }
}

extension OutboxEntry {
  /// Whether it waits and was never sent, so that it can still take up another edit.
  var isUntouched: Bool { kind == .put && state == .pending && attempts == 0 && !outcomeUnknown }
}

extension Profile {
  /// The profile with the change done.
  func applying(_ change: ProfileChange) -> Profile {
    var profile = self
    if let name = change.name { profile.name = name }
    if let email = change.email { profile.email = email }
    switch change.description {
    case .set(let text): profile.description = text
    case .clear: profile.description = nil
    case nil: break
    }
    return profile
  }
}
