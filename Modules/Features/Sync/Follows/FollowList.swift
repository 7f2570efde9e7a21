public import Models
public import Ports
import Synchronization

public final class FollowList: FollowService {
  private let settings: any SettingsStore
  private let store: (@Sendable () -> StoredFollows)?
  private let besideMistakes: Bool
  private let check: @Sendable (Follow) throws(FollowError) -> Follow
  /// Held while the config file is read and written, so that no edit is lost.
  private let writing = Mutex(())

  /// - Parameters:
  ///   - settings: the config file, which is loaded for each edit.
  ///   - store: the follows of a store on a server; `nil` for a store in a folder, which has none.
  ///   - besideMistakes: whether the config file may have mistakes elsewhere, which stay.
  ///   - check: checks a follow with its source, and returns its canonical form.
  public init(
    settings: any SettingsStore, store: (@Sendable () -> StoredFollows)?,
    besideMistakes: Bool = false, check: @escaping @Sendable (Follow) throws(FollowError) -> Follow
  ) {
    (self.settings, self.store, self.besideMistakes, self.check) = (settings, store, besideMistakes, check)
  }

  /// Follows paths, or changes the follows where they are kept.
  ///
  /// - Throws: as the protocol says.
  public func follow(_ changes: [FollowChange]) async throws(Failure) -> [(follow: Follow, earlier: Follow?)] {
    guard let store else {
      return try inConfig { (loaded) throws(Failure) in try follow(changes, in: loaded) }.output
    }
    let paths = try Failure.from { () throws(FollowError) in
      try changes.map { (change) throws(FollowError) in try check(change.follow).path.exact }
    }
    var outcomes = try inConfig {
      (loaded) throws(Failure) -> (change: SettingChange?, output: [(follow: Follow, earlier: Follow?)?]) in
      var outcomes: [(follow: Follow, earlier: Follow?)?] = Array(repeating: nil, count: changes.count)
      let configured = Set(try known(loaded).follows.map(\.path.exact))
      let indices = paths.indices.filter { configured.contains(paths[$0]) }
      guard !indices.isEmpty else { return (nil, outcomes) }
      let (change, changed) = try follow(indices.map { changes[$0] }, in: loaded)
      for (index, outcome) in zip(indices, changed) {
        outcomes[index] = outcome
        outcomes[index]?.follow.origin = .config
        outcomes[index]?.earlier?.origin = .config
      }
      return (change, outcomes)
    }.output
    let rest = outcomes.indices.filter { outcomes[$0] == nil }
    if !rest.isEmpty {
      let stored = try await store().follow(rest.map { changes[$0] }, checking: check)
      for (index, outcome) in zip(rest, stored) { outcomes[index] = outcome }
    }
    return outcomes.compactMap(\.self)
  }

  public func unfollow(_ path: String) async throws(Failure) -> Follow.Origin? {
    let path = (try? check(Follow(path: path)).path) ?? path
    let isEnded = try inConfig { (loaded) throws(Failure) -> (change: SettingChange?, output: Void) in
      if let failure = loaded.failure { throw failure }
      _ = try known(loaded)
      return (.unfollow(path), ())
    }.isDone
    let isThere = try await store?().end(path, isOurs: !isEnded) == true
    return isEnded ? .config : isThere ? .store : nil
  }

  /// What the config file follows; one that is missing is made by the first follow.
  private func known(_ loaded: LoadedSettings) throws(Failure) -> Settings {
    if loaded.isMissing { return loaded.settings }
    return besideMistakes ? try loaded.partial() : try loaded.strict(files: true)
  }

  private func follow(
    _ changes: [FollowChange], in loaded: LoadedSettings
  ) throws(Failure) -> (change: SettingChange?, output: [(follow: Follow, earlier: Follow?)]) {
    let known = try known(loaded).follows
    let outcomes = try Failure.from { () throws(FollowError) in try changes.applied(to: known, checking: check) }
    // Of a path that is there twice, the last change.
    var seen: Set<ExactString> = []
    let changed = outcomes.reversed().filter { seen.insert($0.follow.$path).inserted && $0.follow != $0.earlier }
      .reversed().map(\.follow)
    return (changed.isEmpty ? nil : .follow(changed), outcomes)
  }

  /// Edits the config file after those who came before, in this process and in others.
  ///
  /// - Parameter body: makes the change of what the file has now, if there is one, and what is returned with it.
  /// - Returns: the output of `body`; `isDone` is `false` if there was nothing to remove.
  private func inConfig<Output: Sendable>(
    _ body: (LoadedSettings) throws(Failure) -> (change: SettingChange?, output: Output)
  ) throws(Failure) -> (output: Output, isDone: Bool) {
    let outcome: Result<(output: Output, isDone: Bool), Failure> = writing.withLock { _ in
      do throws(Failure) {
        var output: Output?
        let isDone =
          try settings.change(of: settings.load()) { (loaded) throws(Failure) in
            let made = try body(loaded)
            output = made.output
            return made.change
          } != nil
        guard let output else { preconditionFailure("the settings are changed by the closure alone") }
        return .success((output, isDone))
      } catch { return .failure(error) }
    }
    return try outcome.get()
  }
}
