/// Finds violations of the whole graph: cycles, and indirect dependencies that a rule excludes.
struct GraphCheck {
  private let project: Project
  private let graph: ModuleGraph
  private let edges: EdgeRules

  init(_ project: Project, _ graph: ModuleGraph) {
    (self.project, self.graph) = (project, graph)
    edges = EdgeRules(project)
  }

  func run() -> [Violation] { cycles() + reaches() }

  /// The shortest cycle through each target, without duplicates, ordered by length.
  private func cycles() -> [Violation] {
    var seen: Set<Set<String>> = []
    let all = graph.targetsOnCycles().compactMap { target in graph.shortestPath(from: target) { $0 == target } }
    let shortest = all.sorted { ($0.count, $0[0]) < ($1.count, $1[0]) }
    return shortest.filter { !holdsForbiddenEdge($0) && seen.insert(Set($0)).inserted }.map { path in
      Violation(
        check: .cycle, place: place(of: path),
        message: "a cycle of \(path.count - 1) targets goes through \(path[0])", target: path[0], object: path[1],
        chain: path,
        suggestion:
          "reverse one of these edges with a protocol of \(path[1]), or move what both need into a target below both")
    }
  }

  private func reaches() -> [Violation] {
    var violations: [Violation] = []
    for target in graph.targets {
      guard let role = project.roles[target] else { continue }
      for set in project.rules.independent where set.roles.contains(where: { $0.text == role.name.text }) {
        let names = set.roles.map(\.text)
        violations +=
          reach(from: target, rule: set.place) { other in
            other != target && project.roles[other].map { names.contains($0.name.text) } ?? false
          }.map { [$0] } ?? []
      }
      for rule in project.rules.reaches where rule.from.contains(where: { $0.text == role.name.text }) {
        let names = rule.to.map(\.text)
        violations +=
          reach(from: target, rule: rule.place) { other in
            if let otherRole = project.roles[other] { return other != target && names.contains(otherRole.name.text) }
            return names.contains("packages") && graph.packages.contains(other)
          }.map { [$0] } ?? []
      }
    }
    return violations
  }

  /// A chain with a forbidden edge is not reported, because the edge itself is, and its removal breaks the chain.
  private func reach(from target: String, rule: Place, _ isGoal: (String) -> Bool) -> Violation? {
    guard let path = graph.shortestPath(from: target, where: isGoal), let goal = path.last, !holdsForbiddenEdge(path)
    else { return nil }
    return Violation(
      check: .forbiddenReach, place: place(of: path),
      message: "\(target) must not reach \(goal), but does in \(path.count - 1) step\(path.count == 2 ? "" : "s")",
      target: target, object: goal, rule: rule, chain: path,
      suggestion: "break the chain, for example at its last edge: \(path[path.count - 2]) -> \(goal)")
  }

  private func place(of path: [String]) -> Place { graph.edge(path[0], path[1])?.place ?? project.places.start }

  private func holdsForbiddenEdge(_ path: [String]) -> Bool {
    zip(path, path.dropFirst()).contains { from, to in
      switch project.target(named: to) == nil ? edges.packageVerdict(from, to) : edges.verdict(from: from, to: to) {
      case .allowed, .rootOnly, .unknown: false
      case .forbidden, .sibling: true
      }
    }
  }
}
