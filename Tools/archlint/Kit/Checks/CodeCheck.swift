/// Roles that hold no behaviour hold none.
struct BehaviourCheck {
  private let project: Project

  init(_ project: Project) { self.project = project }

  func run() -> [Violation] {
    let passive = project.roles.filter { $0.value.isPassive != nil }
    guard !passive.isEmpty else { return [] }
    return project.files.flatMap { file -> [Violation] in
      guard let target = file.target, let role = passive[target], let rule = role.isPassive else { return [] }
      let findings = SourceBytes.withFile(project.root + "/" + file.path, BehaviourScanner.findings(in:)) ?? []
      return findings.map { finding in
        Violation(
          check: .behaviour, place: Place(file.path, finding.line, finding.column),
          message: "\(target) (\(role.name.text)) holds \(finding.what)", target: target, object: target,
          rule: rule.place, mend: role.mend ?? "move the work to a module that offers it behind a protocol")
      }
    }
  }
}
