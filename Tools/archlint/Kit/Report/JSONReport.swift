/// Findings for programs of one's own.
package enum JSONReport {
  package static func render(_ result: LintResult) -> String {
    JSONTree.object([
      ("version", .number(1)),
      ("files", .number(result.files)),
      ("targets", .number(result.graph.targets.count)),
      ("ignored", .number(result.ignored)),
      ("violations", .array(result.violations.map(violation))),
    ]).text
  }

  private static func violation(_ violation: Violation) -> JSONTree {
    var members: [(String, JSONTree)] = [
      ("check", .string(violation.check.rawValue)),
      ("file", .string(violation.place.path)),
      ("line", .number(violation.place.line)),
      ("column", .number(violation.place.column)),
      ("message", .string(violation.message)),
    ]
    if let target = violation.target { members.append(("target", .string(target))) }
    if let object = violation.object { members.append(("object", .string(object))) }
    if let rule = violation.rule {
      members.append(
        (
          "rule",
          .object([("file", .string(rule.path)), ("line", .number(rule.line)), ("column", .number(rule.column))])
        ))
    }
    if !violation.chain.isEmpty { members.append(("chain", .array(violation.chain.map { .string($0) }))) }
    members.append(("mend", .string(violation.mend)))
    return .object(members)
  }
}
