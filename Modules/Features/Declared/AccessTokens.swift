import Models
import Synchronization

/// The access token of a source, as long as it is valid. It lives with the process and is not stored.
final class AccessTokens: Sendable {
  private struct Kept {
    var token: String
    var end: Timestamp
  }

  private let kept = Mutex<Kept?>(nil)

  /// The token; `nil` if there is none, or if it has expired.
  func token(at time: Timestamp) -> String? {
    kept.withLock { kept in kept.flatMap { time < $0.end ? $0.token : nil } }
  }

  /// Keeps a token until it ends.
  func keep(_ token: String, until end: Timestamp) { kept.withLock { $0 = Kept(token: token, end: end) } }

  /// Drops the token, which the server refused.
  func forget() { kept.withLock { $0 = nil } }
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
