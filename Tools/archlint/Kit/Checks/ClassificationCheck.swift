/// Checks that every target has one role, every file a target, and that the package's folder contains no other entries.
struct ClassificationCheck {
  let project: Project

  func run() -> [Violation] { targets() + files() + topLevel() }

  private func topLevel() -> [Violation] {
    guard let first = project.rules.topLevel.first else { return [] }
    let allowed = Set(project.rules.topLevel.map(\.text))
    return project.topLevel.filter { !allowed.contains($0) }.map { name in
      Violation(
        check: .strayEntry, place: Place(name, 1, 1),
        message: "\(name) is not an entry that the rules allow beside Package.swift",
        object: name, rule: first.place, suggestion: "move it into one of: \(allowed.sorted().joined(separator: ", "))")
    }
  }

  private func targets() -> [Violation] {
    project.manifest.targets.compactMap { target in
      guard project.roles[target.name] == nil else { return nil }
      let place = project.places.place(ofTarget: target.name)
      if let roles = project.ambiguous[target.name] {
        let names = roles.map(\.name.text).joined(separator: " and ")
        return Violation(
          check: .ambiguousTarget, place: place, message: "the target \(target.name) has the roles \(names)",
          target: target.name, rule: roles[1].name.place,
          suggestion: "name it in one role only; an exact name wins over stars")
      }
      return Violation(
        check: .unclassifiedTarget, place: place, message: "the target \(target.name) (\(target.path)) has no role",
        target: target.name, rule: Place(project.rules.path, 1, 1),
        suggestion: "put it under 'targets' of a role, or move its folder to where a role expects it")
    }
  }

  private func files() -> [Violation] {
    let skips = project.rules.skips.map { NamePattern($0.text) }
    func isSkipped(_ path: String) -> Bool { skips.contains { $0.matches(path: path) } }
    var violations: [Violation] = []
    for file in project.files where file.target == nil && !isSkipped(file.path) {
      violations.append(
        Violation(
          check: .unclassifiedFile, place: Place(file.path, 1, 1), message: "\(file.path) belongs to no target",
          suggestion: "move it into a target's folder, or write: skip \(file.path) \"reason\""))
    }
    for path in project.nested where !isSkipped(path) {
      violations.append(
        Violation(
          check: .unclassifiedFile, place: Place(path, 1, 1),
          message: "\(path) is a package of its own inside this one, so nothing in it is checked",
          suggestion: "make it a target of this package, or write: skip \(path) \"reason\""))
    }
    for file in project.files where file.target != nil && !file.isReadable {
      violations.append(
        Violation(
          check: .unreadableFile, place: Place(file.path, 1, 1), message: "\(file.path) cannot be read",
          target: file.target, suggestion: "make it readable"))
    }
    return violations
  }
}
