import AlmanacTesting
import Models
import Parsing
import Ports
import Sync
import Synchronization
import Testing

@Suite struct FollowsTests {
  @Test func aFailingFollowHarmsNoOther() async throws {
    let bench = Bench(server: FakeSourceServer(coder: Bench().coder) { $0.url.contains("/c2") ? .overloaded : .none })
    for card in 0..<5 { bench.server.set("c\(card)", ["a": .int(card)]) }
    let report = try await bench.sync(
      "fake/card/c0", "fake/card/gone", "fake/card/c1", "fake/card/c2", "nowhere/at/all", "fake/nothing",
      "fake/card/c3", "fake/card/c4")
    #expect(report.follows.map(\.status) == [.ok, .failed, .ok, .failed, .failed, .failed, .ok, .ok])
    #expect(
      report.follows.map { $0.error?.reason } == [
        nil, .notFound, nil, .tryLater, .usage, .usage, nil, nil,
      ])
    #expect(report.totals.added == 4)
    let status = try bench.engine.status([Follow(path: "fake/card/c2"), Follow(path: "fake/card/c1")])
    #expect(status.follows[0].error == report.follows[3].error)
    #expect(status.follows[0].failures == 1)
    #expect(status.follows[0].isStale)
    #expect(status.follows[1].error == nil && !status.follows[1].isStale)
  }

  @Test func aFollowThatIsAskedForTwiceIsPulledOnce() async throws {
    let bench = Bench()
    bench.server.set("one", ["a": "1"])
    let report = try await bench.sync("fake/card/one", "fake/card/one", "fake/card/one")
    #expect(report.follows.count == 1)
    #expect(bench.server.now.seen.count == 1)
  }

  @Test(arguments: [1, 3, 8])
  func noMoreThanJobsRunSideBySide(jobs: Int) async throws {
    let server = FakeSourceServer(coder: Bench().coder)
    let slow = SlowTransport(server)
    let bench = Bench(server: server, transport: slow)
    for card in 0..<12 { bench.server.set("c\(card)", ["a": .int(card)]) }
    let report = try await bench.engine.sync((0..<12).map { Follow(path: "fake/card/c\($0)") }, SyncOptions(jobs: jobs))
    #expect(report.totals.added == 12)
    #expect(report.follows.map(\.follow) == (0..<12).map { "fake/card/c\($0)" })
    #expect(slow.most <= jobs)
  }

  @Test func twoRunsOfOneFollowTakeTurns() async throws {
    let server = FakeSourceServer(coder: Bench().coder)
    let slow = SlowTransport(server)
    let bench = Bench(server: server, transport: slow)
    bench.server.set("one", ["a": "1"])
    let engine = bench.engine
    let follows = [Follow(path: "fake/card/one")]
    async let first = engine.sync(follows, SyncOptions(full: true))
    async let second = engine.sync(follows, SyncOptions(full: true))
    async let third = engine.sync(follows, SyncOptions(full: true))
    let reports = try await [first, second, third]
    #expect(reports.map(\.totals.added).reduce(0, +) == 1)
    #expect(slow.most == 1)
  }

  @Test func cancellingLeavesAWholeStore() async throws {
    let server = FakeSourceServer(coder: Bench().coder)
    let slow = SlowTransport(server)
    let bench = Bench(server: server, transport: slow)
    for number in 0..<30 { bench.server.change { $0.addNote("note \(number)") } }
    let engine = bench.engine
    let follow = Follow(path: "fake/notes", limit: 10)
    slow.holdNextAnswer()
    let task = Task { try await engine.sync([follow], SyncOptions()) }
    await slow.waitUntilHeld()
    task.cancel()
    slow.release()
    let failure = await #expect(throws: Failure.self) { _ = try await task.value }
    #expect(failure?.reason == .cancelled)
    let runs = try bench.ids(.runs)
    #expect(runs.count == 1)
    #expect(try bench.record(.runs, runs[0])?["state"] == "interrupted")
    #expect(try bench.record(.runs, runs[0])?["finishedAt"] != nil)
    // The page that was under way is whole or not there, the run says so, and the next sync goes on.
    let kept = try bench.ids(FakeSource.notes).count
    #expect([0, 10].contains(kept))
    let run = try #require(try bench.record(.runs, runs[0]))
    #expect(run["follows"]?.array?.count == 1)
    #expect(run["totals"]?.object?["added"]?.int == kept)
    let report = try await engine.sync([follow], SyncOptions())
    #expect(report.follows.map(\.status) == [.ok])
    #expect(try bench.ids(FakeSource.notes).count == 30)
  }

  @Test func statusTellsWhenAFollowIsDue() async throws {
    let bench = Bench()
    bench.server.set("one", ["a": "1"])
    let follow = Follow(path: "fake/card/one", every: Interval(seconds: 10))
    #expect(try bench.engine.status([follow]).follows[0].isStale)
    let begun = bench.time.now
    _ = try await bench.engine.sync([follow], SyncOptions())
    bench.time.advance(by: .seconds(30))
    let fresh = try bench.engine.status([follow]).follows[0]
    #expect(fresh.lastTry == begun && fresh.lastSuccess == begun && fresh.next == bench.time.now)
    #expect(!fresh.isStale)
    bench.time.advance(by: .seconds(1))
    #expect(try bench.engine.status([follow]).follows[0].isStale)
  }

  private final class Switch: Sendable {
    let isOn = Mutex(false)
  }

  @Test func statusTellsSinceWhenAFollowFails() async throws {
    let isDown = Switch()
    let bench = Bench(
      server: FakeSourceServer(coder: JSONRecordCoder()) { _ in isDown.isOn.withLock { $0 } ? .failure : .none })
    bench.server.set("one", ["a": "1"])
    let follow = Follow(path: "fake/card/one", every: Interval(seconds: 600))
    func sync() async throws -> FollowStatus {
      _ = try await bench.engine.sync([follow], SyncOptions())
      return try bench.engine.status([follow]).follows[0]
    }
    let worked = try await sync()
    #expect(worked.failures == 0 && worked.failingSince == nil)
    isDown.isOn.withLock { $0 = true }
    bench.time.advance(by: .seconds(60))
    let first = bench.time.now
    var waits: [Int] = []
    for tries in 1...3 {
      let failed = try await sync()
      #expect(failed.failures == tries && failed.failingSince == first && failed.lastSuccess == worked.lastSuccess)
      // The next try is the one of the daemon's timetable, at the latest.
      waits.append(try #require(failed.next) - bench.time.now)
      bench.time.advance(by: .seconds(100))
    }
    #expect(waits == [30, 60, 120])
    isDown.isOn.withLock { $0 = false }
    let again = try await sync()
    #expect(again.failures == 0 && again.failingSince == nil && again.error == nil)
    #expect(again.next == bench.time.now + 600)
  }

  @Test("a pause of the host is not a failure of the follow, and hides no error of its own")
  func pauses() async throws {
    let (isPaused, isDown) = (Switch(), Switch())
    let server = FakeSourceServer(coder: JSONRecordCoder()) { _ in isDown.isOn.withLock { $0 } ? .failure : .none }
    let transport = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      guard isPaused.isOn.withLock({ $0 }) else { return try await server.send(request) }
      throw TransportError(.circuitOpen, "requests are paused", retryAfter: 20, requests: 0)
    }
    let bench = Bench(server: server, transport: transport)
    server.set("one", ["a": "1"])
    let follow = Follow(path: "fake/card/one", every: Interval(seconds: 600))
    func sync() async throws -> FollowStatus {
      _ = try await bench.engine.sync([follow], SyncOptions())
      return try bench.engine.status([follow]).follows[0]
    }
    _ = try await sync()
    isPaused.isOn.withLock { $0 = true }
    for _ in 0..<3 {
      let paused = try await sync()
      #expect(paused.failures == 0 && paused.failingSince == nil && paused.error?.isPause == true)
      #expect(try #require(paused.next) - bench.time.now == 30)
    }
    isPaused.isOn.withLock { $0 = false }
    isDown.isOn.withLock { $0 = true }
    let failed = try await sync()
    #expect(failed.failures == 1 && failed.error?.isPause == false)
    isPaused.isOn.withLock { $0 = true }
    let both = try await sync()
    #expect(both.failures == 1 && both.error == failed.error)
    // It says until when nothing is asked, and why; it fails all the while.
    #expect(both.pausedUntil == bench.time.now + 20 && both.state == .failing)
    #expect(both.problem?.message == "requests are paused" && both.pause == both.problem)
    #expect(try #require(both.next) - bench.time.now == 30)
    bench.time.advance(by: .seconds(20))
    let over = try bench.engine.status([follow]).follows[0]
    #expect(over.pausedUntil == nil && over.state == .failing && over.problem == failed.error)
    isPaused.isOn.withLock { $0 = false }
    let again = try await sync()
    #expect(again.failures == 2 && again.pause == nil)
    isDown.isOn.withLock { $0 = false }
    let well = try await sync()
    #expect(well.error == nil && well.pause == nil && well.state == .fresh)
  }

  @Test(
    "a server that asked to wait is not asked before, unless that is wanted, the definition changed, or the clock was wrong"
  )
  func storedPause() async throws {
    let isBusy = Switch()
    let server = FakeSourceServer(coder: JSONRecordCoder()) { _ in .none }
    let transport = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      guard isBusy.isOn.withLock({ $0 }) else { return try await server.send(request) }
      return HTTPResponse(status: 429, headers: ["Retry-After": "90"], url: request.url)
    }
    let bench = Bench(server: server, transport: transport)
    server.set("one", ["a": "1"])
    let follow = Follow(path: "fake/card/one", every: Interval(seconds: 600))
    func sync(_ options: SyncOptions = SyncOptions()) async throws -> (report: FollowReport, requests: Int) {
      let before = transport.requests.count
      let report = try await bench.engine.sync([follow], options).follows[0]
      return (report, transport.requests.count - before)
    }
    isBusy.isOn.withLock { $0 = true }
    let (first, asked) = try await sync()
    #expect(asked == 1 && first.error?.code == .status(429))
    let begun = bench.time.now
    bench.time.advance(by: .seconds(60))
    // Also a plan asks nothing.
    for options in [SyncOptions(), SyncOptions(full: true), SyncOptions(dryRun: true)] {
      let (paused, none) = try await sync(options)
      let error = try #require(paused.error)
      #expect(none == 0 && paused.status == .failed && error.reason == .tryLater && error.retryAfter == 30)
      #expect(error.isPause && error.message.contains("asked to wait until \(LocalTime(begun + 90))"), "\(error)")
      #expect(error.message.contains("429") && error.hint?.contains("asksEarly") == true, "\(error)")
    }
    let status = try bench.engine.status([follow]).follows[0]
    #expect(status.failures == 1 && status.pausedUntil == begun + 90 && status.error == first.error)
    #expect(try await sync(SyncOptions(asksEarly: true)).requests == 1)
    // The answer asks for 90 s more.
    bench.time.advance(by: .seconds(80))
    #expect(try await sync().requests == 0)
    // A clock that is set back does not lengthen the pause: the time of the answer is not known then.
    bench.time.set(by: -3600)
    #expect(try await sync().requests == 1)
    bench.time.advance(by: .seconds(90))
    isBusy.isOn.withLock { $0 = false }
    let well = try await sync()
    #expect(well.requests == 1 && well.report.error == nil)
  }

  @Test("a follow whose limit or options were changed waits for a sync, until one has succeeded with them")
  func changedFollow() async throws {
    let bench = Bench()
    bench.server.set("one", ["a": "1"])
    var follow = Follow(path: "fake/card/one", every: Interval(seconds: 600))
    #expect(try bench.engine.status([follow]).follows[0].state == .waiting)
    _ = try await bench.engine.sync([follow], SyncOptions())
    bench.time.advance(by: .seconds(10))
    #expect(try bench.engine.status([follow]).follows[0].state == .fresh)
    follow.limit = 5
    let status = try bench.engine.status([follow]).follows[0]
    #expect(status.isChanged && status.state == .waiting && status.next == bench.time.now)
    #expect(status.fields["changed"]?.bool == true && status.fields["state"]?.string == "waiting")
    _ = try await bench.engine.sync([follow], SyncOptions())
    let synced = try bench.engine.status([follow]).follows[0]
    #expect(!synced.isChanged && synced.state == .fresh && synced.next == bench.time.now + 600)
  }

  @Test(
    "a host or a budget that is paused, and a server that asks for a later retry, are said with the end of the pause",
    arguments: [("circuitOpen", false), ("budgetExhausted", false), ("", true)])
  func pauseEnds(code: String, isFailure: Bool) async throws {
    let answers = Switch()
    let server = FakeSourceServer(coder: JSONRecordCoder()) { _ in .none }
    let transport = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      guard answers.isOn.withLock({ $0 }) else { return try await server.send(request) }
      if isFailure { return HTTPResponse(status: 429, headers: ["Retry-After": "90"], url: request.url) }
      throw TransportError(
        code == "circuitOpen" ? .circuitOpen : .budgetExhausted, "requests are paused", retryAfter: 90, requests: 0)
    }
    let bench = Bench(server: server, transport: transport)
    server.set("one", ["a": "1"])
    let follow = Follow(path: "fake/card/one", every: Interval(seconds: 600))
    _ = try await bench.engine.sync([follow], SyncOptions())
    answers.isOn.withLock { $0 = true }
    _ = try await bench.engine.sync([follow], SyncOptions())
    let begun = bench.time.now
    bench.time.advance(by: .seconds(30))
    let paused = try bench.engine.status([follow]).follows[0]
    #expect(paused.state == .waiting && paused.pausedUntil == begun + 90, "\(paused)")
    #expect(paused.fields["pausedUntil"]?.string == (begun + 90).description)
    bench.time.advance(by: .seconds(60))
    let over = try bench.engine.status([follow]).follows[0]
    // The end of the pause alone makes it no other state.
    #expect(over.pausedUntil == nil && over.state == .waiting)
    _ = try await bench.engine.sync([follow], SyncOptions())
    #expect(try bench.engine.status([follow]).follows[0].state == (isFailure ? .failing : .waiting))
    bench.time.advance(by: .seconds(86_400))
    #expect(try bench.engine.status([follow]).follows[0].state == (isFailure ? .failing : .stale))
  }

  @Test("runs that a person asks for while a follow fails do not lengthen its wait; a success ends it")
  func asked() async throws {
    let (isAway, retryAfter) = (Switch(), Switch())
    let server = FakeSourceServer(coder: JSONRecordCoder()) { _ in .none }
    let transport = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      guard isAway.isOn.withLock({ $0 }) else { return try await server.send(request) }
      let headers: HTTPHeaders = retryAfter.isOn.withLock { $0 } ? ["Retry-After": "40"] : [:]
      return HTTPResponse(status: 503, headers: headers, url: request.url)
    }
    let bench = Bench(server: server, transport: transport)
    server.set("one", ["a": "1"])
    let follow = Follow(path: "fake/card/one", every: Interval(seconds: 3600))
    func status() throws -> FollowStatus { try bench.engine.status([follow]).follows[0] }
    isAway.isOn.withLock { $0 = true }
    for _ in 0..<3 { _ = try await bench.engine.sync([follow], SyncOptions()) }
    let (failed, since) = (try status(), bench.time.now)
    #expect(failed.failures == 3 && failed.next == since + 120)
    for click in 0..<4 {
      bench.time.advance(by: .seconds(10))
      _ = try await bench.engine.sync([follow], SyncOptions(run: "r\(click)"))
    }
    let clicked = try status()
    #expect(clicked.failures == 3 && clicked.next == since + 120 && clicked.lastTry == bench.time.now)
    retryAfter.isOn.withLock { $0 = true }
    _ = try await bench.engine.sync([follow], SyncOptions())
    #expect(try status().next == bench.time.now + 40 && status().failures == 4)
    isAway.isOn.withLock { $0 = false }
    bench.time.advance(by: .seconds(40))
    _ = try await bench.engine.sync([follow], SyncOptions(run: "last"))
    #expect(try status().failures == 0 && status().next == bench.time.now + 3600)
  }

  @Test("a paused follow has no next sync and is never stale")
  func pausedFollow() async throws {
    let bench = Bench()
    bench.server.set("one", ["a": "1"])
    let follow = Follow(path: "fake/card/one", every: Interval(seconds: 60), isPaused: true)
    #expect(try !bench.engine.status([follow]).follows[0].isStale)
    _ = try await bench.engine.sync([follow], SyncOptions())
    bench.time.advance(by: .seconds(86_400))
    let status = try bench.engine.status([follow]).follows[0]
    #expect(status.isPaused && !status.isStale && status.next == nil && status.lastSuccess != nil)
    #expect(status.fields["paused"]?.bool == true && status.fields["stale"]?.bool == false)
  }

  @Test func runsAreKeptAndTheOldestGo() async throws {
    let bench = Bench()
    bench.server.set("one", ["a": "1"])
    let engine = bench.engine
    _ = try await bench.store.write { (transaction) throws(StoreError) in
      for run in 1000..<2000 { try transaction.put(Array(#"{"id":"0\#(run)"}"#.utf8), id: "0\(run)", in: .runs) }
    }
    for run in 0..<3 {
      bench.time.advance(by: .seconds(1))
      bench.server.set("one", ["a": .int(run)])
      _ = try await engine.sync([Follow(path: "fake/card/one")], SyncOptions())
    }
    _ = try await engine.sync([Follow(path: "fake/card/none")], SyncOptions(run: "zz"))
    let runs = try bench.ids(.runs)
    #expect(runs.count == 1000)
    #expect(try bench.record(.runs, "zz")?["state"] == "failed")
    #expect(runs[0] == "01004")
    let run = try #require(try bench.record(.runs, runs[runs.count - 2]))
    #expect(run["state"] == "done")
    #expect(run["follows"]?.array?.count == 1 && run["totals"]?.object != nil && run["startedAt"] != nil)
  }

  @Test func aRunInWhichNothingHappenedIsOneCommitOfTimes() async throws {
    let bench = Bench()
    for card in ["one", "two"] { bench.server.set(card, ["a": "1"]) }
    let follows = ["one", "two"].map { Follow(path: "fake/card/\($0)") } + [Follow(path: "fake/notes")]
    bench.server.change { $0.addNote("a") }
    _ = try await bench.engine.sync(follows, SyncOptions())
    let before = try bench.store.snapshot().sequence
    let runs = try bench.ids(.runs)
    bench.time.advance(by: .seconds(60))
    _ = try await bench.engine.sync(follows, SyncOptions())
    #expect(try bench.store.snapshot().sequence == before + 1)
    #expect(try bench.ids(.runs) == runs)
    for follow in try bench.engine.status(follows).follows {
      #expect(follow.lastTry == bench.time.now && follow.lastSuccess == bench.time.now)
    }
    // Runs with a failure, runs after a failure, and runs with a given id are always stored.
    let missing = [Follow(path: "fake/card/none")]
    _ = try await bench.engine.sync(missing, SyncOptions())
    #expect(try bench.ids(.runs).count == runs.count + 1)
    #expect(try bench.engine.status(missing).follows[0].error != nil)
    bench.server.set("none", ["a": "1"])
    _ = try await bench.engine.sync(missing, SyncOptions())
    #expect(try bench.engine.status(missing).follows[0].error == nil)
    _ = try await bench.engine.sync(follows, SyncOptions(run: "named"))
    #expect(try bench.record(.runs, "named")?["state"] == "done")
  }

  @Test func everyStepIsAnEvent() async throws {
    let bench = Bench()
    bench.server.set("one", ["a": "1"])
    _ = try await bench.sync("fake/card/one", options: SyncOptions(run: "r1"))
    let names = bench.events.events.map { String(describing: $0).prefix { $0 != "(" } }
    #expect(names == ["syncStarted", "followStarted", "pageCommitted", "followFinished", "syncFinished"])
  }
}
