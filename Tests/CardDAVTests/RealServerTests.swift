import AlmanacTesting
import AsyncHTTPTransport
import CardDAV
import Foundation
import Models
import Parsing
import People
import Ports
import Sync
import Testing

/// Radicale and Xandikos, as processes; `.ci/install-tools` installs them. sabre/dav, too, if it is there.
@Suite(.serialized, .enabled(if: RealServer.missing.isEmpty, "radicale and xandikos are not installed"))
struct RealServerTests {
  /// A server for one test, whose follow is `carddav/home/BOOK`.
  private func with(_ kind: RealServer.Kind, _ body: (RealServer, CardDAVHouse) async throws -> Void) async throws {
    try await RealServer.with(kind) { server in try await body(server, server.house()) }
  }

  private let zeros = String(repeating: "0", count: 64)

  /// Replaces the token of the last sync.
  private func set(token: String, _ house: CardDAVHouse) async throws {
    _ = try await house.store.write { (transaction) throws(StoreError) in
      let id = "follow/\(house.follow.path)"
      guard var state = try transaction.object(.state, id, house.coder), var sourceState = state["memory"]?.object
      else { return }
      sourceState["token"] = .string(token)
      state["memory"] = .object(sourceState)
      try transaction.put(house.coder.encode(state), id: id, in: .state)
    }
  }

  @Test(arguments: RealServer.installed) func changesArrive(_ kind: RealServer.Kind) async throws {
    try await with(kind) { server, house in
      let offers = try await house.source.offers(of: server.account, over: server.transport)
      #expect(offers.map(\.path) == [house.follow.path] && offers[0].isReadOnly == false, "\(offers)")
      if kind != .xandikos {
        var wrong = server.account
        wrong.password = .given("wrong", from: "the test")
        await #expect(throws: SourceError.self) { try await house.source.offers(of: wrong, over: server.transport) }
      }
      for number in 10..<40 {
        try await server.put("\(number).vcf", vCard("P\(number) Q", "EMAIL;TYPE=WORK:p\(number)@example.org"))
      }
      try await server.put("a@b (ü).vcf".addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)!, vCard("Å Ö"))
      let first = try await house.sync()
      #expect(first.counts.added == 31 && first.error == nil, "\(first)")
      let second = try await house.sync()
      #expect(second.status == .unchanged && second.counts.requests == 1, "\(second)")
      try await server.put("10.vcf", vCard("P10 R", uid: "P10 Q"))
      try await server.put("new.vcf", vCard("New One"))
      try await server.remove("11.vcf")
      let third = try await house.sync()
      #expect((third.counts.added, third.counts.updated, third.counts.removed) == (1, 1, 1), "\(third)")
      // sabre/dav 1.8 has no report of changes: the tag of the book, and a list.
      #expect(third.counts.requests == (kind == .sabre ? 3 : 2))
      #expect(try house.all().count == 31 && house.cardCount() == 31)
      // Tokens that the server did not give: the tags say that no card has to be fetched.
      for token in ["nonsense", "http://example.org/other/1", "http://radicale.org/ns/sync/\(zeros)"] {
        try await set(token: token, house)
        let report = try await house.sync()
        #expect(report.status == .unchanged && report.error == nil, "\(token): \(report)")
        #expect(kind == .sabre || report.counts.requests == 2, "\(token): \(report)")
        #expect(try house.all().count == 31)
      }
      // One that it has forgotten.
      if kind == .radicale {
        try FileManager.default.removeItem(
          atPath: "\(server.folder)/data/collection-root\(server.book).Radicale.cache/sync-token")
        #expect(try await house.sync().status == .unchanged)
      }
      try await set(token: "http://radicale.org/ns/sync/\(zeros)", house)
      try await server.remove("12.vcf")
      let fourth = try await house.sync()
      #expect((fourth.counts.added, fourth.counts.updated, fourth.counts.removed) == (0, 0, 1), "\(fourth)")
      #expect(kind == .sabre || fourth.counts.requests == 2, "\(fourth)")
      let exported = try house.exported()
      #expect(exported.split(separator: "BEGIN:VCARD").count == 30)
    }
  }

  /// `ALMANAC_EDITS=500` for the measurement. Two of Almanac's stores edit different fields of the same cards.
  @Test(arguments: RealServer.installed) func editsOfBothSidesMeet(_ kind: RealServer.Kind) async throws {
    let count = ProcessInfo.processInfo.environment["ALMANAC_EDITS"].flatMap { Int($0) } ?? 20
    try await with(kind) { server, house in
      try server.fill(
        (0..<count).map {
          ("c\($0).vcf", vCard("Given\($0) Family", uid: "u\($0)", "TEL;TYPE=CELL:+1 \($0)", "X-NUMBER;A=b:\($0)"))
        })
      let other = server.house(seed: 2)
      try await house.sync()
      try await other.sync()
      for person in try house.all() {
        _ = try await house.people.edit(person.id, PersonChange(birthday: Birthday("2000-02-03")))
      }
      for person in try other.all() {
        _ = try await other.people.edit(
          person.id, PersonChange(details: ["emails": [["value": .string("\(person.firstName)@example.org")]]]))
      }
      let start = ContinuousClock.now
      let counts = [try await house.flush(), try await other.flush()]
      if count > 20 { print("\(kind): \(2 * count) edits in \(ContinuousClock.now - start)") }
      #expect(counts.allSatisfy { $0.sent == count && $0.conflict + $0.refused + $0.pending == 0 }, "\(counts)")
      for one in [house, other] {
        try await one.sync()
        let people = try one.all()
        #expect(people.count == count)
        #expect(people.allSatisfy { $0.birthday == Birthday("2000-02-03") && $0.details.emails.count == 1 })
        #expect(people.allSatisfy { $0.details.phones.count == 1 })
      }
      let exported = try house.exported()
      #expect(exported.split(separator: "X-NUMBER;A=b:").count == count + 1)
      for person in try house.all().prefix(5) { _ = try await house.people.remove(person.id) }
      #expect(try await house.flush().sent == 5)
      #expect(try await other.sync().counts.removed == 5)
    }
  }

  /// The whole way of a user, through the program.
  @Test func accountsAreAddedByTheProgram() async throws {
    try await RealServer.with(.radicale) { server in
      let almanac = try Program("almanac")
      defer { almanac.clean() }
      try await server.put("ada.vcf", vCard("Ada Lovelace", "BDAY:1815-12-10"))
      let words = ["account", "add", "carddav", server.url, "--user", "ann", "--password-file"]
      try await almanac.run(words + [almanac.file("wrong", "wrong\n")], exits: 77, err: "app password")
      #expect(try await almanac.run("account", "list", "--format", "json").records().isEmpty)
      // A file is that of the working folder, and found from any other one later.
      _ = try almanac.file("password", "secret\n")
      let added = try await almanac.run(words + ["password", "--format", "json"])
      #expect(try added.records().map { $0["follow"] as? String } == ["carddav/home/book"], "\(added)")
      try await almanac.run(words + [almanac.file("password", "secret\n")], exits: 64)
      // Another password is tried first, and kept where the old one was.
      let users = URL(filePath: server.folder + "/users")
      try Data("ann:another\n".utf8).write(to: users)
      try await almanac.run(
        ["account", "password", "home"], input: "wrong\n", exits: 77, err: "keeps its old password")
      #expect(try String(contentsOfFile: almanac.folder + "/password", encoding: .utf8) == "secret\n")
      try await almanac.run(["account", "password", "home"], input: "another\n", exits: 0)
      #expect(try String(contentsOfFile: almanac.folder + "/password", encoding: .utf8) == "another\n")
      try Data("ann:secret\n".utf8).write(to: users)
      try await almanac.run(["account", "password", "home"], input: "secret\n", exits: 0)
      // A book that is not there is named at once, with those that are.
      try await almanac.run("follow", "carddav/home/nosuch", exits: 66, err: "it has carddav/home/book")
      try await almanac.run("follow", "carddav/work/book", exits: 66, err: "the accounts are home")
      try await almanac.run(
        "people", "add", "--first", "Grace", "--to", "carddav/home/book", exits: 64, err: "almanac follow")
      try await almanac.run("follow", "carddav/home/book", exits: 0)
      let recording = almanac.folder + "/run.har"
      try await almanac.run("sync", "--record", recording, exits: 0)
      let recorded = try String(contentsOfFile: recording, encoding: .utf8)
      #expect(recorded.contains("sync-collection"))
      #expect(!recorded.contains("secret") && !recorded.contains(Data("ann:secret".utf8).base64EncodedString()))
      let people = try await almanac.run("list", "people", "--format", "json").records()
      #expect(people.map { $0["fullName"] as? String } == ["Ada Lovelace"])
      try await almanac.run("account", "show", "home", exits: 0)
      let doctor = try await almanac.run("doctor")
      #expect(
        doctor.out.contains("carddav takes the password from servers.carddav.accounts.home.password"), "\(doctor)")
      // The recording replaces the server.
      try await almanac.run("sync", "--seed", recording, "--store", almanac.folder + "/other", exits: 0)
      // New people, by hand and from a file.
      try await almanac.run(
        "people", "add", "--first", "Grace", "--last", "Hopper", "--email", "grace@example.org", "--to",
        "carddav/home/book", exits: 0, err: "'almanac sync' adds the card")
      let file = try almanac.file("new.vcf", vCard("Alan Turing", uid: "alan", "X-KEPT:1"))
      try await almanac.run("people", "import", file, "--to", "carddav/home/book", exits: 0)
      try await almanac.run("sync", exits: 0)
      let vcf = try await almanac.run("export", "people", "--to", "vcf").out
      #expect(
        vcf.contains("X-KEPT:1") && vcf.split(separator: "BEGIN:VCARD").count == 3 && vcf.contains("UID:alan"), "\(vcf)"
      )
      // The account goes, with what was followed; the people stay.
      _ = try await almanac.run("people", "edit", "Grace Hopper", "--nickname", "Amazing")
      let removed = try await almanac.run(
        "account", "remove", "home", "--yes", "--format", "json", exits: 0, err: "1 edit of its people waits")
      #expect(try removed.object()["unfollowed"] as? [String] == ["carddav/home/book"], "\(removed)")
      #expect(try await almanac.run("following", "--format", "json").records().isEmpty)
      #expect(try await almanac.run("list", "people", "--format", "json").records().count == 3)
      try await almanac.run("account", "remove", "home", exits: 66)
      // Under another name, the people are the same, and the edit is sent.
      let ids = try await almanac.run("list", "people", "--columns", "id", "--format", "csv").out
      let renamed = try await almanac.run(words + [almanac.file("password", "secret\n"), "--name", "work"], exits: 0)
      #expect(!renamed.err.contains("the same address"), "\(renamed)")
      try await almanac.run("follow", "carddav/work/book", exits: 0)
      try await almanac.run("sync", exits: 0)
      #expect(try await almanac.run("list", "people", "--columns", "id", "--format", "csv").out == ids)
      #expect(try await almanac.run("outbox", "--format", "json").records().isEmpty)
      #expect(try await almanac.run("export", "people", "--to", "vcf").out.contains("NICKNAME:Amazing"))
      // Twice at the same time is another thing.
      try await almanac.run(
        words + [almanac.file("password", "secret\n"), "--name", "home"], exits: 0,
        err: "the account work has the same address and user")
    }
  }

  /// The `Location` of a person whom the daemon adds to an address book leads to the person before and after the card
  /// is made.
  @Test func theAddressOfANewPersonStays() async throws {
    try await RealServer.with(.radicale) { server in
      let daemon = try Program("almanacd")
      var almanac = try Program("almanac")
      defer { for program in [daemon, almanac] { program.clean() } }
      let password = try daemon.file("password", "secret\n")
      let account = #"{"url": "\#(server.url)", "user": "ann", "password": {"file": "\#(password)"}}"#
      let config = try daemon.file(
        "config.json",
        #"{"servers": {"carddav": {"accounts": {"home": \#(account)}}}, "follows": [{"follow": "carddav/home/book"}]}"#)
      almanac.environment = ["ALMANAC_CONFIG": config, "ALMANAC_STORE": daemon.store]
      let running = try daemon.start(["--config", config, "--listen", "127.0.0.1:0"])
      var url = ""
      while url.isEmpty {
        try #require(running.isRunning, "\(running.errorSoFar)")
        let words = running.errorSoFar.split { " \n".contains($0) }
        url = words.first { $0.hasPrefix("url=http") }.map { String($0.dropFirst(4)) } ?? ""
        await Task.yield()
      }
      let token = try String(contentsOfFile: daemon.store + "/token", encoding: .utf8).filter { $0 > " " }
      func send(_ method: HTTPRequest.Method, _ path: String, _ body: String? = nil) async throws -> HTTPResponse {
        var request = HTTPRequest(method, url + path, body: body.map { Array($0.utf8) }, isRepeatable: true)
        request.headers = ["Authorization": "Bearer \(token)", "Idempotency-Key": "one"]
        if body != nil { request.headers["Content-Type"] = "application/json" }
        return try await server.client.send(request)
      }
      let person = #"{"firstName": "Grace", "lastName": "Hopper", "to": "carddav/home/book"}"#
      let made = try await send(.post, "/api/v1/collections/people", person)
      #expect(made.status == 201, "\(made)")
      let location = try #require(made.headers["Location"])
      #expect(try await send(.get, location).status == 200)
      for _ in 0..<2 {
        try await almanac.run("sync", exits: 0)
        // The daemon may be sending the edit at this moment.
        while try await !almanac.run("outbox", "--format", "json").records().isEmpty {}
        let answer = try await send(.get, location)
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == 200 && text.contains("carddav/home/book") && text.contains("Hopper"), "\(text)")
        let again = try await send(.post, "/api/v1/collections/people", person)
        #expect(again.status == 201 && again.headers["Location"] == location, "\(again)")
        let id = try #require(location.split(separator: "/").last.map(String.init))
        try await almanac.run("people", "show", id, exits: 0)
        #expect(try await almanac.run("list", "people", "--format", "json").records().count == 1)
      }
      running.signal(SIGTERM)
      _ = try await running.result()
    }
  }

  private static let manyCount = ProcessInfo.processInfo.environment["ALMANAC_CARDS"].flatMap { Int($0) }

  /// A measurement of what `changesArrive` tests: `ALMANAC_CARDS=10000`.
  @Test(.enabled(if: manyCount != nil, "ALMANAC_CARDS is not set"), arguments: RealServer.installed)
  func manyCards(_ kind: RealServer.Kind) async throws {
    let count = Self.manyCount ?? 0
    try await with(kind) { server, house in
      try server.fill(
        (0..<count).map {
          ("c\($0).vcf", vCard("Given\($0) Family\($0)", "EMAIL:g\($0)@example.org", "X-NUMBER:\($0)"))
        })
      for added in [count, 0] {
        let start = ContinuousClock.now
        let report = try await house.sync()
        #expect(report.counts.added == added && report.error == nil, "\(report)")
        print(
          "\(kind): \(added) of \(count) cards in \(ContinuousClock.now - start), \(report.counts.requests) requests")
      }
      try await server.put("c0.vcf", vCard("Given0 Other", uid: "Given0 Family0"))
      #expect(try await house.sync().counts.updated == 1)
    }
  }
}

/// What a test starts does not outlive it.
@Suite struct ServerReaperTests {
  @Test func serversEndWithTheTests() async throws {
    let reaper = try ServerReaper()
    let (server, other) = (Process(), Process())
    for process in [server, other] {
      process.executableURL = URL(filePath: "/bin/sleep")
      process.arguments = ["1000"]
    }
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    server.terminationHandler = { _ in end.finish() }
    try server.run()
    try other.run()
    defer { kill(other.processIdentifier, SIGKILL) }
    reaper.watch(server.processIdentifier)
    reaper.end()
    for await _ in ended {}
    #expect(server.terminationReason == .uncaughtSignal && server.terminationStatus == SIGKILL)
    #expect(other.isRunning)
  }
}
