/// A rule file that has been read and is consistent.
package struct Rules: Sendable {
  /// As messages show it: relative to the package if the file is inside.
  package var path: String
  package var roles: [Role] = []
  package var targets: [TargetRule] = []
  /// Names for lists of toolchain modules, used as `@name`.
  package var groups: [Group] = []
  /// Sets of roles whose targets never use one another, directly or through others.
  package var independent: [Independence] = []
  /// From the top down; a layer uses no layer above it.
  package var layers: [Layer] = []
  package var reaches: [ReachRule] = []
  package var settings: [SettingRule] = []
  /// Products whose modules have other names.
  package var products: [ProductRule] = []
  package var skips: [SkipRule] = []
  package var confinements: [ConfineRule] = []
  /// What the package's folder may hold, hidden entries aside; empty: anything.
  package var topLevel: [RuleWord] = []
  package var forbids: [ForbidRule] = []
  /// Packages that no target uses and that are kept for a reason.
  package var keeps: [KeepRule] = []
  package var ignores: [IgnoreRule] = []

  package struct Group: Sendable {
    package var name: RuleWord
    package var modules: [RuleWord]
    /// Groups that it is made of, among others.
    package var mentions: [String]
  }

  package struct Independence: Sendable {
    package var place: Place
    package var roles: [RuleWord]
  }

  package struct Layer: Sendable {
    package var roles: [RuleWord]
  }

  /// `never from A to B`: no chain of dependencies leads from a target of role A to B.
  package struct ReachRule: Sendable {
    package var from: [RuleWord]
    /// A role, or `packages`: any module of another package.
    package var to: [RuleWord]
    package var place: Place
  }

  package struct SettingRule: Sendable {
    package var kind: RuleWord
    package var value: String
    /// Nil: every compiled target.
    package var roles: [RuleWord]
  }

  package struct ProductRule: Sendable {
    package var product: RuleWord
    package var modules: [RuleWord]
  }

  package struct SkipRule: Sendable {
    package var pattern: RuleWord
    package var reason: String
  }

  /// `confine MODULE to PATH…`: only these files import it, whatever their role allows.
  package struct ConfineRule: Sendable {
    package var module: RuleWord
    package var paths: [RuleWord]
  }

  package struct KeepRule: Sendable {
    package var package: RuleWord
    package var reason: String
  }

  package func role(_ name: String) -> Role? { roles.first { $0.name.text == name } }
  package func targetRule(_ name: String) -> TargetRule? { targets.first { $0.name.text == name } }

  /// The modules of a list, with its groups expanded.
  package func modules(_ words: [RuleWord]) -> [RuleWord] {
    words.flatMap { word -> [RuleWord] in
      guard word.text.hasPrefix("@") else { return [word] }
      let group = groups.first { $0.name.text == word.text.dropFirst() }
      return (group?.modules ?? []).map { RuleWord(text: $0.text, place: word.place) }
    }
  }
}

/// The kind of a target, which decides what it may use. What is not allowed is forbidden.
package struct Role: Sendable {
  package var name: RuleWord
  package var about: String?
  /// The targets that have it: names, or paths when they contain a slash.
  package var targets: [RuleWord] = []
  /// Roles that it may use.
  package var uses: [RuleWord] = []
  /// Single targets that it may use, whatever their role.
  package var knows: [RuleWord] = []
  /// Modules of the toolchain that it may import.
  package var system: [RuleWord] = []
  /// Modules of other packages that it may import.
  package var packages: [RuleWord] = []
  /// Roles, targets and toolchain modules that may show in its public API (`public import`), besides contracts.
  package var shows: [RuleWord] = []
  /// Its files that are composition roots, relative to the target's folder.
  package var rootFiles: [RuleWord] = []
  /// Roles that only its composition roots may use.
  package var rootUses: [RuleWord] = []
  /// Its types may show in the public API of any target.
  package var isContract: RuleWord?
  /// Contains protocols, values and errors, and does no work.
  package var isPassive: RuleWord?
  /// May use `@testable`, and may name concrete types anywhere.
  package var isTest: RuleWord?
  /// Its concrete types are named in composition roots only.
  package var isConcrete: RuleWord?
  /// May declare dependencies that it does not import.
  package var isLoose: RuleWord?
  /// Plugins that run when it is built.
  package var plugins: [RuleWord] = []
  /// Libraries and frameworks that it links by name.
  package var links: [RuleWord] = []
  /// Unsafe flags that it may pass to compilers and the linker.
  package var flags: [RuleWord] = []
  /// What its messages advise.
  package var remedy: String?
}

/// What one target may use beyond its role.
package struct TargetRule: Sendable {
  package var name: RuleWord
  package var knows: [RuleWord] = []
  package var system: [RuleWord] = []
  package var packages: [RuleWord] = []
  package var shows: [RuleWord] = []
  package var plugins: [RuleWord] = []
  package var links: [RuleWord] = []
  package var flags: [RuleWord] = []
}

/// Names that the code of some roles must not use, and state outside instances that it must not keep.
package struct ForbidRule: Sendable {
  package struct Exception: Sendable {
    package var path: RuleWord
    package var reason: String
  }

  package var name: RuleWord
  /// What to do instead.
  package var remedy: String
  package var names: [RuleWord] = []
  /// Variables outside instances, and constants there whose type has identity or can be changed.
  package var globals: RuleWord?
  /// Empty: every role except those of tests.
  package var roles: [RuleWord] = []
  package var exceptions: [Exception] = []

  package func holds(for role: Role) -> Bool {
    roles.isEmpty ? role.isTest == nil : roles.contains { $0.text == role.name.text }
  }
}
