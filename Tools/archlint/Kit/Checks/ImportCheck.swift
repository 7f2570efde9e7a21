/// Checks every import, active or not, against the rules and the manifest.
struct ImportCheck {
  private let project: Project
  private let edges: EdgeRules

  init(_ project: Project) {
    self.project = project
    edges = EdgeRules(project)
  }

  func run() -> [Violation] {
    let declared = Dictionary(
      project.manifest.targets.map { ($0.name, declaredModules($0)) }, uniquingKeysWith: { first, _ in first })
    var violations: [Violation] = []
    // The modules that all files of a target may import are determined once per target.
    var known: (target: String, isRoot: Bool, clean: Set<String>) = ("", false, [])
    for file in project.files {
      guard let target = file.target else { continue }
      let isRoot = project.isRoot(file)
      if known.target != target || known.isRoot != isRoot { known = (target, isRoot, []) }
      for statement in file.imports where !known.clean.contains(statement.module) {
        let found = check(statement, in: file, of: target, isRoot: isRoot, declared: declared[target] ?? [])
        if let found { violations.append(found) } else { known.clean.insert(statement.module) }
      }
    }
    return violations
  }

  private func declaredModules(_ target: ManifestTarget) -> Set<String> {
    Set(target.dependencies.flatMap { project.modules(ofProduct: $0.name) })
  }

  private func check(
    _ statement: ImportStatement, in file: SourceFile, of target: String, isRoot: Bool, declared: Set<String>
  ) -> Violation? {
    let place = Place(file.path, (statement.line, statement.column))
    let module = statement.module
    let role = project.roles[target]?.name.text ?? ""
    let suggestion = project.roles[target]?.suggestion
    func violation(_ check: Check, _ message: String, rule: Place, suggestion: String) -> Violation {
      let condition = statement.conditions.last.map { " (under \($0))" } ?? ""
      return Violation(
        check: check, place: place, message: message + condition, target: target, object: module, rule: rule,
        suggestion: suggestion
      )
    }
    let undeclared = Violation(
      check: .undeclaredDependency, place: place,
      message: "\(target) imports \(module), but the manifest does not declare that", target: target,
      object: module,
      suggestion: "add \(module) to the dependencies of \(target) in Package.swift")
    switch project.origin(of: module) {
    case .target(let other):
      let otherRole = project.roles[other.name]?.name.text ?? "no role"
      switch edges.verdict(from: target, to: other.name) {
      case .unknown: return nil
      case .sibling(let set):
        return violation(
          .siblingImport, "\(target) (\(role)) and \(module) (\(otherRole)) must not use one another", rule: set.place,
          suggestion: suggestion ?? "define a protocol below both, and join the two in a composition root")
      case .rootOnly(let word) where !isRoot:
        let roots = project.roles[target]?.rootFiles.map(\.text).joined(separator: ", ") ?? ""
        return violation(
          .outsideRoot, "only a composition root of \(target) (\(roots)) may import \(module) (\(otherRole))",
          rule: word.place,
          suggestion: "take what is needed as a protocol, and create the \(otherRole) in the composition root"
        )
      case .forbidden(let rule):
        return violation(
          .forbiddenImport, "\(target) (\(role)) must not import \(module) (\(otherRole))", rule: rule,
          suggestion: suggestion ?? "depend on a protocol instead, or allow it: uses \(otherRole)")
      case .allowed, .rootOnly: return other.name == target || declared.contains(module) ? nil : undeclared
      }
    case .system:
      guard case .forbidden(let rule) = edges.systemVerdict(target, module) else { return nil }
      return violation(
        .systemImport, "\(target) (\(role)) must not import \(module) of the toolchain", rule: rule,
        suggestion: "do without it, or allow it: system \(module)")
    case .package:
      switch edges.packageVerdict(target, module) {
      case .forbidden(let rule):
        return violation(
          .thirdPartyImport, "\(target) (\(role)) must not import \(module) of another package", rule: rule,
          suggestion: suggestion ?? "wrap it in an adapter behind a protocol, or allow it: packages \(module)")
      case .unknown: return nil
      default: return declared.contains(module) ? nil : undeclared
      }
    }
  }
}

/// Checks imports that expose too much (`@_exported`, `@testable`, `public import`), and imports outside the files that
/// a module is confined to.
struct ImportStyleCheck {
  let project: Project

  func run() -> [Violation] {
    var violations: [Violation] = []
    for file in project.files {
      guard let target = file.target else { continue }
      if !project.rules.confinements.isEmpty { violations += misplaced(file, target) }
      for statement in file.imports where !statement.attributes.isEmpty || statement.access == "public" {
        guard let role = project.roles[target] else { continue }
        violations += check(statement, in: file, of: target, role)
      }
    }
    return violations
  }

  private func check(
    _ statement: ImportStatement, in file: SourceFile, of target: String, _ role: Role
  ) -> [Violation] {
    let module = statement.module
    func violation(_ check: Check, _ message: String, rule: Place, suggestion: String) -> Violation {
      Violation(
        check: check, place: Place(file.path, (statement.line, statement.column)), message: message, target: target,
        object: module, rule: rule, suggestion: suggestion)
    }
    var found: [Violation] = []
    if statement.hasAttribute("_exported"), !shows(module, target, role) {
      found.append(
        violation(
          .exportedImport, "\(target) re-exports \(module), which hides an edge from the users of \(target)",
          rule: role.name.place, suggestion: "import \(module) where it is used, or allow it: shows \(module)"))
    }
    if statement.hasAttribute("testable"), role.isTest == nil {
      found.append(
        violation(
          .testableImport, "\(target) (\(role.name.text)) must not use @testable on \(module)", rule: role.name.place,
          suggestion: "remove @testable; make what is needed 'package' or 'public'"))
    }
    if statement.access == "public", role.isTest == nil, !mayShow(module, target, role) {
      found.append(
        violation(
          .publicImport, "\(module) shows in the public API of \(target) (\(role.name.text)), but is not a contract",
          rule: (role.shows.first ?? role.name).place,
          suggestion: "import it internally and wrap its types, or allow it: shows \(module)"))
    }
    return found
  }

  private func misplaced(_ file: SourceFile, _ target: String) -> [Violation] {
    project.rules.confinements.flatMap { rule -> [Violation] in
      guard !rule.paths.contains(where: { NamePattern($0.text).matches(path: file.path) }) else { return [] }
      let places = rule.paths.map(\.text).joined(separator: ", ")
      return file.imports.filter { $0.module == rule.module.text }.map { statement in
        Violation(
          check: .misplacedImport, place: Place(file.path, (statement.line, statement.column)),
          message: "\(statement.module) may be imported in \(places) only", target: target, object: statement.module,
          rule: rule.module.place, suggestion: "do without it here, or move what needs it to \(places)")
      }
    }
  }

  private func mayShow(_ module: String, _ target: String, _ role: Role) -> Bool {
    guard let other = project.targets[module] else { return shows(module, target, role) }
    guard let otherRole = project.roles[other.name] else { return true }
    return otherRole.isContract != nil || shows(module, target, role) || shows(otherRole.name.text, target, role)
  }

  private func shows(_ name: String, _ target: String, _ role: Role) -> Bool {
    let shown = project.rules.modules(project.rules.words(\.shows, of: role, target))
    return shown.contains { NamePattern($0.text).matches(name) }
  }
}
