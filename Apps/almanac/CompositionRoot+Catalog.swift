import Assembly
import Models

/// What the program knows of its sources and collections before it reads anything: for help texts and tables.
enum Catalog {
  /// What the sources say about themselves.
  static let sources = SourceList.compiled.descriptors
  /// The collections that users can list.
  static let collections = SourceList.compiled.catalog
}

/// The program's version.
enum AlmanacVersion {
  /// Semantic versioning.
  static let current = Invocation.version
}
