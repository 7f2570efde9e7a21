/// Checks the manifest beyond its dependencies: required settings, plugins, libraries and flags of targets, and unused
/// packages.
struct ManifestCheck {
  let project: Project

  func run() -> [Violation] { settings() + targets() + packages() }

  // MARK: Settings

  private func settings() -> [Violation] {
    project.rules.settings.flatMap { rule in
      project.manifest.targets.filter { $0.isCompiled && applies(rule, to: $0) && !isMet(rule, by: $0) }.map { target in
        Violation(
          check: .missingSetting, place: project.places.place(ofTarget: target.name),
          message: "the target \(target.name) is compiled without \(rule.kind.text) \(rule.value)", target: target.name,
          object: rule.value, rule: rule.kind.place, suggestion: suggestion(rule))
      }
    }
  }

  private func applies(_ rule: Rules.SettingRule, to target: ManifestTarget) -> Bool {
    rule.roles.isEmpty || rule.roles.contains { $0.text == project.roles[target.name]?.name.text }
  }

  private func isMet(_ rule: Rules.SettingRule, by target: ManifestTarget) -> Bool {
    let own = target.settings.filter { $0.kind == rule.kind.text }
    if own.contains(where: { $0.value == rule.value && !$0.isConditional }) { return true }
    // Since tools version 6.0, a target without a language mode is compiled in Swift 6 mode.
    let major = project.manifest.toolsVersion.split(separator: ".").first.flatMap { Int($0) } ?? 0
    return rule.kind.text == "language" && rule.value == "6" && own.isEmpty && major >= 6
  }

  private func suggestion(_ rule: Rules.SettingRule) -> String {
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

  // MARK: Plugins, libraries, flags

  private func targets() -> [Violation] {
    project.manifest.targets.flatMap { target -> [Violation] in
      guard let role = project.roles[target.name] else { return [] }
      func check(
        _ check: Check, _ values: [String], _ key: KeyPath<Role, [RuleWord]>, _ what: String, _ keyword: String
      ) -> [Violation] {
        let allowed = project.rules.words(key, of: role, target.name)
        return values.filter { value in !allowed.contains { $0.text == "*" || NamePattern($0.text).matches(value) } }
          .map { value in
            Violation(
              check: check, place: project.places.place(ofDependency: value, of: target.name),
              message: "\(target.name) (\(role.name.text)) must not \(what) \(value)", target: target.name,
              object: value, rule: (role[keyPath: key].first ?? role.name).place,
              suggestion: "remove it from the target \(target.name), or allow it: \(keyword) \(value)")
          }
      }
      return check(.forbiddenPlugin, target.plugins.map(\.name), \.plugins, "use the plugin", "plugins")
        + check(.linkedLibrary, target.settings(of: "links"), \.links, "link", "links")
        + check(.unsafeFlags, target.settings(of: "unsafe-flags"), \.flags, "pass the unsafe flags", "flags")
    }
  }

  // MARK: Packages

  func packages() -> [Violation] {
    let targets = project.manifest.targets
    let products = targets.flatMap(\.dependencies).filter { $0.isProduct || project.target(named: $0.name) == nil }
    let named = Set(
      (products.compactMap(\.package) + targets.flatMap(\.plugins).compactMap(\.package)).map { $0.lowercased() })
    // A product without the name of its package may come from any package, unless it has the name of one.
    let bare = products.filter { $0.package == nil }.map { $0.name.lowercased() }
    let known = Set(project.manifest.packages.flatMap(\.names))
    guard bare.allSatisfy(known.contains) else { return [] }
    let kept = Set(project.rules.keeps.map { $0.text.lowercased() })
    let used = named.union(bare)
    return project.manifest.packages.filter { used.isDisjoint(with: $0.names) && kept.isDisjoint(with: $0.names) }
      .map { package in
        Violation(
          check: .unusedPackage, place: project.places.place(ofPackage: package.identity),
          message: "no target uses the package \(package.identity)", object: package.identity,
          suggestion: "remove it from the package's dependencies, or write: keep \(package.identity) \"reason\"")
      }
      + project.rules.keeps.filter { word in
        !project.manifest.packages.contains { package in
          package.names.contains(word.text.lowercased()) && used.isDisjoint(with: package.names)
        }
      }
      .map { word in
        Violation(
          check: .staleRule, place: word.place,
          message: "'\(word.text)' is not a package that the manifest declares and no target uses",
          object: word.text, rule: word.place, suggestion: "remove it")
      }
  }
}
