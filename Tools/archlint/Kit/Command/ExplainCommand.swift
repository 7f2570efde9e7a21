/// `archlint --explain A B`: whether the target A may use B, by which rule, and what there is between them now.
struct ExplainCommand {
  private let options: CommandLineOptions

  init(_ options: CommandLineOptions) { self.options = options }

  /// - Returns: 0 when it may, 1 when it may not.
  func run(_ console: Console) throws(ArchlintError) -> Int32 {
    let project = try options.loader().load()
    let name = options.operands[0]
    guard let source = project.target(named: name) ?? project.targets[name] else {
      let known = project.manifest.targets.map(\.name).sorted().joined(separator: ", ")
      throw .usage("there is no target '\(name)'; the targets are: \(known)")
    }
    let (isAllowed, lines) = Self.answer(project, source.name, options.operands[1])
    console.output((lines + Self.present(project, source.name, options.operands[1])).map { $0 + "\n" }.joined())
    return isAllowed ? 0 : 1
  }

  private static func answer(_ project: Project, _ source: String, _ object: String) -> (Bool, [String]) {
    let edges = EdgeRules(project)
    let role = project.roles[source]?.name.text ?? "no role"
    let verdict: EdgeRules.Verdict
    let kind: String
    if let target = project.target(named: object) ?? project.targets[object] {
      verdict = edges.verdict(from: source, to: target.name)
      kind = project.roles[target.name]?.name.text ?? "no role"
    } else if case .system = project.origin(of: object) {
      verdict = edges.systemVerdict(source, object)
      kind = "toolchain"
    } else {
      verdict = edges.packageVerdict(source, object)
      kind = "another package"
    }
    let pair = "\(source) (\(role))"
    switch verdict {
    case .allowed(let word):
      let rule = word.map { ["  rule:  \($0.place.text): \($0.text)"] } ?? []
      return (true, ["\(pair) may use \(object) (\(kind))."] + rule)
    case .rootOnly(let word):
      let files = project.roles[source]?.rootFiles.map(\.text).joined(separator: ", ") ?? ""
      return (
        true,
        ["\(pair) may use \(object) (\(kind)) in its composition roots only: \(files).", "  rule:  \(word.place.text)"]
      )
    case .sibling(let set):
      return (false, ["\(pair) may not use \(object) (\(kind)): they are independent.", "  rule:  \(set.place.text)"])
    case .forbidden(let place):
      let known = project.roles[source].map { $0.uses.map(\.text).joined(separator: ", ") } ?? ""
      return (
        false,
        [
          "\(pair) may not use \(object) (\(kind)): nothing allows it, and what is not allowed is forbidden.",
          "  rule:  \(place.text)" + (known.isEmpty ? "" : ": \(role) uses \(known)"),
        ]
      )
    case .unknown:
      return (false, ["Nobody can say: one of \(pair) and \(object) (\(kind)) has no role."])
    }
  }

  private static func present(_ project: Project, _ source: String, _ object: String) -> [String] {
    let graph = ModuleGraph(project)
    let name = project.targets[object]?.name ?? object
    guard let path = graph.shortestPath(from: source, where: { $0 == name }) else {
      return ["  now:   no chain of dependencies leads from \(source) to \(object)."]
    }
    var lines = ["  now:   \(path.joined(separator: " -> "))"]
    for (from, to) in zip(path, path.dropFirst()) {
      guard let edge = graph.edge(from, to) else { continue }
      let declared = edge.isDeclared ? "declared" : "not declared"
      lines.append(
        "         \(from) -> \(to): \(declared), imported in \(edge.imports) file\(edge.imports == 1 ? "" : "s"), "
          + "first at \(edge.place.text)")
    }
    return lines
  }
}
