// swift-tools-version: 6.2
import PackageDescription

// The house, bottom up: a line uses only names above it. Who may use whom is checked by archlint
// (Modules/archlint.rules); who may use which package is said in Apps/README.md.

let modules: [Target] = [
  .module("Models"),
  .module("Ports", ["Models"]),
  .module("Networking", ["Models", "Ports"]),
  .module("Parsing", ["Models", "Ports"]),
  .module("Persistence", ["Models", "Ports"]),
]

let rooms: [Target.Dependency] = modules.map { .target(name: $0.name) }

let apps: [Target] = []

let tools: [Target] = [
  .library("UpstreamKit", at: "Tools/upstream/Kit"),
  .tool("upstream", ["UpstreamKit"]),
]

let tests: [Target] = [
  .library("TestSupport", ["Models", "Ports"], at: "Tests/TestSupport"),
  .tests("Models"),
  .tests("Upstream", ["UpstreamKit"]),
]

let package = Package(
  name: "almanac",
  platforms: [.macOS(.v26)],
  products: modules.map { .library(name: $0.name, targets: [$0.name]) }
    + (apps + tools.filter { $0.type == .executable }).map {
      .executable(name: $0.name, targets: [$0.name])
    },
  targets: modules + apps + tools + tests
)

for target in package.targets {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
  ]
}

extension Target {
  static func module(_ name: String, _ uses: [Dependency] = []) -> Target {
    .target(name: name, dependencies: uses, path: "Modules/\(name)")
  }

  static func feature(_ name: String) -> Target {
    .target(name: name, dependencies: ["Models", "Ports"], path: "Modules/Features/\(name)")
  }

  static func plug(_ name: String, wraps package: [Dependency]) -> Target {
    .target(name: name, dependencies: ["Models", "Ports"] + package, path: "Modules/Plugs/\(name)")
  }

  static func app(_ name: String, _ uses: [Dependency]) -> Target {
    .executableTarget(name: name, dependencies: uses, path: "Apps/\(name)")
  }

  static func library(_ name: String, _ uses: [Dependency] = [], at path: String) -> Target {
    .target(name: name, dependencies: uses, path: path)
  }

  static func tool(_ name: String, _ uses: [Dependency]) -> Target {
    .executableTarget(name: name, dependencies: uses, path: "Tools/\(name)/Main")
  }

  static func tests(_ name: String, _ uses: [String] = []) -> Target {
    .testTarget(
      name: "\(name)Tests",
      dependencies: (["Models", "Ports", "TestSupport"] + uses).map { .target(name: $0) },
      path: "Tests/\(name)Tests")
  }
}
