/// A package as its manifest describes it, before any dependency is resolved.
package struct Manifest: Sendable {
  package var name: String
  package var toolsVersion: String
  package var targets: [ManifestTarget]
  /// Identities of the packages it depends on, sorted.
  package var packages: [String]
  /// The names of its library products.
  package var libraries: [String]
}

/// One target of the package.
package struct ManifestTarget: Sendable {
  package enum Kind: String, Sendable {
    case regular, executable, test, plugin, system, binary, macro, `extension`
  }

  package var name: String
  package var kind: Kind
  /// Relative to the package, without a slash at the end.
  package var path: String
  /// Relative to the package.
  package var exclude: [String]
  /// Relative to the package; nil means everything.
  package var sources: [String]?
  package var dependencies: [ManifestDependency]
  package var settings: [ManifestSetting]

  /// Has Swift code of its own that imports modules.
  package var isCompiled: Bool {
    switch kind {
    case .regular, .executable, .test, .macro: true
    case .plugin, .system, .binary, .extension: false
    }
  }
}

/// What a target says that it uses.
package struct ManifestDependency: Sendable, Hashable {
  /// A target or a product; by name means whichever there is.
  package var name: String
  /// The package of a product, where it is written.
  package var package: String?
  package var isProduct: Bool
}

/// A Swift compiler setting, such as `upcoming ExistentialAny`.
package struct ManifestSetting: Sendable, Hashable {
  /// `upcoming`, `experimental`, `warnings`, `language`, `unsafe-flags`, `isolation`, or SwiftPM's own word for it.
  package var kind: String
  package var value: String
  /// A condition (platform, configuration) limits it.
  package var isConditional: Bool
}
