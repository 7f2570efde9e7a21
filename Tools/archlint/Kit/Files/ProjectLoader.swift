import Foundation

/// Reads a project from the file system.
package struct ProjectLoader {
  package var root: String
  /// The path of the rules, relative to the current folder or absolute; nil for `Modules/archlint.rules` or
  /// `archlint.rules` in the package.
  package var rulesPath: String?
  /// A file with the output of `swift package dump-package`; nil to run SwiftPM.
  package var manifestPath: String?
  package var usesCache: Bool

  package init(root: String, rulesPath: String? = nil, manifestPath: String? = nil, usesCache: Bool = true) {
    (self.root, self.manifestPath, self.rulesPath, self.usesCache) = (root, manifestPath, rulesPath, usesCache)
  }

  package static let usualRulePaths = ["Modules/archlint.rules", "archlint.rules", "Sources/archlint.rules"]

  /// - Throws: `ArchlintError` if the rules are invalid or missing, or if the manifest cannot be read.
  package func load() throws(ArchlintError) -> Project {
    let rules = try loadRules()
    let manifest = try loadManifest()
    var (files, nested) = FileTree.walk(root: root, targets: manifest.targets)
    ImportReader.read(&files, root: root)
    let names = manifest.targets.map(\.name)
    let places =
      SourceBytes.withFile(root + "/Package.swift") { ManifestPlaces($0, targets: names) }
      ?? SourceBytes.with("") { ManifestPlaces($0, targets: names) }
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    return Project(
      root: root, manifest: manifest, places: places, rules: rules, files: files, nested: nested,
      topLevel: entries.filter { !$0.hasPrefix(".") }.sorted())
  }

  private func loadManifest() throws(ArchlintError) -> Manifest {
    guard let manifestPath else { return try ManifestLoader(root: root, usesCache: usesCache).load() }
    guard let dump = FileManager.default.contents(atPath: manifestPath) else {
      throw .usage("cannot read the dump of the manifest at \(manifestPath)")
    }
    return try ManifestDecoder.decode(dump, root: root)
  }

  /// The path of the rules, and the path to show in messages.
  ///
  /// - Throws: `ArchlintError.usage` if there are none.
  private func rulesLocation() throws(ArchlintError) -> (path: String, shown: String) {
    if let rulesPath {
      return (rulesPath, rulesPath.hasPrefix(root + "/") ? String(rulesPath.dropFirst(root.count + 1)) : rulesPath)
    }
    guard let usual = Self.usualRulePaths.first(where: { FileManager.default.fileExists(atPath: root + "/" + $0) })
    else { throw .usage("no rule file at \(Self.usualRulePaths[0])") }
    return (root + "/" + usual, usual)
  }

  /// - Throws: `ArchlintError.usage` if they cannot be read, `ArchlintError.rules` if they are invalid.
  private func loadRules() throws(ArchlintError) -> Rules {
    let (path, shown) = try rulesLocation()
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw .usage("cannot read the rules at \(path)")
    }
    return try RuleParser.parse(String(decoding: bytes, as: UTF8.self), path: shown)
  }
}

package enum PackageRoot {
  /// The given folder, or the nearest folder above the current one that has a `Package.swift`.
  ///
  /// - Throws: `ArchlintError.usage` if there is none.
  package static func find(_ path: String?) throws(ArchlintError) -> String {
    let start = URL(fileURLWithPath: path ?? FileManager.default.currentDirectoryPath).standardizedFileURL.path
    var folder = start
    while true {
      if FileManager.default.fileExists(atPath: folder + "/Package.swift") { return folder }
      guard path == nil, folder != "/", !folder.isEmpty else { throw .usage("no Package.swift in \(start)") }
      folder = (folder as NSString).deletingLastPathComponent
    }
  }
}

/// Reads the imports of many files, on all cores.
package enum ImportReader {
  /// - Parameter root: The folder that the paths are relative to; nil for the current folder.
  package static func read(_ files: inout [SourceFile], root: String?) {
    let prefix = root.map { $0 + "/" } ?? ""
    let found = SourceBytes.withFiles(files.map { prefix + $0.path }) { _, source in ImportScanner.imports(of: source) }
    for index in files.indices {
      files[index].imports = found[index] ?? []
      files[index].isReadable = found[index] != nil
    }
  }
}
