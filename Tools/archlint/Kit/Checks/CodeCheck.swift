/// Checks the code of files beyond its imports: work in passive roles, and names and state that `forbid` rules exclude.
struct CodeCheck {
  private let project: Project
  /// The query for the files of each role that has such rules.
  private var queries: [String: CodeScanner.Query] = [:]

  init(_ project: Project) {
    self.project = project
    for role in project.rules.roles {
      var query = CodeScanner.Query(behaviour: role.isPassive != nil)
      for rule in project.rules.forbids where rule.holds(for: role) {
        if rule.globals != nil { query.globals = true }
        query.names += rule.names.map { ForbiddenName($0.text) }
      }
      if query.behaviour || query.globals || !query.names.isEmpty { queries[role.name.text] = query }
    }
  }

  func run() -> [Violation] {
    let files = project.files.compactMap { file -> (file: SourceFile, target: String, role: Role)? in
      guard let target = file.target, let role = project.roles[target], queries[role.name.text] != nil else {
        return nil
      }
      return (file, target, role)
    }
    let found = SourceBytes.withFiles(files.map { project.root + "/" + $0.file.path }) { [queries] index, source in
      queries[files[index].role.name.text].map { CodeScanner.scan(source, for: $0) } ?? CodeFindings()
    }
    let classes = found.reduce(into: Self.statefulTypes) { $0.formUnion($1?.classes ?? []) }
    var violations: [Violation] = []
    var excepted: Set<RuleWord> = []
    for ((file, target, role), findings) in zip(files, found) {
      guard let findings else { continue }
      violations += behaviour(findings, file, target, role)
      for rule in project.rules.forbids where rule.holds(for: role) {
        let found = uses(findings, rule, file, target, role) + globals(findings, rule, file, target, role, classes)
        if let exception = rule.exceptions.first(where: { NamePattern($0.text).matches(path: file.path) }) {
          if !found.isEmpty { excepted.insert(exception) }
        } else {
          violations += found
        }
      }
    }
    return violations + stale(excepted)
  }

  /// Types of the toolchain with mutable state.
  private static let statefulTypes: Set<String> = [
    "Mutex", "Atomic", "AtomicLazyReference", "OSAllocatedUnfairLock", "NSLock", "NSRecursiveLock", "NSCache",
    "NSMutableArray", "NSMutableDictionary", "NSMutableSet", "DispatchQueue", "DispatchSemaphore", "ManagedBuffer",
    "UnsafeMutablePointer", "UnsafeMutableRawPointer", "UnsafeMutableBufferPointer", "UnsafeMutableRawBufferPointer",
  ]

  private func behaviour(_ findings: CodeFindings, _ file: SourceFile, _ target: String, _ role: Role) -> [Violation] {
    guard let rule = role.isPassive else { return [] }
    return findings.behaviour.map { finding in
      Violation(
        check: .behaviour, place: Place(file.path, finding.place),
        message: "\(target) (\(role.name.text)) contains \(finding.what)", target: target, object: target,
        rule: rule.place, suggestion: role.suggestion ?? "move the work to a module that offers it behind a protocol")
    }
  }

  private func uses(
    _ findings: CodeFindings, _ rule: ForbidRule, _ file: SourceFile, _ target: String, _ role: Role
  ) -> [Violation] {
    let names = Set(rule.names.map(\.text))
    return findings.uses.filter { names.contains($0.name.text) }.map { use in
      Violation(
        check: .forbiddenUse, place: Place(file.path, use.place),
        message: "\(target) (\(role.name.text)) uses \(use.name.text), which '\(rule.name.text)' forbids",
        target: target, object: use.name.text, rule: rule.name.place, suggestion: rule.suggestion)
    }
  }

  private func globals(
    _ findings: CodeFindings, _ rule: ForbidRule, _ file: SourceFile, _ target: String, _ role: Role,
    _ classes: Set<String>
  ) -> [Violation] {
    guard rule.globals != nil else { return [] }
    return findings.globals.compactMap { global in
      let type = global.types.first(where: classes.contains)
      guard global.isVariable || type != nil else { return nil }
      let what = global.isVariable ? "a variable" : "a constant of the type \(type ?? "")"
      return Violation(
        check: .globalState, place: Place(file.path, global.place),
        message: "\(target) (\(role.name.text)) keeps state outside any instance: \(what)", target: target,
        object: type, rule: rule.name.place, suggestion: rule.suggestion)
    }
  }

  private func stale(_ excepted: Set<RuleWord>) -> [Violation] {
    project.rules.forbids.flatMap(\.exceptions).filter { !excepted.contains($0) }.map { path in
      Violation(
        check: .staleRule, place: path.place, message: "no file at '\(path.text)' needs this exception",
        object: path.text, rule: path.place, suggestion: "remove it")
    }
  }
}
