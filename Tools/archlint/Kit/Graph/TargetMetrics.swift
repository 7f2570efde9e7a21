/// `archlint metrics`: counts the targets that each target uses and is used by.
struct MetricsCommand {
  private enum Format: String, CaseIterable { case text, json }

  private let options: CommandLineOptions

  init(_ options: CommandLineOptions) { self.options = options }

  func run(_ console: Console) throws(ArchlintError) -> Int32 {
    let format = try options.format(Format.self, else: .text)
    let project = try options.loader().load()
    let metrics = TargetMetrics.all(project, ModuleGraph(project))
    try options.deliver(
      format == .text ? TargetMetrics.table(metrics) : TargetMetrics.json(metrics), to: console)
    return 0
  }
}

/// The coupling of a target (Robert C. Martin, 'OO Design Quality Metrics', 1994), without test targets.
package struct TargetMetrics: Sendable {
  package var name: String
  package var role: String
  package var files: Int
  /// The number of targets that use it.
  package var fanIn: Int
  /// The number of targets that it uses.
  package var fanOut: Int
  /// The number of targets that it uses directly or indirectly.
  package var reach: Int
  /// The number of modules of other packages that it uses directly.
  package var packages: Int

  /// 0 if it is used and uses no other target; 1 if it uses others and is not used. Nil for a target without edges.
  package var instability: Double? { fanIn + fanOut == 0 ? nil : Double(fanOut) / Double(fanIn + fanOut) }

  package var instabilityText: String {
    guard let instability else { return "-" }
    let hundredths = Int((instability * 100).rounded())
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
  }

  /// The metrics of all targets, sorted by name.
  package static func all(_ project: Project, _ graph: ModuleGraph) -> [TargetMetrics] {
    func isTest(_ name: String) -> Bool {
      project.target(named: name)?.kind == .test || project.roles[name]?.isTest != nil
    }
    let files = Dictionary(grouping: project.files.compactMap(\.target)) { $0 }.mapValues(\.count)
    return graph.targets.filter { !isTest($0) }.map { name in
      let outgoing = graph.edges(from: name)
      return TargetMetrics(
        name: name, role: project.roles[name]?.name.text ?? "no role", files: files[name] ?? 0,
        fanIn: graph.edges.count { $0.to == name && !isTest($0.from) },
        fanOut: outgoing.count { project.target(named: $0.to) != nil }, reach: graph.reach(from: name).count,
        packages: outgoing.count { project.target(named: $0.to) == nil })
    }
  }

  package static func table(_ metrics: [TargetMetrics]) -> String {
    let rows =
      [["target", "role", "files", "fan-in", "fan-out", "reach", "packages", "instability"]]
      + metrics.map {
        [
          $0.name, $0.role, String($0.files), String($0.fanIn), String($0.fanOut), String($0.reach),
          String($0.packages),
          $0.instabilityText,
        ]
      }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      row.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        return column < 2 ? cell + padding : padding + cell
      }
      .joined(separator: "  ").trimmingTrailingSpaces + "\n"
    }
    .joined()
  }

  package static func json(_ metrics: [TargetMetrics]) -> String {
    JSONTree.array(
      metrics.map { line in
        .object(
          [
            ("target", .string(line.name)), ("role", .string(line.role)), ("files", .number(line.files)),
            ("fanIn", .number(line.fanIn)), ("fanOut", .number(line.fanOut)), ("reach", .number(line.reach)),
            ("packages", .number(line.packages)),
          ] + (line.instability.map { [("instability", .fraction($0))] } ?? []))
      }
    ).text
  }
}

extension String {
  fileprivate var trimmingTrailingSpaces: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
