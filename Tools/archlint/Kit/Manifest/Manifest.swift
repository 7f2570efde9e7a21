package import Foundation

/// A package as its manifest describes it, before any dependency is resolved.
package struct Manifest: Sendable {
  package var name: String
  package var toolsVersion: String
  package var targets: [ManifestTarget]
  /// The packages that it depends on, sorted by identity.
  package var packages: [ManifestPackage]
}

package struct ManifestPackage: Sendable, Hashable {
  /// The identity that SwiftPM derives from the location: `swift-nio`.
  package var identity: String
  /// The name that manifests before tools version 5.6 could specify.
  package var name: String?

  /// The names that products may use for it, in lower case.
  package var names: [String] { [identity.lowercased()] + (name.map { [$0.lowercased()] } ?? []) }
}

package struct ManifestTarget: Sendable {
  package enum Kind: String, Sendable {
    case regular, executable, test, plugin, system, binary, macro, `extension`
  }

  package var name: String
  package var kind: Kind
  /// The path relative to the package, without a trailing slash.
  package var path: String
  /// Excluded paths, relative to the package.
  package var exclude: [String]
  /// Source paths, relative to the package; nil for all.
  package var sources: [String]?
  package var dependencies: [ManifestDependency]
  package var settings: [ManifestSetting]
  /// Resources (copied, processed or embedded), relative to the package; they are never compiled.
  package var resources: [String] = []
  package var plugins: [ManifestDependency] = []

  package func settings(of kind: String) -> [String] { settings.filter { $0.kind == kind }.map(\.value) }

  /// Whether the target has Swift code that can import modules.
  package var isCompiled: Bool {
    switch kind {
    case .regular, .executable, .test, .macro: true
    case .plugin, .system, .binary, .extension: false
    }
  }
}

/// A dependency that a target declares.
package struct ManifestDependency: Sendable, Hashable {
  /// A target or a product; `byName` means whichever exists.
  package var name: String
  /// The package of a product, if it is specified.
  package var package: String?
  package var isProduct: Bool
}

/// A compiler or linker setting, such as `upcoming ExistentialAny`.
package struct ManifestSetting: Sendable, Hashable {
  /// `upcoming`, `experimental`, `warnings`, `language`, `isolation`, `links` (a library or framework), `unsafe-flags`
  /// (of any tool), or SwiftPM's own word for it.
  package var kind: String
  package var value: String
  /// Whether a condition (platform, configuration) limits it.
  package var isConditional: Bool
}

/// Decodes the output of `swift package dump-package`.
package struct ManifestDecoder {
  /// The folder of the package, to find the folder of a target without a path.
  let root: String

  /// - Throws: `ArchlintError.manifest` if the text has another format.
  package static func decode(_ dump: Data, root: String) throws(ArchlintError) -> Manifest {
    let object: Any
    do { object = try JSONSerialization.jsonObject(with: dump) } catch {
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
        .sorted { $0.identity < $1.identity })
  }

  private static func package(_ dependency: [String: Any]) -> ManifestPackage? {
    for value in dependency.values {
      if let parts = (value as? [[String: Any]])?.first, let identity = parts["identity"] as? String {
        return ManifestPackage(identity: identity, name: parts["nameForTargetDependencyResolutionOnly"] as? String)
      }
    }
    return nil
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

  /// Searches the folders that SwiftPM searches (`PackageBuilder`, predefined source directories).
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
    // Among settings of other tools (C, C++, the linker), only those with effects beyond the target are relevant.
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
