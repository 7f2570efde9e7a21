/// Finds rules that no longer apply to anything.
struct StaleRuleCheck {
  let project: Project
  private var rules: Rules { project.rules }

  func run() -> [Violation] { roles() + targets() + permissions() + products() + skips() + groups() + confinements() }

  private func stale(_ word: RuleWord, _ message: String, suggestion: String = "remove it") -> Violation {
    Violation(
      check: .staleRule, place: word.place, message: message, object: word.text, rule: word.place,
      suggestion: suggestion)
  }

  private func roles() -> [Violation] {
    rules.roles.flatMap { role -> [Violation] in
      var found = role.targets.filter { word in
        !project.manifest.targets.contains { RoleFinder.matches(NamePattern(word.text), $0) }
      }
      .map { stale($0, "'\($0.text)' of the role '\(role.name.text)' is not a target of the package") }
      found += role.rootFiles.filter { word in
        !project.files.contains { file in
          guard let target = file.target, project.roles[target]?.name.text == role.name.text else { return false }
          let folder = project.target(named: target)?.path ?? ""
          return NamePattern(word.text).matches(
            path: String(file.path.dropFirst(folder.isEmpty ? 0 : folder.utf8.count + 1)))
        }
      }
      .map { stale($0, "no target of the role '\(role.name.text)' has the composition root '\($0.text)'") }
      return found
    }
  }

  private func targets() -> [Violation] {
    let names = project.manifest.targets.map(\.name)
    let own = rules.targets.filter { !names.contains($0.name.text) }
      .map { stale($0.name, "'\($0.name.text)' is not a target of the package") }
    let known = (rules.roles.flatMap(\.knows) + rules.targets.flatMap(\.knows)).filter { word in
      !names.contains { NamePattern(word.text).matches($0) }
    }
    .map { stale($0, "'\($0.text)' is not a target of the package") }
    return own + known
  }

  /// What is allowed and not used: it would let a package, a plugin, a library or a flag come without a review.
  private func permissions() -> [Violation] {
    let kinds: [(KeyPath<Role, [RuleWord]>, what: String, values: (ManifestTarget) -> [String])] = [
      (
        \.packages, "the module ",
        { [project] target in
          (project.imported[target.name] ?? []) + target.dependencies.flatMap { project.modules(ofProduct: $0.name) }
        }
      ),
      (\.plugins, "", { $0.plugins.map(\.name) }), (\.links, "", { $0.settings(of: "links") }),
      (\.flags, "", { $0.settings(of: "unsafe-flags") }),
    ]
    func check(_ rule: Role, _ applies: (ManifestTarget) -> Bool) -> [Violation] {
      let targets = project.manifest.targets.filter(applies)
      return kinds.flatMap { key, what, values in
        let used = targets.flatMap(values)
        return rule[keyPath: key].filter { word in
          word.text != "*" && !used.contains { NamePattern(word.text).matches($0) }
        }
        .map { stale($0, "no target uses \(what)\($0.text), which is allowed here") }
      }
    }
    return rules.roles.flatMap { role in check(role) { project.roles[$0.name]?.name.text == role.name.text } }
      + rules.targets.flatMap { rule in check(rule) { $0.name == rule.name.text } }
  }

  private func products() -> [Violation] {
    rules.products.filter { rule in
      !project.manifest.targets.contains { $0.dependencies.contains { $0.name == rule.product.text } }
    }
    .map { stale($0.product, "no target depends on the product \($0.product.text)") }
  }

  private func skips() -> [Violation] {
    let strays = project.files.filter { $0.target == nil }.map(\.path) + project.nested
    return rules.skips.filter { skip in !strays.contains { NamePattern(skip.text).matches(path: $0) } }
      .map { stale($0, "no file without a target is at '\($0.text)'") }
  }

  private func confinements() -> [Violation] {
    rules.confinements.flatMap { rule in
      rule.paths.filter { word in
        !project.files.contains { file in
          NamePattern(word.text).matches(path: file.path) && file.imports.contains { $0.module == rule.module.text }
        }
      }
      .map { stale($0, "\(rule.module.text) is not imported in \($0.text)") }
    }
  }

  private func groups() -> [Violation] {
    let words = rules.roles.flatMap { $0.system + $0.shows } + rules.targets.flatMap { $0.system + $0.shows }
    let used = Set(words.map(\.text))
    return rules.groups.filter { group in
      !used.contains("@" + group.name.text) && !rules.groups.contains { $0.mentions.contains(group.name.text) }
    }
    .map { stale($0.name, "no rule uses the group '\($0.name.text)'") }
  }
}
