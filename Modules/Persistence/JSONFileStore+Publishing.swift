public import Models
public import Ports

extension JSONFileStore {
  /// Renews the published files (`people.jsonl`) of what this store has committed since it last did, and of what others
  /// left behind; does nothing where this store has committed nothing.
  ///
  /// No commit waits for it, and what fails here changes no record. It waits for other writers for 100 ms, and then leaves
  /// the files to them: a process that commits renews the files of all commits.
  public func publish() async throws(StoreError) {
    let written = withCache { cache in
      defer { cache.unpublished = [:] }
      return cache.unpublished
    }
    if written.isEmpty { return }
    do throws(StoreError) {
      let lock = try await takeTurn(patience: min(lockPatience, .milliseconds(100)))
      defer { giveTurn(lock) }
      try openWriter(lock).publishViews(written: written)
    } catch {
      withCache { $0.unpublished.merge(written, uniquingKeysWith: +) }
      if error.code != .busy { throw error }
    }
  }

  /// The collections whose published file does not hold the newest commits.
  public func behind() throws(StoreError) -> [CollectionName] {
    var behind: [CollectionName] = []
    var last: UInt64?
    // A file that is renewed meanwhile is newer than the state that was read.
    for _ in 0..<3 {
      guard let state = try currentState(), state.sequence != last else { break }
      last = state.sequence
      behind = []
      for view in View.all(in: state, on: disk) where try !view.isCurrent(upTo: limits.viewMost) {
        behind.append(CollectionName(rawValue: view.collection))
      }
      if behind.isEmpty { break }
    }
    return behind
  }
}
