/// Which roles a target plays. A pattern that is its exact name or path wins over one with stars.
struct RoleFinder {
  private let rules: Rules

  init(_ rules: Rules) { self.rules = rules }

  func roles(of target: ManifestTarget) -> [Role] {
    let exact = rules.roles.filter { matches($0, target, exact: true) }
    return exact.isEmpty ? rules.roles.filter { matches($0, target, exact: false) } : exact
  }

  private func matches(_ role: Role, _ target: ManifestTarget, exact: Bool) -> Bool {
    role.targets.contains { word in
      let pattern = NamePattern(word.text)
      return pattern.isExact == exact && Self.matches(pattern, target)
    }
  }

  static func matches(_ pattern: NamePattern, _ target: ManifestTarget) -> Bool {
    pattern.isPath ? pattern.matches(target.path) : pattern.matches(target.name)
  }
}
