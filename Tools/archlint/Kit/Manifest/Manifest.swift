package import Foundation

/// A package as its manifest describes it, before any dependency is resolved.
package struct Manifest: Sendable {
  package var name: String
  package var toolsVersion: String
  package var targets: [ManifestTarget]
  /// The packages that it depends on, in the order of their identities.
  package var packages: [ManifestPackage]
  /// The names of its library products.
  package var libraries: [String]
}

/// A package that the manifest depends on.
package struct ManifestPackage: Sendable, Hashable {
  /// As SwiftPM derives it from the location: `swift-nio`.
  package var identity: String
  /// The name that manifests before tools version 5.6 could give to it.
  package var name: String?

  /// What products may call it, in lower case.
  package var names: [String] { [identity.lowercased()] + (name.map { [$0.lowercased()] } ?? []) }
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
  /// Relative to the package: what is copied, processed or embedded, and so never compiled.
  package var resources: [String] = []
  package var plugins: [ManifestDependency] = []

  /// The values of all settings of a kind.
  package func settings(of kind: String) -> [String] { settings.filter { $0.kind == kind }.map(\.value) }

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

/// A compiler or linker setting, such as `upcoming ExistentialAny`.
package struct ManifestSetting: Sendable, Hashable {
  /// `upcoming`, `experimental`, `warnings`, `language`, `isolation`, `links` (a library or framework), `unsafe-flags`
  /// (of any tool), or SwiftPM's own word for it.
  package var kind: String
  package var value: String
  /// A condition (platform, configuration) limits it.
  package var isConditional: Bool
}

/// Reads what `swift package dump-package` prints.
package struct ManifestDecoder {
  /// The package's folder, to find where a target without a path lives.
  let root: String

  /// - Throws: `ArchlintError.manifest` when the text has another shape.
  package static func decode(_ dump: Data, root: String) throws(ArchlintError) -> Manifest {
    let object: Any
    do {
      object = try JSONSerialization.jsonObject(with: dump)
    } catch {
      throw .manifest("the manifest's dump is not JSON: \(error)")
    }
    guard let package = object as? [String: Any], let name = package["name"] as? String,
      let targets = package["targets"] as? [[String: Any]]
    else { throw .manifest("the manifest's dump has no name or no targets") }
    let decoder = ManifestDecoder(root: root)
    let version = (package["toolsVersion"] as? [String: Any])?["_version"] as? String ?? ""
    return Manifest(
      name: name, toolsVersion: version, targets: targets.compactMap(decoder.target),
      packages: (package["dependencies"] as? [[String: Any]] ?? []).compactMap(Self.package)
        .sorted { $0.identity < $1.identity },
      libraries: (package["products"] as? [[String: Any]] ?? []).compactMap(Self.library))
  }

  private static func package(_ dependency: [String: Any]) -> ManifestPackage? {
    for value in dependency.values {
      if let parts = (value as? [[String: Any]])?.first, let identity = parts["identity"] as? String {
        return ManifestPackage(identity: identity, name: parts["nameForTargetDependencyResolutionOnly"] as? String)
      }
    }
    return nil
  }

  private static func library(_ product: [String: Any]) -> String? {
    guard (product["type"] as? [String: Any])?["library"] != nil else { return nil }
    return product["name"] as? String
  }

  private func target(_ target: [String: Any]) -> ManifestTarget? {
    guard let name = target["name"] as? String,
      let kind = (target["type"] as? String).flatMap(ManifestTarget.Kind.init(rawValue:))
    else { return nil }
    let path = RelativePath.normalized(target["path"] as? String ?? conventionalPath(of: name, kind: kind))
    func inside(_ list: Any?) -> [String]? {
      (list as? [String])?.map { RelativePath.normalized(path.isEmpty ? $0 : path + "/" + $0) }
    }
    return ManifestTarget(
      name: name, kind: kind, path: path, exclude: inside(target["exclude"]) ?? [], sources: inside(target["sources"]),
      dependencies: (target["dependencies"] as? [[String: Any]] ?? []).compactMap(dependency),
      settings: (target["settings"] as? [[String: Any]] ?? []).flatMap(setting),
      resources: inside((target["resources"] as? [[String: Any]])?.compactMap { $0["path"] as? String }) ?? [],
      plugins: (target["pluginUsages"] as? [[String: Any]] ?? []).compactMap(plugin))
  }

  /// SwiftPM's search order (`PackageBuilder`, predefined source directories).
  private func conventionalPath(of name: String, kind: ManifestTarget.Kind) -> String {
    let folders =
      switch kind {
      case .test: ["Tests", "Sources", "Source", "src", "srcs"]
      case .plugin: ["Plugins"]
      default: ["Sources", "Source", "src", "srcs"]
      }
    for folder in folders where FileManager.default.fileExists(atPath: "\(root)/\(folder)/\(name)") {
      return "\(folder)/\(name)"
    }
    return "\(folders[0])/\(name)"
  }

  private func dependency(_ dependency: [String: Any]) -> ManifestDependency? {
    if let parts = dependency["product"] as? [Any], let name = parts.first as? String {
      return ManifestDependency(name: name, package: parts.count > 1 ? parts[1] as? String : nil, isProduct: true)
    }
    for key in ["target", "byName"] {
      if let parts = dependency[key] as? [Any], let name = parts.first as? String {
        return ManifestDependency(name: name, package: nil, isProduct: false)
      }
    }
    return nil
  }

  private func plugin(_ usage: [String: Any]) -> ManifestDependency? {
    guard let parts = usage["plugin"] as? [Any], let name = parts.first as? String else { return nil }
    return ManifestDependency(name: name, package: parts.count > 1 ? parts[1] as? String : nil, isProduct: false)
  }

  private func setting(_ setting: [String: Any]) -> [ManifestSetting] {
    guard let kinds = setting["kind"] as? [String: Any] else { return [] }
    // Of the other tools (C, C++, the linker) only what reaches beyond the target counts.
    let isSwift = setting["tool"] as? String == "swift"
    let isConditional = (setting["condition"] as? [String: Any])?.isEmpty == false
    let names = [
      "enableUpcomingFeature": "upcoming", "enableExperimentalFeature": "experimental",
      "treatAllWarnings": "warnings", "swiftLanguageMode": "language", "unsafeFlags": "unsafe-flags",
      "strictMemorySafety": "memory-safety", "defaultIsolation": "isolation", "linkedLibrary": "links",
      "linkedFramework": "links",
    ]
    return kinds.sorted { $0.key < $1.key }.compactMap { kind, value in
      guard isSwift || ["links", "unsafe-flags"].contains(names[kind]) else { return nil }
      let first = (value as? [String: Any])?["_0"]
      let text = first as? String ?? (first as? [String])?.joined(separator: " ") ?? ""
      return ManifestSetting(kind: names[kind] ?? kind, value: text, isConditional: isConditional)
    }
  }
}
