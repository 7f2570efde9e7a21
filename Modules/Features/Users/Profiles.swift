public import Models
public import Ports

/// Reads and edits stored profiles.
public struct Profiles: ProfileService {
  let store: any RecordStore
  let coder: any RecordCoder
  let edits: any PendingEdits
  let suggestions: Suggestions

  public init(
    store: any RecordStore, coder: any RecordCoder, edits: any PendingEdits, suggestions: Suggestions = Suggestions()
  ) {
    (self.suggestions, self.store, self.coder, self.edits) = (suggestions, store, coder, edits)
  }

  /// The stored profile, edits included.
  public func profile(_ id: String) throws(Failure) -> Profile {
    let profile = try Failure.reading(store.snapshot().record(Profile.self, id, coder))
    guard let profile else { throw notFound(id) }
    return profile
  }

  public func edit(_ id: String, _ change: ProfileChange, ifStored current: [UInt8]?) async throws(Failure) -> Profile {
    try Self.check(change)
    let edited = try await store.commit { (transaction) throws(StoreError) -> Result<Profile, Failure> in
      guard let old = try transaction.record(Profile.self, id, coder) else { return .failure(notFound(id)) }
      if try !transaction.holds(current, .profiles, id) { return .failure(.changed(.profiles, id)) }
      let new = old.applying(change)
      // What a server gave is not judged.
      if new.email.exact != old.email.exact, let fault = ContactValue.notMail(new.email) {
        return .failure(Self.refusal("'\(new.email)' is not a mail address", fault, .badValue, of: "email"))
      }
      if new != old {
        try transaction.put(keepingUnknown(of: old, in: transaction, new), id: id, in: .profiles)
        try edits.queueChange(of: .profiles, id, from: old.fields, to: new.fields, in: &transaction)
      }
      return .success(new)
    }
    return try edited.get()
  }

  /// The new record's bytes. Members that `Profile` does not know are kept.
  private func keepingUnknown(
    of old: Profile, in transaction: any StoreTransaction, _ new: Profile
  ) throws(StoreError) -> [UInt8] {
    var fields = new.fields
    let known = old.fields
    let stored = try transaction.object(.profiles, old.id, coder)?.members ?? []
    fields.members += stored.filter { known[$0.key] == nil && fields[$0.key] == nil && $0.value != .null }
    return coder.encode(fields)
  }

  /// Refuses an empty name or email address, as every server does.
  private static func check(_ change: ProfileChange) throws(Failure) {
    if let name = change.name, name.allSatisfy(\.isWhitespace) {
      throw refusal("the name of a profile cannot be empty", nil, .noName, of: "name")
    }
    if let email = change.email, email.allSatisfy(\.isWhitespace) {
      throw refusal("the email address of a profile cannot be empty", nil, .noEmail, of: "email")
    }
  }

  private static func refusal(_ message: String, _ fault: String?, _ code: OwnCode, of field: String) -> Failure {
    Failure(
      .config, .usage, message, hint: fault.map { "\($0); write one such as ada@example.org" }, code: .own(code),
      path: field)
  }

  private func notFound(_ id: String) -> Failure {
    Failure(
      .store, .notFound, "there is no profile '\(id)'", hint: suggestions(.followUser(id: id)), code: .own(.notFound),
      path: "profiles/\(id)")
  }
}

extension Profile {
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
