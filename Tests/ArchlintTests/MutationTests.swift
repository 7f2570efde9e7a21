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

  /// A file that is added, lines that are added to the rules, another change, and what is found then.
  struct Mutation {
    var path = "Modules/Net/Bad.swift"
    var text = ""
    var rules = ""
    var findings: [String]
    var change: @Sendable (FixturePackage) -> Void = { _ in }
  }

  private static let noPrinting = """
    forbid printing "report an event"
      names print()
      of core module

    """

  private static let mutations: [Mutation] = [
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
    Mutation(findings: ["Package.swift:4:40 forbidden-dependency", "Package.swift:4:40 unused-dependency"]) {
      $0.change("Core") { $0.dependencies = ["Store"] }
      $0.change("Store") { $0.dependencies = [] }
      $0.files["Modules/Store/Store.swift"] = ""
    },
    Mutation(findings: ["Package.swift:7:50 third-party-dependency", "Package.swift:7:50 unused-dependency"]) {
      $0.change("Store") { $0.products = ["NIO"] }
    },
    Mutation(findings: ["Package.swift:7:50 unused-dependency"]) {
      $0.change("Store") { $0.dependencies = ["Ports", "Core"] }
    },
    Mutation(findings: ["Package.swift:12:17 unused-package"]) { $0.packages.append("swift-nio") },
    Mutation(
      rules: "keep swift-nio \"its plugin is run by hand\"\nkeep swift-argumentparser \"used\"\n",
      findings: ["Modules/archlint.rules:33:6 stale-rule"]
    ) { $0.packages.append("swift-nio") },
    Mutation(findings: ["Package.swift:6:17 forbidden-plugin"]) { $0.change("Net") { $0.plugins = ["Generate"] } },
    Mutation(rules: "target Net\n  plugins Generate Other\n", findings: ["Modules/archlint.rules:33:20 stale-rule"]) {
      $0.change("Net") { $0.plugins = ["Generate"] }
    },
    Mutation(findings: ["Package.swift:6:17 linked-library"]) { $0.change("Net") { $0.links = ["curl"] } },
    Mutation(rules: "target Net\n  links curl ssl\n", findings: ["Modules/archlint.rules:33:14 stale-rule"]) {
      $0.change("Net") { $0.links = ["curl"] }
    },
    Mutation(findings: ["Package.swift:6:17 unsafe-flags"]) { $0.change("Net") { $0.flags = ["-lcurl", "-s"] } },
    Mutation(
      rules: "target Net\n  flags \"-lcurl -s\" -g\n", findings: ["Modules/archlint.rules:33:21 stale-rule"]
    ) { $0.change("Net") { $0.flags = ["-lcurl", "-s"] } },
    Mutation(
      path: "Modules/Core/Bad.swift", text: "import Ports\n", rules: "target Core\n  knows Ports\n",
      findings: ["Modules/Core/Bad.swift:1:8 cycle"]
    ) { $0.change("Core") { $0.dependencies = ["Ports"] } },
    Mutation(
      text: "func a() { print(1) }\n", rules: noPrinting, findings: ["Modules/Net/Bad.swift:1:12 forbidden-use"]
    ) { $0.files["Apps/app/Good.swift"] = "func a() { print(1) }\n" },
    Mutation(
      text: "func a() { print(1) }\n",
      rules: noPrinting + "  except Modules/Net/Log/ \"it is the sink\"\n  except Modules/Core/ \"nothing\"\n",
      findings: ["Modules/Net/Bad.swift:1:12 forbidden-use", "Modules/archlint.rules:36:10 stale-rule"]
    ) { $0.files["Modules/Net/Log/Good.swift"] = "func a() { print(1) }\n" },
    Mutation(
      text: """
        nonisolated(unsafe) var count = 0
        enum E {
          static let shared = Client()
          static let lock = Mutex(1)
          static let table = [1, 2]
          static var computed: Int { 1 }
        }
        """,
      rules: "forbid globals \"pass it on\"\n  globals\n  of core module\n",
      findings: [
        "Modules/Net/Bad.swift:1:21 global-state", "Modules/Net/Bad.swift:3:10 global-state",
        "Modules/Net/Bad.swift:4:10 global-state",
      ]
    ) { $0.files["Modules/Core/Client.swift"] = "public final class Client {}\n" },
    Mutation(
      path: "Modules/New/New.swift", findings: ["Package.swift:10:17 unclassified-target"]
    ) { $0.targets.append(.init(name: "New", path: "Modules/New")) },
    Mutation(
      path: "Modules/Net/Old/Old.swift", text: "import Store",
      findings: ["Modules/Net/Old/Old.swift:1:1 unclassified-file"]
    ) { $0.change("Net") { $0.exclude = ["Old"] } },
    Mutation(findings: ["Package.swift:6:17 missing-setting"]) { $0.change("Net") { $0.features = [] } },
    Mutation(
      rules: """
        role gone
          targets Gone
        target Gone
        skip Gone/ "gone"
        group gone Gone
        target Net
          packages Gone
        product Gone provides Gone

        """,
      findings: [
        "Modules/archlint.rules:33:11 stale-rule", "Modules/archlint.rules:34:8 stale-rule",
        "Modules/archlint.rules:35:6 stale-rule", "Modules/archlint.rules:36:7 stale-rule",
        "Modules/archlint.rules:38:12 stale-rule", "Modules/archlint.rules:39:9 stale-rule",
      ]),
  ]

  @Test(arguments: mutations.indices) func findsTheMutation(_ index: Int) throws {
    let (mutation, package) = (Self.mutations[index], FixturePackage())
    package.files[mutation.path] = mutation.text
    package.rules += mutation.rules
    mutation.change(package)
    let run = try package.lint()
    #expect(run.findings == mutation.findings, "\(run.output)\(run.errors)")
    #expect(run.status == 1)
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
