import ArchlintKit
import Foundation
import Testing

/// One planted violation per check: its id, its place and the exit status.
@Suite struct MutationTests {
  @Test func cleanPackage() throws {
    let run = try FixturePackage().lint()
    #expect(run.output == "")
    #expect(run.status == 0)
    #expect(run.errors == "archlint: no violations in 7 files of 6 targets\n")
  }

  /// A file that is added, lines that are added to the rules, and what is found then.
  struct Mutation {
    var path = "Modules/Net/Bad.swift"
    var text = ""
    var rules = ""
    var findings: [String]
  }

  private static let mutations = [
    Mutation(
      path: "Modules/Core/Bad.swift", text: "import Foundation\nimport Ports\n",
      findings: ["Modules/Core/Bad.swift:2:8 forbidden-import"]),
    Mutation(
      text: "#if os(Windows)\n#if NEVER\n  ; import Store\n#endif\n#endif\n",
      findings: ["Modules/Net/Bad.swift:3:12 sibling-import"]),
    Mutation(text: "import struct Store.Store\n", findings: ["Modules/Net/Bad.swift:1:15 sibling-import"]),
    Mutation(path: "Apps/app/Bad.swift", text: "import Net\n", findings: ["Apps/app/Bad.swift:1:8 outside-root"]),
    // A file is a composition root by its path in the target, not by its name.
    Mutation(
      path: "Apps/app/Sub/CompositionRoot.swift", text: "import Net\n",
      findings: ["Apps/app/Sub/CompositionRoot.swift:1:8 outside-root"]),
    Mutation(
      path: "Modules/Ports/Bad.swift", text: "import Dispatch", findings: ["Modules/Ports/Bad.swift:1:8 system-import"]),
    Mutation(text: "import NIOCore", findings: ["Modules/Net/Bad.swift:1:8 third-party-import"]),
    Mutation(
      path: "Modules/Store/Bad.swift", text: "import Core\n",
      findings: ["Modules/Store/Bad.swift:1:8 undeclared-dependency"]),
    Mutation(
      text: "import Foundation\n", rules: "confine Foundation to Modules/Core/Core.swift\n",
      findings: ["Modules/Net/Bad.swift:1:8 misplaced-import"]),
    Mutation(
      path: "notes.txt", rules: "top-level Package.swift Modules Apps Tests dump.json\n",
      findings: ["notes.txt:1:1 stray-entry"]),
    Mutation(text: "@_exported import Ports\n", findings: ["Modules/Net/Bad.swift:1:19 exported-import"]),
    Mutation(text: "@testable import Ports\n", findings: ["Modules/Net/Bad.swift:1:18 testable-import"]),
    Mutation(text: "public import Foundation\n", findings: ["Modules/Net/Bad.swift:1:15 public-import"]),
    Mutation(
      path: "Modules/Ports/Bad.swift", text: "public final class Cache {}\n",
      findings: ["Modules/Ports/Bad.swift:1:14 behaviour"]),
    Mutation(path: "Modules/Lost.swift", findings: ["Modules/Lost.swift:1:1 unclassified-file"]),
    Mutation(path: "Extra/Package.swift", findings: ["Extra/Package.swift:1:1 unclassified-file"]),
    Mutation(
      rules: "role twice\n  targets Net Store\n",
      findings: ["Package.swift:6:17 ambiguous-target", "Package.swift:7:17 ambiguous-target"]),
    Mutation(
      rules: "ignore sibling-import Modules/Net/ Store\n  reason \"moving\"\n  until 2026-12-31\n",
      findings: ["Modules/archlint.rules:32:8 stale-ignore"]),
    Mutation(
      text: "import Store\n", rules: "ignore sibling-import Net Store\n  reason \"moving\"\n  until 2026-06-14\n",
      findings: ["Modules/Net/Bad.swift:1:8 sibling-import", "Modules/archlint.rules:32:8 expired-ignore"]),
  ]

  @Test(arguments: mutations.indices) func findsTheMutation(_ index: Int) throws {
    let (mutation, package) = (Self.mutations[index], FixturePackage())
    package.files[mutation.path] = mutation.text
    package.rules += mutation.rules
    let run = try package.lint()
    #expect(run.findings == mutation.findings, "\(run.output)\(run.errors)")
    #expect(run.status == 1)
  }

  private func expect(
    _ findings: String..., mutation: (FixturePackage) -> Void, location: SourceLocation = #_sourceLocation
  ) throws {
    let package = FixturePackage()
    mutation(package)
    let run = try package.lint()
    #expect(run.findings == findings, "\(run.output)\(run.errors)", sourceLocation: location)
    #expect(run.status == 1, sourceLocation: location)
  }

  @Test func forbiddenDependencyThatNothingUses() throws {
    try expect("Package.swift:4:40 forbidden-dependency", "Package.swift:4:40 unused-dependency") {
      $0.change("Core") { $0.dependencies = ["Store"] }
      $0.change("Store") { $0.dependencies = [] }
      $0.files["Modules/Store/Store.swift"] = ""
    }
  }

  @Test func thirdPartyDependency() throws {
    try expect("Package.swift:7:50 third-party-dependency", "Package.swift:7:50 unused-dependency") {
      $0.change("Store") { $0.products = ["NIO"] }
    }
  }

  @Test func unusedDependency() throws {
    try expect("Package.swift:7:50 unused-dependency") { $0.change("Store") { $0.dependencies = ["Ports", "Core"] } }
  }

  @Test func unusedPackage() throws {
    try expect("Package.swift:12:17 unused-package") { $0.packages.append("swift-nio") }
    try expect("Modules/archlint.rules:33:6 stale-rule") {
      $0.packages.append("swift-nio")
      $0.rules += "keep swift-nio \"its plugin is run by hand\"\nkeep swift-argumentparser \"used\"\n"
    }
  }

  @Test func forbiddenPlugin() throws {
    try expect("Package.swift:6:17 forbidden-plugin") { $0.change("Net") { $0.plugins = ["Generate"] } }
    try expect("Modules/archlint.rules:33:20 stale-rule") {
      $0.change("Net") { $0.plugins = ["Generate"] }
      $0.rules += "target Net\n  plugins Generate Other\n"
    }
  }

  @Test func linkedLibrary() throws {
    try expect("Package.swift:6:17 linked-library") { $0.change("Net") { $0.links = ["curl"] } }
    try expect("Modules/archlint.rules:33:14 stale-rule") {
      $0.change("Net") { $0.links = ["curl"] }
      $0.rules += "target Net\n  links curl ssl\n"
    }
  }

  @Test func unsafeFlags() throws {
    try expect("Package.swift:6:17 unsafe-flags") { $0.change("Net") { $0.flags = ["-lcurl", "-s"] } }
    try expect("Modules/archlint.rules:33:21 stale-rule") {
      $0.change("Net") { $0.flags = ["-lcurl", "-s"] }
      $0.rules += "target Net\n  flags \"-lcurl -s\" -g\n"
    }
  }

  @Test func cycle() throws {
    try expect("Modules/Core/Bad.swift:1:8 cycle") {
      $0.files["Modules/Core/Bad.swift"] = "import Ports\n"
      $0.change("Core") { $0.dependencies = ["Ports"] }
      $0.rules += "target Core\n  knows Ports\n"
    }
  }

  @Test func forbiddenReach() throws {
    let package = FixturePackage()
    package.targets.append(.init(name: "Bridge", path: "Modules/Bridge", dependencies: ["Store"]))
    package.files["Modules/Bridge/Bridge.swift"] = "import Store\n"
    package.files["Modules/Net/Bad.swift"] = "import Bridge\n"
    package.change("Net") { $0.dependencies += ["Bridge"] }
    package.rules += "role bridge\n  targets Bridge\n  uses module\ntarget Net\n  knows Bridge\n"
    let run = try package.lint()
    #expect(run.findings == ["Modules/Net/Bad.swift:1:8 forbidden-reach"])
    #expect(run.output.contains("chain:   Net -> Bridge -> Store"))
    #expect(run.output.contains("rule:    Modules/archlint.rules:2:1"))
    #expect(run.status == 1)
  }

  private let noPrinting = """
    forbid printing "report an event"
      names print()
      of core module

    """

  @Test func forbiddenUse() throws {
    try expect("Modules/Net/Bad.swift:1:12 forbidden-use") {
      $0.files["Modules/Net/Bad.swift"] = "func a() { print(1) }\n"
      $0.files["Apps/app/Good.swift"] = "func a() { print(1) }\n"
      $0.rules += noPrinting
    }
  }

  @Test func forbiddenUseWithAnException() throws {
    try expect("Modules/Net/Bad.swift:1:12 forbidden-use", "Modules/archlint.rules:36:10 stale-rule") {
      $0.files["Modules/Net/Log/Good.swift"] = "func a() { print(1) }\n"
      $0.files["Modules/Net/Bad.swift"] = "func a() { print(1) }\n"
      $0.rules += noPrinting + "  except Modules/Net/Log/ \"it is the sink\"\n  except Modules/Core/ \"nothing\"\n"
    }
  }

  @Test func globalState() throws {
    try expect(
      "Modules/Net/Bad.swift:1:21 global-state", "Modules/Net/Bad.swift:3:10 global-state",
      "Modules/Net/Bad.swift:4:10 global-state"
    ) {
      $0.files["Modules/Net/Bad.swift"] = """
        nonisolated(unsafe) var count = 0
        enum E {
          static let shared = Client()
          static let lock = Mutex(1)
          static let table = [1, 2]
          static var computed: Int { 1 }
        }
        """
      $0.files["Modules/Core/Client.swift"] = "public final class Client {}\n"
      $0.rules += "forbid globals \"pass it on\"\n  globals\n  of core module\n"
    }
  }

  @Test func unclassifiedTarget() throws {
    try expect("Package.swift:10:17 unclassified-target") {
      $0.targets.append(.init(name: "New", path: "Modules/New"))
      $0.files["Modules/New/New.swift"] = ""
    }
  }

  @Test func unreadableFile() throws {
    let package = FixturePackage()
    try package.write()
    mkfifo(package.root + "/Modules/Net/Pipe.swift", 0o600)
    let run = package.run(["--today", "2026-06-15"])
    #expect(run.findings == ["Modules/Net/Pipe.swift:1:1 unreadable-file"])
    #expect(run.status == 1)
  }

  /// A new check comes with a mutation.
  @Test func everyCheckHasAMutation() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let tests = try ["MutationTests.swift", "RepositoryTests.swift"].map {
      try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)
    }
    .joined()
    for check in Check.allCases { #expect(tests.contains(" \(check.rawValue)\""), "\(check.rawValue)") }
  }

  /// Swift files that no compiler of the package ever reads.
  @Test func examplesAssetsAndResources() throws {
    let package = FixturePackage()
    package.files["Modules/Net/Net.docc/Tutorial/Step.swift"] = "import Store\n"
    package.files["Modules/Net/Assets.xcassets/Data.dataset/data.swift"] = "import Store\n"
    package.files["Docs.docc/Step.swift"] = "import Store\n"
    package.files["Modules/Net/Templates/Source.swift"] = "import Store\n"
    package.files["Modules/Net/Templates/Package.swift"] = ""
    package.files["Modules/Net/Sample.swift"] = "import Store\n"
    package.change("Net") { $0.resources = ["Templates", "Sample.swift"] }
    let run = try package.lint()
    #expect(run.output == "")
    #expect(run.errors == "archlint: no violations in 7 files of 6 targets\n")
  }

  @Test func excludedFile() throws {
    try expect("Modules/Net/Old/Old.swift:1:1 unclassified-file") {
      $0.files["Modules/Net/Old/Old.swift"] = "import Store"
      $0.change("Net") { $0.exclude = ["Old"] }
    }
  }

  @Test func missingSetting() throws {
    try expect("Package.swift:6:17 missing-setting") { $0.change("Net") { $0.features = [] } }
  }

  @Test func staleRules() throws {
    try expect(
      "Modules/archlint.rules:33:11 stale-rule", "Modules/archlint.rules:34:8 stale-rule",
      "Modules/archlint.rules:35:6 stale-rule", "Modules/archlint.rules:36:7 stale-rule",
      "Modules/archlint.rules:38:12 stale-rule", "Modules/archlint.rules:39:9 stale-rule"
    ) {
      $0.rules += """
        role gone
          targets Gone
        target Gone
        skip Gone/ "gone"
        group gone Gone
        target Net
          packages Gone
        product Gone provides Gone

        """
    }
  }

  @Test func ignores() throws {
    let package = FixturePackage()
    package.files["Modules/Net/Bad.swift"] = "import Store\nimport class Store.Store\n"
    package.rules += "ignore sibling-import Net Store\n  reason \"moving\"\n  until 2026-06-15\n"
    #expect(try package.lint().findings == ["Modules/Net/Bad.swift:2:14 sibling-import"])
    package.rules += "  max 2\n"
    let clean = try package.lint()
    #expect(clean.status == 0)
    #expect(clean.errors == "archlint: no violations, 2 ignored in 8 files of 6 targets\n")
  }

}
