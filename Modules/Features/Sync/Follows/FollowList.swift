public import Models
public import Ports
import Synchronization

/// The follows of a config file and of a store on a server.
public final class FollowList: FollowService {
  private let settings: @Sendable () -> any SettingsStore
  private let store: (@Sendable () -> StoredFollows)?
  private let besideMistakes: Bool
  private let check: @Sendable (Follow) throws(FollowError) -> Follow
  /// Held while the config file is read and written, so that no edit is lost.
  private let writing = Mutex(())

  /// Creates the list.
  ///
  /// - Parameters:
  ///   - settings: the config file, which is asked for anew for each edit.
  ///   - store: the follows of a store on a server; `nil` for a store in a folder, which has none.
  ///   - besideMistakes: whether the config file may have mistakes elsewhere, which stay.
  ///   - check: checks a follow with its source, and returns its canonical form.
  public init(
    settings: @escaping @Sendable () -> any SettingsStore, store: (@Sendable () -> StoredFollows)?,
    besideMistakes: Bool = false, check: @escaping @Sendable (Follow) throws(FollowError) -> Follow
  ) {
    self.settings = settings
    self.store = store
    self.besideMistakes = besideMistakes
    self.check = check
  }

  /// Follows a path, or changes the follow where it is kept.
  ///
  /// - Throws: as the protocol says.
  public func follow(_ change: FollowChange) async throws(Failure) -> (follow: Follow, earlier: Follow?) {
    guard let store else { return try followInConfig(change) }
    let path = try Failure.from { () throws(FollowError) in try check(change.follow).path }
    guard try isInConfig(path) else { return try await store().follow(change, checking: check) }
    var (follow, earlier) = try followInConfig(change)
    follow.origin = .config
    earlier?.origin = .config
    return (follow, earlier)
  }

  /// Ends a follow.
  ///
  /// - Throws: as the protocol says.
  public func unfollow(_ path: String) async throws(Failure) -> Follow.Origin? {
    let settings = settings()
    let ended: Result<Bool, Failure> = writing.withLock { _ in
      do throws(Failure) {
        return .success(try settings.unfollow(path, besideMistakes: besideMistakes, checking: check))
      } catch { return .failure(error) }
    }
    if try ended.get() { return .config }
    guard let store else { return nil }
    let spelled = (try? check(Follow(path: path)).path) ?? path
    return try await store().remove(spelled) ? .store : nil
  }

  private func isInConfig(_ path: String) throws(Failure) -> Bool {
    let known = try Failure.from { () throws(SettingsFailure) in
      try settings().load(mayBeMissing: true, besideMistakes: besideMistakes)
    }
    return known.follows.contains { $0.path.exact == path.exact }
  }

  private func followInConfig(_ change: FollowChange) throws(Failure) -> (follow: Follow, earlier: Follow?) {
    let settings = settings()
    let outcome: Result<(follow: Follow, earlier: Follow?), Failure> = writing.withLock { _ in
      do throws(Failure) {
        return .success(try settings.follow(change, besideMistakes: besideMistakes, checking: check))
      } catch { return .failure(error) }
    }
    return try outcome.get()
  }
}
