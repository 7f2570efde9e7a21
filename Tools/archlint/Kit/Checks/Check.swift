/// What archlint looks for; the raw value is the id in messages, rule files and reports.
package enum Check: String, Sendable, CaseIterable {
  case unclassifiedTarget = "unclassified-target"
  case ambiguousTarget = "ambiguous-target"
  case unclassifiedFile = "unclassified-file"
  case strayEntry = "stray-entry"
  case unreadableFile = "unreadable-file"
  case forbiddenImport = "forbidden-import"
  case siblingImport = "sibling-import"
  case outsideRoot = "outside-root"
  case systemImport = "system-import"
  case misplacedImport = "misplaced-import"
  case thirdPartyImport = "third-party-import"
  case forbiddenDependency = "forbidden-dependency"
  case thirdPartyDependency = "third-party-dependency"
  case undeclaredDependency = "undeclared-dependency"
  case unusedDependency = "unused-dependency"
  case cycle
  case forbiddenReach = "forbidden-reach"
  case exportedImport = "exported-import"
  case testableImport = "testable-import"
  case publicImport = "public-import"
  case behaviour
  case missingSetting = "missing-setting"
  case staleRule = "stale-rule"
  case staleIgnore = "stale-ignore"
  case expiredIgnore = "expired-ignore"
  case concreteType = "concrete-type"

  /// One sentence for whoever meets it for the first time.
  package var summary: String {
    switch self {
    case .unclassifiedTarget: "Every target of the package must have a role."
    case .ambiguousTarget: "A target must have one role, not two."
    case .unclassifiedFile: "Every Swift file must belong to a target of the package."
    case .strayEntry: "The package's folder holds what the rules name, and nothing else."
    case .unreadableFile: "A file that cannot be read cannot be checked."
    case .forbiddenImport: "A target imports only what its role allows; what is not allowed is forbidden."
    case .siblingImport: "Independent targets never import one another."
    case .outsideRoot: "Only a composition root may import this role."
    case .systemImport: "A target imports only the toolchain modules that its role allows."
    case .misplacedImport: "A module that is confined to some files is imported in those only."
    case .thirdPartyImport: "A target imports only the packages' modules that its role allows."
    case .forbiddenDependency: "The manifest must not declare an edge that the rules forbid, even when it is unused."
    case .thirdPartyDependency: "The manifest must not give a target a package that its role does not allow."
    case .undeclaredDependency: "What a target imports, the manifest declares."
    case .unusedDependency: "What the manifest declares, the target imports."
    case .cycle: "The graph of targets has no cycles."
    case .forbiddenReach: "No chain of dependencies may lead to what must not be known."
    case .exportedImport: "@_exported hides an edge from everyone who imports the module."
    case .testableImport: "@testable is for tests."
    case .publicImport: "Only contracts show in a public API."
    case .behaviour: "A passive role holds protocols, values and errors, and does nothing."
    case .missingSetting: "Compiler settings that must be on are on."
    case .staleRule: "A rule that applies to nothing is removed."
    case .staleIgnore: "An ignore that hides nothing is removed."
    case .expiredIgnore: "An ignore ends on its day."
    case .concreteType: "Only a composition root names a concrete type of another module."
    }
  }

  /// The upkeep of the rules themselves cannot be ignored.
  package var canBeIgnored: Bool {
    switch self {
    case .staleRule, .staleIgnore, .expiredIgnore, .ambiguousTarget, .unreadableFile: false
    default: true
    }
  }
}
