import AlmanacTesting
import Models
import Notifications
import Ports
import Synchronization
import Testing

@Suite("Notifications")
struct NotificationsTests {
  private let fixture = NotificationFixture()

  private static func person(_ id: String, _ name: String, _ birthday: String?) -> Person {
    Person(id: id, firstName: name, lastName: "", birthday: birthday.flatMap { Birthday($0) })
  }

  private static func chart(_ time: String, _ ranks: [String], genre: String? = nil) -> ChartSnapshot {
    let at = Timestamp(rfc3339: time)!
    return ChartSnapshot(
      storefront: "us", chart: "top-free", genre: genre, observedAt: at, lastObservedAt: at, ranks: ranks)
  }

  private static func edit(_ id: String, _ state: OutboxEntry.State) -> OutboxEntry {
    OutboxEntry(
      id: id, target: "profiles/ada", kind: .put, edit: ["name": "Ada"], base: ["name": "A"], state: state,
      createdAt: Timestamp(secondsSinceEpoch: 0))
  }

  // MARK: What is told

  @Test("birthdays are told once on each wanted day, from the morning on, also after days without the program")
  func birthdays() async throws {
    try await fixture.put(
      Self.person("a", "Ada", "1815-12-10"), Self.person("b", "Bo", "--12-03"), Self.person("c", "Cy", "1990-12-04"))
    let rules = NotificationRules(birthdays: [7, 0])
    fixture.time.set(by: -2 * 3600)
    #expect(try await fixture.service(rules).collect() == 0, "it is 7 o'clock")
    fixture.time.set(by: 2 * 3600)
    #expect(try await fixture.service(rules).collect() == 2)
    #expect(try await fixture.service(rules).collect() == 0)
    #expect(try Set(fixture.titles(fixture.service(rules))) == ["Birthday in 7 days: Ada", "Birthday today: Bo"])
    // The program does not run from the 4th to the 9th.
    fixture.time.advance(by: .seconds(7 * 86_400))
    #expect(try await fixture.service(rules).collect() == 1)
    #expect(try fixture.titles(fixture.service(rules)).last == "Birthday today: Ada")
    let delivery = try #require(try fixture.service(rules).waiting().first { $0.title.hasSuffix("Ada") })
    #expect(delivery.id.hasPrefix("msg_") && delivery.id.count == 36)
  }

  @Test("a person who is stored after the look of the morning is told at the next look, once")
  func lateBirthday() async throws {
    try await fixture.put(Self.person("a", "Ada", "--12-03"))
    let service = fixture.service(NotificationRules(birthdays: [0, 1]))
    #expect(try await service.collect() == 1)
    fixture.time.advance(by: .seconds(3600))
    try await fixture.put(Self.person("b", "Bo", "--12-03"), Self.person("c", "Cy", "--12-04"))
    #expect(try await service.collect() == 2)
    let titles = ["Birthday today: Ada", "Birthday today: Bo", "Birthday tomorrow: Cy"]
    #expect(try fixture.titles(service) == titles)
    fixture.time.advance(by: .seconds(3600))
    try await fixture.put(Self.person("d", "Di", "--12-20"))
    #expect(try await service.collect() == 0)
    #expect(try await fixture.service(NotificationRules(birthdays: [0, 1])).collect() == 0, "a new process")
    // Stored after the last look of the day, and told on the next one.
    try await fixture.put(Self.person("e", "Ed", "--12-04"))
    fixture.time.advance(by: .seconds(86_400))
    #expect(try await service.collect() == 2)
    #expect(try fixture.titles(service) == titles + ["Birthday today: Cy", "Birthday today: Ed"])
  }

  @Test("a missed day is made up for as long as the birthday is not over")
  func missedBirthday() async throws {
    try await fixture.put(Self.person("a", "Ada", "1815-12-10"), Self.person("b", "Bo", "1990-12-04"))
    let rules = NotificationRules(birthdays: [5])
    #expect(try await fixture.service(rules).collect() == 0)
    fixture.time.advance(by: .seconds(4 * 86_400))
    #expect(try await fixture.service(rules).collect() == 1)
    #expect(try fixture.titles(fixture.service(rules)) == ["Birthday in 3 days: Ada"])
  }

  @Test("apps that entered and left the top of a chart are told, between each two snapshots")
  func charts() async throws {
    let rules = NotificationRules(charts: [.init(path: "app-store/us/top-free", top: 2)])
    let ranks = ["1", "2", "3"]
    try await fixture.put(
      Self.chart("2026-12-01T00:00:00Z", ["9", "8"]), Self.chart("2026-12-02T00:00:00Z", ranks),
      App(
        storefront: "us", appID: "3", name: "Three", artist: "x", thumbnailURL: "https://x/t", artworkURL: "https://x/a"
      ))
    #expect(try await fixture.service(rules).collect() == 0, "what is there at the start is known")
    try await fixture.put(Self.chart("2026-12-02T00:00:00Z", ranks, genre: "6014"))
    try await fixture.put(Self.chart("2026-12-03T00:00:00Z", ["1", "3", "2"]))
    try await fixture.put(Self.chart("2026-12-03T06:00:00Z", ["3", "1", "2"]))
    try await fixture.put(Self.chart("2026-12-03T07:00:00Z", ["3", "2"]))
    #expect(try await fixture.service(rules).collect() == 2)
    #expect(
      try fixture.titles(fixture.service(rules)) == [
        "Three entered, 2 left the top 2 of app-store/us/top-free",
        "2 entered, 1 left the top 2 of app-store/us/top-free",
      ])
    _ = try await fixture.service(rules).deliver()
    let text = try fixture.bodies().map { $0["text"]?.string ?? "" }
    #expect(
      text == [
        "entered: Three, rank 2, was 3\nleft: 2, rank 3, was 2",
        "entered: 2, rank 2, was 3\nleft: 1, not in the chart, was 2",
      ])
    #expect(try await fixture.service(rules).collect() == 0)
  }

  @Test("edits in conflict and refused ones are told once, and again when it happens again")
  func edits() async throws {
    let rules = NotificationRules(conflicts: true)
    try await fixture.put(Self.edit("old", .conflict), Self.edit("a", .pending))
    #expect(try await fixture.service(rules).collect() == 0, "a conflict from before is known")
    try await fixture.put(Self.edit("a", .conflict))
    #expect(try await fixture.service(rules).collect() == 1)
    try await fixture.put(Self.edit("b", .pending))
    #expect(try await fixture.service(rules).collect() == 0)
    try await fixture.put(Self.edit("a", .pending))
    #expect(try await fixture.service(rules).collect() == 0)
    try await fixture.put(Self.edit("a", .refused))
    #expect(try await fixture.service(rules).collect() == 1)
    #expect(try fixture.titles(fixture.service(rules)) == ["Conflict: profiles/ada", "Refused: profiles/ada"])
  }

  @Test("an edit is told with the name of its record")
  func names() async throws {
    let source = SourceDescriptor(name: SourceName(rawValue: "fake"), summary: "", forms: [], collections: [.people])
    let hook = NotificationTarget(
      name: "hook", channel: .webhook(url: "https://hook/x", secret: nil), rules: NotificationRules(conflicts: true))
    let service = fixture.service([.init(hook)], catalog: CollectionCatalog([source]))
    try await fixture.put(Self.person("p-1", "Ada", nil))
    _ = try await service.collect()
    for (id, target) in [("a", "people/p-1"), ("b", "people/gone")] {
      try await fixture.put(
        OutboxEntry(
          id: id, target: target, kind: .put, edit: ["firstName": "A"], base: [:], state: .conflict,
          createdAt: Timestamp(secondsSinceEpoch: 0)))
    }
    #expect(try await service.collect() == 2)
    #expect(try fixture.titles(service) == ["Conflict: Ada (people)", "Conflict: people/gone"])
  }

  @Test("a follow that becomes stale is told, and that it is not any more")
  func stale() async throws {
    func set(_ stale: Bool, isPaused: Bool = false) {
      let last = Timestamp(secondsSinceEpoch: 1)
      fixture.follows.statuses.withLock {
        $0 = [FollowStatus(follow: "people", lastSuccess: last, isStale: stale, isPaused: isPaused)]
      }
    }
    let service = fixture.service(NotificationRules(stale: true))
    set(false)
    _ = try await service.collect()
    set(true)
    #expect(try await service.collect() == 0, "it looks every ten seconds")
    fixture.time.advance(by: .seconds(10))
    #expect(try await service.collect() == 1)
    fixture.time.advance(by: .seconds(10))
    #expect(try await service.collect() == 0)
    for isPaused in [true, false] {
      set(!isPaused, isPaused: isPaused)
      fixture.time.advance(by: .seconds(10))
      #expect(try await service.collect() == 0, "a pause is no success")
    }
    set(false)
    fixture.time.advance(by: .seconds(10))
    #expect(try await service.collect() == 1)
    #expect(try fixture.titles(service) == ["people is stale", "people is up to date again"])
  }

  @Test("a follow that was never synced is told once a sync of it has failed")
  func neverSynced() async throws {
    func set(_ status: FollowStatus) { fixture.follows.statuses.withLock { $0 = [status] } }
    let service = fixture.service(NotificationRules(stale: true))
    set(FollowStatus(follow: "people", isStale: true))
    _ = try await service.collect()
    fixture.time.advance(by: .seconds(10))
    #expect(try await service.collect() == 0)
    set(FollowStatus(follow: "people", lastSuccess: fixture.time.now, isStale: false))
    fixture.time.advance(by: .seconds(10))
    #expect(try await service.collect() == 0)
    set(FollowStatus(follow: "people", isStale: true, error: Failure(.transport, .unavailable, "no connection")))
    fixture.time.advance(by: .seconds(10))
    #expect(try await service.collect() == 1)
    #expect(try fixture.titles(service) == ["people is stale"])
  }

  @Test("changed records are told with their contents, at most 100 at a time; those from before are not")
  func changes() async throws {
    let rules = NotificationRules(changes: [.people])
    try await fixture.put(Self.person("old", "Old", nil))
    #expect(try await fixture.service(rules).collect() == 0)
    for index in 0..<120 {
      try await fixture.put(Self.person("p\(index)", "P", nil), Self.chart("2026-12-01T00:00:00Z", ["\(index)"]))
    }
    try await fixture.store.delete(.people, ["old"])
    // The record of its new id is told.
    try await fixture.store.delete(.people, ["p7"])
    _ = try await fixture.store.write { (transaction) throws(StoreError) in
      try transaction.setState(.moved(.people, "p7"), to: ["to": "7"], fixture.coder)
    }
    #expect(try await fixture.service(rules).collect() == 2)
    _ = try await fixture.service(rules).deliver()
    let changes = try fixture.bodies().flatMap { $0["data"]?.object?["changes"]?.array ?? [] }.compactMap(\.object)
    #expect(changes.count == 121)
    #expect(changes.first?["record"]?.object?["firstName"]?.string == "P")
    #expect(changes.last?["op"]?.string == "delete" && changes.last?["id"]?.string == "old")
    #expect(changes.allSatisfy { $0["collection"]?.string == "people" })
  }

  @Test("commits that concern nobody lead to few commits of its own")
  func quiet() async throws {
    let service = fixture.service(NotificationRules(changes: [.profiles]))
    _ = try await service.collect()
    let before = try fixture.store.snapshot().sequence
    for index in 0..<1500 {
      try await fixture.put(Self.person("p\(index)", "P", nil))
      if index % 10 == 0 { _ = try await service.collect() }
    }
    for _ in 0..<10 { _ = try await service.collect() }
    #expect(try fixture.store.snapshot().sequence - before <= 1500 + 3)
    try await fixture.put(Profile(id: "ada", name: "Ada", email: "a@x"))
    // A new process begins where the last stored place is.
    #expect(try await fixture.service(NotificationRules(changes: [.profiles])).collect() == 1)
  }

  // MARK: How it is delivered

  @Test("a webhook is signed as Standard Webhooks say")
  func signature() async throws {
    // The example of https://github.com/standard-webhooks/standard-webhooks (libraries/python, test_sign).
    #expect(
      Base64.encoded(
        SHA256.authenticationCode(
          Array(#"msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}"#.utf8),
          key: Base64.decoded("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")!)) == "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    try await fixture.put(Self.edit("x", .pending))
    let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    let service = fixture.service(NotificationRules(conflicts: true), secret: secret)
    _ = try await service.collect()
    try await fixture.put(Self.edit("x", .conflict))
    _ = try await service.collect()
    let report = try await service.deliver()
    #expect(report.sent == ["hook"] && report.failed.isEmpty && report.next == nil)
    let request = try #require(fixture.server.requests.first)
    let (id, at) = (request.headers["webhook-id"] ?? "", request.headers["webhook-timestamp"] ?? "")
    let code = SHA256.authenticationCode(
      Array("\(id).\(at).".utf8) + (request.body ?? []), key: Base64.decoded("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")!)
    #expect(request.headers["webhook-signature"] == "v1," + Base64.encoded(code))
    #expect(at == String(fixture.time.now.secondsSinceEpoch))
    let body = try #require(try fixture.bodies().first)
    #expect(body["type"]?.string == "edit.conflict" && body["data"]?.object?["target"]?.string == "profiles/ada")
  }

  @Test("ntfy gets JSON for its topic, and mail a message")
  func channels() async throws {
    let rules = NotificationRules(conflicts: true)
    let service = fixture.service([
      .init(
        NotificationTarget(name: "phone", channel: .ntfy(url: "https://ntfy.sh/mine", token: nil), rules: rules),
        secret: "tk_1"),
      .init(NotificationTarget(name: "mail", channel: .mail("me@x.org"), rules: rules)),
    ])
    _ = try await service.collect()
    try await fixture.put(Self.edit("x", .conflict))
    #expect(try await service.collect() == 2)
    #expect(try await service.deliver().sent.sorted() == ["mail", "phone"])
    let request = try #require(fixture.server.requests.first)
    #expect(request.url == "https://ntfy.sh/" && request.headers["Authorization"] == "Bearer tk_1")
    #expect(try fixture.bodies().first?["topic"]?.string == "mine")
    let mail = try #require(fixture.mail.mails.withLock { $0.first })
    #expect(mail.to == "me@x.org" && mail.subject == "Conflict: profiles/ada" && mail.id.hasPrefix("msg_"))
    #expect(try service.waiting().isEmpty)
  }

  /// Has two messages wait: of an edit in conflict, and of a refused one.
  private func collectTwo(_ rules: NotificationRules) async throws {
    _ = try await fixture.service(rules).collect()
    try await fixture.put(Self.edit("a", .conflict))
    _ = try await fixture.service(rules).collect()
    try await fixture.put(Self.edit("b", .refused))
    _ = try await fixture.service(rules).collect()
  }

  @Test("a receiver that is down gets everything later, in order, each with the id of the first attempt")
  func retries() async throws {
    let rules = NotificationRules(conflicts: true)
    try await collectTwo(rules)
    fixture.server.prepare([.unreachable, .replyLost, .status(503), nil])
    var attempts = 0
    while try !fixture.service(rules).waiting().isEmpty {
      // Each attempt is made by another process.
      let report = try await fixture.service(rules).deliver()
      attempts += 1
      // Nothing is due before the pause is over.
      if report.next != nil { #expect(try await fixture.service(rules).deliver().failed.isEmpty) }
      if let next = report.next { fixture.time.advance(by: .seconds(max(1, next - fixture.time.now))) }
      try #require(attempts < 20)
    }
    let ids = fixture.server.requests.map { $0.headers["webhook-id"] ?? "" }
    // The reply to the second one was lost: the receiver has it twice, with one id.
    #expect(ids.count == 5 && Set(ids).count == 2)
    #expect(Array(ids.prefix(4)) == Array(repeating: ids[0], count: 4))
    #expect(fixture.server.withContents { $0.count } == 3)
    let pauses = fixture.time.uptime
    #expect(pauses >= .seconds(10 + 20 + 40) && pauses <= .seconds(88), "\(pauses)")
  }

  @Test("what waits for a receiver that failed is due at once where its address was changed, and waits afresh there")
  func changedAddress() async throws {
    func service(_ host: String) -> Notifications {
      fixture.service(NotificationRules(birthdays: [0]), .webhook(url: "https://\(host)/x", secret: nil))
    }
    try await fixture.put(Person(id: "1", firstName: "Ada", lastName: "", birthday: Birthday("1815-12-03")))
    _ = try await service("wrong").collect()
    fixture.server.prepare(Array(repeating: .unreachable, count: 9))
    for _ in 0..<8 {
      _ = try await service("wrong").deliver()
      fixture.time.advance(by: .seconds(3600))
    }
    _ = try await service("wrong").deliver()
    #expect(try await service("wrong").deliver().failed.isEmpty)
    fixture.server.prepare([.unreachable])
    #expect(try await service("right").deliver().failed.count == 1)
    let waiting = try #require(try service("right").waiting().first)
    #expect(waiting.attempts == 1)
    #expect(try #require(waiting.next) - fixture.time.now <= 20)
    // The same address waits, and another one does not.
    #expect(try await service("right").deliver().failed.isEmpty)
    #expect(try await service("other").deliver().sent.count == 1)
    #expect(try service("other").waiting().isEmpty)
  }

  @Test("a receiver that says when it wants the next attempt gets it then; one that always does waits as others do")
  func retryAfter() async throws {
    let service = fixture.service(NotificationRules(conflicts: true), .mail("me@x.org"))
    _ = try await service.collect()
    try await fixture.put(Self.edit("a", .conflict))
    _ = try await service.collect()
    fixture.mail.onMail.withLock {
      $0 = { () async throws(Failure) in
        throw Failure(.http, .tryLater, "later", code: .status(503), retryable: true, retryAfter: 5)
      }
    }
    var waits: [Int] = []
    for _ in 0..<4 {
      let next = try #require(try await service.deliver().next)
      waits.append(next - fixture.time.now)
      fixture.time.advance(by: .seconds(next - fixture.time.now))
    }
    #expect(waits.prefix(3) == [6, 6, 6] && (80...100).contains(waits[3]), "\(waits)")
  }

  @Test("a pause that a clock noted which was ahead ends with the step back")
  func clockSetBack() async throws {
    let rules = NotificationRules(conflicts: true)
    try await collectTwo(rules)
    fixture.server.prepare([.unreachable])
    #expect(try await fixture.service(rules).deliver().sent.isEmpty)
    fixture.time.set(by: -3 * 86_400)
    #expect(try await fixture.service(rules).deliver().sent.count == 2)
  }

  @Test("a test that a receiver accepts makes due what waits for it")
  func testEndsPause() async throws {
    let service = fixture.service(NotificationRules(birthdays: [0]))
    try await fixture.put(Self.person("a", "Ada", "--12-03"))
    _ = try await service.collect()
    fixture.server.prepare([.status(503), .status(503)])
    #expect(try await service.deliver().failed.count == 1)
    await #expect(throws: Failure.self) { try await service.test("hook") }
    #expect(try await service.deliver().sent.isEmpty)
    try await service.test("hook")
    #expect(try service.states().first?.error == nil)
    #expect(try await service.deliver().sent == ["hook"])
  }

  @Test("the state of a receiver: its last delivery, its last error until it accepts again, and what waits")
  func receiverState() async throws {
    let service = fixture.service(NotificationRules(birthdays: [0]))
    #expect(try service.states() == [ReceiverState("hook")])
    try await fixture.put(Self.person("a", "Ada", "--12-03"))
    _ = try await service.collect()
    fixture.server.prepare([.status(503)])
    _ = try await service.deliver()
    let failed = try #require(try fixture.service(NotificationRules(birthdays: [0])).states().first)
    #expect(failed.waiting == 1 && failed.lastDelivery == nil && failed.failedAt == fixture.time.now)
    #expect(failed.error?.contains("503") == true && failed.attempts == 1 && failed.problem == nil)
    for _ in 0..<2 {
      fixture.time.advance(by: .seconds(3600))
      fixture.server.prepare([.status(503)])
      _ = try await service.deliver()
    }
    let problem = try #require(try service.states().first?.problem)
    #expect(problem.message.hasPrefix("hook does not accept notifications: ") && problem.message.contains("503"))
    fixture.time.advance(by: .seconds(3600))
    _ = try await service.deliver()
    var accepted = ReceiverState("hook")
    accepted.lastDelivery = fixture.time.now
    #expect(try service.states() == [accepted])
  }

  @Test("a message that the receiver refuses holds up no other, and is given up after three days")
  func refused() async throws {
    let rules = NotificationRules(conflicts: true)
    try await collectTwo(rules)
    fixture.server.prepare([.status(422)])
    let report = try await fixture.service(rules).deliver()
    #expect(report.sent == ["hook"] && report.failed.count == 1)
    fixture.time.advance(by: .seconds(4 * 86_400))
    fixture.server.prepare([.status(422)])
    let last = try await fixture.service(rules).deliver()
    #expect(last.failed.first?.isGivenUp == true)
    #expect(try fixture.service(rules).waiting().isEmpty)
  }

  @Test(
    "a delivery that is erased while it or an earlier one is attempted is neither sent nor stored again",
    arguments: [0, 1])
  func erasedDelivery(_ erased: Int) async throws {
    let (store, mail) = (fixture.store, fixture.mail)
    let service = fixture.service(NotificationRules(conflicts: true), .mail("ada@example.com"))
    _ = try await service.collect()
    try await fixture.put(Self.edit("a", .conflict), Self.edit("b", .conflict))
    #expect(try await service.collect() == 2)
    let key = try store.snapshot().stateKeys(.notify, from: StateKey.deliveryPrefix)[erased]
    mail.onMail.withLock {
      $0 = { () async throws(Failure) in
        _ = try await Failure.from { () async throws(StoreError) in
          try await store.write { (transaction) throws(StoreError) in try transaction.clearState(key) }
        }
        if erased == 0 { throw Failure(.transport, .unavailable, "down", code: .transport(.timeout)) }
      }
    }
    _ = try await service.deliver()
    #expect(mail.mails.withLock { $0.count } == 1)
    #expect(try service.waiting().count == (erased == 0 ? 1 : 0))
  }

  @Test("a delivery whose target is not in the config any more is dropped with a warning")
  func removedTarget() async throws {
    let rules = NotificationRules(conflicts: true)
    _ = try await fixture.service(rules).collect()
    try await fixture.put(Self.edit("a", .conflict))
    _ = try await fixture.service(rules).collect()
    _ = try await fixture.service(rules, name: "other").collect()
    #expect(try fixture.service(rules).waiting().isEmpty)
    #expect(fixture.server.requests.isEmpty)
    #expect(fixture.events.events.contains { if case .warning = $0 { true } else { false } })
  }

  @Test("a kill at any commit loses nothing and tells nothing twice to the queue")
  func kills() async throws {
    let rules = NotificationRules(conflicts: true, changes: [.outbox])
    _ = try await fixture.service(rules).collect()
    for index in 0..<10 {
      try await fixture.put(Self.edit("e\(index)", .conflict))
      fixture.store.failNextCommit(with: StoreError(.cannotWrite, "killed"))
      _ = try? await fixture.service(rules).collect()
      _ = try await fixture.service(rules).collect()
      // The receiver took it, and the process ended before it could remove it.
      fixture.store.failNextCommit(with: StoreError(.cannotWrite, "killed"))
      _ = try? await fixture.service(rules).deliver()
    }
    _ = try await fixture.service(rules).deliver()
    #expect(try fixture.service(rules).waiting().isEmpty)
    let ids = fixture.server.withContents { $0 }
    #expect(Set(ids).count == 20, "a conflict and a changed record for each edit")
    #expect(ids.count > 20, "some were sent again, with their ids")
  }
}
