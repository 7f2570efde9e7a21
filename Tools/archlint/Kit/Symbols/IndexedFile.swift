/// What the index knows of one file: the concrete types that are defined and named in it.
struct IndexedFile: Sendable {
  struct Occurrence: Sendable, Hashable {
    /// The symbol's identity over all modules (its USR).
    var symbol: String
    var name: String
    var line: Int
    var column: Int
    var isDefinition: Bool
  }

  /// Absolute, as it was compiled.
  var path: String
  /// When it was compiled, in nanoseconds since 1970.
  var compiledAt: Int64
  var occurrences: [Occurrence]
}
