public import Models

/// Keeps the settings, as a person wrote them.
public protocol SettingsStore: Sendable {
  /// Where they are kept, for messages.
  var path: String { get }

  /// The settings.
  ///
  /// - Throws: `SettingsFailure` with every mistake at once.
  func load() throws(SettingsFailure) -> Settings

  /// Adds a follow, or replaces the one with the same path; everything else stays as it was.
  ///
  /// - Throws: `SettingsFailure`; then nothing was written.
  func add(_ follow: Follow) throws(SettingsFailure)

  /// Removes a follow.
  ///
  /// - Returns: whether there was one.
  /// - Throws: `SettingsFailure`; then nothing was written.
  func remove(path: String) throws(SettingsFailure) -> Bool

  /// The secret itself.
  ///
  /// - Throws: `SettingsFailure` where the variable is not set or the file cannot be read.
  func resolve(_ secret: Settings.Secret) throws(SettingsFailure) -> String
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
