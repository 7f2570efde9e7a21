import Models
import Ports
import Synchronization

/// The access token of a source, as long as it is valid, and the tokens that messages must not show.
final class AccessTokens: Sendable {
  private struct State {
    var token = ""
    var end = Timestamp(secondsSinceEpoch: 0)
    /// The token that the server refused last.
    var refused = ""
    var known: [String] = []
  }

  private let state = Mutex(State())

  /// The token; `nil` if there is none, or if it has expired.
  func token(at time: Timestamp) -> String? {
    state.withLock { $0.token.isEmpty || time >= $0.end ? nil : $0.token }
  }

  /// Keeps a token until it ends. Returns false if the server has refused it.
  func keep(_ token: String, until end: Timestamp) -> Bool {
    hide(token)
    return state.withLock { state in
      guard token.exact != state.refused.exact else { return false }
      (state.token, state.end) = (token, end)
      return true
    }
  }

  /// Drops the token, which the server refused. Returns whether another one may be accepted.
  func refuse(_ token: String) -> Bool {
    state.withLock { state in
      // Another task may have a new token already.
      guard state.token.exact == token.exact else { return !state.token.isEmpty }
      (state.token, state.refused) = ("", token)
      return true
    }
  }

  func hide(_ token: String) {
    guard token.utf8.count >= 4 else { return }
    state.withLock { state in
      if !state.known.contains(where: { $0.exact == token.exact }) { state.known.append(token) }
    }
  }

  func masked(_ text: String) -> String {
    state.withLock { $0.known }.reduce(text) { $0.replacing($1, with: "REDACTED") }
  }
}

/// Which fields the first records of a pull have, so that its author learns of those that no record has.
final class FilledFields: Sendable {
  private struct State {
    var counts: [CollectionName: Int] = [:]
    var names: [CollectionName: Set<ExactString>] = [:]
  }

  /// Records of a collection that are looked at, so that long lists cost nothing.
  private static let most = 200

  private let state = Mutex(State())

  /// Looks at records of a page.
  func note(_ records: [DeclaredRecord]) {
    state.withLock { state in
      for record in records {
        guard let collection = record.id?.collection, !record.isGone, state.counts[collection, default: 0] < Self.most
        else { continue }
        state.counts[collection, default: 0] += 1
        for member in record.fields.members { state.names[collection, default: []].insert(member.key.exact) }
      }
    }
  }

  /// The fields that no record has, one text for each collection. What was noted is forgotten.
  func notes(of definition: SourceDefinition) -> [String] {
    let state = state.withLock { state in
      defer { state = State() }
      return state
    }
    return definition.collections.flatMap { collection -> [String] in
      guard let count = state.counts[collection.name], count > 0 else { return [] }
      let constants = collection.mapping.fields.compactMap { field -> String? in
        guard case .value(let value) = field.content, let text = value.constant else { return nil }
        return "\(collection.name): every record has the same \(field.name), '\(text)': a path begins with $"
      }
      let names = state.names[collection.name] ?? []
      let missing = collection.mapping.fields.map(\.name).filter { !names.contains($0.exact) }
      guard !missing.isEmpty else { return constants }
      let records = count < Self.most ? "\(count)" : "the first \(count)"
      return constants + ["\(collection.name): none of \(records) records has \(missing.joined(separator: ", "))"]
    }
  }
}
