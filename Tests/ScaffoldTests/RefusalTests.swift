import Foundation
import Testing

@testable import ScaffoldKit

/// What is refused names the place, and nothing is written.
@Suite struct RefusalTests {
  @Test(arguments: [
    (["source", "Users"], "Modules/Features/Users/UsersSource.swift"),
    (["source", "ArchlintKit"], "Package.swift:"),
    (["source", "Weather", "--record", "Photo"], "Modules/Models/Records/Photo.swift"),
    (["source", "Weather", "--record", "Timestamp"], "Modules/Models/Timestamp.swift:"),
    (["source", "Weather", "--collection", "runs"], "Modules/Models/Sources/CollectionDescriptor.swift:"),
    (["source", "Weather", "--collection", "state"], "Modules/Models/Sources/CollectionDescriptor.swift:"),
    (["source", "Weather", "--collection", "photos"], "Modules/Models/Sources/CollectionDescriptor.swift:"),
    (["remove", "source", "Weather"], "Modules/Features/Weather/WeatherSource.swift"),
  ])
  func namesThatAreTaken(_ call: [String], _ place: String) throws {
    let project = try ProjectCopy()
    let before = project.contents()
    var errors = ""
    let status = Command.run(
      call + ["--package", project.root], console: Console(output: { _ in }, errors: { errors += $0 }))
    #expect(status == 1)
    #expect(errors.hasPrefix("scaffold: error: \(place)"), "\(errors)")
    #expect(project.contents() == before)
  }

  @Test func aSourceThatTheScaffoldDidNotMakeStays() throws {
    let project = try ProjectCopy()
    let before = project.contents()
    #expect(project.run("remove", "source", "Users").status == 1)
    #expect(project.contents() == before)
  }

  @Test(arguments: [
    (Registration.manifest, "let modules", "let rooms2"), (Registration.manifest, ".feature(", ".room("),
    (Registration.sourceList, "func compiledSources(", "func plugs("),
    (Registration.sourceList, "    [\n      AppStoreSource", "    let all: [any Source] = [\n      AppStoreSource"),
  ])
  func anotherTreeThanExpected(_ path: String, _ old: String, _ new: String) throws {
    let project = try ProjectCopy()
    try project.edit(path) { $0.replacing(old, with: new) }
    let before = project.contents()
    let run = project.run("source", "Weather", "--url", "https://weather.example")
    #expect(run.status == 1)
    #expect(run.errors.contains(path), "\(run.errors)")
    #expect(project.contents() == before)
  }

  @Test func aSourceThatIsStillUsedStays() throws {
    let project = try ProjectCopy()
    #expect(project.run("source", "Weather").status == 0)
    try project.edit("Apps/almanac/Main.swift") { $0 + "\nlet more = WeatherSource.self\n" }
    let before = project.contents()
    let run = project.run("remove", "source", "Weather")
    #expect(run.status == 1)
    #expect(run.errors.contains("Apps/almanac/Main.swift:"))
    #expect(project.contents() == before)
  }

  @Test(arguments: [
    [], ["source"], ["source", "weather"], ["source", "Weather", "More"], ["source", "Weather", "--wings"],
    ["source", "Weather", "--record"], ["source", "Weather", "--record", "Weather"], ["source", "Self"],
    ["source", "Default"], ["source", "Foundation"], ["source", "Weather", "--record", "String"],
    ["source", "Weather", "--url", "weather.example"], ["source", "Weather", "--url", "https://a/"],
    ["source", "Weather", "--path", "forecast"], ["source", "Weather", "--path", "/{a}/{a}"],
    ["source", "Weather", "--path", "/{class}"], ["source", "Weather", "--fields", "a,a"],
    ["source", "Weather", "--fields", "a:float"], ["source", "Weather", "--collection", "Fore casts"],
    ["source", "Weather", "--record", "A", "--record", "B"], ["remove", "source", "Weather", "--url", "https://a"],
    ["add", "source", "Weather"],
  ])
  func wrongUsage(_ call: [String]) {
    var errors = ""
    let status = Command.run(
      call + ["--package", "/nowhere"], console: Console(output: { _ in }, errors: { errors += $0 }))
    #expect(status == 64)
    #expect(errors.hasPrefix("scaffold: error: "))
  }

  @Test func helpIsAnAnswer() {
    var output = ""
    #expect(Command.run(["--help"], console: Console(output: { output += $0 }, errors: { _ in })) == 0)
    #expect(output.hasPrefix("usage: scaffold source NAME"))
  }
}

/// The trials of the page 'Add a source', as far as they go without a build: `Tools/scaffold/try.sh --trial NAME` does all.
@Suite struct TrialTests {
  static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Tools/scaffold/trials").path
  static let names = (try? FileManager.default.contentsOfDirectory(atPath: folder).sorted()) ?? []

  private func run(_ arguments: [String], in folder: String) throws -> (status: Int32, output: String) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder)
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, output)
  }

  @Test func thereIsOne() { #expect(Self.names.contains("museum")) }

  /// What the README counts is still what has to be done by hand, and it goes away with the source.
  @Test(arguments: names)
  func theEditsByHandFitWhatIsWritten(_ name: String) throws {
    let trial = "\(Self.folder)/\(name)"
    let words = try run(
      ["bash", "-c", "eval \"set -- $(grep -v '^#' call)\"; printf '%s\\n' \"$@\""], in: trial)
    let call = words.output.split(separator: "\n").map(String.init)
    let module = try #require(call.first)
    let project = try ProjectCopy()
    let before = project.contents()
    #expect(Command.run(["source"] + call + ["--package", project.root], console: .silent) == 0)
    let applied = try run(["git", "apply", "\(trial)/by-hand.patch"], in: project.root)
    #expect(applied.status == 0, "\(applied.output)")
    let removed = project.run("remove", "source", module)
    #expect(removed.status == 0, "\(removed.errors)")
    #expect(project.contents() == before)
  }
}
