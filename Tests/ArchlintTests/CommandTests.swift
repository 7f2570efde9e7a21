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
    ["--rules", "/nowhere/rules"], ["--package", "/nowhere"],
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
