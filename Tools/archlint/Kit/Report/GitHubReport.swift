/// Findings as workflow commands, which GitHub shows beside the changed lines.
package enum GitHubReport {
  package static func render(_ result: LintResult) -> String {
    result.violations.map { violation in
      var text = violation.message
      if !violation.chain.isEmpty { text += "\nchain: " + violation.chain.joined(separator: " -> ") }
      if let rule = violation.rule { text += "\nrule: " + rule.text }
      text += "\nmend: " + violation.mend
      let place = violation.place
      return "::error file=\(property(place.path)),line=\(place.line),col=\(place.column),"
        + "title=\(property("archlint " + violation.check.rawValue))::\(data(text))\n"
    }
    .joined()
  }

  /// The runner takes these characters for its own (`actions/toolkit`, `command.ts`).
  private static func data(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  private static func property(_ text: String) -> String {
    data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
