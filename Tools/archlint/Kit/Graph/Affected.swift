/// Which targets a change can change: those whose files it touches, and all that know them over any number of steps.
package enum Affected {
  package struct Target: Sendable, Equatable {
    package var target: String
    /// `changed`, `over X` with the next target on the way to the change, or `manifest` when everything may differ.
    package var reason: String
  }

  /// - Parameter changed: Paths relative to the package.
  /// - Returns: Sorted by name.
  package static func targets(_ project: Project, changed: [String]) -> [Target] {
    let graph = ModuleGraph(project)
    if changed.contains(where: { $0 == "Package.swift" || $0 == "Package.resolved" || $0.hasPrefix("Package@") }) {
      return graph.targets.map { Target(target: $0, reason: "manifest") }
    }
    var reasons: [String: String] = [:]
    // Of nested folders the innermost is the file's.
    let byDepth = project.manifest.targets.sorted { $0.path.utf8.count > $1.path.utf8.count }
    for path in changed {
      if let owner = byDepth.first(where: { RelativePath.isInside(path, $0.path) }) { reasons[owner.name] = "changed" }
    }
    var incoming: [String: [String]] = [:]
    for edge in graph.edges { incoming[edge.to, default: []].append(edge.from) }
    var queue = reasons.keys.sorted()
    var next = 0
    while next < queue.count {
      let current = queue[next]
      next += 1
      for user in (incoming[current] ?? []).sorted() where reasons[user] == nil {
        reasons[user] = "over \(current)"
        queue.append(user)
      }
    }
    return reasons.sorted { $0.key < $1.key }.map { Target(target: $0.key, reason: $0.value) }
  }
}
