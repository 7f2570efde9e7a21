import Hummingbird
import Models
import Ports

/// What became of something that a form began. The script asks for it until it has ended, and shows it in the note of the form.
struct Outcome {
  enum Tone: String {
    /// It goes on; `late` after something that failed.
    case busy, late
    case good, bad
  }

  let text: HTML
  let tone: Tone
  /// Whether it is said after what the note of the form says, and not in place of it.
  var isAdded = false

  private static let path = "/outcome"

  static func address(ofRun run: String) -> String { "\(path)/runs/\(percentEncoded(run))" }

  /// The address for the first sync of a follow.
  static func address(ofFollow follow: String) -> String { Shown.place("outcome/follows", follow) }

  /// - Parameter entry: the edit before it is sent again: another attempt than its last one is waited for.
  static func address(of entry: OutboxEntry) -> String {
    "\(path)/edits/\(percentEncoded(entry.id))?attempts=\(entry.attempts)"
  }

  /// The address for an edit of a record that waits to be sent; `nil` where none does.
  static func address(ofEditOf target: String, _ services: DaemonServices) -> String? {
    (try? services.outbox.entries())?.last { $0.$target == target.exact && $0.state == .pending }.map(address(of:))
  }

  static func routes(_ parts: API.Parts) -> [Route] {
    [
      Route(.get, "\(path)/runs/{id}", .page) { call in
        try await run(call.part("id"), call.services, parts).response
      },
      Route(.get, "\(path)/follows/**", .page) { call in
        try await first(API.followed(call.rest(after: 2), call), call.services, parts).response
      },
      Route(.get, "\(path)/edits/{id}", .page) { call in
        let attempts = call.query("attempts").flatMap { Int($0) } ?? 0
        let entry = try call.services.outbox.entries().first { $0.$id == call.part("id").exact }
        let plan = await parts.scheduler.sendPlans[call.part("id").exact]
        let outcome = edit(entry, after: attempts, next: plan?.next)
        guard outcome.tone == .busy, plan?.isSending == false, let next = plan?.next, next > call.services.time.now
        else {
          return outcome.response
        }
        return Outcome(text: "Not sent yet. Next try \(Shown.due(next)).", tone: .busy, isAdded: true).response
      },
    ]
  }

  private var response: Response {
    let html: HTML = "<p class=\"\(tone.rawValue)\"\(isAdded ? " data-more" as HTML : nil)>\(text)</p>"
    return Response(
      type: "text/html; charset=utf-8", Array(html.text.utf8),
      headers: [.contentSecurityPolicy: Page.policy, .cacheControl: "no-store"])
  }

  /// - Throws: `Failure`, `notFound` where there is no such run.
  private static func run(_ id: String, _ services: DaemonServices, _ parts: API.Parts) async throws -> Outcome {
    let run = try await API.run(id, services, parts)
    switch run["state"]?.string.flatMap(RunState.init) {
    case .queued, .running: return Outcome(text: "Syncing…", tone: .busy)
    case .interrupted: return Outcome(text: "The sync was interrupted", tone: .bad)
    case .done, .failed, nil: break
    }
    if let error = run["error"]?.object.flatMap(Failure.init(stored:)) {
      return Outcome(text: "The sync failed: \(Shown.sentence(error.message))", tone: .bad)
    }
    let lines = (run["follows"]?.array ?? []).compactMap(\.object).compactMap { RunLine(run, $0) }
    let status = (try? services.statusCache.read(services).status.follows) ?? []
    return of(lines, status: status.first { $0.follow.exact == lines.first?.follow.exact })
  }

  /// What the last sync of a follow brought, which is its first one.
  private static func first(
    _ follow: Follow, _ services: DaemonServices, _ parts: API.Parts
  ) async throws -> Outcome {
    let status = try services.statusCache.read(services).status.follows.first { $0.follow.exact == follow.path.exact }
    var outcome = Outcome(text: "The first sync begins.", tone: .busy)
    if await parts.scheduler.awaited.contains(follow.path.exact) {
      outcome = Outcome(text: "Syncing…", tone: .busy)
    } else if follow.isPaused {
      outcome = Outcome(text: "It is paused.", tone: .good)
    } else if status?.lastSuccess != nil || status?.error != nil {
      var last: RunLine?
      try RunLine.each(services) { line in
        if line.follow.exact == follow.path.exact { last = line }
        return last == nil ? .next : .stop
      }
      outcome = last.map { of([$0], status: status) } ?? Outcome(text: "Synced", tone: .good)
    }
    outcome.isAdded = true
    return outcome
  }

  /// What a run brought.
  ///
  /// - Parameter status: of the first follow, which says whether it failed before, and when it is tried again.
  static func of(_ lines: [RunLine], status: FollowStatus?) -> Outcome {
    let counts = [
      (lines.reduce(0) { $0 + $1.added }, "new"), (lines.reduce(0) { $0 + $1.updated }, "changed"),
      (lines.reduce(0) { $0 + $1.removed }, "gone"),
    ].filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
    let rejected = lines.reduce(0) { $0 + $1.rejected }
    let brought =
      (counts.isEmpty ? "nothing new" : counts.joined(separator: ", "))
      + (rejected > 0 ? ", \(grouped(rejected)) rejected" : "")
    let failed = lines.filter { $0.error != nil }
    guard let error = failed.first?.error else { return Outcome(text: "Synced: \(brought)", tone: .good) }
    if lines.count > 1 {
      let rest = lines.count == failed.count ? "" : " The others: \(brought)."
      return Outcome(text: "\(grouped(failed.count)) of \(lines.count.counted("follow")) failed.\(rest)", tone: .bad)
    }
    let next = status?.next.map { " Next try \(Shown.due($0))." as HTML }
    let title = Trouble(failure: status?.error ?? error, follow: lines[0].follow).title
    return Outcome(
      text: "Failed\(status?.failures ?? 0 > 1 ? " again" : ""): \(title)\(title.hasSuffix(".") ? "" : ".")\(next)",
      tone: .bad)
  }

  /// What a server made of an edit.
  ///
  /// - Parameters:
  ///   - entry: the edit as it waits; `nil` where it waits no more.
  ///   - attempts: how often it had been tried before.
  ///   - next: when it is sent next.
  static func edit(_ entry: OutboxEntry?, after attempts: Int, next: Timestamp?) -> Outcome {
    func outcome(_ text: HTML, _ tone: Tone) -> Outcome { Outcome(text: text, tone: tone, isAdded: tone != .bad) }
    guard let entry else { return outcome("The server has accepted it.", .good) }
    let reason = entry.lastError.map { ": \(Shown.short(Shown.sentence($0)))" } ?? "."
    switch entry.state {
    case .refused: return outcome("The server refused the edit\(attempts > 0 ? " again, just now" : "")\(reason)", .bad)
    case .conflict: return outcome("It is kept here; the server has other values now. Decide which stay.", .bad)
    case .pending where entry.attempts > attempts && entry.lastError != nil && !entry.outcomeUnknown:
      let time = (entry.retryAt ?? next).map { " Next try \(Shown.due($0))." as HTML }
      return outcome("Not sent\(reason)\(time)", .late)
    case .pending: return outcome("Sending…", .busy)
    }
  }
}
