import Foundation

/// The project's files, read from the disk, with what is planned on top.
struct Tree {
  /// The project's folder.
  let root: String

  func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: full(path)) }

  /// A file's text.
  ///
  /// - Throws: `ScaffoldError.Kind.refused` where there is none.
  func text(_ path: String) throws(ScaffoldError) -> String {
    guard let data = FileManager.default.contents(atPath: full(path)) else {
      throw ScaffoldError(.refused, "there is no such file; this is not the tree that the scaffold knows", place: path)
    }
    return String(decoding: data, as: UTF8.self)
  }

  func swift(_ path: String) throws(ScaffoldError) -> SwiftText { SwiftText(path: path, try text(path)) }

  /// Every file below a folder, sorted.
  func files(below folder: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: full(folder))?.allObjects as? [String] ?? []
    return names.map { "\(folder)/\($0)" }.filter { !isFolder($0) }.sorted()
  }

  func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: full(path), isDirectory: &isFolder) && isFolder.boolValue
  }

  /// Carries the changes out. A change that fails takes back those before it.
  func apply(_ changes: [Change]) throws(ScaffoldError) {
    var done: [Change] = []
    for change in changes {
      do {
        try apply(change)
        done.append(change)
      } catch {
        for change in done.reversed() { try? apply(change.reversed) }
        throw ScaffoldError(.file, "\(error); nothing was changed", place: change.path)
      }
    }
  }

  private func apply(_ change: Change) throws {
    let url = URL(filePath: full(change.path))
    if let text = change.after {
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    } else {
      try FileManager.default.removeItem(at: url)
      removeEmptyFolders(above: change.path)
    }
  }

  private func removeEmptyFolders(above path: String) {
    var folder = path
    while let slash = folder.lastIndex(of: "/") {
      folder = String(folder[..<slash])
      guard (try? FileManager.default.contentsOfDirectory(atPath: full(folder)))?.isEmpty == true,
        (try? FileManager.default.removeItem(atPath: full(folder))) != nil
      else { return }
    }
  }

  private func full(_ path: String) -> String { "\(root)/\(path)" }
}
