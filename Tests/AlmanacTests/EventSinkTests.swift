import AlmanacTesting
import Models
import Parsing
import Ports
import Synchronization
import Testing

@testable import almanac

/// The CLI's sink keeps the promises of `EventSink`, on a screen and in a pipe.
@Suite struct EventSinkTests {
  @Test("progress on a screen", arguments: EventSinkContract.checks)
  func screen(_ check: EventSinkContract.Check) async throws {
    try await check(on: Self.subject(showsProgress: true))
  }

  @Test("every exchange on a screen", arguments: EventSinkContract.checks)
  func verbose(_ check: EventSinkContract.Check) async throws {
    try await check(on: Self.subject(showsProgress: true, isVerbose: true))
  }

  @Test("in a pipe", arguments: EventSinkContract.checks)
  func pipe(_ check: EventSinkContract.Check) async throws { try await check(on: Self.subject(showsProgress: false)) }

  @Test("what many show at the same time is gone from the screen when all of them have ended")
  func nothingLeft() async {
    let screen = Screen()
    let sink = Self.sink(screen, showsProgress: true)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          let follow = "people/\(number)"
          sink.report(.followStarted(follow: follow))
          for page in 0..<50 { sink.report(.pageCommitted(follow: follow, done: page, total: 50)) }
          sink.report(
            .followFinished(report: FollowReport(follow: follow, status: .ok), duration: .seconds(1)))
        }
      }
    }
    #expect(screen.shown.isEmpty, "\(screen.shown)")
  }

  private static func sink(_ screen: Screen, showsProgress: Bool, isVerbose: Bool = false) -> ProgressEvents {
    ProgressEvents(
      terminal: Terminal(
        showsProgress: showsProgress, width: showsProgress ? 80 : nil, coder: JSONRecordCoder(), out: { _ in nil },
        err: { screen.take($0) }),
      isVerbose: isVerbose)
  }

  private static func subject(showsProgress: Bool, isVerbose: Bool = false) -> EventSinkContract.Subject {
    let screen = Screen()
    return EventSinkContract.Subject(
      sink(screen, showsProgress: showsProgress, isVerbose: isVerbose), warnings: { screen.warnings },
      count: { screen.warnings.count }, close: { screen.close() })
  }
}

/// What was written to standard error, as a terminal shows it.
private final class Screen: Sendable {
  private struct State {
    var isOpen = true
    var warnings: [String] = []
    var screen = FakeScreen()
  }

  private let state = Mutex(State())

  var warnings: [String] { state.withLock { $0.warnings } }

  /// The lines of progress that are on the screen.
  var shown: [String] {
    state.withLock { state in
      state.screen.rows.filter { row in !row.isEmpty && !["warning: ", ">", "<", "  "].contains { row.hasPrefix($0) } }
    }
  }

  func close() { state.withLock { $0.isOpen = false } }

  func take(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    state.withLock { state in
      guard state.isOpen else { return }
      if text.hasPrefix("warning: ") { state.warnings.append(String(text.dropFirst("warning: ".count).dropLast())) }
      state.screen.take(text)
    }
  }
}
