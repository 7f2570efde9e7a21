import AlmanacTesting
import AsyncHTTPTransport
import Foundation
import Models
import Ports
import Testing

/// `almanac birthdays --to` against Radicale and Xandikos.
@Suite(.serialized, .enabled(if: RealServer.missing.isEmpty, "radicale and xandikos are not installed"))
struct RealCalendarTests {
  static let kinds: [RealServer.Kind] = [.radicale, .xandikos]

  /// A server with a calendar, and the program with an account there.
  private struct Scene {
    let server: RealServer
    let almanac: Program
    /// The path of the follow, and the path at the server.
    let (calendar, path): (String, String)

    init(_ server: RealServer) async throws {
      self.server = server
      almanac = try Program("almanac")
      if server.kind == .radicale {
        (calendar, path) = ("caldav/home/cal", "/ann/cal/")
        let folder = server.folder + "/data/collection-root/ann/cal"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(#"{"tag": "VCALENDAR", "D:displayname": "Birthdays"}"#.utf8)
          .write(to: URL(filePath: folder + "/.Radicale.props"))
      } else {
        (calendar, path) = ("caldav/home/calendar", "/user/calendars/calendar/")
      }
      try almanac.makeStore()
      let password = try almanac.file("password", "secret\n")
      let added = try await almanac.run(
        "account", "add", "caldav", server.url, "--user", "ann", "--password-file", password)
      try #require(added.status == 0 && added.out.contains(calendar), "\(added)")
    }

    /// Writes the birthdays; the numbers of added, updated, removed and unchanged events, and of requests.
    func publish(_ words: String...) async throws -> [Int] {
      let result = try await almanac.run(["birthdays", "--to", calendar, "--format", "json"] + words)
      try #require(result.status == 0, "\(result)")
      let answer = try result.object()
      return ["added", "updated", "removed", "unchanged", "requests"].map { answer[$0] as? Int ?? -1 }
    }

    func run(_ words: String...) async throws {
      let result = try await almanac.run(words)
      try #require(result.status == 0, "\(words): \(result)")
    }

    func send(_ method: HTTPRequest.Method, _ name: String, _ body: String? = nil) async throws -> HTTPResponse {
      var request = HTTPRequest(method, server.url + path + name, body: body.map { Array($0.utf8) })
      request.headers["Authorization"] = "Basic " + Data("ann:secret".utf8).base64EncodedString()
      if body != nil { request.headers["Content-Type"] = "text/calendar; charset=utf-8" }
      return try await server.client.send(request)
    }

    func objects() async throws -> [(path: String, text: String)] {
      var list = HTTPRequest(.propfind, server.url + path)
      list.headers["Authorization"] = "Basic " + Data("ann:secret".utf8).base64EncodedString()
      list.headers["Depth"] = "1"
      let answer = String(decoding: try await server.client.send(list).body, as: UTF8.self)
      var objects: [(path: String, text: String)] = []
      for match in answer.matches(of: /href>([^<]*\.ics)</) {
        let name = String(match.1.split(separator: "/").last ?? "")
        objects.append((name, String(decoding: try await send(.get, name).body, as: UTF8.self)))
      }
      return objects
    }

    func vCards(_ numbers: Range<Int>) throws -> String {
      try almanac.file(
        "people.vcf",
        numbers.map { number in
          vCard("P\(number), Jr; Q", "BDAY:19\(50 + number % 50)-0\(1 + number % 9)-\(10 + number % 19)")
        }.joined())
    }
  }

  private func with(_ kind: RealServer.Kind, _ body: (Scene) async throws -> Void) async throws {
    try await RealServer.with(kind) { server in
      let scene = try await Scene(server)
      defer { scene.almanac.clean() }
      try await body(scene)
    }
  }

  private static let meeting = """
    BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//other//EN\r\nBEGIN:VEVENT\r\nUID:meeting\r\nDTSTAMP:20260101T000000Z\r\n\
    DTSTART;VALUE=DATE:20260101\r\nSUMMARY:Meeting\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n
    """

  @Test(arguments: kinds) func theCalendarFollowsThePeople(_ kind: RealServer.Kind) async throws {
    try await with(kind) { scene in
      #expect(try await scene.send(.put, "meeting.ics", Self.meeting).isSuccess)
      try await scene.run("people", "add", "--first", "Ada, Jr;", "--last", "Lovelace", "--birthday", "1815-12-10")
      try await scene.run("people", "add", "--first", "Leap", "--last", "Day", "--birthday", "1992-02-29")
      try await scene.run("people", "add", "--first", "No", "--last", "Year", "--birthday=--02-29")
      try await scene.run(
        "people", "add", "--full-name", "王 " + String(repeating: "éü", count: 60), "--birthday", "1980-07-07")
      #expect(try await scene.publish("--dry-run")[0] == 4)
      #expect(try await scene.objects().count == 1)
      #expect(try await scene.publish()[...3] == [4, 0, 0, 0])
      // The tag changed with these events; then one request tells that nothing changed.
      #expect(try await scene.publish() == [0, 0, 0, 4, 2])
      #expect(try await scene.publish() == [0, 0, 0, 0, 1])
      #expect(try await scene.objects().count == 5)

      try await scene.run("people", "edit", "Leap Day", "--birthday", "1992-03-01")
      #expect(try await scene.publish()[...3] == [0, 1, 0, 3])
      try await scene.run("people", "remove", "No Year", "--yes")
      #expect(try await scene.publish()[...3] == [0, 0, 1, 3])
      let meeting = try await scene.objects().first { $0.path == "meeting.ics" }
      #expect(meeting?.text.contains("SUMMARY:Meeting") == true)

      // Somebody edits an event, whose person changes afterwards.
      let leap = try #require(try await scene.objects().first { $0.text.contains("Leap Day") })
      let edited = leap.text.replacing("SUMMARY:Leap Day", with: "SUMMARY:My Leap")
      #expect(try await scene.send(.put, leap.path, edited).isSuccess)
      try await scene.run("people", "edit", "Leap Day", "--birthday", "1992-03-02")
      let kept = try await scene.almanac.run("birthdays", "--to", scene.calendar, exits: 0)
      #expect(kept.out == "\(scene.calendar): nothing changed\n", "\(kept)")
      #expect(kept.err.contains("My Leap") && kept.err.contains("--force"), "\(kept)")
      #expect(try await scene.objects().contains { $0.text.contains("SUMMARY:My Leap") })
      #expect(try await scene.publish("--force")[...3] == [0, 1, 0, 2])
      #expect(try await scene.objects().contains { $0.text.contains("19920302") })
    }
  }

  @Test(arguments: kinds) func aKeptCalendarIsSynced(_ kind: RealServer.Kind) async throws {
    try await with(kind) { scene in
      try await scene.run("people", "import", try scene.vCards(0..<5))
      let kept = try await scene.almanac.run("birthdays", "--to", scene.calendar, "--alarm", "9h", "--keep", exits: 0)
      #expect(kept.out == "\(scene.calendar): 5 events added\n", "\(kept)")
      #expect(try await scene.objects().allSatisfy { $0.text.contains("BEGIN:VALARM") })
      try await scene.run("people", "add", "--first", "Ada", "--last", "B", "--birthday", "1990-01-01")
      let sync = try await scene.almanac.run("sync", "--format", "json").object()
      let follow = try #require((sync["follows"] as? [[String: Any]])?.first)
      #expect(follow["follow"] as? String == scene.calendar && follow["added"] as? Int == 1, "\(follow)")
      #expect(try await scene.objects().filter { $0.text.contains("BEGIN:VALARM") }.count == 6)
      // The options of the follow count for the command, too.
      #expect(try await scene.publish()[...3] == [0, 0, 0, 6])
    }
  }

  @Test func mistakesAreNamed() async throws {
    try await with(.radicale) { scene in
      func error(_ words: String...) async throws -> (Int32, String) {
        let result = try await scene.almanac.run(["birthdays"] + words)
        return (result.status, result.err)
      }
      let account = try await error("--to", "caldav/work/cal")
      #expect(account.0 == 66 && account.1.contains("there is no account 'work' of caldav"), "\(account)")
      #expect(account.1.contains("the accounts are home"), "\(account)")
      let calendar = try await error("--to", "caldav/home/none")
      #expect(calendar.0 == 66, "\(calendar)")
      #expect(calendar.1.contains("the calendars of the account are caldav/home/cal"), "\(calendar)")
      #expect(try await error("--to", "carddav/home/book").0 == 64)
      #expect(try await error("--to", "caldav/home").0 == 64)
      #expect(try await error("--keep").0 == 64)
      #expect(try await error("--to", "caldav/home/cal", "--alarm", "soon").0 == 64)
      _ = try scene.almanac.file("password", "wrong\n")
      #expect(try await error("--to", "caldav/home/cal").0 == 77)
      try await scene.almanac.run("account", "show", "home", "--source", "caldav", exits: 77)
    }
  }

  /// The program is killed before some of the calls by which it writes or sends; the repeated command ends in the same
  /// calendar. With `ALMANAC_KILL_EVENTS=1` before each of them.
  @Test func theSameCalendarWhereverTheProgramIsKilled() async throws {
    try await with(.radicale) { scene in
      let almanac = scene.almanac
      try await scene.run("people", "import", try scene.vCards(0..<6))
      _ = try await scene.publish()
      // Three new people, one change and one removal.
      try await scene.run("people", "import", try scene.vCards(6..<9))
      try await scene.run("people", "edit", "P1, Jr; Q", "--birthday", "1990-01-01")
      try await scene.run("people", "remove", "P2, Jr; Q", "--yes")
      let before = try await scene.objects()
      let shim = try almanac.killLibrary()
      let stored = almanac.folder + "/stored"
      try FileManager.default.moveItem(atPath: almanac.store, toPath: stored)
      func reset() async throws {
        try? FileManager.default.removeItem(atPath: almanac.store)
        try FileManager.default.copyItem(atPath: stored, toPath: almanac.store)
        for object in try await scene.objects() { _ = try await scene.send(.delete, object.path) }
        for object in before { _ = try await scene.send(.put, object.path, object.text) }
      }
      func publish(killedAt call: Int) async throws -> Int32 {
        try await almanac.killed(at: call, by: shim).run("birthdays", "--to", scene.calendar).status
      }
      try await reset()
      #expect(try await publish(killedAt: .max) == 0)
      let last = try #require(Int(almanac.killLog))
      let wanted = try await scene.objects().compactMap { $0.text.firstMatch(of: /SUMMARY:[^\r\n]*/)?.0 }.sorted()
      #expect(wanted.count == 8)
      let all = ProcessInfo.processInfo.environment["ALMANAC_KILL_EVENTS"] != nil
      var killed = 0
      for place in all ? Array(1...last) : Array(stride(from: 3, through: last, by: max(1, last / 6))) {
        try await reset()
        if try await publish(killedAt: place) == 128 + SIGKILL { killed += 1 }
        let name = "place \(place), before \(almanac.killLog)"
        let again = try await almanac.run("birthdays", "--to", scene.calendar, exits: 0)
        #expect(!again.err.contains("warning"), "\(name): \(again)")
        let objects = try await scene.objects()
        let found = objects.compactMap { $0.text.firstMatch(of: /SUMMARY:[^\r\n]*/)?.0 }.sorted()
        #expect(found == wanted && objects.contains { $0.text.contains("19900101") }, "\(name)")
      }
      if all { print("kill sweep of birthdays: killed at \(killed) of \(last) places") }
      #expect(killed > 0)
    }
  }
}
