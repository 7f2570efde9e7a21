/// What a target is, and so what it may know. What is not allowed here is forbidden.
package struct Role: Sendable {
  package var name: RuleWord
  package var about: String?
  /// Which targets play it: names, or paths when they contain a slash.
  package var targets: [RuleWord] = []
  /// Roles it may know.
  package var uses: [RuleWord] = []
  /// Single targets that it may know, whatever their role.
  package var knows: [RuleWord] = []
  /// Modules of the toolchain that it may import.
  package var system: [RuleWord] = []
  /// Modules of other packages that it may import.
  package var packages: [RuleWord] = []
  /// Roles, targets and toolchain modules that may show in its public API (`public import`), besides contracts.
  package var shows: [RuleWord] = []
  /// Its files that are composition roots: names, or folders with a slash at the end.
  package var rootFiles: [RuleWord] = []
  /// Roles that only its composition roots may know.
  package var rootUses: [RuleWord] = []
  /// Its types may show in anybody's public API.
  package var isContract: RuleWord?
  /// Holds protocols, values and errors, and does nothing.
  package var isPassive: RuleWord?
  /// May use `@testable`, and may name concrete types anywhere.
  package var isTest: RuleWord?
  /// Its concrete types are named in composition roots only.
  package var isConcrete: RuleWord?
  /// May declare dependencies that it does not import.
  package var isLoose: RuleWord?
  /// What to do instead, for the messages.
  package var mend: String?
}

/// What one target may know beyond its role.
package struct TargetRule: Sendable {
  package var name: RuleWord
  package var knows: [RuleWord] = []
  package var system: [RuleWord] = []
  package var packages: [RuleWord] = []
  package var shows: [RuleWord] = []
}
