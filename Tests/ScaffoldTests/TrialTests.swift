import Foundation
import Testing

@testable import ScaffoldKit

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
