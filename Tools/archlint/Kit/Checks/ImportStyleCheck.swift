/// Imports that show or open more than they should (`@_exported`, `@testable`, `public import`), and those that stand
/// outside the files that they are confined to.
struct ImportStyleCheck {
  private let project: Project

  init(_ project: Project) { self.project = project }

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
    func violation(_ check: Check, _ message: String, rule: Place, mend: String) -> Violation {
      Violation(
        check: check, place: Place(file.path, statement.line, statement.column), message: message, target: target,
        object: module, rule: rule, mend: mend)
    }
    var found: [Violation] = []
    if statement.hasAttribute("_exported") {
      found.append(
        violation(
          .exportedImport, "\(target) re-exports \(module), so that whoever imports it knows \(module) unseen",
          rule: role.name.place, mend: "remove @_exported and import \(module) where it is used"))
    }
    if statement.hasAttribute("testable"), role.isTest == nil {
      found.append(
        violation(
          .testableImport, "\(target) (\(role.name.text)) opens the inside of \(module)", rule: role.name.place,
          mend: "remove @testable; make what is needed 'package' or 'public'"))
    }
    if statement.access == "public", role.isTest == nil, !mayShow(module, target, role) {
      found.append(
        violation(
          .publicImport, "\(module) shows in the public API of \(target) (\(role.name.text)), and is no contract",
          rule: (role.shows.first ?? role.name).place,
          mend: "import it internally and wrap its types, or allow it: shows \(module)"))
    }
    return found
  }

  private func misplaced(_ file: SourceFile, _ target: String) -> [Violation] {
    project.rules.confinements.flatMap { rule -> [Violation] in
      guard !rule.paths.contains(where: { NamePattern($0.text).matches(path: file.path) }) else { return [] }
      let places = rule.paths.map(\.text).joined(separator: ", ")
      return file.imports.filter { $0.module == rule.module.text }.map { statement in
        Violation(
          check: .misplacedImport, place: Place(file.path, statement.line, statement.column),
          message: "\(statement.module) is imported in \(places) only", target: target, object: statement.module,
          rule: rule.module.place, mend: "do without it here, or move what needs it to \(places)")
      }
    }
  }

  private func mayShow(_ module: String, _ target: String, _ role: Role) -> Bool {
    var names = [module]
    if let other = project.targets[module] {
      guard let otherRole = project.roles[other.name] else { return true }
      if otherRole.isContract != nil { return true }
      names.append(otherRole.name.text)
    }
    let shown = project.rules.modules(role.shows + (project.rules.targetRule(target)?.shows ?? []))
    return shown.contains { word in names.contains { NamePattern(word.text).matches($0) } }
  }
}
