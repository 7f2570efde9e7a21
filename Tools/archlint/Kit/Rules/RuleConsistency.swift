/// Checks that a rule file is consistent: every name exists, and no permission contradicts a prohibition.
struct RuleConsistency {
  private let rules: Rules
  private let roles: Set<String>
  private var mistakes: [RuleMistake] = []

  static func check(_ rules: Rules, into mistakes: inout [RuleMistake]) {
    var check = RuleConsistency(rules)
    check.run()
    mistakes += check.mistakes
  }

  private init(_ rules: Rules) {
    self.rules = rules
    roles = Set(rules.roles.map(\.name.text))
  }

  private mutating func mistake(_ place: Place, _ text: String) {
    mistakes.append(RuleMistake(place: place, text: text))
  }

  private mutating func run() {
    if rules.roles.isEmpty { mistake(Place(rules.path, 1, 1), "the file defines no role, so nothing is allowed") }
    checkDuplicates()
    for role in rules.roles {
      if role.targets.isEmpty { mistake(role.name.place, "the role '\(role.name.text)' has no 'targets'") }
      checkRoles(role.uses + role.rootUses, alsoAny: true)
      if role.rootFiles.isEmpty, let word = role.rootUses.first {
        mistake(word.place, "'root-uses' without 'root-files'")
      }
      if role.rootUses.isEmpty, let word = role.rootFiles.first {
        mistake(word.place, "'root-files' without 'root-uses'")
      }
      checkGroups(role.system + role.shows)
      checkLayers(role)
      checkIndependence(role)
    }
    for target in rules.targets { checkGroups(target.system + target.shows) }
    for words in rules.independent.map(\.roles) + rules.layers + rules.settings.map(\.roles)
      + rules.reaches.flatMap({ [$0.from, $0.to.filter { $0.text != "packages" }] })
    { checkRoles(words, alsoAny: false) }
    for rule in rules.forbids {
      checkRoles(rule.roles, alsoAny: false)
      if rule.names.isEmpty, rule.globals == nil {
        mistake(rule.name.place, "'\(rule.name.text)' forbids nothing; add 'names' or 'globals'")
      }
    }
    for ignore in rules.ignores { checkIgnore(ignore) }
  }

  private mutating func checkDuplicates() {
    for (kind, words) in [
      ("role", rules.roles.map(\.name)), ("target", rules.targets.map(\.name)), ("group", rules.groups.map(\.name)),
      ("product", rules.products.map(\.product)), ("forbid", rules.forbids.map(\.name)),
      ("keep", rules.keeps),
    ] {
      var seen: [String: Place] = [:]
      for word in words {
        if let first = seen[word.text] {
          mistake(word.place, "the \(kind) '\(word.text)' is defined at line \(first.line) already")
        }
        seen[word.text] = word.place
      }
    }
  }

  private mutating func checkRoles(_ words: [RuleWord], alsoAny: Bool) {
    for word in words where !roles.contains(word.text) {
      if alsoAny, word.text == "*" { continue }
      let known = roles.sorted().joined(separator: ", ")
      mistake(word.place, "'\(word.text)' is not a role; the roles are: \(known)")
    }
  }

  private mutating func checkGroups(_ words: [RuleWord]) {
    for word in words where word.text.hasPrefix("@") {
      if !rules.groups.contains(where: { $0.name.text == word.text.dropFirst() }) {
        mistake(word.place, "'\(word.text.dropFirst())' is not a group")
      }
    }
  }

  private mutating func checkLayers(_ role: Role) {
    func layer(_ name: String) -> Int? { rules.layers.firstIndex { $0.contains { $0.text == name } } }
    guard let own = layer(role.name.text) else { return }
    for word in role.uses + role.rootUses {
      if let other = layer(word.text), other < own {
        mistake(word.place, "'\(role.name.text)' may not use '\(word.text)', which 'layers' puts above it")
      }
    }
  }

  private mutating func checkIndependence(_ role: Role) {
    for set in rules.independent where set.roles.contains(where: { $0.text == role.name.text }) {
      for word in role.uses + role.rootUses where set.roles.contains(where: { $0.text == word.text }) {
        mistake(
          word.place, "'\(role.name.text)' may not use '\(word.text)': line \(set.place.line) makes them independent")
      }
    }
  }

  private mutating func checkIgnore(_ ignore: IgnoreRule) {
    if Check(rawValue: ignore.check.text) == nil {
      let known = Check.allCases.map(\.rawValue).joined(separator: ", ")
      mistake(ignore.check.place, "'\(ignore.check.text)' is not a check; the checks are: \(known)")
    } else if let check = Check(rawValue: ignore.check.text), !check.canBeIgnored {
      mistake(ignore.check.place, "'\(check.rawValue)' cannot be ignored")
    }
    if ignore.reason.isEmpty { mistake(ignore.check.place, "an ignore needs a reason: reason \"why\"") }
    if ignore.until.isEmpty { mistake(ignore.check.place, "an ignore needs an end: until 2026-12-31") }
  }
}
