import AlmanacTesting
import Declared
import Models
import Parsing
import Ports
import Sync
import Synchronization
import Testing

/// A log with a record for each day of 2026, which is asked for by days.
private func logServer(
  _ request: String, field: String = #""at": "time $.at", "kind": "text? $.kind""#,
  answer: @escaping AnsweringServer.Answer = days
) throws -> AnsweringServer {
  let bench = try DeclaredBench(
    """
    {
      "almanac": 1, "source": "log", "url": "https://log.example",
      "collections": {"entries": {"id": "$.id", "fields": {\(field)}}},
      "follows": {"all/{kind}": {\(request), "take": {"into": "entries"}}}
    }
    """, time: ManualTime(now: Timestamp(rfc3339: "2026-12-31T12:00:00Z")!))
  return AnsweringServer(bench, following: "log/all/web", answer: answer)
}

/// The records of the days that a request asks for.
@Sendable private func days(_ request: HTTPRequest) -> (status: Int, body: String) {
  let query = request.url.split(separator: "?").last.map(String.init) ?? ""
  let bounds = query.split(separator: "&").compactMap { CivilDate(String($0.suffix(10))) }
  guard bounds.count == 2, bounds[0].daysSinceEpoch <= bounds[1].daysSinceEpoch else { return (200, "[]") }
  let entries = (bounds[0].daysSinceEpoch...bounds[1].daysSinceEpoch).map { day in
    #"{"id":\#(day),"at":"\#(CivilDate(daysSinceEpoch: day))T08:00:00Z"}"#
  }
  return (200, "[\(entries.joined(separator: ","))]")
}

extension AnsweringServer {
  fileprivate var targets: [String] { sent.map { String($0.url.dropFirst("https://log.example".count)) } }
}

@Suite("Spans of time, and templates of requests")
struct SpanTests {
  private static let byDay =
    #""get": "/entries?from={since:date}&to={until:date}", "since": {"field": "at", "first": "2026-01-01", "step": "10d"}"#

  @Test("a span is asked for step by step, without a gap, and the next sync goes on at the point")
  func steps() async throws {
    let log = try logServer(Self.byDay)
    let report = try await log.sync("first")
    #expect(report?.error == nil && report?.counts.added == 365)
    let targets = log.targets
    #expect(targets.count == 37)
    #expect(targets.first == "/entries?from=2026-01-01&to=2026-01-10")
    #expect(targets.dropFirst().first == "/entries?from=2026-01-11&to=2026-01-20")
    #expect(targets.last == "/entries?from=2026-12-27&to=2026-12-31")
    let second = try await log.sync("second")
    #expect(second?.counts.added == 0 && second?.counts.removed == 0)
    #expect(log.targets == ["/entries?from=2026-12-31&to=2026-12-31"])
  }

  @Test("a pull that is killed after any step goes on there", arguments: [3, 20, 41, 77])
  func killed(steps: Int) async throws {
    let log = try logServer(Self.byDay)
    _ = try? await log.sync("killed", kill: Kill(after: steps))
    let begun = log.targets.count
    #expect(try await log.sync("again")?.error == nil)
    #expect(try log.store.snapshot().count(CollectionName(rawValue: "entries")) == 365)
    // What was fetched ahead and not committed is asked for again.
    #expect((37...41).contains(begun + log.targets.count), "\(begun) and \(log.targets.count)")
  }

  @Test("times before now, a span that is read each time, and the end of a span")
  func bounds() async throws {
    let log = try logServer(
      #""get": "/entries?from={since:date}&to={until:date}", "since": {"first": "now-9d", "last": "now-2d"}"#)
    #expect(try await log.sync("first")?.counts.added == 8)
    #expect(try await log.sync("second")?.counts.added == 0)
    #expect(log.targets == ["/entries?from=2026-12-22&to=2026-12-29"])
    let day = try logServer(
      #""get": "/entries?to={until}&from={since}", "since": {"first": "now-9d:date", "last": "now:date"}"#)
    #expect(try await day.sync("first")?.error == nil)
    #expect(day.targets == ["/entries?to=2026-12-31T00%3A00%3A00Z&from=2026-12-22T00%3A00%3A00Z"])
  }

  @Test("what is read again before a point that is a day begins with a day")
  func overlapOfDays() async throws {
    let log = try logServer(
      #""get": "/entries?from={since:date}&to={until:date}", "since": {"field": "day", "first": "2026-12-29", "overlap": "1d"}"#,
      field: "\"day\": \"date $.at\"")
    #expect(try await log.sync("first")?.counts.added == 3)
    #expect(try await log.sync("second")?.error == nil)
    #expect(log.targets == ["/entries?from=2026-12-30&to=2026-12-31"])
  }

  @Test(
    "a server that does not know the point any more is asked from the beginning, once a sync", arguments: [true, false])
  func restart(hasRule: Bool) async throws {
    let rule = #", "errors": [{"status": 400, "if": {"$.code": "token"}, "means": "restart"}]"#
    let answers = Mutex<[(status: Int, body: String)]>([])
    let log = try logServer(
      #""get": "/all{?since}", "since": {"token": "$$[0].id"}, "complete": "7d"\#(hasRule ? rule : "")"#
    ) { _ in answers.withLock { $0.removeFirst() } }
    func list(_ ids: Int...) -> (Int, String) {
      (200, "[\(ids.map { #"{"id":\#($0),"at":"2026-01-01T00:00:00Z"}"# }.joined(separator: ","))]")
    }
    let lost: (Int, String) = hasRule ? (400, #"{"code":"token"}"#) : (410, "{}")
    answers.withLock { $0 = [list(1, 2, 3)] }
    #expect(try await log.sync("first")?.counts.added == 3)
    answers.withLock { $0 = [lost, list(2, 3, 4)] }
    let second = try await log.sync("second")
    #expect(second?.error == nil && second?.counts.added == 1 && second?.counts.removed == 1)
    #expect(log.targets == ["/all?since=1", "/all"])
    answers.withLock { $0 = [lost, lost, list(2)] }
    let third = try await log.sync("third")
    #expect(hasRule ? third?.error != nil : third?.status == .failed, "\(log.targets)")
    #expect(log.targets == ["/all?since=2", "/all"])
    #expect(try log.store.snapshot().count(CollectionName(rawValue: "entries")) == 3)
  }

  @Test("header fields and forms are templates")
  func templates() async throws {
    let log = try logServer(
      #"""
      "post": "/search{?q[kind]=kind}", "form": {"kind": "{kind}", "day": "{now-1d:YYYYMMDD}", "all": true},
      "headers": {"X-Kind": "kind/{kind}", "X-Since": "{since:epoch}"}, "since": {"field": "at"}
      """#)
    #expect(try await log.sync("first")?.error == nil)
    let request = try #require(log.sent.first)
    #expect(request.method == .post && request.url.hasSuffix("/search?q[kind]=web"))
    #expect(String(decoding: request.body ?? [], as: UTF8.self) == "kind=web&day=20261230&all=true")
    #expect(request.headers["Content-Type"] == "application/x-www-form-urlencoded")
    #expect(request.headers["X-Kind"] == "kind/web" && request.headers["X-Since"] == nil)
  }

  @Test(
    "mistakes of spans and forms",
    arguments: [
      (#""get": "/e", "since": {"field": "at", "step": "1d"}"#, "\"step\" needs \"first\""),
      (#""get": "/e{?since}", "since": {"last": "now"}"#, "without \"field\" or \"token\" needs \"first\""),
      (#""get": "/e{?since}", "since": {"field": "at", "first": "soon"}"#, "now-30d"),
      (#""get": "/e{?since}", "since": {"field": "kind", "first": "now", "step": "1d"}"#, "is no time"),
      (#""get": "/e{?since}", "since": {"field": "kind", "overlap": "1d"}"#, "is no time"),
      (#""get": "/e{?since:epoch}", "since": {"field": "kind"}"#, "is no time"),
      (#""post": "/e", "form": {"a": []}"#, "a member of a form is"),
      (#""post": "/e", "form": {"a": "b"}, "body": {}"#, "one of \"body\" and \"form\""),
      (#""get": "/e", "headers": {"X-A": "{other}"}"#, "there is no variable {other}"),
      (#""get": "/e?a={now:soon}""#, "a time is {since:epoch}"),
    ])
  func mistakes(request: String, words: String) throws {
    let error = #expect(throws: SettingsProblems.self) { try logServer(request) }
    #expect(error?.problems.contains { $0.message.contains(words) } == true, "\(String(describing: error))")
  }
}
