package struct Project: Sendable {
  package var root: String
  package var manifest: Manifest
  package var places: ManifestPlaces
  package var rules: Rules
  package var files: [SourceFile]
  /// Manifests of packages inside this one.
  package var nested: [String]
  /// The entries of the package's folder, sorted, without hidden ones.
  package var topLevel: [String]
  /// The targets by module name.
  package private(set) var targets: [String: ManifestTarget] = [:]
  package private(set) var roles: [String: Role] = [:]
  /// The roles of each target with more than one.
  package private(set) var ambiguous: [String: [Role]] = [:]
  /// The modules that the files of each target import.
  package private(set) var imported: [String: Set<String>] = [:]
  private var byName: [String: ManifestTarget] = [:]
  /// The composition roots of each target that has any.
  private var rootPatterns: [String: [NamePattern]] = [:]
  private var packageModules: Set<String> = []
  private var systemModules: Set<String> = []

  package init(
    root: String, manifest: Manifest, places: ManifestPlaces, rules: Rules, files: [SourceFile], nested: [String] = [],
    topLevel: [String] = []
  ) {
    (self.root, self.manifest, self.places, self.rules) = (root, manifest, places, rules)
    (self.files, self.nested, self.topLevel) = (files, nested, topLevel)
    for target in manifest.targets {
      targets[Self.module(target.name)] = target
      byName[target.name] = target
      let candidates = RoleFinder(rules).roles(of: target)
      if candidates.count == 1 {
        roles[target.name] = candidates[0]
        let patterns = candidates[0].rootFiles.map { NamePattern($0.text) }
        if !patterns.isEmpty { rootPatterns[target.name] = patterns }
      }
      if candidates.count > 1 { ambiguous[target.name] = candidates }
    }
    for file in files {
      guard let target = file.target else { continue }
      for statement in file.imports { imported[target, default: []].insert(statement.module) }
      if file.imports.isEmpty, imported[target] == nil { imported[target] = [] }
    }
    let named = rules.roles.flatMap(\.packages) + rules.targets.flatMap(\.packages)
    packageModules = Set(named.map(\.text) + rules.products.flatMap(\.modules).map(\.text))
    for dependency in manifest.targets.flatMap(\.dependencies) where targets[Self.module(dependency.name)] == nil {
      packageModules.formUnion(modules(ofProduct: dependency.name))
    }
    systemModules = Set(rules.modules(rules.roles.flatMap(\.system) + rules.targets.flatMap(\.system)).map(\.text))
      .union(ToolchainModules.names)
  }

  /// The module name of a target or product.
  package static func module(_ name: String) -> String {
    String(name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
  }

  package func modules(ofProduct product: String) -> [String] {
    rules.products.first { $0.product.text == product }?.modules.map(\.text) ?? [Self.module(product)]
  }

  package enum Origin: Sendable {
    case target(ManifestTarget)
    case system
    case package
  }

  /// The origin of a module. An unknown module is assumed to come from a package.
  package func origin(of module: String) -> Origin {
    if let target = targets[module] { return .target(target) }
    if packageModules.contains(module) { return .package }
    return systemModules.contains(module) ? .system : .package
  }

  package func target(named name: String) -> ManifestTarget? { byName[name] }

  /// Whether the file is a composition root of its target.
  package func isRoot(_ file: SourceFile) -> Bool {
    guard let target = file.target, let patterns = rootPatterns[target], let folder = self.target(named: target)?.path
    else { return false }
    let inside = folder.isEmpty ? file.path : String(file.path.dropFirst(folder.utf8.count + 1))
    return patterns.contains { $0.matches(path: inside) }
  }
}

/// Finds the roles of a target. A pattern that equals its name or path takes precedence over one with wildcards.
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

/// Modules that come with Swift, an SDK or the C library rather than with a package.
package enum ToolchainModules {
  package static let names: Set<String> = [
    "Swift", "_Concurrency", "_StringProcessing", "_Differentiation", "_Volatile", "Builtin", "Cxx", "CxxStdlib",
    "Distributed", "Observation", "RegexBuilder", "Synchronization", "Runtime", "SwiftOnoneSupport",
    "Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking", "FoundationXML",
    "Glibc", "Musl", "string_h", "Android", "Bionic", "Darwin", "WinSDK", "CRT", "ucrt", "WASILibc", "Dispatch", "os",
    "OSLog",
    "System",
    "XCTest", "Testing", "PackagePlugin", "PackageDescription", "CompilerPluginSupport",
    "Combine", "CoreFoundation", "CoreGraphics", "CoreServices", "CoreData", "CoreLocation", "CoreImage", "CoreMedia",
    "CoreText", "CoreBluetooth", "CoreTelephony", "CoreVideo", "CoreAudio", "CommonCrypto", "CryptoKit", "Network",
    "Security", "SystemConfiguration", "UIKit", "AppKit", "SwiftUI", "SwiftData", "WatchKit", "IOKit", "Metal",
    "MetalKit",
    "AVFoundation", "CFNetwork", "ObjectiveC", "MachO", "XPC", "LocalAuthentication", "StoreKit", "WebKit", "WidgetKit",
    "QuartzCore", "MobileCoreServices", "UniformTypeIdentifiers", "ServiceManagement", "Accelerate", "ImageIO",
    "Photos",
    "xlocale", "locale_h", "wasi_pthread", "_math", "zlib", "SQLite3", "libxml2", "readline", "asl",
    "DeveloperToolsSupport", "PlaygroundSupport", "JavaScriptCore",
  ]

  /// Modules that need no permission, because they are imported implicitly.
  package static let implicit: Set<String> = ["Swift", "_Concurrency", "_StringProcessing"]
}
