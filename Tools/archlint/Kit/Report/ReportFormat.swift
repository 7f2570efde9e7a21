package enum ReportFormat: String, Sendable, CaseIterable {
  case text, sarif

  package func render(_ result: LintResult) -> String {
    switch self {
    case .text: TextReport.render(result)
    case .sarif: SARIFReport.render(result)
    }
  }
}

/// Findings for users and editors: one line in the format of compilers, followed by the reasons.
package enum TextReport {
  package static func render(_ result: LintResult) -> String {
    var text = ""
    for violation in result.violations {
      text += "\(violation.place.text): error: [\(violation.check.rawValue)] \(violation.message)\n"
      if !violation.chain.isEmpty { text += "  chain:   \(violation.chain.joined(separator: " -> "))\n" }
      if let rule = violation.rule { text += "  rule:    \(rule.text)\n" }
      text += "  remedy:  \(violation.suggestion)\n"
    }
    return text
  }

  /// A one-line summary of the run.
  package static func summary(_ result: LintResult) -> String {
    let count = result.violations.count
    let verdict = count == 0 ? "no violations" : "\(count) violation\(count == 1 ? "" : "s")"
    let ignored = result.ignored > 0 ? ", \(result.ignored) ignored" : ""
    return "archlint: \(verdict)\(ignored) in \(result.files) files of \(result.graph.targets.count) targets\n"
  }
}
