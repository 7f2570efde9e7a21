/// Runs every check over a project and applies the ignores.
package struct Linter {
  private let project: Project
  private let today: String

  /// - Parameter today: The date, as `2026-12-31`, which determines the `ignore` statements that have expired.
  package init(_ project: Project, today: String) {
    (self.project, self.today) = (project, today)
  }

  package func run() -> LintResult {
    let graph = ModuleGraph(project)
    let found: [[Violation]] = [
      ClassificationCheck(project: project).run(), ImportCheck(project).run(), ImportStyleCheck(project: project).run(),
      DependencyCheck(project).run(), GraphCheck(project, graph).run(), CodeCheck(project).run(),
      ManifestCheck(project: project).run(), StaleRuleCheck(project: project).run(),
    ]
    let (kept, hidden) = IgnoreFilter(project.rules, today: today)
      .apply(to: found.flatMap(\.self), upkeepOf: Set(Check.allCases).subtracting([.concreteType]))
    return LintResult(violations: Array(Set(kept)).sorted(), ignored: hidden, files: project.files.count, graph: graph)
  }
}

package struct LintResult: Sendable {
  /// The violations, sorted by place.
  package var violations: [Violation]
  package var ignored: Int
  package var files: Int
  package var graph: ModuleGraph
}

package struct Violation: Sendable, Hashable {
  package var check: Check
  package var place: Place
  package var message: String
  /// The target, and the module or target that it must not use.
  package var target: String? = nil
  package var object: String? = nil
  package var rule: Place? = nil
  /// The chain from one target to another, if it has more than one step.
  package var chain: [String] = []
  package var suggestion: String
}

extension Violation: Comparable {
  package static func < (left: Violation, right: Violation) -> Bool {
    if left.place != right.place { return left.place < right.place }
    if left.check != right.check { return left.check.rawValue < right.check.rawValue }
    return left.message < right.message
  }
}
