import AlmanacTesting
import Logging
import Models
import Parsing
import Ports
import Synchronization
import Testing

@testable import almanacd

/// The daemon's sinks, and the fake of all other suites, keep the promises of `EventSink`.
@Suite struct EventSinkTests {
  @Test("the record of other suites", arguments: EventSinkContract.checks)
  func fake(_ check: EventSinkContract.Check) async throws {
    let events = RecordedEvents()
    try await check(
      on: EventSinkContract.Subject(
        events, warnings: { Self.warnings(events.events) }, count: { Self.warnings(events.events).count }))
  }

  @Test("the hub, for those who stay", arguments: EventSinkContract.checks)
  func hub(_ check: EventSinkContract.Check) async throws {
    let events = RecordedEvents()
    let hub = EventHub([])
    hub.add(events)
    try await check(
      on: EventSinkContract.Subject(
        hub, warnings: { Self.warnings(events.events) }, count: { Self.warnings(events.events).count }))
  }

  @Test("the hub, for one who comes, is slow, and goes", arguments: EventSinkContract.checks)
  func listener(_ check: EventSinkContract.Check) async throws {
    let events = RecordedEvents()
    let hub = EventHub([events])
    let listening = Mutex<AsyncStream<Event>?>(hub.listen())
    try await check(
      on: EventSinkContract.Subject(
        hub,
        warnings: {
          guard let stream = listening.withLock({ $0 }) else { return [] }
          // The end of what was reported so far; it takes the place of the oldest one.
          hub.report(.syncStarted(run: "end of the test", follows: []))
          var taken: [Event] = []
          for await event in stream {
            if case .syncStarted("end of the test", _) = event { break }
            taken.append(event)
          }
          return Self.warnings(taken)
        },
        count: { Self.warnings(events.events).count }, keeps: 255, close: { listening.withLock { $0 = nil } }))
  }

  @Test("the feed of the API", arguments: EventSinkContract.checks)
  func feed(_ check: EventSinkContract.Check) async throws {
    let coder = JSONRecordCoder()
    let feed = EventFeed(coder: coder)
    let listening = feed.listen()
    let told = RecordedEvents()
    let hub = EventHub([feed, told])
    try await check(
      on: EventSinkContract.Subject(
        hub,
        warnings: {
          var number = feed.last
          while number > 0, feed.items(after: number - 1) != nil { number -= 1 }
          return (feed.items(after: number) ?? []).compactMap { item in
            guard let fields = try? coder.decode(item.data), fields["kind"]?.string == "warning" else { return nil }
            return fields["message"]?.string
          }
        },
        // The feed numbers everything that it takes, also what it does not keep: none may be left out.
        count: {
          let numbered = told.events.filter { $0.progress != nil }.count
          return feed.last == numbered ? Self.warnings(told.events).count : feed.last - numbered
        }, keeps: EventFeed.mostItems - EventFeed.mostItems / 8, close: { listening?.leave() }))
  }

  @Test("the metrics", arguments: EventSinkContract.checks)
  func metrics(_ check: EventSinkContract.Check) async throws {
    let numbers = PrometheusFactory()
    try await check(
      on: EventSinkContract.Subject(
        EventMetrics(factory: numbers), warnings: nil,
        count: { Int(numbers.number("almanac_warnings_total", [], .counter).value) }))
  }

  @Test("the log as text", arguments: EventSinkContract.checks)
  func textLog(_ check: EventSinkContract.Check) async throws { try await check(on: Self.log(.text)) }

  @Test("the log as JSON", arguments: EventSinkContract.checks)
  func jsonLog(_ check: EventSinkContract.Check) async throws { try await check(on: Self.log(.json)) }

  /// A server's words stay on one line, and readable.
  @Test func lineBreaksOfALogAreSpaces() {
    let lines = Mutex<[String]>([])
    var logger = Logger(label: "test") { _ in
      LineLogHandler(format: .text, time: ManualTime(), coder: JSONRecordCoder()) { line in
        lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
      }
    }
    logger.logLevel = .debug
    logger.warning("one\r\ntwo\nthree\tfour\u{7}", metadata: ["body": "a\nb"])
    #expect(lines.withLock { $0 }.first?.hasSuffix("warning one two three four\u{FFFD} body=\"a b\"\n") == true)
  }

  private static func warnings(_ events: [Event]) -> [String] {
    events.compactMap {
      switch $0 {
      case .failed(let what, let failure): "\(what): \(failure.message)"
      case .warning(let message): message.description
      default: nil
      }
    }
  }

  private static func log(_ format: LogFormat) -> EventSinkContract.Subject {
    let lines = Mutex<[String]?>([])
    let coder = JSONRecordCoder()
    var logger = Logger(label: "test") { _ in
      LineLogHandler(format: format, time: ManualTime(), coder: coder) { line in
        lines.withLock { $0?.append(String(decoding: line, as: UTF8.self)) }
      }
    }
    logger.logLevel = .debug
    let warnings: @Sendable () -> [String] = {
      (lines.withLock { $0 } ?? []).compactMap { line in
        // One event is one line.
        guard line.last == "\n", !line.dropLast().contains(where: \.isNewline) else { return "not one line: \(line)" }
        let message: String
        switch format {
        case .text:
          let words = line.dropLast().split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
          guard words.count == 3, words[1] == "warning" else { return nil }
          message = String(words[2])
        case .json:
          guard let fields = try? coder.decode(Array(line.utf8)), fields["level"]?.string == "warning" else {
            return nil
          }
          message = fields["message"]?.string ?? ""
        }
        return ["host ", "sync failed", "sync waits"].contains(where: message.hasPrefix) ? nil : message
      }
    }
    return EventSinkContract.Subject(
      EventLog(logger: logger, time: ManualTime()), warnings: warnings, count: { warnings().count },
      close: { lines.withLock { $0 = nil } })
  }
}
