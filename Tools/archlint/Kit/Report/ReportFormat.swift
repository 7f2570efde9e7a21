/// The output format of findings.
package enum ReportFormat: String, Sendable, CaseIterable {
  case text, sarif, github

  package func render(_ result: LintResult) -> String {
    switch self {
    case .text: TextReport.render(result)
    case .sarif: SARIFReport.render(result)
    case .github: GitHubReport.render(result)
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
      text += "  remedy:  \(violation.remedy)\n"
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

/// Findings as workflow commands, which GitHub shows at the changed lines.
package enum GitHubReport {
  package static func render(_ result: LintResult) -> String {
    result.violations.map { violation in
      var text = violation.message
      if !violation.chain.isEmpty { text += "\nchain: " + violation.chain.joined(separator: " -> ") }
      if let rule = violation.rule { text += "\nrule: " + rule.text }
      text += "\nremedy: " + violation.remedy
      let place = violation.place
      return "::error file=\(property(place.path)),line=\(place.line),col=\(place.column),"
        + "title=\(property("archlint " + violation.check.rawValue))::\(data(text))\n"
    }
    .joined()
  }

  /// Escapes the characters with a meaning for the runner (`actions/toolkit`, `command.ts`).
  private static func data(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  private static func property(_ text: String) -> String {
    data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
