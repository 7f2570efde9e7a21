import Models
import Synchronization

/// The access token of a source, as long as it is valid, and the tokens that messages must not show.
final class AccessTokens: Sendable {
  private struct State {
    var token = ""
    var end = Timestamp(secondsSinceEpoch: 0)
    /// The token that the server refused last.
    var refused = ""
    /// Every token that this process has used.
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
  func refuse(_ authorization: String) -> Bool {
    state.withLock { state in
      let token = String(authorization.dropFirst("Bearer ".count))
      // Another task may have a new token already.
      guard state.token.exact == token.exact else { return !state.token.isEmpty }
      (state.token, state.refused) = ("", token)
      return true
    }
  }

  /// Masks a token in messages from now on.
  func hide(_ token: String) {
    guard token.utf8.count >= 4 else { return }
    state.withLock { state in
      if !state.known.contains(where: { $0.exact == token.exact }) { state.known.append(token) }
    }
  }

  /// The text without tokens.
  func masked(_ text: String) -> String {
    state.withLock { $0.known }.reduce(text) { $0.replacing($1, with: "REDACTED") }
  }
}

/// What the records of a run asked for already, so that two that ask for the same cause one request.
final class AskedValues: Sendable {
  private struct Run {
    let id: ExactString
    var values: Set<ExactString> = []
  }

  /// Runs that are remembered: more than ever go on at the same time.
  private static let remembered = 8

  private let runs = Mutex<[Run]>([])

  /// Whether the values were not asked for in the run, of a follow, before.
  func isNew(_ values: String, run: String, follow: String) -> Bool {
    runs.withLock { runs in
      let id = "\(run) \(follow)".exact
      var index = runs.firstIndex { $0.id == id }
      if index == nil {
        if runs.count == Self.remembered { runs.removeFirst() }
        runs.append(Run(id: id))
        index = runs.count - 1
      }
      return runs[index!].values.insert(values.exact).inserted
    }
  }
}
