import Foundation
import Testing

@testable import ScaffoldKit

/// What the scaffold looks at, in a folder of its own, to be scaffolded into.
final class ProjectCopy: Sendable {
  let root: String

  init() throws {
    // The tests may have been built through a link: what counts is where the file really is.
    let project = URL(filePath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let folder = FileManager.default.temporaryDirectory.appending(path: "scaffold-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    root = folder.path
    let copied =
      [
        ".swift-format", "Modules/Models", "Modules/Ports/Sources", "Modules/Features/Users", "Modules/Parsing/Users",
        "Apps/almanac/Main.swift", "Tests/UsersTests",
      ] + Registration.files
    for name in copied where !FileManager.default.fileExists(atPath: "\(root)/\(name)") {
      let copy = folder.appending(path: name)
      try FileManager.default.createDirectory(at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: project.appending(path: name), to: copy)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  var tree: Tree { Tree(root: root) }

  /// Every file and folder with its bytes.
  func contents() -> [String: Data] {
    let paths = FileManager.default.enumerator(atPath: root)?.allObjects as? [String] ?? []
    return Dictionary(
      uniqueKeysWithValues: paths.map { ($0, FileManager.default.contents(atPath: "\(root)/\($0)") ?? Data()) })
  }

  func edit(_ path: String, _ change: (String) -> String) throws {
    try Data(change(try tree.text(path)).utf8).write(to: URL(filePath: "\(root)/\(path)"))
  }

  /// Runs the tool here.
  func run(_ arguments: String...) -> (status: Int32, output: String, errors: String) {
    var (output, errors) = ("", "")
    let status = Command.run(
      arguments + ["--package", root], console: Console(output: { output += $0 }, errors: { errors += $0 }))
    return (status, output, errors)
  }
}
