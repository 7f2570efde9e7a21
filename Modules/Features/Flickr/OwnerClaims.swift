import Models
import Synchronization

/// Which follow asks for which owner in a run, so that no two ask for the same one.
///
/// It lives with the process; what other processes and earlier runs fetched is seen in the store.
final class OwnerClaims: Sendable {
  private struct Run {
    let id: String
    var follows: [ExactString: String] = [:]
  }

  /// Runs that are remembered: more than ever go on at the same time.
  private static let remembered = 8

  private let runs = Mutex<[Run]>([])

  /// Whether the follow may ask for the owner: nobody else did in this run.
  func claim(_ owner: String, run: String, follow: String) -> Bool {
    runs.withLock { runs in
      var index = runs.firstIndex { $0.id.exact == run.exact }
      if index == nil {
        if runs.count == Self.remembered { runs.removeFirst() }
        runs.append(Run(id: run))
        index = runs.count - 1
      }
      let holder = runs[index!].follows[owner.exact]
      if holder == nil { runs[index!].follows[owner.exact] = follow }
      return holder == nil || holder?.exact == follow.exact
    }
  }
}
