import Foundation

/// The program without process state, so that tests can run it.
package enum Command {
  /// - Returns: 0 without violations, 1 with violations, 2 for invalid rules or usage, 3 for an internal error of
  ///   archlint.
  package static func run(_ arguments: [String], console: Console) -> Int32 {
    do {
      let options = try CommandLineOptions.parse(arguments)
      return try run(options, console: console)
    } catch {
      console.errors(error.message + "\n")
      return error.exitCode
    }
  }

  private static func run(_ options: CommandLineOptions, console: Console) throws(ArchlintError) -> Int32 {
    switch options.action {
    case .help:
      console.output(CommandLineOptions.help)
      return 0
    case .lint: return try options.lint(console)
    case .symbols: return try options.symbols(console)
    case .graph: return try options.graph(console)
    case .imports: return try options.imports(console)
    }
  }
}

package struct Console {
  /// Results, which another program may read.
  package var output: (String) -> Void
  package var errors: (String) -> Void

  package init(output: @escaping (String) -> Void, errors: @escaping (String) -> Void) {
    (self.output, self.errors) = (output, errors)
  }
}

/// The reason why archlint could not finish.
package enum ArchlintError: Error, Sendable, Equatable {
  /// Mistakes in the rule file, each as `file:line:column: error: …`.
  case rules([String])
  /// The command line is not valid.
  case usage(String)
  /// SwiftPM cannot describe the package.
  case manifest(String)
  /// A file could not be used or a program failed.
  case environment(String)

  package var message: String {
    switch self {
    case .rules(let lines): lines.joined(separator: "\n")
    case .usage(let text), .manifest(let text), .environment(let text): "archlint: error: " + text
    }
  }

  /// 2 for rules and usage, 3 for an internal error of archlint.
  package var exitCode: Int32 {
    switch self {
    case .rules, .usage: 2
    case .manifest, .environment: 3
    }
  }
}

extension CommandLineOptions {
  /// `archlint`: runs all checks once.
  func lint(_ console: Console) throws(ArchlintError) -> Int32 {
    let format = try format(ReportFormat.self, else: .text)
    let project = try loader().load()
    return try report(Linter(project, today: today).run(), format, to: console)
  }

  func report(_ result: LintResult, _ format: ReportFormat, to console: Console) throws(ArchlintError) -> Int32 {
    try deliver(format.render(result), to: console)
    if !isQuiet { console.errors(TextReport.summary(result)) }
    return result.violations.isEmpty ? 0 : 1
  }

  /// `archlint imports PATH…`: lists the imports that the lexer finds in any files and folders, one per line.
  func imports(_ console: Console) throws(ArchlintError) -> Int32 {
    var files: [SourceFile] = []
    for path in operands {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        throw .usage("'\(path)' does not exist")
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
