import Models
import Parsing
import Ports
import Synchronization
import Testing

@testable import almanac

/// What a person reads after Ctrl-C.
@Suite struct StoppedTests {
  private final class Screen: Sendable {
    private let text = Mutex("")
    func take(_ bytes: [UInt8]) { text.withLock { $0 += String(decoding: bytes, as: UTF8.self) } }
    var shown: String { text.withLock { $0 } }
  }

  private func terminal(_ screen: Screen, echoesKeys: Bool, format: OutputFormat = .table) -> Terminal {
    Terminal(
      showsProgress: echoesKeys, width: 80, format: format, echoesKeys: echoesKeys, coder: JSONRecordCoder(),
      out: { _ in nil }, err: { screen.take($0) })
  }

  /// The terminal has written `^C` where the cursor was: the words begin on the line below, and what showed progress is
  /// taken away from the first column on.
  @Test func standsOnALineOfItsOwn() {
    let screen = Screen()
    let terminal = terminal(screen, echoesKeys: true)
    terminal.status(["people  3/9"])
    screen.take(Array("^C".utf8))
    terminal.report(stopped: "kept: 3 records of people")
    #expect(
      screen.shown == "people  3/9\n^C\r\u{1B}[1A\u{1B}[J\nalmanac: stopped\n  kept: 3 records of people\n")
  }

  @Test func aPipeGetsNoEmptyLine() {
    let screen = Screen()
    terminal(screen, echoesKeys: false, format: .json).report(stopped: "kept: 1 of 2 follows")
    #expect(
      screen.shown
        == #"{"kind":"transport","message":"stopped","hint":"kept: 1 of 2 follows","code":"cancelled","retryable":false}"#
        + "\n")
  }

  @Test func whatIsKeptIsTold() {
    let events = ProgressEvents(terminal: terminal(Screen(), echoesKeys: false), isVerbose: false)
    func report(_ follow: String, _ status: FollowReport.Status) -> Event {
      .followFinished(report: FollowReport(follow: follow, status: status), duration: .zero)
    }
    #expect(events.kept == nil)
    events.report(.syncStarted(run: "1", follows: ["a", "b", "c", "d"]))
    #expect(events.kept == "nothing had come yet, and nothing was changed")
    events.report(.pageCommitted(follow: "a", done: 10, total: 30))
    events.report(.pageCommitted(follow: "a", done: 20, total: 30))
    events.report(.pageCommitted(follow: "b", done: 7, total: 7))
    #expect(events.kept == "kept: 0 of 4 follows, 20 records of a, 7 records of b; the next sync goes on from there")
    events.report(report("b", .ok))
    // What failed after some pages keeps these.
    events.report(report("a", .failed))
    events.report(report("c", .failed))
    #expect(events.kept == "kept: 1 of 4 follows, 20 records of a; the next sync goes on from there")
    events.report(
      .syncFinished(
        run: "1",
        report: SyncReport(startedAt: .init(secondsSinceEpoch: 0), finishedAt: .init(secondsSinceEpoch: 0), follows: [])
      ))
    #expect(events.kept == nil)
  }
}
