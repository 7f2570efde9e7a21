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

@Suite struct AdminTests {
  @Test func showsTheLogWithoutItself() throws {
    let played = try Played()
    for target in ["/people", "/user/ada", "/user/bo", "/x/1_2_q.jpg", "/nothing"] {
      _ = try played.client.call("GET", target)
    }
    let log = try played.object("/_upstream/log")
    #expect(log["total"] as? Int == 5)
    #expect(log["byRoute"] as? [String: Int] == ["people": 1, "users": 2, "images": 1, "other": 1])
    #expect(log["byStatus"] as? [String: Int] == ["200": 4, "404": 1])
    let requests = try #require(log["requests"] as? [[String: Any]])
    #expect(
      requests.map { $0["target"] as? String } == ["/people", "/user/ada", "/user/bo", "/x/1_2_q.jpg", "/nothing"])
  }

  @Test func changesTheServer() throws {
    let played = try Played { $0.people = 0 }
    func post(_ path: String, _ body: String) throws -> [String: Any] {
      try #require(try json(played.client.call("POST", "/_upstream/" + path, body: body)) as? [String: Any])
    }
    #expect(try post("advance", #"{"days": 3}"#)["day"] as? Int == 3)
    #expect(try post("advance", "")["day"] as? Int == 4)
    let users = try #require(try post("users/ada", #"{"name": "X", "description": null}"#)["users"] as? [[String: Any]])
    #expect(users.first?["name"] as? String == "X")
    #expect(users.first?["version"] as? Int == 2)
    #expect(users.first?["description"] == nil)
    let state = try post("people", #"{"firstName": "A", "lastName": "B", "birthday": "--01-02"}"#)
    #expect((state["people"] as? [Any])?.count == 1)
    let faults = try #require(try post("faults", #"[{"fault": 503, "times": 2}]"#)["faults"] as? [String: Any])
    #expect((faults["rules"] as? [[String: Any]])?.first?["left"] as? Int == 2)
    #expect(try played.client.call("GET", "/people").status == 503)
    #expect(try post("reset", "")["day"] as? Int == 0)
    #expect(try played.client.call("GET", "/people").text == "[]")
  }

  @Test(arguments: [
    ("faults", #"[{"fault": "x"}]"#, 400), ("people", "{}", 400), ("users/ada", "x", 400), ("nothing", "", 404),
  ])
  func refuses(path: String, body: String, status: Int) throws {
    let played = try Played()
    #expect(try played.client.call("POST", "/_upstream/" + path, body: body).status == status)
  }
}

@Suite struct OptionsTests {
  @Test func readsACommandLine() throws {
    let line = try UpstreamOptions.parse([
      "--port", "8080", "--seed=9", "--photos", "100000", "--owners", "120", "--deleted-owners=3", "--people", "1000",
      "--chart-size", "150", "--rotate", "--latency-ms", "5", "--users", "x,y", "--no-idempotency", "--no-drift",
      "--gzip", "--validators", "everywhere", "--api-key", "k",
      "--fault-rate", "0.25", "--fault-kinds", "429,reset,503", "--fault-seed", "4", "--fault-streak", "1",
      "--faults", "f.json", "--verbose", "--apps", "300",
    ])
    let options = line.options
    #expect(options.port == 8080 && options.seed == 9)
    #expect(options.photos == 100_000 && options.owners == 120 && options.deletedOwners == 3)
    #expect(options.people == 1000 && options.chartSize == 150 && options.apps == 300)
    #expect(options.rotateEvery == 1 && options.latencyMilliseconds == 5)
    #expect(options.userIDs == ["x", "y"] && !options.honoursIdempotencyKeys && !options.drift)
    #expect(options.gzip && options.validators == .everywhere)
    #expect(options.apiKey == "k")
    #expect(
      options.faultMix
        == FaultMix(
          rate: 0.25, kinds: [.status(429, retryAfter: "1"), .reset, .status(503)], seed: 4, longestStreak: 1))
    #expect(line.faultFile == "f.json" && line.isVerbose)
  }

  @Test func hasTheDefaultsOfTheLibrary() throws {
    let options = try UpstreamOptions.parse([]).options
    #expect(options.port == 0 && options.photos == UpstreamOptions().photos && options.faultMix.rate == 0)
  }

  @Test(arguments: [
    ["--nothing"], ["--photos"], ["--photos", "many"], ["--photos", "-1"], ["--port", "70000"], ["--owners", "0"],
    ["--fault-kinds", "429,nonsense"], ["--fault-rate", "2"], ["--validators", "some"], ["--rotate=3"], ["word"],
    ["--chart-size", "201"],
  ])
  func refuses(arguments: [String]) {
    #expect(throws: UpstreamOptions.UsageError.self) { try UpstreamOptions.parse(arguments) }
  }

  /// Every option in the help text exists.
  @Test func helpIsTrue() throws {
    for match in UpstreamOptions.help.matches(of: /--[a-z-]+/) {
      do { _ = try UpstreamOptions.parse([String(match.0)]) } catch {
        #expect(error.description.contains("needs a value"), "\(match.0)")
      }
    }
  }
}
