import Foundation

/// Finds the Swift files in the package and the targets that they belong to.
package struct FileTree {
  private let root: String
  private let byPath: [String: [ManifestTarget]]
  private let entersNested: Bool
  private var visited: Set<UInt64> = []
  private(set) var files: [SourceFile] = []
  /// Manifests of packages inside this one.
  private(set) var nested: [String] = []

  /// The files in the byte order of their paths, without hidden files, resources, documentation catalogs and asset
  /// catalogs. Each symbolic link is followed once.
  ///
  /// - Parameter entersNested: Whether packages inside this one, and all manifests, are treated like other folders and
  ///   files.
  package static func walk(
    root: String, targets: [ManifestTarget], entersNested: Bool = false
  ) -> (files: [SourceFile], nested: [String]) {
    var tree = FileTree(root: root, targets: targets, entersNested: entersNested)
    tree.visit("", owners: tree.byPath[""] ?? [])
    return (tree.files.sorted { $0.path < $1.path }, tree.nested.sorted())
  }

  private init(root: String, targets: [ManifestTarget], entersNested: Bool) {
    (self.root, self.entersNested) = (root, entersNested)
    byPath = Dictionary(grouping: targets, by: \.path)
  }

  private mutating func visit(_ folder: String, owners: [ManifestTarget]) {
    let absolute = folder.isEmpty ? root : root + "/" + folder
    guard let handle = opendir(absolute) else { return }
    var names: [(name: String, isFolder: Bool)] = []
    while let entry = readdir(handle) {
      let kind = Int32(entry.pointee.d_type)
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard !name.hasPrefix(".") else { continue }
      let isFolder: Bool
      switch kind {
      case 4: isFolder = true  // DT_DIR
      case 8: isFolder = false  // DT_REG
      default:
        guard let found = follow(absolute + "/" + name) else { continue }
        isFolder = found
      }
      if isFolder || name.hasSuffix(".swift") { names.append((name, isFolder)) }
    }
    closedir(handle)
    if !entersNested, !folder.isEmpty, names.contains(where: { $0.name == "Package.swift" && !$0.isFolder }) {
      nested.append(folder + "/Package.swift")
      return
    }
    for (name, isFolder) in names {
      let path = folder.isEmpty ? name : folder + "/" + name
      if owners.contains(where: { $0.resources.contains(path) }) { continue }
      if isFolder {
        if Self.isBundle(name) { continue }
        visit(path, owners: byPath[path] ?? owners.filter { !$0.exclude.contains(path) })
      } else if entersNested || !folder.isEmpty || !Self.isManifest(name) {
        let owner = owners.first { Self.owns($0, path) }
        files.append(SourceFile(path: path, target: owner?.name))
      }
    }
  }

  /// Folders that Xcode and SwiftPM treat as one item. Swift files in them are examples or data and are never compiled.
  private static func isBundle(_ name: String) -> Bool {
    [
      "docc", "xcassets", "xcdatamodel", "xcdatamodeld", "xcmappingmodel", "xcstickers", "bundle", "framework",
      "xcframework", "artifactbundle", "xcodeproj", "xcworkspace",
    ].contains { name.hasSuffix("." + $0) }
  }

  private static func isManifest(_ name: String) -> Bool {
    name == "Package.swift" || (name.hasPrefix("Package@swift-") && name.hasSuffix(".swift"))
  }

  private static func owns(_ target: ManifestTarget, _ path: String) -> Bool {
    if target.exclude.contains(path) { return false }
    guard let sources = target.sources else { return true }
    return sources.contains { RelativePath.isInside(path, $0) }
  }

  /// Whether a symbolic link leads to a folder; nil if its target does not exist or is a folder that was already
  /// visited.
  private mutating func follow(_ path: String) -> Bool? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    guard (status.st_mode & S_IFMT) == S_IFDIR else { return false }
    return visited.insert(UInt64(status.st_ino) &+ UInt64(status.st_dev) << 48).inserted ? true : nil
  }
}

package struct SourceFile: Sendable {
  package var path: String
  /// The target that compiles the file; nil if there is none.
  package var target: String?
  package var imports: [ImportStatement] = []
  package var isReadable = true

  package var name: Substring { path[path.index(after: path.lastIndex(of: "/") ?? path.startIndex)...] }
}
