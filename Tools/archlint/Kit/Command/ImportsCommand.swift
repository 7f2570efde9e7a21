import Foundation

/// `archlint imports PATH…`: what the lexer sees, one import a line, for any files and folders.
struct ImportsCommand {
  private let options: CommandLineOptions

  init(_ options: CommandLineOptions) { self.options = options }

  func run(_ console: Console) throws(ArchlintError) -> Int32 {
    var files: [SourceFile] = []
    for path in options.operands {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        throw .usage("there is no file or folder \(path)")
      }
      if isFolder.boolValue {
        files += FileTree.walk(root: path, targets: [], entersNested: true).files.map {
          SourceFile(path: path + "/" + $0.path)
        }
      } else {
        files.append(SourceFile(path: path))
      }
    }
    ImportReader.read(&files, root: nil)
    for file in files {
      console.output(file.imports.map { Self.line($0, file.path) }.joined())
    }
    return 0
  }

  private static func line(_ statement: ImportStatement, _ path: String) -> String {
    let parts =
      statement.attributes.map { "@" + $0 }
      + [statement.access, "import", statement.kind, statement.path].compactMap(\.self)
    let conditions = statement.conditions.isEmpty ? "" : "  under " + statement.conditions.joined(separator: ", ")
    return "\(path):\(statement.line):\(statement.column): \(parts.joined(separator: " "))\(conditions)\n"
  }
}
