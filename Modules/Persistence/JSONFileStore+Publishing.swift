public import Models
public import Ports

extension JSONFileStore {
  /// Renews the published files (`people.jsonl`) of what this store has committed since it last did, and of what others
  /// left behind; does nothing where this store has committed nothing.
  ///
  /// A small file is always renewed. A larger one is renewed when a good part of it was committed, when so much time has
  /// passed that renewing takes at most a hundredth of it, or when the effort is `complete`.
  ///
  /// No commit waits for it, and what fails here changes no record. It waits for other writers for 100 ms, and then leaves
  /// the files to them: a process that commits renews the files of all commits.
  public func publish(_ effort: PublishEffort) async throws(StoreError) {
    let limits = limits
    let now = time.now.secondsSinceEpoch
    let written = withCache { cache in
      defer { cache.unpublished = [:] }
      return cache.unpublished
    }
    if written.isEmpty { return }
    do throws(StoreError) {
      let lock = try await takeTurn(patience: min(lockPatience, .milliseconds(100)))
      defer { giveTurn(lock) }
      let passedOver = try openWriter(lock).publishViews { view in
        let size = view.size
        if size <= limits.viewAlways { return true }
        guard size <= (effort == .quick ? limits.viewCopied : limits.viewMost) else { return false }
        if effort == .complete || (written[view.collection] ?? 0) * limits.viewShare >= size { return true }
        guard let modified = view.modified else { return true }
        return now - modified > size / limits.viewPace
      }
      // What is passed over adds up, until a good part of the file was written.
      withCache { cache in
        for name in passedOver { cache.unpublished[name, default: 0] += written[name] ?? 0 }
      }
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
