/// Why no verdict could be given.
package enum ArchlintError: Error, Sendable, Equatable {
  /// Mistakes in the rule file, each as `file:line:column: error: …`.
  case rules([String])
  /// The command line makes no sense.
  case usage(String)
  /// The package cannot be described.
  case manifest(String)
  /// Something around us failed: a file, a program.
  case environment(String)

  package var message: String {
    switch self {
    case .rules(let lines): lines.joined(separator: "\n")
    case .usage(let text), .manifest(let text), .environment(let text): "archlint: error: " + text
    }
  }

  /// 2 for rules and usage, 3 for a failure of our own.
  package var exitCode: Int32 {
    switch self {
    case .rules, .usage: 2
    case .manifest, .environment: 3
    }
  }
}
