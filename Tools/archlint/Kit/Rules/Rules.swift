/// A parsed and consistent rule file.
package struct Rules: Sendable {
  /// The path for messages: relative to the package if the file is inside.
  package var path: String
  package var roles: [Role] = []
  /// What single targets may use beyond their roles.
  package var targets: [Role] = []
  /// Names for lists of toolchain modules, which rules use as `@name`.
  package var groups: [Group] = []
  /// Sets of roles whose targets must not use one another, directly or indirectly.
  package var independent: [Independence] = []
  /// The layers from the top down. A layer must not use a layer above it.
  package var layers: [[RuleWord]] = []
  package var reaches: [ReachRule] = []
  package var settings: [SettingRule] = []
  /// Products whose modules have different names.
  package var products: [ProductRule] = []
  /// The paths of files that need no target.
  package var skips: [RuleWord] = []
  package var confinements: [ConfineRule] = []
  /// The allowed entries of the package's folder, except hidden ones; empty to allow all.
  package var topLevel: [RuleWord] = []
  package var forbids: [ForbidRule] = []
  /// Unused packages that are kept for a reason.
  package var keeps: [RuleWord] = []
  package var ignores: [IgnoreRule] = []

  package struct Group: Sendable {
    package var name: RuleWord
    package var modules: [RuleWord]
    package var mentions: [String]
  }

  package struct Independence: Sendable {
    package var place: Place
    package var roles: [RuleWord]
  }

  /// `never from A to B`: targets of role A must not depend on B, directly or indirectly.
  package struct ReachRule: Sendable {
    package var from: [RuleWord]
    /// A role, or `packages` for any module of another package.
    package var to: [RuleWord]
    package var place: Place
  }

  package struct SettingRule: Sendable {
    package var kind: RuleWord
    package var value: String
    /// The roles; empty for every compiled target.
    package var roles: [RuleWord]
  }

  package struct ProductRule: Sendable {
    package var product: RuleWord
    package var modules: [RuleWord]
  }

  /// `confine MODULE to PATH…`: only these files may import it, regardless of their role.
  package struct ConfineRule: Sendable {
    package var module: RuleWord
    package var paths: [RuleWord]
  }

  package func targetRule(_ name: String) -> Role? { targets.first { $0.name.text == name } }

  /// The words of a key of a role, with those that one of its targets has beyond it.
  package func words(_ key: KeyPath<Role, [RuleWord]>, of role: Role, _ target: String) -> [RuleWord] {
    role[keyPath: key] + (targetRule(target)?[keyPath: key] ?? [])
  }

  /// The modules of a list, with groups expanded.
  package func modules(_ words: [RuleWord]) -> [RuleWord] {
    words.flatMap { word -> [RuleWord] in
      guard word.text.hasPrefix("@") else { return [word] }
      let group = groups.first { $0.name.text == word.text.dropFirst() }
      return (group?.modules ?? []).map { RuleWord(text: $0.text, place: word.place) }
    }
  }
}

/// The kind of a target, which determines what it may use. Everything that is not allowed is forbidden.
package struct Role: Sendable {
  package var name: RuleWord
  /// The targets with this role: names, or paths if they contain a slash.
  package var targets: [RuleWord] = []
  package var uses: [RuleWord] = []
  /// Single targets that it may use, regardless of their role.
  package var knows: [RuleWord] = []
  /// Modules of the toolchain that it may import.
  package var system: [RuleWord] = []
  /// Modules of other packages that it may import.
  package var packages: [RuleWord] = []
  /// Roles, targets and toolchain modules that may occur in its public API (`public import`), in addition to contracts.
  package var shows: [RuleWord] = []
  /// The files that are composition roots, relative to the target's folder.
  package var rootFiles: [RuleWord] = []
  package var rootUses: [RuleWord] = []
  /// Whether its types may occur in the public API of any target.
  package var isContract: RuleWord?
  /// Whether it contains only protocols, values and errors, and no behaviour.
  package var isPassive: RuleWord?
  /// Whether it may use `@testable` and name concrete types anywhere.
  package var isTest: RuleWord?
  /// Whether its concrete types may be named only in composition roots.
  package var isConcrete: RuleWord?
  /// Whether it may declare dependencies that it does not import.
  package var isLoose: RuleWord?
  /// Plugins that may run when it is built.
  package var plugins: [RuleWord] = []
  /// Libraries and frameworks that it may link by name.
  package var links: [RuleWord] = []
  /// Unsafe flags that it may pass to compilers and the linker.
  package var flags: [RuleWord] = []
  /// The advice in its messages.
  package var suggestion: String?
}

/// Names that the code of some roles must not use, and global state that it must not have.
package struct ForbidRule: Sendable {
  package var name: RuleWord
  /// The alternative to recommend.
  package var suggestion: String
  package var names: [RuleWord] = []
  /// Global variables, and global constants of a type with identity or mutable state.
  package var globals: RuleWord?
  /// The roles; empty for all except those of tests.
  package var roles: [RuleWord] = []
  /// The paths of the files that it does not concern.
  package var exceptions: [RuleWord] = []

  package func holds(for role: Role) -> Bool {
    roles.isEmpty ? role.isTest == nil : roles.contains { $0.text == role.name.text }
  }
}
