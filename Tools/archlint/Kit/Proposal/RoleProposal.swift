/// Proposes one role per kind of target: programs, tests, code in other languages, and each library on its own, so that
/// every dependency between libraries is explicit.
struct RoleProposal {
  private let project: Project
  private let graph: ModuleGraph

  init(_ project: Project) {
    self.project = project
    graph = ModuleGraph(project)
  }

  private struct Group {
    var name: String
    var about: String
    var targets: [String]
    var isTest = false
  }

  func text() -> String {
    let groups = groups()
    let role = Dictionary(
      groups.flatMap { group in group.targets.map { ($0, group.name) } }, uniquingKeysWith: { first, _ in first })
    return groups.map { text($0, role) }.joined(separator: "\n")
  }

  private func groups() -> [Group] {
    let swift = Set(project.files.compactMap(\.target))
    let height = heights()
    var groups: [Group] = []
    let compiled = project.manifest.targets.filter { $0.isCompiled && $0.kind != .test && swift.contains($0.name) }
    let libraries = compiled.filter { $0.kind == .regular }.map(\.name)
    let other = project.manifest.targets.filter { $0.kind != .test && !swift.contains($0.name) || !$0.isCompiled }
    if !other.isEmpty {
      groups.append(
        Group(name: "foreign", about: "without Swift code that imports", targets: other.map(\.name).sorted()))
    }
    for name in libraries.sorted(by: { (height[$0] ?? 0, $0) < (height[$1] ?? 0, $1) }) {
      groups.append(
        Group(name: Self.roleName(name), about: "row \(height[name] ?? 0) from the bottom", targets: [name]))
    }
    let macros = compiled.filter { $0.kind == .macro }.map(\.name).sorted()
    if !macros.isEmpty { groups.append(Group(name: "macro", about: "runs in the compiler", targets: macros)) }
    let programs = compiled.filter { $0.kind == .executable }.map(\.name).sorted()
    if !programs.isEmpty { groups.append(Group(name: "program", about: "a program", targets: programs)) }
    let tests = project.manifest.targets.filter { $0.kind == .test }.map(\.name).sorted()
    if !tests.isEmpty {
      groups.append(Group(name: "tests", about: "may use everything", targets: tests, isTest: true))
    }
    return groups
  }

  private func heights() -> [String: Int] {
    var heights: [String: Int] = [:]
    var open: Set<String> = []
    func height(_ name: String) -> Int {
      if let known = heights[name] { return known }
      guard open.insert(name).inserted else { return 0 }
      let below = graph.edges(from: name).map(\.to).filter { project.target(named: $0) != nil && !open.contains($0) }
      let own = below.map { height($0) + 1 }.max() ?? 0
      open.remove(name)
      heights[name] = own
      return own
    }
    for name in graph.targets { _ = height(name) }
    return heights
  }

  private func text(_ group: Group, _ role: [String: String]) -> String {
    var text = "role \(group.name) \"\(group.about)\"\n"
    text += Self.list("targets", group.targets)
    if group.isTest { return text + "  uses     *\n  system   *\n  packages *\n  test\n  loose\n" }
    let edges = group.targets.flatMap(graph.edges)
    let known = Set(edges.map(\.to)).subtracting(group.targets)
    text += Self.list("uses", Set(known.compactMap { role[$0] }).sorted())
    text += Self.list("knows", Set(edges.map(\.to)).intersection(group.targets).sorted())
    var system: Set<String> = []
    for file in project.files where group.targets.contains(file.target ?? "") {
      for statement in file.imports {
        if case .system = project.origin(of: statement.module), !ToolchainModules.implicit.contains(statement.module) {
          system.insert(statement.module)
        }
      }
    }
    text += Self.list("system", system.sorted())
    var shown: Set<String> = []
    for file in project.files where group.targets.contains(file.target ?? "") {
      shown.formUnion(file.imports.filter { $0.access == "public" }.map(\.module))
    }
    text += Self.list("shows", shown.sorted())
    let targets = group.targets.compactMap(project.target)
    text += Self.list("plugins", Set(targets.flatMap(\.plugins).map(\.name)).sorted())
    text += Self.list("links", Set(targets.flatMap { $0.settings(of: "links") }).sorted())
    text += Self.list("flags", Set(targets.flatMap { $0.settings(of: "unsafe-flags") }).sorted())
    text += Self.list("packages", known.filter { project.target(named: $0) == nil }.sorted())
    return text
  }

  /// Formats lines of at most 120 columns; words with spaces are quoted.
  private static func list(_ key: String, _ words: [String]) -> String {
    var text = ""
    var line = ""
    let start = "  " + key + String(repeating: " ", count: 9 - key.count)
    for word in words.map({ $0.contains(" ") ? "\"\($0)\"" : $0 }) {
      if !line.isEmpty, start.count + line.count + word.count > 120 {
        text += start + line.dropLast() + "\n"
        line = ""
      }
      line += word + " "
    }
    return line.isEmpty ? text : text + start + line.dropLast() + "\n"
  }

  /// Converts `NIOHTTP1Server` to `nio-http1-server`.
  static func roleName(_ target: String) -> String {
    var name = ""
    let letters = Array(target)
    for (index, letter) in letters.enumerated() {
      let beforeIsLower = index > 0 && (letters[index - 1].isLowercase || letters[index - 1].isNumber)
      let endsAcronym =
        index > 0 && letters[index - 1].isUppercase && index + 1 < letters.count && letters[index + 1].isLowercase
      if letter.isUppercase, beforeIsLower || endsAcronym, name.last != "-" { name += "-" }
      name += letter.isLetter || letter.isNumber ? letter.lowercased() : "-"
    }
    return name
  }
}
