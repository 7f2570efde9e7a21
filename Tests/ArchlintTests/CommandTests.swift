import ArchlintKit
import Foundation
import Testing

@Suite struct CommandTests {
  private func written(_ change: (FixturePackage) -> Void = { _ in }) throws -> FixturePackage {
    let package = FixturePackage()
    change(package)
    try package.write()
    return package
  }

  @Test(arguments: [
    ["fly"], ["--wings"], ["--format"], ["--format", "yaml"], ["graph", "--format", "sarif"], ["--today", "soon"],
    ["--explain", "Net"], ["--explain", "Net", "Ports", "Core"], ["lint", "more"], ["imports"],
    ["measure", "--files", "0"], ["--rules", "/nowhere/rules"],
    ["--package", "/nowhere"],
  ])
  func wrongUsage(_ arguments: [String]) throws {
    let package = try written()
    var errors = ""
    let place = arguments.contains("--package") ? [] : ["--package", package.root]
    let status = Command.run(arguments + place, console: Console(output: { _ in }, errors: { errors += $0 }))
    #expect(status == 2)
    #expect(errors.hasPrefix("archlint: error: "), "\(errors)")
  }

  @Test func wrongRulesEndWith2AndFailuresWith3() throws {
    let wrong = try written { $0.rules += "role\n" }.run([])
    #expect(wrong.status == 2)
    #expect(wrong.errors.hasPrefix("Modules/archlint.rules:32:1: error: 'role' is incomplete"))
    let package = try written()
    try Data("{".utf8).write(to: URL(fileURLWithPath: package.root + "/dump.json"))
    #expect(package.run([]).status == 3)
  }

  @Test func explain() throws {
    let package = try written()
    let allowed = package.run(["--explain", "Net", "Ports"])
    #expect(allowed.status == 0)
    #expect(
      allowed.output == """
        Net (module) may use Ports (ports).
          rule:  Modules/archlint.rules:16:17: ports
          now:   Net -> Ports
                 Net -> Ports: declared, imported in 1 file, first at Modules/Net/Net.swift:2:8

        """)
    let sibling = package.run(["--explain", "Net", "Store"])
    #expect(sibling.status == 1)
    #expect(sibling.output.contains("may not use Store (module): they are independent"))
    #expect(
      package.run(["--explain", "app", "Net"]).output.contains("in its composition roots only: CompositionRoot*"))
    #expect(package.run(["--explain", "Net", "Foundation"]).status == 0)
    #expect(package.run(["--explain", "Ports", "Foundation"]).status == 1)
    #expect(package.run(["--explain", "Core", "NIO"]).output.contains("no rule allows it"))
    #expect(package.run(["--explain", "app", "Core"]).output.contains("now:   app -> Net -> Core"))
    #expect(package.run(["--explain", "Nobody", "Core"]).status == 2)
  }

  @Test func explainAForbiddenName() throws {
    let package = try written {
      $0.files["Modules/Net/Log.swift"] = "func a() { print(1) }\n"
      $0.rules += """
        forbid printing "report an event"
          names   print()
          of      core module
          except  Modules/Net/Log.swift "it is the sink"

        """
    }
    let run = package.run(["--explain", "Net", "print"])
    #expect(run.status == 1)
    #expect(
      run.output == """
        Net (module) must not use print(): 'printing' forbids it.
          rule:    Modules/archlint.rules:33:11
          except:  Modules/Net/Log.swift, it is the sink
          remedy:  report an event

        """)
    #expect(!package.run(["--explain", "Core", "print"]).output.contains("except"))
    #expect(!package.run(["--explain", "app", "print"]).output.contains("printing"))
    #expect(
      package.run(["--explain", "forbidden-use"]).output.contains("Modules/archlint.rules:32:8: forbid printing"))
  }

  @Test(arguments: Check.allCases)
  func explainACheck(_ check: Check) throws {
    let package = try written()
    let run = package.run(["--explain", check.rawValue])
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("\(check.rawValue): \(check.summary)\n  statement:  \(check.statement)\n"))
    #expect(run.output.hasSuffix(check.canBeIgnored ? "'until' and 'max'\n" : "  ignore:     not possible\n"))
  }

  @Test func affected() throws {
    let package = try written()
    func git(_ arguments: String...) throws {
      let outcome = try Subprocess.run(
        ["git", "-c", "user.name=Test", "-c", "user.email=test@example.com"] + arguments, in: package.root)
      try #require(outcome.status == 0, "\(String(decoding: outcome.errors, as: UTF8.self))")
    }
    try git("init", "-q")
    try git("add", "-A")
    try git("commit", "-q", "-m", "first")
    #expect(package.run(["--affected", "HEAD"]).output == "")
    try Data("import Ports\n".utf8).write(to: URL(fileURLWithPath: package.root + "/Modules/Store/Store.swift"))
    try Data().write(to: URL(fileURLWithPath: package.root + "/Modules/Store/New.swift"))
    #expect(package.run(["--affected", "HEAD"]).output == "Store\tchanged\napp\tover Store\n")
    try Data("let x = 1\n".utf8).write(to: URL(fileURLWithPath: package.root + "/Modules/Net/Net.swift"))
    let run = package.run(["--affected", "HEAD", "--format", "json"])
    #expect(
      run.output.matches(of: /"target": "(\w+)"/).map { String($0.output.1) } == ["Net", "NetTests", "Store", "app"])
    #expect(package.run(["--affected", "nowhere"]).status == 2)
    #expect(package.run(["--affected", "--output=x"]).status == 2)
  }

  @Test func initProposesRulesThatHold() throws {
    let package = try written {
      $0.files["Modules/Net/Bad.swift"] = "@_exported import Store\nimport Core\n"
      $0.files["Examples/Ex/main.swift"] = "import Net\n"
      $0.files["Nested/Package.swift"] = ""
    }
    #expect(package.run(["init"]).status == 2, "rules that exist are kept")
    try FileManager.default.removeItem(atPath: package.root + "/Modules/archlint.rules")
    let today = ["--today", "2026-06-15"]
    #expect(package.run(["init"] + today).status == 0)
    let run = package.run(today)
    #expect(run.output == "")
    #expect(run.errors == "archlint: no violations, 2 ignored in 9 files of 6 targets\n")
    let text = try String(contentsOfFile: package.root + "/Modules/archlint.rules", encoding: .utf8)
    #expect(text.contains("skip Examples/ ") && text.contains("skip Nested/ "))
    #expect(
      text.contains("ignore exported-import Net\n  reason \"found on 2026-06-15\"\n  until  2026-09-15\n  max    1")
    )
    try Data("import NIO\n".utf8).write(to: URL(fileURLWithPath: package.root + "/Modules/Core/More.swift"))
    #expect(package.run(today).findings == ["Modules/Core/More.swift:1:8 third-party-import"])
  }

  /// Folders without a target are skipped as a whole, and what the manifest does is allowed.
  @Test func initNamesFoldersAndPartsOfTheManifest() throws {
    let package = try written {
      for number in 1...9 {
        $0.files["Documentation/Examples/\(number)/Example.swift"] = "import Net\n"
        $0.files["Modules/Net/Old/Part\(number)/Old.swift"] = "import Store\n"
        $0.files["Modules/Old\(number).swift"] = ""
      }
      $0.packages.append("swift-docc-plugin")
      $0.change("Net") {
        $0.exclude = ["Old"]
        $0.plugins = ["Generate"]
        $0.links = ["curl"]
        $0.flags = ["-lcurl", "-s"]
      }
    }
    try FileManager.default.removeItem(atPath: package.root + "/Modules/archlint.rules")
    let today = ["--today", "2026-06-15"]
    #expect(package.run(["init"] + today).status == 0)
    let run = package.run(today)
    #expect(run.output == "")
    let text = try String(contentsOfFile: package.root + "/Modules/archlint.rules", encoding: .utf8)
    let skips = text.matches(of: /skip (\S+)/).map { String($0.output.1) }
    #expect(skips == ["Documentation/", "Modules/Net/Old/"] + (1...9).map { "Modules/Old\($0).swift" })
    #expect(text.contains("  plugins  Generate\n  links    curl\n  flags    \"-lcurl -s\"\n"))
    #expect(text.contains("keep swift-docc-plugin "))
  }

  @Test func importsOfAnyFile() throws {
    let package = try written {
      $0.files["Modules/Net/Net.swift"] = "#if A\n@_spi(X) public import struct B.C\n#endif\n"
    }
    let path = package.root + "/Modules/Net/Net.swift"
    #expect(
      package.run(["imports", path]).output == "\(path):2:31: @_spi(X) public import struct B.C  under #if A\n")
  }

  @Test func help() throws {
    let run = try written().run(["help"])
    #expect(run.status == 0)
    #expect(run.output.contains("archlint symbols"))
  }
}

@Suite struct WatchSessionTests {
  @Test func lintsWhenSomethingChanged() throws {
    let package = FixturePackage()
    try package.write()
    var session = WatchSession(
      ProjectLoader(root: package.root, manifestPath: package.root + "/dump.json"), today: "2026-06-15")
    func write(_ path: String, _ text: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: package.root + "/" + path))
    }
    #expect(try session.step()?.violations == [])
    #expect(try session.step() == nil)
    try write("Modules/Net/Net.swift", "import Core\nimport Ports\nimport Store\n")
    #expect(try session.step()?.violations.map(\.check) == [.siblingImport])
    #expect(try session.step() == nil)
    try write("Modules/Net/New.swift", "import NIO\n")
    #expect(try session.step()?.violations.map(\.check) == [.siblingImport, .thirdPartyImport])
    try FileManager.default.removeItem(atPath: package.root + "/Modules/Net/New.swift")
    #expect(try session.step()?.violations.map(\.check) == [.siblingImport])
    try write("Modules/archlint.rules", package.rules + "role\n")
    #expect(throws: ArchlintError.self) { try session.step() }
    try write("Modules/archlint.rules", package.rules + "# better\n")
    #expect(try session.step()?.violations.map(\.check) == [.siblingImport])
  }
}
