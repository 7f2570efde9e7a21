/// Checks the dependencies in the manifest: whether the rules allow them, and whether they are used.
struct DependencyCheck {
  private let project: Project
  private let edges: EdgeRules

  init(_ project: Project) {
    self.project = project
    edges = EdgeRules(project)
  }

  func run() -> [Violation] {
    project.manifest.targets.filter(\.isCompiled).flatMap { target in
      target.dependencies.flatMap { dependency in
        // The imports of a target in another language cannot be read.
        [check(dependency, of: target), project.imported[target.name].flatMap { unused(dependency, of: target, $0) }]
          .compactMap(\.self)
      }
    }
  }

  private func violation(
    _ check: Check, _ dependency: ManifestDependency, _ target: ManifestTarget, _ message: String, rule: Place?,
    suggestion: String
  ) -> Violation {
    Violation(
      check: check, place: project.places.place(ofDependency: dependency.name, of: target.name), message: message,
      target: target.name, object: dependency.name, rule: rule, suggestion: suggestion)
  }

  private func check(_ dependency: ManifestDependency, of target: ManifestTarget) -> Violation? {
    guard let role = project.roles[target.name] else { return nil }
    let name = dependency.name
    if !dependency.isProduct, let other = project.target(named: name) {
      guard other.isCompiled, other.kind != .macro else { return nil }
      let otherRole = project.roles[name]?.name.text ?? "no role"
      switch edges.verdict(from: target.name, to: name) {
      case .allowed, .rootOnly, .unknown: return nil
      case .sibling(let set):
        return violation(
          .forbiddenDependency, dependency, target,
          "\(target.name) (\(role.name.text)) declares \(name) (\(otherRole)), but they must not use one another",
          rule: set.place, suggestion: "remove \(name) from the dependencies of \(target.name)")
      case .forbidden(let rule):
        return violation(
          .forbiddenDependency, dependency, target,
          "\(target.name) (\(role.name.text)) must not depend on \(name) (\(otherRole))", rule: rule,
          suggestion: "remove \(name) from the dependencies of \(target.name), or allow it: uses \(otherRole)")
      }
    }
    var place: Place?
    for module in project.modules(ofProduct: name) {
      guard case .forbidden(let rule) = edges.packageVerdict(target.name, module) else { return nil }
      place = rule
    }
    return violation(
      .thirdPartyDependency, dependency, target,
      "\(target.name) (\(role.name.text)) must not depend on \(name) of \(dependency.package ?? "another package")",
      rule: place, suggestion: "remove it from the dependencies of \(target.name), or allow it: packages \(name)")
  }

  private func unused(
    _ dependency: ManifestDependency, of target: ManifestTarget, _ imported: Set<String>
  ) -> Violation? {
    let other = dependency.isProduct ? nil : project.target(named: dependency.name)
    guard other?.kind != .plugin, other?.kind != .macro, project.roles[target.name]?.isLoose == nil,
      imported.isDisjoint(with: project.modules(ofProduct: dependency.name))
    else { return nil }
    return violation(
      .unusedDependency, dependency, target, "\(target.name) declares \(dependency.name) and imports it nowhere",
      rule: nil, suggestion: "remove \(dependency.name) from the dependencies of \(target.name)")
  }
}
