import ArchlintKit
import Foundation
import Testing

/// The rules of this repository, kept by its own test run.
@Suite struct RepositoryTests {
  /// The package that this file belongs to.
  private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  /// A manifest that cannot be read fails the test with SwiftPM's own words.
  @Test func theRepositoryKeepsItsRules() {
    var output = ""
    var errors = ""
    let status = Command.run(["--package", root], console: Console(output: { output += $0 }, errors: { errors += $0 }))
    #expect(status == 0, "\n\(output)\(errors)")
  }

  /// Ids, keys and paths go into sets and dictionaries as `ExactString`: a `String` takes two spellings of one text for
  /// the same. Fixed words of a format, which a literal follows, and the names of people are texts.
  @Test(arguments: ["Models", "Ports", "Parsing", "Features"])
  func setsAndDictionariesOfIdsAreExact(_ module: String) throws {
    try forEachLine(in: ["Modules/\(module)"], with: ["Set<String>", "[String: ", "Dictionary<String,"]) { _, line in
      // Names of fields by names of fields, which the types write down, are fixed words too.
      !line.contains(/Set<String> = \[(?:"|$)|dependentFields:/)
    }
  }

  /// A program of somebody else has other commands: modules ask `Suggestions` and `StoreSuggestions` for words.
  @Test func noModuleNamesACommand() throws {
    try forEachLine(in: ["Modules"], with: ["almanac ", "--"]) { _, line in
      line.contains(/["' ]almanac [a-z]+|[a-z] '?--[a-z]+/)
    }
  }

  /// Commands in messages are values of `Advice`: `Wording` completes and quotes them, and nothing looks for them in text.
  @Test func noProgramWritesACommandAsText() throws {
    try forEachLine(in: ["Apps"], with: ["almanac "]) { _, line in
      line.contains("'almanac ") || line.contains(/\/[^\/]*almanac [^\/]*\/\)/)
    }
  }

  /// What a status means is decided by `HTTPStatus`, and by `DAVMeaning` for WebDAV alone. What the daemon answers is its own.
  @Test func noOtherFileKnowsStatuses() throws {
    let words = ["status", "case nil, "] + "2345".flatMap { ["case \($0)", "(\($0)", "[\($0)"] }
    try forEachLine(in: ["Modules", "Apps/almanac", "Apps/Assembly"], with: words) { file, line in
      !["HTTPStatus.swift", "DAVMeaning.swift"].contains { file.hasSuffix($0) } && Self.namesAStatus(line)
    }
  }

  /// The codes of failures are values, which the compiler checks.
  @Test func noCodeIsComparedAsText() throws {
    let words = [".code", "Code.", "code.text", "code?.text", "\"http-"]
    try forEachLine(in: ["Modules", "Apps"], with: words) { _, line in
      line.contains(/\.code\b[^=]{0,12} [=!]= "[a-zA-Z]|Code\.\w+\.rawValue|code\??\.text [=!]=|"http-\d/)
    }
  }

  /// A path in such advice may be a wrong one, or hold spaces: words, or a command of ours that checks the folder.
  @Test func noMessageAdvisesToRemoveFiles() throws {
    try forEachLine(in: ["Modules", "Apps"], with: ["rm ", "rmdir", "unlink", " -delete"]) { _, line in
      line.contains(/\brm\s+-|\brmdir\s+[^(]|\bunlink\s+\\\(| -delete\b/)
    }
  }

  /// `RecordOwner` says to which source a record belongs, and `PersonMatcher` whether two people are the same.
  @Test func ownersAndPeopleAreDecidedInOnePlace() throws {
    let words = ["opy.source", "opy?.source", "irthday == ", ".identity"]
    try forEachLine(in: ["Modules/Features"], with: words) { _, line in
      line.contains(/[cC]opy\??\.source (?:==|!=)/) || line.contains(/irthday == \w+\.(?:\w+\.)?birthday|\.identity\b/)
    }
  }

  /// `StateKey` makes the ids of `state` and writes its records; what a source keeps with a copy is read by one type each.
  @Test func stateHasOneOwner() throws {
    try forEachLine(in: ["Modules", "Apps"], with: [".state", "memory"]) { file, line in
      !["StateKey.swift", "SourceClient.swift"].contains { file.hasSuffix($0) }
        && line.contains(/in: \.state\)|(?:delete|object|fields|scan)\(\.state\b|memory\??\["/)
    }
  }

  /// A path of a follow is read by `Source.check`, and travels as `CheckedFollow`. A command may name a chart by its path.
  @Test func pathsOfFollowsAreReadInOnePlace() throws {
    let reading = /escriptor\.match\(|orms?\.parameters\(of:|\bCheckedFollow\(/
    for line in ["descriptor.match(follow)", "form.parameters(of: follow.path)", "CheckedFollow(follow, match)"] {
      #expect(line.contains(reading), "\(line)")
    }
    let readers = ["Sources/Source.swift", "Sources/SourceDescriptor.swift", "AppStore/Charts.swift"]
    let words = [".match(", ".parameters(of:", "CheckedFollow("]
    try forEachLine(in: ["Modules", "Apps"], with: words) { file, line in
      !readers.contains { file.hasSuffix($0) } && line.contains(reading)
    }
  }

  /// What a source or a store can do is a value, which no wrapper hides, and what a request needs is passed to it.
  @Test func abilitiesAreNoCastsAndNothingIsPassedUnseen() throws {
    let ability = /(?:as[?!]|is) (?:any )?(?:\w+Source\b|SourcePull|PostgreSQLStore|JSONFileStore)|@TaskLocal/
    for line in ["source as? any KeyedSource", "store is PostgreSQLStore", "@TaskLocal static var a = 1"] {
      #expect(line.contains(ability), "\(line)")
    }
    try forEachLine(in: ["Modules", "Apps"], with: ["Source", "Store", "@TaskLocal"]) { _, line in
      line.contains(ability)
    }
  }

  /// Records an issue for each line of the folders that has one of the words and that a rule forbids; comments are left
  /// out. Expressions are slow in a debug build, so that they see those lines alone.
  private func forEachLine(in folders: [String], with words: [String], forbids: (String, Substring) -> Bool) throws {
    for folder in folders {
      let files = FileTree.walk(root: "\(root)/\(folder)", targets: [], entersNested: true).files
      try #require(!files.isEmpty)
      for file in files where file.path.hasSuffix(".swift") {
        let text = try String(contentsOfFile: "\(root)/\(folder)/\(file.path)", encoding: .utf8)
        var lines: Set<Range<String.Index>> = []
        for word in words {
          var rest = text.startIndex..<text.endIndex
          while let place = text.range(of: word, options: .literal, range: rest) {
            lines.insert(text.lineRange(for: place))
            rest = place.upperBound..<text.endIndex
          }
        }
        for line in lines.map({ text[$0].prefix { $0 != "\n" } })
        where !line.drop(while: { $0 == " " }).hasPrefix("//") && forbids(file.path, line) {
          Issue.record("\(folder)/\(file.path): \(line)")
        }
      }
    }
  }

  private static func namesAStatus(_ line: Substring) -> Bool {
    line.contains(
      /(?:status(?:Code)?\??\)? (?:==|!=|<|>=) |status: |case (?:nil, )?)[2-5]\d\d\b|\([2-5]\d\d\.\.[.<]|\[[2-5]\d\d(?:, [2-5]\d\d)+\]\.contains/
    )
  }

  /// Foundation brings 40 MB of ICU's data into a static program; FoundationEssentials does not.
  @Test func noProgramImportsFoundation() throws {
    try forEachLine(in: ["Apps"], with: ["import Foundation"]) { _, line in line.hasSuffix("import Foundation") }
  }
}

/// The index of a real compiler, read by `archlint symbols`.
@Suite struct SymbolCheckTests {
  private static let hasIndex: Bool = {
    guard let outcome = try? Subprocess.run(["swiftc", "-print-target-info"]), outcome.status == 0,
      let match = String(decoding: outcome.output, as: UTF8.self).firstMatch(of: /"runtimeResourcePath": "(.*)"/)
    else { return false }
    let folder = URL(fileURLWithPath: String(match.output.1)).deletingLastPathComponent().path
    return ["so", "dylib"].contains { FileManager.default.fileExists(atPath: "\(folder)/libIndexStore.\($0)") }
  }()

  private func compile(_ package: FixturePackage, _ target: String, _ files: [String]) throws {
    let root = package.root
    let outcome = try Subprocess.run(
      [
        "swiftc", "-module-name", target, "-parse-as-library", "-Onone", "-emit-module", "-emit-module-path",
        "\(root)/\(target).swiftmodule", "-I", root, "-index-store-path", root + "/index", "-c",
      ] + files.map { root + "/" + $0 }, in: root)
    try #require(outcome.status == 0, "\(String(decoding: outcome.errors, as: UTF8.self))")
  }

  @Test(.enabled(if: hasIndex, "the toolchain has no libIndexStore"))
  func namesOfConcreteTypesOutsideTheRoot() throws {
    let package = FixturePackage()
    package.files["Modules/Net/Net.swift"] = """
      public struct Plug { public init() {} }
      public final class Engine { public init() {} }
      public protocol Socket {}
      """
    package.files["Apps/app/CompositionRoot.swift"] = "import Net\nlet made = Plug()\n"
    package.files["Apps/app/App.swift"] = """
      import Net
      func use(_ socket: any Socket) {
        let plug = Plug()
        _ = (plug, made)
      }
      extension Engine {}
      """
    package.files["Tests/NetTests/NetTests.swift"] = "import Net\nlet inTest = Plug()\n"
    try package.write()
    try compile(package, "Net", ["Modules/Net/Net.swift"])
    try compile(package, "app", ["Apps/app/CompositionRoot.swift", "Apps/app/App.swift"])
    try compile(package, "NetTests", ["Tests/NetTests/NetTests.swift"])
    let store = ["--index-store", package.root + "/index"]
    let run = package.run(["symbols"] + store)
    #expect(
      run.findings == ["Apps/app/App.swift:3:14 concrete-type", "Apps/app/App.swift:6:11 concrete-type"],
      "\(run.output)\(run.errors)")
    #expect(run.status == 1)
    #expect(run.errors.contains("files are newer than the index or not in it"), "Core was never compiled")

    try Data((package.rules + "ignore concrete-type app Net\n  reason \"later\"\n  until 2099-01-01\n  max 2\n").utf8)
      .write(to: URL(fileURLWithPath: package.root + "/Modules/archlint.rules"))
    #expect(package.run(["symbols"] + store).status == 0)
  }

  @Test func saysWhatToDoWithoutAnIndex() throws {
    let package = FixturePackage()
    try package.write()
    let run = package.run(["symbols"])
    #expect(run.status == 3)
    #expect(run.errors.contains("build first (swift build)"))
  }
}
