/// `archlint --explain A B`: explains whether the target A may use B, by which rule, and their current dependency.
/// `archlint --explain CHECK`: explains the requirement of a check and the statements of the rule file that control it.
struct ExplainCommand {
  private let options: CommandLineOptions

  init(_ options: CommandLineOptions) { self.options = options }

  /// - Returns: 0 if A may use B, otherwise 1; 0 for a check.
  func run(_ console: Console) throws(ArchlintError) -> Int32 {
    let name = options.operands[0]
    if options.operands.count == 1 {
      guard let check = Check(rawValue: name) else {
        throw .usage(
          "'\(name)' is not a check; the checks are: \(Check.allCases.map(\.rawValue).joined(separator: ", ")). "
            + "For an edge, write: archlint --explain TARGET MODULE")
      }
      console.output(Self.lines(check, try options.loader().loadRules()).map { $0 + "\n" }.joined())
      return 0
    }
    let project = try options.loader().load()
    guard let source = project.target(named: name) ?? project.targets[name] else {
      let known = project.manifest.targets.map(\.name).sorted().joined(separator: ", ")
      throw .usage("'\(name)' is not a target; the targets are: \(known)")
    }
    if let lines = Self.forbidden(project, source.name, options.operands[1]) {
      console.output(lines.map { $0 + "\n" }.joined())
      return 1
    }
    let (isAllowed, lines) = Self.answer(project, source.name, options.operands[1])
    console.output((lines + Self.present(project, source.name, options.operands[1])).map { $0 + "\n" }.joined())
    return isAllowed ? 0 : 1
  }

  // MARK: A check

  private static func lines(_ check: Check, _ rules: Rules) -> [String] {
    var lines = ["\(check.rawValue): \(check.summary)", "  statement:  \(check.statement)"]
    for word in words(check, rules) { lines.append("  rule:       \(word.place.text): \(word.text)") }
    lines.append(
      check.canBeIgnored
        ? "  ignore:     ignore \(check.rawValue) FILE-OR-TARGET, with 'reason', 'until' and 'max'"
        : "  ignore:     not possible")
    return lines
  }

  /// The rules in the file that control the check.
  private static func words(_ check: Check, _ rules: Rules) -> [RuleWord] {
    func named(_ text: String, _ words: [RuleWord]) -> [RuleWord] {
      words.map { RuleWord(text: "\(text) \($0.text)", place: $0.place) }
    }
    let keys: [RuleWord]
    switch check {
    case .forbiddenUse: return named("forbid", rules.forbids.filter { !$0.names.isEmpty }.map(\.name))
    case .globalState: return named("forbid", rules.forbids.filter { $0.globals != nil }.map(\.name))
    case .misplacedImport: return named("confine", rules.confinements.map(\.module))
    case .unusedPackage: return named("keep", rules.keeps.map(\.package))
    case .missingSetting:
      return rules.settings.map { RuleWord(text: "require \($0.kind.text) \($0.value)", place: $0.kind.place) }
    case .strayEntry: keys = Array(rules.topLevel.prefix(1))
    case .behaviour: return named("passive role", rules.roles.filter { $0.isPassive != nil }.map(\.name))
    case .concreteType: return named("concrete role", rules.roles.filter { $0.isConcrete != nil }.map(\.name))
    case .testableImport: return named("test role", rules.roles.filter { $0.isTest != nil }.map(\.name))
    case .outsideRoot: keys = rules.roles.flatMap(\.rootFiles)
    case .forbiddenPlugin: keys = rules.roles.flatMap(\.plugins) + rules.targets.flatMap(\.plugins)
    case .linkedLibrary: keys = rules.roles.flatMap(\.links) + rules.targets.flatMap(\.links)
    case .unsafeFlags: keys = rules.roles.flatMap(\.flags) + rules.targets.flatMap(\.flags)
    case .siblingImport, .forbiddenReach:
      return rules.independent.map { set in
        RuleWord(text: "independent " + set.roles.map(\.text).joined(separator: " "), place: set.place)
      }
    default: keys = []
    }
    return keys
  }

  // MARK: A forbidden name

  /// Explains a forbidden name; nil if no rule forbids it to the target's role.
  private static func forbidden(_ project: Project, _ source: String, _ name: String) -> [String]? {
    guard let role = project.roles[source] else { return nil }
    for rule in project.rules.forbids where rule.holds(for: role) {
      guard let word = rule.names.first(where: { $0.text == name || $0.text == name + "()" || $0.text == "." + name })
      else { continue }
      let places = rule.exceptions.filter { exception in
        project.files.contains { $0.target == source && NamePattern(exception.path.text).matches(path: $0.path) }
      }
      var lines = ["\(source) (\(role.name.text)) must not use \(word.text): '\(rule.name.text)' forbids it."]
      lines.append("  rule:    \(word.place.text)")
      lines += places.map { "  except:  \($0.path.text), \($0.reason)" }
      lines.append("  remedy:  \(rule.remedy)")
      return lines
    }
    return nil
  }

  // MARK: An edge

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
          "\(pair) may not use \(object) (\(kind)): no rule allows it.",
          "  rule:  \(place.text)" + (known.isEmpty ? "" : ": \(role) uses \(known)"),
        ]
      )
    case .unknown:
      return (false, ["No rule applies: \(pair) or \(object) (\(kind)) has no role."])
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
