import Models
public import Ports

/// What every adapter of `EventSink` must do; run by the fakes and by the real ones of both apps.
///
/// Run each of `checks` with a closure that makes a sink with nothing in it: a violation is thrown.
public enum EventSinkContract {
  /// A sink, and what can be seen of it from outside.
  public struct Subject: Sendable {
    /// The sink.
    public var sink: any EventSink
    /// The warnings that it took, in its order; `nil` where it only counts.
    public var warnings: (@Sendable () async -> [String])?
    /// How many warnings it took in all, those included that it does not keep.
    public var count: @Sendable () async -> Int
    /// How many of the newest it keeps where nobody takes them; `nil` where it loses none.
    public var keeps: Int?
    /// Takes away whoever is told: a closed screen, a listener that went.
    public var close: (@Sendable () async -> Void)?

    /// A sink and its outside.
    public init(
      _ sink: any EventSink, warnings: (@Sendable () async -> [String])?, count: @escaping @Sendable () async -> Int,
      keeps: Int? = nil, close: (@Sendable () async -> Void)? = nil
    ) {
      self.sink = sink
      self.warnings = warnings
      self.count = count
      self.keeps = keeps
      self.close = close
    }
  }

  /// One promise.
  public struct Check: Sendable, CustomStringConvertible {
    /// The promise in words.
    public let description: String
    let run: @Sendable (Subject) async throws -> Void

    init(_ description: String, _ run: @escaping @Sendable (Subject) async throws -> Void) {
      self.description = description
      self.run = run
    }

    /// Tries the promise on a sink with nothing in it.
    ///
    /// - Throws: `ContractViolation`.
    public func callAsFunction(on subject: Subject) async throws { try await run(subject) }
  }

  /// Every promise.
  public static let checks: [Check] = [order, everyKind, together, soon, closed]

  private static let order = Check("one reporter's events are taken in its order, and none is missing unsaid") {
    subject in
    let sent = (0..<2000).map { "warning \($0)." }
    for text in sent { subject.sink.report(.warning(message: text)) }
    try expectEqual(await subject.count(), sent.count)
    guard let warnings = await subject.warnings?() else { return }
    // What is kept is the newest, without a hole.
    try expect(warnings.count >= min(sent.count, subject.keeps ?? sent.count), "only \(warnings.count) are kept")
    try expectEqual(warnings, sent.suffix(warnings.count))
  }

  private static let everyKind = Check("every kind of event is taken, whatever texts and numbers are in it") {
    subject in
    var taken = 0
    for event in Self.events {
      subject.sink.report(event)
      if case .warning = event { taken += 1 }
      subject.sink.report(.warning(message: "still here"))
      taken += 1
      try expectEqual(await subject.count(), taken)
    }
    if let last = await subject.warnings?().last { try expectEqual(last, "still here") }
  }

  private static let together = Check("many report at the same time: none is lost, each one's order stays") { subject in
    let (reporters, each) = (8, 25)
    await withTaskGroup(of: Void.self) { group in
      for reporter in 0..<reporters {
        group.addTask {
          for number in 0..<each {
            subject.sink.report(.followStarted(follow: "people/\(reporter)"))
            subject.sink.report(.warning(message: "\(reporter) says \(number)."))
            subject.sink.report(.pageCommitted(follow: "people/\(reporter)", done: number, total: each))
            await Task.yield()
          }
        }
      }
    }
    try expectEqual(await subject.count(), reporters * each)
    guard let warnings = await subject.warnings?() else { return }
    for reporter in 0..<reporters {
      let sent = (0..<each).map { "\(reporter) says \($0)." }
      let own = warnings.filter { $0.hasPrefix("\(reporter) ") }
      if subject.keeps == nil { try expectEqual(own.count, each) }
      try expectEqual(own, sent.suffix(own.count))
    }
  }

  private static let soon = Check("reporting is soon over, although nobody takes what was reported") { subject in
    let begun = ContinuousClock.now
    for number in 0..<5_000 { subject.sink.report(.pageCommitted(follow: "people", done: number, total: nil)) }
    subject.sink.report(.warning(message: "done"))
    let took = ContinuousClock.now - begun
    try expect(took < PromisedTime.bound(.seconds(1)), "5,000 events took \(took)")
    try expectEqual(await subject.count(), 1)
  }

  private static let closed = Check("nobody is there any more: reporting goes on and fails for nobody") { subject in
    subject.sink.report(.warning(message: "before"))
    try expectEqual(await subject.count(), 1)
    await subject.close?()
    for event in Self.events { subject.sink.report(event) }
  }

  /// One event of each kind and more, with what a hostile server could put into them.
  static let events: [Event] = {
    let texts = [
      "", "plain", "two\nlines\r\n", "\u{1B}[2J\u{7}\u{0}", "\u{202E}\"quoted\" \\ = ☃",
      String(repeating: "x", count: 20_000),
    ]
    var events: [Event] = [
      .syncStarted(run: "r", follows: []), .followStarted(follow: "people"),
      .budgetTaken(name: "flickr", remaining: .min),
      .requestFinished(method: "GET", url: "", status: -1, bytes: .max, duration: .seconds(-1)),
      .pageCommitted(follow: "people", done: .max, total: 1), .pageCommitted(follow: "people", done: -5, total: 2),
      .pageCommitted(follow: "people", done: 5, total: -1),
      .compacted(bytes: 0, duration: .zero),
    ]
    for text in texts {
      let report = FollowReport(
        follow: text, status: .failed,
        error: Failure(.transport, .internalFault, text, hint: text, code: text, path: text))
      events += [
        .requestStarted(method: text, url: text, attempt: 1),
        .requestFinished(method: text, url: text, status: 200, bytes: 1, duration: .milliseconds(1)),
        .requestFailed(method: text, url: text, code: .timeout, duration: .milliseconds(1)),
        .retryScheduled(url: text, attempt: 2, delay: .seconds(1), reason: text),
        .budgetWait(name: text, seconds: 1), .budgetTaken(name: text, remaining: 1),
        .breakerChanged(host: text, state: .open), .redirect(from: text, to: text, followed: false),
        .syncStarted(run: text, follows: [text]), .followStarted(follow: text),
        .pageCommitted(follow: text, done: 1, total: 2),
        .rejected(follow: text, path: text, expected: text, found: text),
        .followFinished(report: report, duration: .seconds(1)), .edit(id: text, target: text, outcome: .conflict),
        .syncFinished(
          run: text,
          report: SyncReport(
            startedAt: Timestamp(secondsSinceEpoch: 0), finishedAt: Timestamp(secondsSinceEpoch: 0), follows: [report])),
        .warning(message: text),
      ]
    }
    return events
  }()
}
