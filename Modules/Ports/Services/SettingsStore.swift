public import Models

/// Stores the settings in the form in which the user wrote them.
public protocol SettingsStore: Sendable {
  var path: String { get }

  /// Reads the settings. What is wrong with them is part of the value.
  func load() -> LoadedSettings

  /// Changes the text; the rest of it is preserved. No other program changes it between its reading and its writing. If that
  /// was done since `known` was read, the text is read again.
  ///
  /// - Parameter change: makes the change of the settings as they are now; with `nil` nothing is changed.
  /// - Returns: the settings with the change; `nil` if there was nothing to remove.
  /// - Throws: `Failure`, `config`, if the text cannot be read, or with the mistakes that the change would make; mistakes
  ///   elsewhere stay. `tryLater` if another program keeps the text; `cannotCreate` or `inputOutput` if it cannot be
  ///   written; the failure of `change`. Nothing was changed then.
  func change(
    of known: LoadedSettings, _ change: (LoadedSettings) throws(Failure) -> SettingChange?
  ) throws(Failure) -> LoadedSettings?

  /// The keys of the sources that use one: the key that the settings specify, or else the value of the source's
  /// environment variable. A missing key is not an error here; it fails only the follows of its source.
  func keys(of sources: [SourceDescriptor], in settings: Settings) -> [SourceName: SourceKey]

  /// - Parameter place: where the settings name it, for errors.
  /// - Throws: `Failure` if its variable is not set, its file cannot be read, or its command fails.
  func value(of secret: Settings.Secret, at place: String) throws(Failure) -> String
}

public enum SettingChange: Hashable, Sendable {
  case follow([Follow])
  case unfollow(String)
  /// Sets the value at a JSON path, `servers.people.url` or `follows[0].limit`; missing objects are added.
  case set(String, JSONValue)
  case unset(String)
}

extension SettingsStore {
  /// Makes a change that does not depend on the settings.
  ///
  /// - Returns: as `change(of:_:)` does.
  /// - Throws: as `change(of:_:)` does.
  public func change(_ change: SettingChange, of known: LoadedSettings) throws(Failure) -> LoadedSettings? {
    try self.change(of: known) { (_) in change }
  }

  /// The accounts of the sources, in the order of the settings. An unreadable password fails its account's follows.
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
        return SourceAccount(
          name: account.name, url: account.url, user: account.user, password: password, login: account.login)
      }
    }
  }
}

/// One reading of the settings: the text, what it says, and what is wrong with it.
public struct LoadedSettings: Sendable {
  public let path: String
  public let bytes: [UInt8]
  /// What the text says, without what has a mistake; empty if it cannot be read at all.
  public private(set) var settings: Settings
  /// The mistakes in the order of the text.
  public let problems: [SettingsProblem]
  /// Identifies this version of the file; `nil` if there was none.
  public let version: FileVersion?
  public let isMissing: Bool
  /// Why there is no text, if that is an error.
  public private(set) var failure: Failure?
  /// Why the mistakes cannot be left out: the text is not in the format at all.
  private let isText: Bool
  private let format: (any SettingsFormat)?

  /// - Parameters:
  ///   - resolving: completes what the text says.
  public init(
    path: String, bytes: [UInt8] = [], version: FileVersion? = nil, isMissing: Bool = false, failure: Failure? = nil,
    format: any SettingsFormat, resolving: (Settings) -> Settings
  ) {
    (self.path, self.bytes, self.version) = (path, bytes, version)
    (self.isMissing, self.failure, self.format) = (isMissing, failure, format)
    do throws(SettingsProblems) {
      (settings, problems, isText) = (resolving(try format.read(bytes)), [], true)
    } catch {
      problems = error.problems
      isText = error.readable != nil
      settings = error.readable.map(resolving) ?? Settings()
    }
  }

  public init(_ settings: Settings) {
    (path, bytes, problems, version, isMissing, isText, format) = ("", [], [], nil, false, true, nil)
    self.settings = settings
  }

  /// - Parameter files: whether a file that the settings name and that cannot be used is a mistake.
  /// - Throws: `Failure`, `config`, with all mistakes, or if the file cannot be read.
  public func strict(files: Bool = false) throws(Failure) -> Settings {
    if let problem = problem(files: files) { throw problem }
    return settings
  }

  /// The settings without what has a mistake, for a command that uses or changes the rest.
  ///
  /// - Throws: `Failure`, `config`, if the file cannot be read at all.
  public func partial() throws(Failure) -> Settings {
    if let problem = isText ? failure : problem() { throw problem }
    return settings
  }

  public func problem(files: Bool = false) -> Failure? {
    if let failure { return failure }
    let mistakes = mistakes(files: files)
    return mistakes.isEmpty ? nil : Self.failure(of: mistakes, in: path)
  }

  public static func failure(of mistakes: [SettingsProblem], in path: String) -> Failure {
    Failure(
      .config, .config,
      "the config file \(path) has \(mistakes.count == 1 ? "a mistake" : "\(mistakes.count) mistakes")",
      hint: Advice(mistakes.map { $0.text(in: path) }.joined(separator: "\n")), code: .own(.config), path: path)
  }

  /// The mistakes; those about files that cannot be used only if they are asked for.
  public func mistakes(files: Bool = false) -> [SettingsProblem] {
    problems.filter { files || $0.severity == .mistake }
  }

  public func overriding(_ body: (Settings) throws(Failure) -> Settings) -> LoadedSettings {
    var result = self
    do throws(Failure) { result.settings = try body(settings) } catch { result.failure = failure ?? error }
    return result
  }

  public func position(of place: String) -> TextPlace? { format?.position(of: place, in: bytes) }
}

/// Distinguishes the versions of a file. Two of them differ in at least one property, unless a program changes the file
/// twice within the resolution of the file system's clock and keeps its length.
public struct FileVersion: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64
  private let bytes: Int
  private let nanoseconds: Int

  /// - Parameters:
  ///   - nanoseconds: the time of the last modification since 1970.
  public init(device: UInt64, inode: UInt64, bytes: Int, nanoseconds: Int) {
    (self.device, self.inode, self.bytes, self.nanoseconds) = (device, inode, bytes, nanoseconds)
  }
}
