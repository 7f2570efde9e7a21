import ArchlintKit
import Foundation
import Testing

@Suite struct RuleParserTests {
  /// A rule file and the mistakes in it, as `line:column` and a part of the message.
  static let table: [(String, [String])] = [
    ("role a\n  targets A\n", []),
    ("role a \"what\" # why\n  targets A B\n  uses a *\n\n# end\n", []),
    ("", ["1:1 the file defines no role"]),
    ("role a\n", ["1:6 has no 'targets'"]),
    ("role a\n  targets A\n  uses b\n", ["3:8 'b' is not a role; the roles are: a"]),
    ("role a\n  targets A\nrole a\n  targets B\n", ["3:6 is defined at line 1 already"]),
    ("rule a\n", ["1:1 'rule' is not a statement", "1:1 the file defines no role"]),
    ("  uses a\n", ["1:1 the file defines no role", "1:3 does not belong to a role"]),
    ("role a\n  targets A\n  likes B\n", ["3:3 'likes' is not a key of a role"]),
    ("role a\n  targets A\n  uses\n", ["3:3 'uses' needs a name"]),
    ("role a\n  targets A\n  test yes\n", ["3:8 'test' takes no words"]),
    (
      "role a \"open\n  targets A\n",
      ["1:1 the file defines no role", "1:8 this quote is not closed", "2:3 does not belong to a role"]
    ),
    ("role a\n  targets A\n  system @x\n", ["3:10 'x' is not a group"]),
    ("role a\n  targets A\n  root-files R.swift\n", ["3:14 'root-files' without 'root-uses'"]),
    ("layers a > b\nrole a\n  targets A\nrole b\n  targets B\n  uses a\n", ["6:8 which 'layers' puts above it"]),
    ("independent a b\nrole a\n  targets A\n  uses b\nrole b\n  targets B\n", ["4:8 line 1 makes them independent"]),
    ("role a\n  targets A\nnever a to b\n", ["3:1 never from ROLE"]),
    ("role a\n  targets A\nnever from a to packages\n", []),
    ("role a\n  targets A\nrequire upcoming\n", ["3:1 require KIND VALUE"]),
    ("role a\n  targets A\nskip X\n", ["3:1 skip PATH"]),
    ("role a\n  targets A\nignore nothing A\n  reason \"r\"\n  until 2026-01-01\n", ["3:8 'nothing' is not a check"]),
    ("role a\n  targets A\nignore stale-rule A\n  reason \"r\"\n  until 2026-01-01\n", ["3:8 cannot be ignored"]),
    ("role a\n  targets A\n  plugins\n  flags -a\n", ["3:3 'plugins' needs a name"]),
    ("role a\n  targets A\nkeep b\n", ["3:1 keep PACKAGE"]),
    ("role a\n  targets A\nforbid b\n", ["3:1 forbid NAME"]),
    ("role a\n  targets A\nforbid b \"c\"\n", ["3:8 'b' forbids nothing"]),
    ("role a\n  targets A\nforbid b \"c\"\n  globals\n  of d\n", ["5:6 'd' is not a role"]),
    (
      "role a\n  targets A\nforbid b \"c\"\n  globals yes\n  likes d\n",
      ["4:11 takes no words", "5:3 'likes' is not a key of forbid"]
    ),
    (
      "role a\n  targets A\nforbid b \"c\"\n  names x y() ()\n  except d\n",
      ["4:15 '()' is not a name", "5:3 except PATH \"reason\""]
    ),
    ("role a\n  targets A\nignore cycle A\n", ["3:8 needs a reason", "3:8 needs an end"]),
    (
      "role a\n  targets A\nignore cycle A\n  reason \"r\"\n  until 2026-02-29\n  max 0\n",
      ["3:8 needs an end", "5:9 is not a day", "6:7 is not a number"]
    ),
  ]

  @Test(arguments: table)
  func mistakes(_ text: String, _ expected: [String]) {
    var lines: [String] = []
    do throws(ArchlintError) { _ = try RuleParser.parse(text, path: "r") } catch {
      lines = error.message.split(separator: "\n").map(String.init)
      #expect(error.exitCode == 2)
    }
    #expect(lines.count == expected.count, "\(lines)")
    for (line, part) in zip(lines.sorted(), expected) {
      let words = part.split(separator: " ", maxSplits: 1)
      #expect(line.hasPrefix("r:\(words[0]): error: ") && line.contains(words[1]), "\(line) is not \(part)")
    }
  }

  @Test func whatIsRead() throws {
    let rules = try RuleParser.parse(
      """
      group base Foundation
      group more @base Glibc
      layers app > core
      role core "values"
        targets Core Modules/*
        system @more
        contract
        remedy "do it right"
      role app
        targets app
        uses core
      require language 6 of app
      """, path: "r")
    #expect(rules.modules(rules.roles[0].system).map(\.text) == ["Foundation", "Glibc"])
    #expect(rules.roles[0].suggestion == "do it right")
    #expect(rules.layers.map { $0.map(\.text) } == [["app"], ["core"]])
    #expect(rules.settings[0].roles.map(\.text) == ["app"])
    #expect(rules.roles[1].uses[0].place == Place("r", 11, 8))
  }

  @Test(arguments: [
    ("*Tests", "ATests", true), ("*Tests", "TestsA", false), ("Modules/*", "Modules/A", true),
    ("Modules/*", "Modules/A/B", false), ("Modules/**", "Modules/A/B", true), ("A?", "AB", true), ("A?", "A/", false),
    ("A", "A", true), ("A/", "A/b/c.swift", true), ("A/", "AB/c.swift", false),
  ])
  func patterns(_ pattern: String, _ name: String, _ isMatch: Bool) {
    #expect(NamePattern(pattern).matches(path: name) == isMatch)
  }

  @Test(arguments: [
    ("2026-12-31", true), ("2024-02-29", true), ("2026-02-29", false), ("2026-13-01", false), ("26-1-1", false),
    ("2026-00-10", false), ("tomorrow", false),
  ])
  func days(_ text: String, _ isValid: Bool) {
    #expect(CalendarDay.isValid(text) == isValid)
  }
}

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
    #expect(places.place(ofTarget: "Core") == Place("Package.swift", 4, 11))
    #expect(places.place(ofTarget: "Net") == Place("Package.swift", 6, 5))
    #expect(places.place(ofTarget: "Demo") == Place("Package.swift", 11, 29))
    #expect(places.place(ofTarget: "NetTests") == Place("Package.swift", 12, 12))
    #expect(places.place(ofTarget: "Gone") == Place("Package.swift", 1, 1))
    #expect(places.place(ofDependency: "Core", of: "Net") == Place("Package.swift", 6, 13))
    #expect(places.place(ofDependency: "Core", of: "Demo") == Place("Package.swift", 11, 74))
    #expect(places.place(ofDependency: "Other", of: "Core") == Place("Package.swift", 4, 11))
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
    var absent = ManifestLoader(root: root)
    absent.swift = "/nowhere/swift"
    #expect(try absent.load().targets.count == 4)
    try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: root + "/Package.swift"))
    #expect(throws: ArchlintError.self) { try absent.load() }
    try Data("let package = 1\n".utf8).write(to: URL(fileURLWithPath: root + "/Package.swift"))
    #expect(throws: ArchlintError.self) { try ManifestLoader(root: root).load() }
  }
}
