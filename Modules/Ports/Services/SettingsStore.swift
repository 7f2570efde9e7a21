public import Models

/// Stores the settings in the form in which the user wrote them.
public protocol SettingsStore: Sendable {
  /// The path of the file, for messages.
  var path: String { get }

  /// Loads the settings.
  ///
  /// - Parameter mayBeMissing: whether a missing file is read as empty settings, even if it was named explicitly.
  /// - Throws: `SettingsFailure` with all mistakes.
  func load(mayBeMissing: Bool) throws(SettingsFailure) -> Settings

  /// Adds a follow, or replaces the one with the same path. The rest of the file is preserved.
  ///
  /// - Throws: `SettingsFailure`; nothing was written then.
  func add(_ follow: Follow) throws(SettingsFailure)

  /// Removes a follow.
  ///
  /// - Returns: whether there was such a follow.
  /// - Throws: `SettingsFailure`; nothing was written then.
  func remove(path: String) throws(SettingsFailure) -> Bool

  /// The text of the settings; empty if there are none.
  ///
  /// - Throws: `SettingsFailure` if they cannot be read.
  func text() throws(SettingsFailure) -> [UInt8]

  /// Changes one value. The rest of the file is preserved.
  ///
  /// - Parameters:
  ///   - place: the JSON path of the value, `servers.people.url` or `follows[0].limit`; missing objects are added.
  ///   - value: `nil` to remove it.
  /// - Returns: whether there was such a value, or there is one now.
  /// - Throws: `SettingsFailure` with the mistakes that the change would make; nothing was written then. Mistakes that are
  ///   there already stay.
  func set(_ place: String, to value: JSONValue?) throws(SettingsFailure) -> Bool

  /// The keys of the sources that use one: the key that the settings specify, or else the value of the source's
  /// environment variable. A missing key is not an error here; it fails only the follows of its source.
  func keys(of sources: [SourceDescriptor], in settings: Settings) -> [SourceName: SourceKey]

  /// The value of a secret.
  ///
  /// - Parameter place: where the settings name it, for errors.
  /// - Throws: `Failure` if its variable is not set, its file cannot be read, or its command fails.
  func value(of secret: Settings.Secret, at place: String) throws(Failure) -> String

  /// Where the value at a JSON path begins in the text; `nil` if there is none, or the store does not tell.
  func position(of place: String) -> SettingsPosition?
}

extension SettingsStore {
  /// Does not tell.
  public func position(of place: String) -> SettingsPosition? { nil }

  /// The accounts of the sources, in the order of the settings. A password that cannot be read fails only the follows of
  /// its account.
  public func accounts(in settings: Settings) -> [SourceName: [SourceAccount]] {
    settings.servers.filter { !$0.value.accounts.isEmpty }.reduce(into: [:]) { result, server in
      result[server.key] = server.value.accounts.map { account in
        var password = SourceKey.absent
        if let secret = account.password {
          let place = "servers.\(server.key).accounts.\(account.name).password"
          do throws(Failure) {
            password = .given(try value(of: secret, at: place), from: place)
          } catch {
            password = .missing(error)
          }
        }
        return SourceAccount(name: account.name, url: account.url, user: account.user, password: password)
      }
    }
  }

  /// Loads the settings. A file that was named explicitly must exist.
  ///
  /// - Throws: `SettingsFailure` with all mistakes.
  public func load() throws(SettingsFailure) -> Settings { try load(mayBeMissing: false) }

  /// Loads the settings, also without what has a mistake, for a command that uses or changes the rest.
  ///
  /// - Parameters:
  ///   - mayBeMissing: whether a file that was named explicitly may be missing.
  ///   - besideMistakes: whether what has a mistake is left out.
  /// - Throws: `SettingsFailure` with all mistakes, or if the file cannot be read at all.
  public func load(
    mayBeMissing: Bool = false, besideMistakes: Bool
  ) throws(SettingsFailure) -> Settings {
    do throws(SettingsFailure) {
      return try load(mayBeMissing: mayBeMissing)
    } catch {
      guard besideMistakes, let readable = error.readable else { throw error }
      return readable
    }
  }

  /// Follows a path; of one that is followed already, changes only what is named.
  ///
  /// - Parameters:
  ///   - check: checks a follow with its source, and returns its canonical form.
  ///   - besideMistakes: whether the settings may have mistakes elsewhere, which stay.
  /// - Returns: the follow, and what it was before; `nil` for a new one.
  /// - Throws: `Failure`: `usage` where the source refuses the follow; `config`, `cannotCreate` or `inputOutput` where
  ///   the settings cannot be read or written. Then nothing was changed.
  public func follow(
    _ change: FollowChange, besideMistakes: Bool = false, checking check: (Follow) throws(FollowError) -> Follow
  ) throws(Failure) -> (follow: Follow, earlier: Follow?) {
    let known = try Failure.from { () throws(SettingsFailure) in
      try load(mayBeMissing: true, besideMistakes: besideMistakes)
    }
    let (follow, earlier) = try Failure.from { () throws(FollowError) in
      try change.applied(to: known.follows, checking: check)
    }
    if follow != earlier { try Failure.from { () throws(SettingsFailure) in try add(follow) } }
    return (follow, earlier)
  }

  /// Ends a follow, whose records stay.
  ///
  /// - Parameter besideMistakes: as for `follow`.
  /// - Returns: whether there was such a follow.
  /// - Throws: `Failure`, `config`, `cannotCreate` or `inputOutput` where the settings cannot be read or written.
  public func unfollow(
    _ path: String, besideMistakes: Bool = false, checking check: (Follow) throws(FollowError) -> Follow
  ) throws(Failure) -> Bool {
    let path = (try? check(Follow(path: path)).path) ?? path
    return try Failure.from { () throws(SettingsFailure) in
      if !besideMistakes { _ = try load() }
      return try remove(path: path)
    }
  }
}

/// The settings cannot be read or written.
public struct SettingsFailure: FailureRepresentable, Hashable, Sendable {
  /// The error as users see it.
  public var failure: Failure
  /// The mistakes in the file; empty for other errors.
  public var problems: [SettingsProblem]
  /// The settings without what has a mistake; `nil` for other errors.
  public var readable: Settings?

  /// Creates the error.
  public init(_ failure: Failure, problems: [SettingsProblem] = [], readable: Settings? = nil) {
    self.failure = failure
    self.problems = problems
    self.readable = readable
  }
}
