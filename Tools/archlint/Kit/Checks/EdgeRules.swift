/// Decides whether a target may use another target, a toolchain module or a package's module.
package struct EdgeRules: Sendable {
  package enum Verdict: Sendable {
    case allowed
    /// Allowed in composition roots only.
    case rootOnly(RuleWord)
    case sibling(Rules.Independence)
    /// No rule allows it; the place where a rule could allow it.
    case forbidden(Place)
    /// One of the two has no role, which is reported separately.
    case unknown
  }

  private let project: Project
  private var rules: Rules { project.rules }

  package init(_ project: Project) { self.project = project }

  package func verdict(from source: String, to other: String) -> Verdict {
    guard source != other else { return .allowed }
    guard let role = project.roles[source], let otherRole = project.roles[other] else { return .unknown }
    let single = rules.words(\.knows, of: role, source)
    if single.contains(where: { NamePattern($0.text).matches(other) }) { return .allowed }
    if let set = independence(role, otherRole) { return .sibling(set) }
    func allows(_ word: RuleWord) -> Bool { word.text == otherRole.name.text || word.text == "*" }
    if role.uses.contains(where: allows) { return .allowed }
    if let word = role.rootUses.first(where: allows) { return .rootOnly(word) }
    return .forbidden((role.uses.first ?? role.name).place)
  }

  package func independence(_ first: Role, _ second: Role) -> Rules.Independence? {
    rules.independent.first { set in
      set.roles.contains { $0.text == first.name.text } && set.roles.contains { $0.text == second.name.text }
    }
  }

  package func systemVerdict(_ target: String, _ module: String) -> Verdict {
    guard let role = project.roles[target] else { return .unknown }
    if ToolchainModules.implicit.contains(module) { return .allowed }
    return listed(module, in: rules.modules(rules.words(\.system, of: role, target)), of: role, role.system)
  }

  package func packageVerdict(_ target: String, _ module: String) -> Verdict {
    guard let role = project.roles[target] else { return .unknown }
    return listed(module, in: rules.words(\.packages, of: role, target), of: role, role.packages)
  }

  private func listed(_ module: String, in words: [RuleWord], of role: Role, _ own: [RuleWord]) -> Verdict {
    if words.contains(where: { NamePattern($0.text).matches(module) }) { return .allowed }
    return .forbidden((own.first ?? role.name).place)
  }
}
