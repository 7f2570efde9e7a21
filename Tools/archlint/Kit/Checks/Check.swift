/// The checks of archlint. The raw value is the id in messages, rule files and reports.
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
  case unusedPackage = "unused-package"
  case cycle
  case forbiddenReach = "forbidden-reach"
  case exportedImport = "exported-import"
  case testableImport = "testable-import"
  case publicImport = "public-import"
  case behaviour
  case forbiddenUse = "forbidden-use"
  case globalState = "global-state"
  case missingSetting = "missing-setting"
  case forbiddenPlugin = "forbidden-plugin"
  case linkedLibrary = "linked-library"
  case unsafeFlags = "unsafe-flags"
  case staleRule = "stale-rule"
  case staleIgnore = "stale-ignore"
  case expiredIgnore = "expired-ignore"
  case concreteType = "concrete-type"

  /// The requirement of the check, in one sentence.
  package var summary: String {
    switch self {
    case .unclassifiedTarget: "Every target of the package has a role."
    case .ambiguousTarget: "A target has one role, not two."
    case .unclassifiedFile: "Every Swift file belongs to a target of the package."
    case .strayEntry: "The package's folder contains what the rules name, and nothing else."
    case .unreadableFile: "Every file can be read; otherwise it cannot be checked."
    case .forbiddenImport: "A target imports only what its role allows."
    case .siblingImport: "Independent targets never import one another."
    case .outsideRoot: "Only a composition root imports this role."
    case .systemImport: "A target imports only the toolchain modules that its role allows."
    case .misplacedImport: "A module that is confined to some files is imported in those only."
    case .thirdPartyImport: "A target imports only the packages' modules that its role allows."
    case .forbiddenDependency: "The manifest declares no edge that the rules forbid, not even an unused one."
    case .thirdPartyDependency: "The manifest gives a target only the packages that its role allows."
    case .undeclaredDependency: "The manifest declares what a target imports."
    case .unusedDependency: "A target imports what the manifest declares for it."
    case .unusedPackage: "Some target uses each package that the manifest declares."
    case .cycle: "The graph of targets has no cycles."
    case .forbiddenReach: "No chain of dependencies leads to what a target must not know."
    case .exportedImport: "No target re-exports a module: @_exported hides an edge from its users."
    case .testableImport: "Only tests use @testable."
    case .publicImport: "Only contracts show in a public API."
    case .behaviour: "A passive role contains protocols, values and errors, and does no work."
    case .forbiddenUse: "Code does not use the names that a 'forbid' rule lists for its role."
    case .globalState: "No state lives outside an instance."
    case .missingSetting: "Required compiler settings are on."
    case .forbiddenPlugin: "A target uses only the build plugins that its role allows."
    case .linkedLibrary: "A target links only the libraries and frameworks that its role allows."
    case .unsafeFlags: "A target passes only the unsafe flags that its role allows."
    case .staleRule: "Every rule applies to something."
    case .staleIgnore: "Every ignore hides something."
    case .expiredIgnore: "No ignore outlives its last day."
    case .concreteType: "Only a composition root names a concrete type of another module."
    }
  }

  /// Whether an `ignore` may hide its findings. Findings about the rules themselves cannot be ignored.
  package var canBeIgnored: Bool {
    switch self {
    case .staleRule, .staleIgnore, .expiredIgnore, .ambiguousTarget, .unreadableFile: false
    default: true
    }
  }
}
