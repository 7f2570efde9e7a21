/// The layout of the graph: its nodes in rows and columns, and the edges that violate a rule.
package struct GraphDrawing: Sendable {
  package struct Node: Sendable {
    package var name: String
    /// The role; `package` for a module of another package.
    package var role: String
    /// The row, from 0 at the bottom.
    package var row: Int
    /// The column within the row, from the left.
    package var column: Int
  }

  package struct Edge: Sendable {
    package var from: Int
    package var to: Int
    /// The ids of the violated checks, sorted.
    package var checks: [String]
    package var isOffending: Bool { !checks.isEmpty }
  }

  /// The nodes, sorted by name, targets before packages.
  package private(set) var nodes: [Node] = []
  package private(set) var edges: [Edge] = []

  /// - Parameters:
  ///   - showsTests: Whether to include test targets and targets with a test role.
  ///   - showsPackages: Whether to include modules of other packages.
  package init(_ project: Project, _ result: LintResult, showsTests: Bool, showsPackages: Bool) {
    let graph = result.graph
    let targets = graph.targets.filter { name in
      showsTests || (project.target(named: name)?.kind != .test && project.roles[name]?.isTest == nil)
    }
    let names = targets + (showsPackages ? graph.packages : [])
    let index = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    var checks: [String: Set<String>] = [:]
    for violation in result.violations {
      guard let from = violation.target, let object = violation.object else { continue }
      let to = project.targets[object]?.name ?? object
      // Every step of a forbidden chain is shown as a violation.
      let steps = violation.chain.isEmpty ? [(from, to)] : Array(zip(violation.chain, violation.chain.dropFirst()))
      for (from, to) in steps { checks[from + "\u{0}" + to, default: []].insert(violation.check.rawValue) }
    }
    for edge in graph.edges {
      guard let from = index[edge.from], let to = index[edge.to] else { continue }
      edges.append(Edge(from: from, to: to, checks: (checks[edge.from + "\u{0}" + edge.to] ?? []).sorted()))
    }
    let rows = Self.rows(names.count, edges)
    nodes = names.enumerated().map { index, name in
      let role = project.roles[name]?.name.text ?? (project.target(named: name) == nil ? "package" : "no role")
      return Node(name: name, role: role, row: rows[index], column: 0)
    }
    arrangeColumns()
  }

  /// Places each node one row above the highest node that it uses, ignoring edges that close a cycle.
  private static func rows(_ count: Int, _ edges: [Edge]) -> [Int] {
    var below = [[Int]](repeating: [], count: count)
    for edge in edges where edge.from != edge.to { below[edge.from].append(edge.to) }
    var rows = [Int?](repeating: nil, count: count)
    var isOpen = [Bool](repeating: false, count: count)
    func row(_ node: Int) -> Int {
      if let known = rows[node] { return known }
      isOpen[node] = true
      let highest = below[node].filter { !isOpen[$0] }.map { row($0) + 1 }.max() ?? 0
      isOpen[node] = false
      rows[node] = highest
      return highest
    }
    return (0..<count).map(row)
  }

  /// Moves each node near the middle of its neighbours, row by row, in a few passes up and down.
  private mutating func arrangeColumns() {
    var rows = Dictionary(grouping: nodes.indices, by: { nodes[$0].row })
    var neighbours = [[Int]](repeating: [], count: nodes.count)
    for edge in edges {
      neighbours[edge.from].append(edge.to)
      neighbours[edge.to].append(edge.from)
    }
    func number() {
      for (_, row) in rows { for (column, node) in row.enumerated() { nodes[node].column = column } }
    }
    func center(_ node: Int) -> Double { Double(nodes[node].column) - Double((rows[nodes[node].row] ?? []).count) / 2 }
    number()
    for _ in 0..<4 {
      for row in rows.keys.sorted() {
        let wanted = (rows[row] ?? []).map { node -> (Double, Int) in
          let all = neighbours[node].map(center)
          return (all.isEmpty ? center(node) : all.reduce(0, +) / Double(all.count), node)
        }
        rows[row] = wanted.sorted { $0 < $1 }.map(\.1)
        number()
      }
    }
  }
}
