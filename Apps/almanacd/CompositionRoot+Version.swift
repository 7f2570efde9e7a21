import Assembly

/// The program's version.
enum DaemonVersion {
  /// Semantic versioning.
  static let current = Invocation.version
}
