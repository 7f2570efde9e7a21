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
        check(dependency, of: target)
          + (project.imported[target.name].map { unused(dependency, of: target, imported: $0) } ?? [])
      }
    }
  }

  private func violation(
    _ check: Check, _ dependency: ManifestDependency, _ target: ManifestTarget, _ message: String, rule: Place?,
    suggestion: String
  ) -> Violation {
    let (line, column) = project.places.place(ofDependency: dependency.name, of: target.name)
    return Violation(
      check: check, place: Place(project.places.path, line, column), message: message, target: target.name,
      object: dependency.name, rule: rule, suggestion: suggestion)
  }

  private func check(_ dependency: ManifestDependency, of target: ManifestTarget) -> [Violation] {
    guard let role = project.roles[target.name] else { return [] }
    let name = dependency.name
    if !dependency.isProduct, let other = project.target(named: name) {
      guard other.isCompiled, other.kind != .macro else { return [] }
      let otherRole = project.roles[name]?.name.text ?? "no role"
      switch edges.verdict(from: target.name, to: name) {
      case .allowed, .rootOnly, .unknown: return []
      case .sibling(let set):
        return [
          violation(
            .forbiddenDependency, dependency, target,
            "\(target.name) (\(role.name.text)) declares \(name) (\(otherRole)), but they must not use one another",
            rule: set.place, suggestion: "remove \(name) from the dependencies of \(target.name)")
        ]
      case .forbidden(let rule):
        return [
          violation(
            .forbiddenDependency, dependency, target,
            "\(target.name) (\(role.name.text)) must not depend on \(name) (\(otherRole))", rule: rule,
            suggestion: "remove \(name) from the dependencies of \(target.name), or allow it: uses \(otherRole)")
        ]
      }
    }
    let modules = project.modules(ofProduct: name)
    var place: Place?
    for module in modules {
      guard case .forbidden(let rule) = edges.packageVerdict(target.name, module) else { return [] }
      place = rule
    }
    return [
      violation(
        .thirdPartyDependency, dependency, target,
        "\(target.name) (\(role.name.text)) must not depend on \(name) of \(dependency.package ?? "another package")",
        rule: place, suggestion: "remove it from the dependencies of \(target.name), or allow it: packages \(name)")
    ]
  }

  private func unused(
    _ dependency: ManifestDependency, of target: ManifestTarget, imported: Set<String>
  ) -> [Violation] {
    if let other = project.target(named: dependency.name), !dependency.isProduct {
      guard other.kind != .plugin, other.kind != .macro else { return [] }
    }
    guard project.roles[target.name]?.isLoose == nil else { return [] }
    guard project.modules(ofProduct: dependency.name).allSatisfy({ !imported.contains($0) }) else { return [] }
    return [
      violation(
        .unusedDependency, dependency, target, "\(target.name) declares \(dependency.name) and imports it nowhere",
        rule: nil, suggestion: "remove \(dependency.name) from the dependencies of \(target.name)")
    ]
  }
}
