import Foundation

/// The files of the project, with the planned changes on top.
struct Tree {
  /// The folder of the project.
  let root: String

  func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: full(path)) }

  /// The text of a file.
  ///
  /// - Throws: `ScaffoldError.Kind.refused` if there is no such file.
  func text(_ path: String) throws(ScaffoldError) -> String {
    guard let data = FileManager.default.contents(atPath: full(path)) else {
      throw ScaffoldError(.refused, "there is no such file; this is not the tree that the scaffold knows", place: path)
    }
    return String(decoding: data, as: UTF8.self)
  }

  func swift(_ path: String) throws(ScaffoldError) -> SwiftText { SwiftText(path: path, try text(path)) }

  /// All files in a folder, sorted.
  func files(below folder: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: full(folder))?.allObjects as? [String] ?? []
    return names.map { "\(folder)/\($0)" }.filter { !isFolder($0) }.sorted()
  }

  func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: full(path), isDirectory: &isFolder) && isFolder.boolValue
  }

  /// Applies the changes. If one fails, the earlier ones are undone.
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

/// A change of one file.
struct Change: Hashable, Sendable {
  var path: String
  /// The current text; `nil` if the file does not exist.
  var before: String?
  /// The new text; `nil` if the file is removed.
  var after: String?

  var reversed: Change { Change(path: path, before: after, after: before) }

  /// `create`, `edit` or `remove`.
  var word: String { before == nil ? "create" : after == nil ? "remove" : "edit" }

  /// The added and removed lines in the notation of a patch; for a new or removed file, the number of lines.
  var summary: String {
    guard let before, let after else {
      return "\(word)  \(path) (\((before ?? after ?? "").count { $0 == "\n" }) lines)\n"
    }
    let (old, new) = (Self.lines(before), Self.lines(after))
    let difference = new.difference(from: old)
    let rows = difference.map { change in
      switch change {
      case .remove(let offset, let line, _): (2 * offset, "    - \(line)\n")
      case .insert(let offset, let line, _): (2 * offset + 1, "    + \(line)\n")
      }
    }
    return "edit    \(path)\n" + rows.sorted { $0.0 < $1.0 }.map(\.1).joined()
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
