/// Findings for people and editors: one line in the form that compilers use, then the reasons below it.
package enum TextReport {
  package static func render(_ result: LintResult) -> String {
    var text = ""
    for violation in result.violations {
      text += "\(violation.place.text): error: [\(violation.check.rawValue)] \(violation.message)\n"
      if !violation.chain.isEmpty { text += "  chain: \(violation.chain.joined(separator: " -> "))\n" }
      if let rule = violation.rule { text += "  rule:  \(rule.text)\n" }
      text += "  mend:  \(violation.mend)\n"
    }
    return text
  }

  /// One line that says how it went.
  package static func summary(_ result: LintResult) -> String {
    let count = result.violations.count
    let verdict = count == 0 ? "no violations" : "\(count) violation\(count == 1 ? "" : "s")"
    let ignored = result.ignored > 0 ? ", \(result.ignored) ignored" : ""
    return "archlint: \(verdict)\(ignored) in \(result.files) files of \(result.graph.targets.count) targets\n"
  }
}
