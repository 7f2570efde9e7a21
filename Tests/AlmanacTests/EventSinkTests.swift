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
          sink.report(.followFinished(report: FollowReport(follow: follow, status: .ok), duration: .seconds(1)))
        }
      }
    }
    #expect(screen.shown.isEmpty, "\(screen.shown)")
  }

  @Test("a wait that is longer than a moment is told where no progress is shown")
  func waits() {
    let screen = Screen()
    let sink = Self.sink(screen, showsProgress: false)
    for seconds in [1, 8] {
      sink.report(.retryScheduled(url: "https://a.example", attempt: 2, delay: .seconds(seconds), reason: "429"))
      sink.report(.budgetWait(name: "flickr", seconds: seconds + 1))
    }
    #expect(screen.shown == ["waiting 8 s: 429: https://a.example", "waiting 9 s for the request limit of flickr"])
  }

  private static func sink(_ screen: Screen, showsProgress: Bool, isVerbose: Bool = false) -> ProgressEvents {
    ProgressEvents(
      terminal: Terminal(
        .init(showsProgress: showsProgress, width: showsProgress ? 80 : nil), coder: JSONRecordCoder(),
        out: { _ in nil }, err: { screen.take($0) }),
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

/// What a person reads after Ctrl-C.
@Suite struct StoppedTests {
  private func terminal(_ screen: FakeTerminal, echoesKeys: Bool, format: OutputFormat = .table) -> Terminal {
    screen.terminal(.init(showsProgress: echoesKeys, width: 80, format: format, echoesKeys: echoesKeys))
  }

  /// The terminal has written `^C` where the cursor was: the words begin on the line below, and what showed progress is
  /// taken away from the first column on.
  @Test func standsOnALineOfItsOwn() {
    let screen = FakeTerminal()
    let terminal = terminal(screen, echoesKeys: true)
    terminal.status(["people  3/9", "users/ada  …"])
    screen.take(Array("^C".utf8))
    terminal.report(stopped: "kept: 3 records of people")
    #expect(screen.rows == ["", "almanac: stopped", "  kept: 3 records of people"])
  }

  /// An error that does not name the address in its words has it beside them, once.
  @Test(arguments: [("the server answered 404", " (https://a.example/x)"), ("https://a.example/x answered 404", "")])
  func anErrorNamesTheAddress(message: String, place: String) {
    let screen = FakeTerminal()
    screen.terminal(.init()).report(Failure(.http, .notFound, message, url: "https://a.example/x"))
    #expect(screen.rows == ["almanac: \(message)\(place)"])
  }

  /// The answers of a person to the fields of a conflict.
  @Test(
    arguments: [
      (["m", "theirs"], ["name"], [:]), (["x", "T", "t"], [], [:]), (["mine", "m"], ["name", "email"], [:]),
      (["m", "later"], nil, [:]), (["m"], nil, [:]), (["e", "New", "m"], ["email"], ["name": "New"]),
      (["e", "New", "edit", "e@x"], [], ["name": "New", "email": "e@x"]), (["e"], nil, [:]),
    ] as [([String], [String]?, JSONObject)])
  func aPersonIsAskedFieldByField(answers: [String], mine: [String]?, edited: JSONObject) throws {
    let screen = FakeTerminal()
    let left = Mutex(answers)
    let terminal = screen.terminal(.init()) { question in
      screen.take(Array(question.utf8))
      return left.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
    let entry = OutboxEntry(
      id: "1", target: "profiles/ada", kind: .put, edit: ["name": "M", "email": "m@x", "same": "S"],
      base: ["name": "B", "email": .null, "same": "R"], theirs: ["name": "T", "email": "t@x", "same": "S"],
      state: .conflict, createdAt: Timestamp(secondsSinceEpoch: 0))
    let chosen = try OutboxCommand.Resolve.ask(
      entry, [:],
      TypedValues(entry: entry, title: entry.target, terminal: terminal, catalog: Catalog.collections) { _ in })
    // Where both sides made the same change there is nothing to ask.
    #expect(chosen?.mine == mine.map { Set($0.map(\.exact)) })
    #expect(chosen?.edited == (mine == nil ? nil : edited))
    #expect(screen.err.contains("name: was B, mine M, theirs T"), "\(screen.err)")
    #expect(screen.err.contains("[m]ine, [t]heirs, [e]dit or [l]ater?"))
  }

  /// tmux moves a screen that is cleared from its top left corner into the scrollback, and progress begins there in a
  /// terminal that was just cleared.
  @Test func progressClearsNoMoreThanItsOwnLines() {
    let screen = FakeTerminal()
    let terminal = terminal(screen, echoesKeys: true)
    for lines in [["a", "bb", "ccc"], ["a  1/9"], ["a  2/9", "d"], []] {
      terminal.status(lines)
      #expect(screen.rows == lines)
    }
    terminal.note("done")
    #expect(screen.rows == ["done"])
    #expect(!screen.err.contains("\u{1B}[J"), "\(screen.err.debugDescription)")
  }

  @Test func aWaitIsSaidWithItsLengthUntilItIsOver() {
    let screen = FakeTerminal()
    let events = ProgressEvents(
      terminal: screen.terminal(.init(showsProgress: true, messageWidth: 80)), isVerbose: false)
    events.report(.followStarted(follow: "people"))
    let url = "http://h/people"
    events.report(.retryScheduled(url: url, attempt: 2, delay: .milliseconds(420), reason: "the server answered 503"))
    #expect(screen.rows == ["people  …", "  the server answered 503, try 2 in 0.4 s: http://h/people"])
    events.report(.requestStarted(method: "GET", url: url, attempt: 2))
    #expect(screen.rows == ["people  …"])
  }

  @Test func aPipeGetsNoEmptyLine() {
    let screen = FakeTerminal()
    terminal(screen, echoesKeys: false, format: .json).report(stopped: "kept: 1 of 2 follows")
    #expect(
      screen.err
        == #"{"kind":"transport","message":"stopped","hint":"kept: 1 of 2 follows","code":"cancelled","retryable":false}"#
        + "\n")
  }

  @Test func whatIsKeptIsTold() {
    let events = ProgressEvents(terminal: terminal(FakeTerminal(), echoesKeys: false), isVerbose: false)
    func report(_ follow: String, _ status: FollowReport.Status) -> Event {
      .followFinished(report: FollowReport(follow: follow, status: status), duration: .zero)
    }
    #expect(events.kept(isFollowed: { _ in true }) == nil)
    events.report(.syncStarted(run: "1", follows: ["a", "b", "c", "d"]))
    #expect(events.kept(isFollowed: { _ in true }) == "nothing had come yet, and nothing was changed")
    events.report(.pageCommitted(follow: "a", done: 10, total: 30))
    events.report(.pageCommitted(follow: "a", done: 20, total: 30))
    events.report(.pageCommitted(follow: "b", done: 7, total: 7))
    let again: Advice = "\nthe next sync asks for every follow again; a continues where it stopped"
    #expect(events.kept(isFollowed: { _ in true }) == "kept: 0 of 4 follows, 20 records of a, 7 records of b" + again)
    events.report(report("b", .ok))
    // What failed after some pages keeps these.
    events.report(report("a", .failed))
    events.report(report("c", .failed))
    #expect(events.kept(isFollowed: { _ in true }) == "kept: 1 of 4 follows, 20 records of a" + again)
    // A sync that names no path does not ask for it.
    let other = events.kept { $0 != "a" }
    let every = "\nthe next sync asks for every follow again"
    #expect(other == "kept: 1 of 4 follows, 20 records of a\(every); 'almanac sync a' continues where it stopped")
    let none = events.kept { _ in false }
    #expect(none == "kept: 1 of 4 follows, 20 records of a\n'almanac sync a' continues where it stopped")
    events.report(
      .syncFinished(
        run: "1",
        report: SyncReport(startedAt: .init(secondsSinceEpoch: 0), finishedAt: .init(secondsSinceEpoch: 0), follows: [])
      ))
    #expect(events.kept(isFollowed: { _ in true }) == nil)
  }
}

/// What a person sees on a screen, and a program never does.
@Suite struct ScreenTests {
  @Test(arguments: [
    (0, "now"), (-59, "now"), (-90, "2 min ago"), (-3600, "60 min ago"), (-7200, "2 h ago"), (7200, "in 2 h"),
    (-86_400, "24 h ago"), (-259_200, "3 days ago"), (1500, "in 25 min"),
  ])
  func timesAreRelative(seconds: Int, words: String) {
    let now = Timestamp(secondsSinceEpoch: 1_780_000_000)
    #expect(ScreenTime.relative(now + seconds, to: now) == words)
  }

  private func table(width: Int?, hasColor: Bool = false) -> String {
    FakeTerminal.printing(width, hasColor: hasColor) {
      $0.list(
        [["follow": "people", "state": "stale", "observedAt": "2026-11-22T15:57:10Z", "date": "2026-11-22"]],
        columns: [.init("follow"), .init("state"), .init("observedAt"), .init("date")])
    }.out
  }

  @Test func timesAreLocalOnAScreenAndExactElsewhere() throws {
    #expect(table(width: nil).contains("2026-11-22T15:57:10Z  2026-11-22"))
    let local = try #require(ScreenTime.local("2026-11-22T15:57:10Z"))
    #expect(local.wholeMatch(of: /2026-11-2[123] \d\d:\d\d/) != nil, "\(local)")
    #expect(table(width: 80).contains("\(local)  2026-11-22\n"), "\(table(width: 80))")
    #expect(ScreenTime.local("2026-11-22") == nil && ScreenTime.local("never") == nil)
  }

  @Test func aStateHasAColourAndItsColumnKeepsItsWidth() {
    #expect(table(width: 80, hasColor: true).contains("people  \u{1B}[31mstale\u{1B}[0m  2026"))
    #expect(!table(width: 80).contains("\u{1B}"))
  }
}
