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
    ["lint", "more"], ["imports"], ["--rules", "/nowhere/rules"], ["--package", "/nowhere"],
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

  @Test func importsOfAnyFile() throws {
    let package = try written {
      $0.files["Modules/Net/Net.swift"] = "#if A\n@_spi(X) public import struct B.C\n#endif\n"
    }
    let path = package.root + "/Modules/Net/Net.swift"
    #expect(package.run(["imports", path]).output == "\(path):2:31: @_spi(X) public import struct B.C  under #if A\n")
  }

  @Test func help() throws {
    let run = try written().run(["help"])
    #expect(run.status == 0)
    #expect(run.output.contains("archlint symbols"))
  }
}
