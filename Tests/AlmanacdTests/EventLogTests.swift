import AlmanacTesting
import Logging
import Models
import Parsing
import Ports
import Synchronization
import Testing

@testable import almanacd

/// What the log says about hosts that do not work, and about pictures that are missing: a line when it begins.
@Suite struct EventLogTests {
  private final class Log: Sendable {
    let time = ManualTime()
    private let lines = Mutex<[String]>([])
    let sink: EventLog

    init() {
      let (time, lines) = (time, Holder())
      let logger = Logger(label: "test") { _ in
        LineLogHandler(format: .text, time: time, coder: JSONRecordCoder()) { line in
          lines.text.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
        }
      }
      holder = lines
      sink = EventLog(logger: logger, time: time)
    }

    private final class Holder: Sendable { let text = Mutex<[String]>([]) }
    private let holder: Holder

    /// The lines since the last call.
    var news: [String] {
      holder.text.withLock { lines in
        defer { lines = [] }; return lines
      }
    }

    func fail(_ follow: String, _ failure: Failure) {
      sink.report(
        .followFinished(report: FollowReport(follow: follow, status: .failed, error: failure), duration: .zero))
    }
  }

  private static func paused(_ url: String, _ seconds: Int?) -> Failure {
    TransportError(.circuitOpen, "requests to it are paused", url: url, retryAfter: seconds).failure
  }

  @Test(
    "what fails because another daemon has taken over, or for the server of the store, is not logged part by part",
    arguments: [StoreError.Code.leaseLost, .unreachable, .unknownOutcome, .denied])
  func saidElsewhere(code: StoreError.Code) {
    let log = Log()
    let failure = StoreError(code, "nothing was written").failure
    log.fail("users/ada", failure)
    log.sink.report(.failed(what: "the report of the run could not be stored", failure: failure))
    let moment = Timestamp(secondsSinceEpoch: 0)
    var report = SyncReport(startedAt: moment, finishedAt: moment, follows: [])
    report.outbox.unsent = failure
    log.sink.report(.syncFinished(run: "r", report: report))
    #expect(log.news.isEmpty)
    let full = StoreError(.full, "the disk is full").failure
    log.fail("users/ada", full)
    log.sink.report(.failed(what: "retention", failure: full))
    #expect(log.news.count == 2)
  }

  @Test("a follow that fails for the same reason is one line with its address, until it is synced or fails otherwise")
  func lastingFailure() {
    let log = Log()
    func unavailable(_ status: Int) -> Failure {
      Failure(.http, .unavailable, "the server answered \(status)", url: "https://a.example/people")
    }
    for _ in 0..<97 { log.fail("people", unavailable(503)) }
    let lines = log.news
    #expect(lines.count == 1 && lines[0].contains("warning sync failed"), "\(lines)")
    #expect(lines[0].contains("url=https://a.example/people"), "\(lines)")
    log.fail("users/ada", unavailable(503))
    log.fail("people", unavailable(500))
    #expect(log.news.count == 2)
    log.sink.report(.followFinished(report: FollowReport(follow: "people", status: .ok), duration: .zero))
    let end = log.news
    #expect(end.count == 1 && end[0].contains("notice synced"), "\(end)")
    log.fail("people", unavailable(500))
    #expect(log.news.count == 1)
  }

  @Test("syncs that change nothing are logged once, and those that change something each time")
  func unchanged() {
    let log = Log()
    func sync(_ follow: String, added: Int = 0, removed: Int = 0) {
      var report = FollowReport(follow: follow, status: added + removed > 0 ? .ok : .unchanged)
      (report.counts.added, report.counts.removed) = (added, removed)
      log.sink.report(.followFinished(report: report, duration: .zero))
    }
    for _ in 0..<50 { sync("people") }
    #expect(log.news.count == 1)
    sync("users/ada", added: 1)
    for _ in 0..<50 { sync("users/ada") }
    #expect(log.news.count == 1)
    sync("people", added: 2)
    sync("people", removed: 1)
    let lines = log.news
    #expect(lines.count == 2 && lines.allSatisfy { $0.contains("info synced") }, "\(lines)")
    log.fail("people", Failure(.http, .unavailable, "the server answered 503"))
    for _ in 0..<50 { sync("people") }
    let end = log.news
    #expect(end.count == 2 && end[1].contains("notice synced"), "\(end)")
  }

  @Test("an edit that fails in the same way is one line, and a failure without a known end is one line a day")
  func repeated() {
    let log = Log()
    func edit(_ outcome: EditOutcome) { log.sink.report(.edit(id: "e1", target: "people/ada", outcome: outcome)) }
    for outcome in [EditOutcome.waiting, .waiting, .conflict, .conflict, .accepted] { edit(outcome) }
    #expect(log.news.count == 3)
    func fail() {
      log.sink.report(.failed(what: "compaction", failure: Failure(.store, .unavailable, "no space is left")))
    }
    for _ in 0..<50 { fail() }
    #expect(log.news.count == 1)
    log.time.advance(by: .seconds(86_400))
    fail()
    #expect(log.news.count == 1)
  }

  @Test("a paused host is one line with the time of the next attempt, and one when it works again")
  func host() {
    let log = Log()
    let next = log.time.now + 30
    log.sink.report(.breakerChanged(host: "https://a.example", state: .open, pause: 30))
    for number in 0..<40 { log.fail("users/u\(number)", Self.paused("https://a.example/user/u\(number)", 20)) }
    let lines = log.news
    #expect(
      lines.count == 1 && lines[0].contains("warning host paused") && lines[0].contains("next=\(next)"), "\(lines)")
    // The attempt after the pause fails as well.
    log.time.advance(by: .seconds(30))
    log.sink.report(.breakerChanged(host: "https://a.example", state: .halfOpen))
    log.sink.report(.breakerChanged(host: "https://a.example", state: .open, pause: 30))
    log.fail("users/u1", Self.paused("https://a.example/user/u1", 30))
    #expect(log.news.isEmpty)
    log.sink.report(.breakerChanged(host: "https://a.example", state: .closed))
    let end = log.news
    #expect(end.count == 1 && end[0].contains("notice host works again"), "\(end)")
    log.sink.report(.breakerChanged(host: "https://a.example", state: .open, pause: 30))
    #expect(log.news.count == 1)
  }

  @Test("a server that does not answer is named once a day while it is waited for")
  func hangs() async {
    let log = Log()
    func begin(_ path: String) {
      log.sink.report(.requestStarted(method: "GET", url: "https://x.example/\(path)", attempt: 1))
    }
    func end(_ path: String) {
      log.sink.report(
        .requestFailed(method: "GET", url: "https://x.example/\(path)", code: .timeout, duration: .seconds(30)))
    }
    func waited() async -> [String] {
      let (slept, end) = (log.time.sleeps.count, ContinuousClock.now + .seconds(60))
      begin("a")
      begin("b")
      // One of the same address is waited for already.
      begin("b")
      var lines: [String] = []
      while log.time.sleeps.count < slept + 2 || lines.isEmpty, ContinuousClock.now < end {
        await Task.yield()
        lines += log.news
      }
      return lines
    }
    for _ in 0..<2 {
      let lines = await waited()
      #expect(lines.count == 1 && lines[0].contains("waits for the answer of a server"), "\(lines)")
      #expect(lines.first?.contains("host=https://x.example ") == true, "\(lines)")
      for path in ["a", "b", "b"] { end(path) }
      log.time.advance(by: .seconds(86_400))
    }
    #expect(log.time.sleeps == Array(repeating: .seconds(EventLog.longWait), count: 4))
  }

  @Test("a paused address and a budget that is used up are one line each until their end, and no failed sync")
  func others() {
    let log = Log()
    let budget = TransportError(.budgetExhausted, "the budget is used up", url: "https://f.example/1", retryAfter: 600)
    for _ in 0..<3 { log.fail("users/a", Self.paused("https://a.example/user/a", 30)) }
    for _ in 0..<3 { log.fail("flickr/search/cats", budget.failure) }
    let lines = log.news
    #expect(
      lines.count == 2 && lines.allSatisfy { $0.contains("warning sync waits") && $0.contains("next=") }, "\(lines)")
    log.time.advance(by: .seconds(31))
    log.fail("users/a", Self.paused("https://a.example/user/a", 30))
    log.fail("flickr/search/dogs", budget.failure)
    #expect(log.news.count == 1)
    // A clock that is set back neither hides nor repeats a pause for days.
    log.time.set(by: -3 * 86_400)
    log.fail("users/a", Self.paused("https://a.example/user/a", 30))
    #expect(log.news.count == 1)
    // A host that is given up will not be asked again in this run: that is a failure.
    log.fail("users/b", Self.paused("https://b.example/user/b", nil))
    let last = log.news
    #expect(last.count == 1 && last[0].contains("sync failed"), "\(last)")
  }

  @Test("a host of pictures that does not answer is named once, with the number of its pictures")
  func pictures() {
    var problems = PictureProblems()
    func fetch(_ hosts: [(String, Int)], failed: [Failure] = []) -> PictureFetch {
      var report = MediaReport()
      report.unreachable = hosts.map { MediaReport.Host(address: $0.0, left: $0.1) }
      report.left = hosts.reduce(0) { $0 + $1.1 }
      report.failed = hosts.map { Failure(.transport, .unavailable, "refused", url: $0.0 + "/1.png") } + failed
      var fetch = PictureFetch()
      fetch.take(report)
      return fetch
    }
    #expect(
      problems.news(in: fetch([("https://a", 36), ("https://b", 0)])) == [
        "pictures: https://a does not answer; 37 are missing", "pictures: https://b does not answer; 1 is missing",
      ])
    #expect(problems.news(in: fetch([("https://a", 99), ("https://b", 3)])) == [])
    let gone = Failure(.http, .notFound, "the server answered 404", url: "https://c/1.png")
    #expect(
      problems.news(in: fetch([("https://a", 99)], failed: [gone, gone])) == [
        "pictures: 2 are missing: the server answered 404 (the first is https://c/1.png)"
      ])
    #expect(problems.news(in: fetch([("https://a", 99)], failed: [gone])) == [])
    // Of two reasons each is named once, whichever comes first.
    let cut = Failure(.parsing, .unparsable, "it has no end", url: "https://d/2.png")
    #expect(
      problems.news(in: fetch([], failed: [cut, gone])) == ["pictures: 1 is missing: it has no end (https://d/2.png)"])
    #expect(problems.news(in: fetch([], failed: [gone, cut])) == [])
    #expect(problems.news(in: fetch([])) == [])
    #expect(problems.news(in: fetch([("https://b", 0)])).count == 1)
  }
}
