/// The dependency graph: the dependencies in the manifest and those of imports.
package struct ModuleGraph: Sendable {
  package struct Edge: Sendable {
    package var from: String
    package var to: String
    /// The place of the first import, or else of the declaration.
    package var place: Place
  }

  /// The targets of the package, sorted by name.
  package private(set) var targets: [String] = []
  /// The modules and products of other packages, sorted.
  package private(set) var packages: [String] = []
  /// The edges, sorted by both ends.
  package private(set) var edges: [Edge] = []
  private var outgoing: [String: [Int]] = [:]

  package init(_ project: Project) {
    var outside: Set<String> = []
    // Maps each target and module to the end of an edge, or to nil for a toolchain module.
    var ends: [String: [String: String?]] = [:]
    var found: [String: [String: Edge]] = [:]
    func add(_ from: String, _ to: String, _ place: Place) {
      guard from != to, found[from]?[to] == nil else { return }
      found[from, default: [:]][to] = Edge(from: from, to: to, place: place)
    }
    for file in project.files {
      guard let target = file.target else { continue }
      for statement in file.imports {
        let module = statement.module
        let end: String?
        if let known = ends[target]?[module] {
          end = known
        } else {
          switch project.origin(of: module) {
          case .target(let other): end = other.name == target ? nil : other.name
          case .system: end = nil
          case .package:
            outside.insert(module)
            end = module
          }
          ends[target, default: [:]][module] = .some(end)
        }
        if let end { add(target, end, Place(file.path, (statement.line, statement.column))) }
      }
    }
    for target in project.manifest.targets {
      for dependency in target.dependencies {
        let place = project.places.place(ofDependency: dependency.name, of: target.name)
        if !dependency.isProduct, project.target(named: dependency.name) != nil {
          add(target.name, dependency.name, place)
        } else {
          for module in project.modules(ofProduct: dependency.name) {
            outside.insert(module)
            add(target.name, module, place)
          }
        }
      }
    }
    targets = project.manifest.targets.map(\.name).sorted()
    packages = outside.subtracting(targets).sorted()
    edges = found.values.flatMap(\.values).sorted { ($0.from, $0.to) < ($1.from, $1.to) }
    for (index, edge) in edges.enumerated() { outgoing[edge.from, default: []].append(index) }
  }

  package func edges(from target: String) -> [Edge] { (outgoing[target] ?? []).map { edges[$0] } }

  package func edge(_ from: String, _ to: String) -> Edge? { edges(from: from).first { $0.to == to } }

  /// The shortest path from `start` to a target that `isGoal` accepts; among equally short paths the first by name.
  /// `start` itself is a goal only at the end of a cycle.
  ///
  /// Complexity: linear in the number of edges.
  package func shortestPath(from start: String, where isGoal: (String) -> Bool) -> [String]? {
    var cameFrom: [String: String] = [:]
    var queue = [start]
    var next = 0
    while next < queue.count {
      let current = queue[next]
      next += 1
      for edge in edges(from: current) {
        if isGoal(edge.to) {
          var path = [edge.to, current]
          var node = current
          while node != start, let previous = cameFrom[node] {
            path.append(previous)
            node = previous
          }
          return path.reversed()
        }
        if edge.to != start, cameFrom[edge.to] == nil {
          cameFrom[edge.to] = current
          queue.append(edge.to)
        }
      }
    }
    return nil
  }

  /// The targets that can reach a cycle, sorted: those that remain after repeatedly removing targets without
  /// dependencies.
  func targetsOnCycles() -> [String] {
    var incoming: [String: [String]] = [:]
    var open: [String: Int] = [:]
    for edge in edges {
      incoming[edge.to, default: []].append(edge.from)
      open[edge.from, default: 0] += 1
    }
    var free = Set(edges.map(\.to)).filter { open[$0] == nil }
    while let node = free.popFirst() {
      for user in incoming[node] ?? [] {
        open[user, default: 1] -= 1
        if open[user] == 0 {
          open[user] = nil
          free.insert(user)
        }
      }
    }
    return open.keys.sorted()
  }
}
