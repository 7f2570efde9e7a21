import ArchlintKit
import Foundation
import Testing

@Suite struct ManifestTests {
  private let text = """
    // swift-tools-version: 6.2
    import PackageDescription
    let modules: [Target] = [
      .module("Core"),  // .module("Net")
      .module(
        "Net", ["Core"]),
    ]
    let package = Package(
      name: "Demo", products: [.library(name: "Net", targets: ["Net"]), .executable(name: "Demo", targets: ["Demo"])],
      targets: modules + [
        .executableTarget(name: "Demo", dependencies: [.target(name: "Net"), "Core"]),
        .tests("Net"),
      ])
    extension Target {
      static func module(_ name: String, _ uses: [Dependency] = []) -> Target {
        .target(
          name: name, dependencies: uses,
          swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)])
      }
      static func tests(_ name: String) -> Target { .testTarget(name: "\\(name)Tests", dependencies: [.target(name: name)]) }
    }
    """

  @Test func placesOfTargetsAndEdges() {
    let places = SourceBytes.with(text) { ManifestPlaces($0, targets: ["Core", "Net", "Demo", "NetTests", "Gone"]) }
    #expect(places.place(ofTarget: "Core") == (4, 11))
    #expect(places.place(ofTarget: "Net") == (6, 5))
    #expect(places.place(ofTarget: "Demo") == (11, 29))
    #expect(places.place(ofTarget: "NetTests") == (12, 12))
    #expect(places.place(ofTarget: "Gone") == (1, 1))
    #expect(places.place(ofDependency: "Core", of: "Net") == (6, 13))
    #expect(places.place(ofDependency: "Core", of: "Demo") == (11, 74))
    #expect(places.place(ofDependency: "Other", of: "Core") == (4, 11))
  }

  /// SwiftPM itself, once, and then the copy of its answer.
  @Test(.enabled(if: (try? Subprocess.run(["swift", "--version"]).status) == 0, "swift is not in PATH"))
  func asksSwiftPMOnceAndRemembers() throws {
    let root = NSTemporaryDirectory() + "archlint-manifest-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: root) }
    try FileManager.default.createDirectory(atPath: root + "/Sources/Net", withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: root + "/Package.swift"))
    let manifest = try ManifestLoader(root: root).load()
    #expect(manifest.targets.map(\.name) == ["Core", "Net", "Demo", "NetTests"])
    #expect(manifest.targets.map(\.path) == ["Sources/Core", "Sources/Net", "Sources/Demo", "Tests/NetTests"])
    #expect(
      manifest.targets[1].settings.map { "\($0.kind) \($0.value)" } == ["upcoming ExistentialAny", "warnings error"])
    #expect(manifest.libraries == ["Net"])
    var absent = ManifestLoader(root: root)
    absent.swift = "/nowhere/swift"
    #expect(try absent.load().targets.count == 4)
    try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: root + "/Package.swift"))
    #expect(throws: ArchlintError.self) { try absent.load() }
    try Data("let package = 1\n".utf8).write(to: URL(fileURLWithPath: root + "/Package.swift"))
    #expect(throws: ArchlintError.self) { try ManifestLoader(root: root).load() }
  }
}
