public import Models

/// Keeps the settings, as a person wrote them.
public protocol SettingsStore: Sendable {
  /// Where they are kept, for messages.
  var path: String { get }

  /// The settings.
  ///
  /// - Parameter mayBeMissing: whether a named file that is not there reads as empty settings.
  /// - Throws: `SettingsFailure` with every mistake at once.
  func load(mayBeMissing: Bool) throws(SettingsFailure) -> Settings

  /// Adds a follow, or replaces the one with the same path; everything else stays as it was.
  ///
  /// - Throws: `SettingsFailure`; then nothing was written.
  func add(_ follow: Follow) throws(SettingsFailure)

  /// Removes a follow.
  ///
  /// - Returns: whether there was one.
  /// - Throws: `SettingsFailure`; then nothing was written.
  func remove(path: String) throws(SettingsFailure) -> Bool

  /// The keys of those sources that ask with one: what the settings name, or else the value of the source's own
  /// environment variable. A key that is missing is no error here: it fails its source's follows alone.
  func keys(of sources: [SourceDescriptor], in settings: Settings) -> [SourceName: SourceKey]
}

extension SettingsStore {
  /// The settings; a named file that is not there is a mistake.
  ///
  /// - Throws: `SettingsFailure` with every mistake at once.
  public func load() throws(SettingsFailure) -> Settings { try load(mayBeMissing: false) }
}

/// The settings cannot be read or written.
public struct SettingsFailure: FailureRepresentable, Hashable, Sendable {
  /// What happened, as users see it.
  public var failure: Failure
  /// The mistakes in the file, where it has some.
  public var problems: [SettingsProblem]

  /// Makes the error.
  public init(_ failure: Failure, problems: [SettingsProblem] = []) {
    self.failure = failure
    self.problems = problems
  }
}
