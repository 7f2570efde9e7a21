import Models
public import Ports

/// The requirements for every adapter of `EventSink`, checked for the fakes and for the adapters of both apps.
///
/// Run each of `checks` with a closure that creates an empty sink. A check throws if the sink violates it.
public enum EventSinkContract {
  public struct Subject: Sendable {
    public var sink: any EventSink
    /// The warnings that the sink received, in order; `nil` if it only counts them.
    public var warnings: (@Sendable () async -> [String])?
    /// The number of warnings that the sink received, including those that it dropped.
    public var count: @Sendable () async -> Int
    /// The number of the newest warnings that it keeps without a receiver; `nil` if it drops none.
    public var keeps: Int?
    /// Removes the receiver, such as a closed screen or a disconnected listener.
    public var close: (@Sendable () async -> Void)?

    public init(
      _ sink: any EventSink, warnings: (@Sendable () async -> [String])?, count: @escaping @Sendable () async -> Int,
      keeps: Int? = nil, close: (@Sendable () async -> Void)? = nil
    ) {
      (self.sink, self.warnings, self.count, self.keeps, self.close) = (sink, warnings, count, keeps, close)
    }
  }

  public struct Check: Sendable, CustomStringConvertible {
    public let description: String
    let run: @Sendable (Subject) async throws -> Void

    init(_ description: String, _ run: @escaping @Sendable (Subject) async throws -> Void) {
      (self.description, self.run) = (description, run)
    }

    /// Checks the requirement on an empty sink.
    ///
    /// - Throws: `ContractViolation`.
    public func callAsFunction(on subject: Subject) async throws { try await run(subject) }
  }

  public static let checks: [Check] = [order, everyKind, together, soon, closed]

  private static let order = Check("the events of one task are received in order, and no loss is hidden") {
    subject in
    let sent = (0..<2000).map { "warning \($0)." }
    for text in sent { subject.sink.report(.warning(message: Advice(text))) }
    try expectEqual(await subject.count(), sent.count)
    guard let warnings = await subject.warnings?() else { return }
    // The sink must keep the newest warnings without a gap.
    try expect(warnings.count >= min(sent.count, subject.keeps ?? sent.count), "only \(warnings.count) are kept")
    try expectEqual(warnings, sent.suffix(warnings.count))
  }

  private static let everyKind = Check("events of every kind are received, with any text and numbers") {
    subject in
    var taken = 0
    for event in Self.events {
      subject.sink.report(event)
      switch event {
      case .failed, .warning: taken += 1
      default: break
      }
      subject.sink.report(.warning(message: "still here"))
      taken += 1
      try expectEqual(await subject.count(), taken)
    }
    if let last = await subject.warnings?().last { try expectEqual(last, "still here") }
  }

  private static let together = Check("concurrent tasks lose no event, and each keeps its order") { subject in
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

  private static let soon = Check("reporting returns promptly without a receiver") { subject in
    let begun = ContinuousClock.now
    for number in 0..<5_000 { subject.sink.report(.pageCommitted(follow: "people", done: number, total: nil)) }
    subject.sink.report(.warning(message: "done"))
    let took = ContinuousClock.now - begun
    try expect(took < PromisedTime.bound(.seconds(1)), "5,000 events took \(took)")
    try expectEqual(await subject.count(), 1)
  }

  private static let closed = Check("reporting continues after the receiver has gone") { subject in
    subject.sink.report(.warning(message: "before"))
    try expectEqual(await subject.count(), 1)
    await subject.close?()
    for event in Self.events { subject.sink.report(event) }
  }

  /// At least one event of each kind, with text and numbers that a hostile server could send.
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
        error: Failure(.transport, .internalFault, text, hint: Advice(text), code: .reported(text), path: text))
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
        .failed(what: text, failure: Failure(.store, .internalFault, text)), .warning(message: Advice(text)),
      ]
    }
    return events
  }()
}
