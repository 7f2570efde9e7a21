import Foundation
import Testing
import UpstreamKit

private enum Built {
  static let program: URL? = {
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let program = folder.appendingPathComponent("upstream")
    return FileManager.default.isExecutableFile(atPath: program.path) ? program : nil
  }()
}

@Suite(.enabled(if: Built.program != nil, "the program upstream was not built")) struct UpstreamToolTests {
  private func start(_ arguments: [String]) throws -> (process: Process, out: FileHandle, error: FileHandle) {
    let process = Process()
    let out = Pipe()
    let error = Pipe()
    process.executableURL = Built.program
    process.arguments = arguments
    process.standardOutput = out
    process.standardError = error
    try process.run()
    return (process, out.fileHandleForReading, error.fileHandleForReading)
  }

  private func firstLine(_ handle: FileHandle) -> String {
    var bytes: [UInt8] = []
    while let byte = handle.readData(ofLength: 1).first, byte != 0x0A { bytes.append(byte) }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func listensAndEndsWithSIGTERM() throws {
    let tool = try start(["--people", "3", "--verbose"])
    let line = firstLine(tool.out)
    let port = try #require(line.wholeMatch(of: #/listening on http://127\.0\.0\.1:(\d+)/#).flatMap { UInt16($0.1) })
    let client = try RawClient(port: port)
    #expect(try client.call("GET", "/people").text.contains("firstName"))
    #expect(firstLine(tool.error) == "GET /people 200")
    tool.process.terminate()
    tool.process.waitUntilExit()
    #expect(tool.process.terminationReason == .exit)
    #expect(tool.process.terminationStatus == 0)
    #expect(client.readAll().bytes.isEmpty)
  }

  @Test func readsAFaultFile() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("faults-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(#"[{"fault": 503, "path": "/people"}]"#.utf8).write(to: file)
    let tool = try start(["--faults", file.path])
    let port = try #require(firstLine(tool.out).split(separator: ":").last.flatMap { UInt16($0) })
    let client = try RawClient(port: port)
    #expect(try client.call("GET", "/people").status == 503)
    #expect(try client.call("GET", "/people").status == 200)
    tool.process.terminate()
    tool.process.waitUntilExit()
  }

  @Test(arguments: [
    (["--nothing"], 64), (["--faults", "/does/not/exist"], 66), (["--socket", "/does/not/exist"], 69),
  ])
  func refuses(arguments: [String], status: Int) throws {
    let tool = try start(arguments)
    tool.process.waitUntilExit()
    #expect(tool.process.terminationStatus == Int32(status))
    #expect(firstLine(tool.error).hasPrefix("upstream: "))
  }

  @Test func explainsItself() throws {
    let tool = try start(["--help"])
    #expect(firstLine(tool.out).hasPrefix("upstream: "))
    tool.process.waitUntilExit()
    #expect(tool.process.terminationStatus == 0)
  }
}
