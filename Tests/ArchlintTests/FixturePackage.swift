import ArchlintKit
import Foundation

/// A small package in a folder of its own, with a manifest that needs no SwiftPM.
///
/// It has no findings at first: Core, Ports, the modules Net and Store, the program app with its composition root, and
/// tests.
final class FixturePackage {
  struct Target {
    var name: String
    var kind = "regular"
    var path: String
    var dependencies: [String] = []
    var products: [String] = []
    var exclude: [String] = []
    var features = ["ExistentialAny"]
    /// Paths of copied resources, relative to the target.
    var resources: [String] = []
    var plugins: [String] = []
    var links: [String] = []
    var flags: [String] = []
  }

  let root: String
  var targets = [
    Target(name: "Core", path: "Modules/Core"),
    Target(name: "Ports", path: "Modules/Ports", dependencies: ["Core"]),
    Target(name: "Net", path: "Modules/Net", dependencies: ["Core", "Ports"]),
    Target(name: "Store", path: "Modules/Store", dependencies: ["Ports"]),
    Target(
      name: "app", kind: "executable", path: "Apps/app", dependencies: ["Ports", "Net", "Store"],
      products: ["ArgumentParser"]),
    Target(name: "NetTests", kind: "test", path: "Tests/NetTests", dependencies: ["Net"]),
  ]
  var files = [
    "Modules/Core/Core.swift": "import Foundation\n",
    "Modules/Ports/Port.swift": "public import Core\n\npublic protocol Port { func value() -> Core }\n",
    "Modules/Net/Net.swift": "import Core\nimport Ports\n",
    "Modules/Store/Store.swift": "import Ports\n",
    "Apps/app/App.swift": "import ArgumentParser\nimport Ports\n",
    "Apps/app/CompositionRoot.swift": "import Net\nimport Store\n",
    "Tests/NetTests/NetTests.swift": "@testable import Net\nimport Testing\n",
  ]
  /// Identities of the packages that the manifest depends on.
  var packages = ["swift-argumentparser"]
  var rules = """
    layers  app > module > ports > core
    independent  module
    never from core ports module to packages
    group platform  Glibc Darwin
    role core "values"
      targets  Core
      system   Foundation @platform
      contract
    role ports
      targets  Ports
      uses     core
      contract
      passive
    role module
      targets  Net Store
      uses     core ports
      system   Foundation
      concrete
    role app
      targets     Apps/*
      uses        ports
      packages    ArgumentParser
      root-files  CompositionRoot*.swift
      root-uses   module
    role tests
      targets  Tests/*
      uses     *
      system   *
      packages *
      test
    require upcoming ExistentialAny

    """

  init() { root = NSTemporaryDirectory() + "archlint-tests-" + UUID().uuidString }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  func change(_ name: String, _ change: (inout Target) -> Void) {
    for index in targets.indices where targets[index].name == name { change(&targets[index]) }
  }

  /// One line per target, from line 4 on, so that places are easy to foresee.
  var manifestText: String {
    var text =
      "// swift-tools-version: 6.2\nimport PackageDescription\nlet package = Package(name: \"Fixture\", targets: [\n"
    for target in targets {
      let kind = ["executable": "executableTarget", "test": "testTarget"][target.kind] ?? "target"
      let list = (target.dependencies + target.products).map { "\"\($0)\"" }.joined(separator: ", ")
      text += "  .\(kind)(name: \"\(target.name)\", dependencies: [\(list)]),\n"
    }
    text += "], dependencies: [\n"
    for package in packages { text += "  .package(url: \"https://example.com/\(package).git\", from: \"1.0.0\"),\n" }
    return text + "])\n"
  }

  private var dump: [String: Any] {
    [
      "name": "Fixture", "toolsVersion": ["_version": "6.2.0"], "products": [],
      "dependencies": packages.map { ["sourceControl": [["identity": $0]]] },
      "targets": targets.map { target in
        [
          "name": target.name, "type": target.kind, "path": target.path, "exclude": target.exclude,
          "dependencies": target.dependencies.map { ["byName": [$0, NSNull()]] as [String: Any] }
            + target.products.map {
              ["product": [$0, "swift-\($0.lowercased())", NSNull(), NSNull()]] as [String: Any]
            },
          "resources": target.resources.map { ["path": $0, "rule": ["copy": [:]]] as [String: Any] },
          "pluginUsages": target.plugins.map { ["plugin": [$0, NSNull()]] as [String: Any] },
          "settings": target.features.map {
            ["tool": "swift", "kind": ["enableUpcomingFeature": ["_0": $0]]] as [String: Any]
          }
            + target.links.map { ["tool": "linker", "kind": ["linkedLibrary": ["_0": $0]]] as [String: Any] }
            + (target.flags.isEmpty
              ? [] : [["tool": "linker", "kind": ["unsafeFlags": ["_0": target.flags]]] as [String: Any]])
            ,
        ] as [String: Any]
      },
    ]
  }

  func write() throws {
    try? FileManager.default.removeItem(atPath: root)
    for (path, text) in files.merging(
      ["Package.swift": manifestText, "Modules/archlint.rules": rules], uniquingKeysWith: { first, _ in first })
    {
      let url = URL(fileURLWithPath: root + "/" + path)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    try JSONSerialization.data(withJSONObject: dump).write(to: URL(fileURLWithPath: root + "/dump.json"))
  }

  struct Run {
    var status: Int32
    var output: String
    var errors: String

    /// The findings as `file:line:column check`.
    var findings: [String] {
      output.split(separator: "\n").filter { !$0.hasPrefix(" ") }.map { line in
        line.replacing(": error: [", with: " ").prefix { $0 != "]" }.description
      }
    }
  }

  /// Writes the package and runs archlint in it.
  func lint(_ arguments: String...) throws -> Run {
    try write()
    return run(arguments + ["--today", "2026-06-15"])
  }

  func run(_ arguments: [String]) -> Run {
    var output = ""
    var errors = ""
    let status = Command.run(
      arguments + ["--package", root, "--manifest", root + "/dump.json"],
      console: Console(output: { output += $0 }, errors: { errors += $0 }))
    return Run(status: status, output: output, errors: errors)
  }
}
