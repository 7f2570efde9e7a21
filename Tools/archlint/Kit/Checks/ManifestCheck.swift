/// Compiler settings that the rules require of targets.
struct SettingCheck {
  private let project: Project

  init(_ project: Project) { self.project = project }

  func run() -> [Violation] {
    project.rules.settings.flatMap { rule in
      project.manifest.targets.filter { $0.isCompiled && applies(rule, to: $0) && !isMet(rule, by: $0) }.map { target in
        let (line, column) = project.places.place(ofTarget: target.name)
        return Violation(
          check: .missingSetting, place: Place(project.places.path, line, column),
          message: "the target \(target.name) is compiled without \(rule.kind.text) \(rule.value)", target: target.name,
          object: rule.value, rule: rule.kind.place, mend: mend(rule))
      }
    }
  }

  private func applies(_ rule: Rules.SettingRule, to target: ManifestTarget) -> Bool {
    guard !rule.roles.isEmpty else { return true }
    guard let role = project.roles[target.name] else { return false }
    return rule.roles.contains { $0.text == role.name.text }
  }

  private func isMet(_ rule: Rules.SettingRule, by target: ManifestTarget) -> Bool {
    let own = target.settings.filter { $0.kind == rule.kind.text }
    if own.contains(where: { $0.value == rule.value && !$0.isConditional }) { return true }
    // From tools version 6.0 on, a target that says nothing is compiled in Swift 6 mode.
    let major = project.manifest.toolsVersion.split(separator: ".").first.flatMap { Int($0) } ?? 0
    return rule.kind.text == "language" && rule.value == "6" && own.isEmpty && major >= 6
  }

  private func mend(_ rule: Rules.SettingRule) -> String {
    let code =
      switch rule.kind.text {
      case "upcoming": ".enableUpcomingFeature(\"\(rule.value)\")"
      case "experimental": ".enableExperimentalFeature(\"\(rule.value)\")"
      case "warnings": ".treatAllWarnings(as: .\(rule.value))"
      case "language": ".swiftLanguageMode(.v\(rule.value))"
      default: "\(rule.kind.text) \(rule.value)"
      }
    return "add \(code) to its swiftSettings"
  }
}
