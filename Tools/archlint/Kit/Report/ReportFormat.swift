/// How findings are written.
package enum ReportFormat: String, Sendable, CaseIterable {
  case text, json, sarif, github

  package func render(_ result: LintResult) -> String {
    switch self {
    case .text: TextReport.render(result)
    case .json: JSONReport.render(result)
    case .sarif: SARIFReport.render(result)
    case .github: GitHubReport.render(result)
    }
  }
}
