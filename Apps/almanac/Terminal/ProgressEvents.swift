import Models
import Ports
import Synchronization

/// Turns events into lines that a person reads: progress on a terminal, every exchange with `--verbose`.
final class ProgressEvents: EventSink {
  private struct Line {
    var done = 0
    var total: Int?
    /// The uptime at its beginning.
    var begun = Duration.zero
  }

  /// Why a request is not being answered at the moment.
  private struct Wait {
    /// The address, or the name of the budget.
    @ExactString var subject: String
    var reason: String
  }

  private struct State {
    var order: [String] = []
    var lines: [ExactString: Line] = [:]
    var waits: [Wait] = []
    var images: Line?
    /// The requests without a complete answer, and the uptime at their start.
    var open: [ExactString: Duration] = [:]
    /// The bytes of answers that have arrived so far, and their size, by addresses without a query.
    var received: [ExactString: (bytes: Int, expected: Int?)] = [:]
    /// Whether the lines are written again while nothing happens.
    var isTicking = false
    var kept: Kept?

    /// Takes the reason away; answers whether there was one.
    mutating func endWait(for subject: String) -> Bool {
      let count = waits.count
      waits.removeAll { $0.$subject == subject.exact }
      return waits.count < count
    }
  }

  private struct Kept {
    var follows: [String]
    var ended = 0
    /// The records of follows that have not ended.
    var records: [ExactString: (done: Int, total: Int?)] = [:]
  }

  private let terminal: Terminal
  private let isVerbose: Bool
  /// For rates and waiting times; without it none are shown.
  private let time: (any TimeSource)?
  private let state = Mutex(State())

  /// How long a request or a wait may take before it is shown, and before a rate is.
  private static let timeout = Duration.seconds(3)

  init(terminal: Terminal, isVerbose: Bool, time: (any TimeSource)? = nil) {
    self.terminal = terminal
    self.isVerbose = isVerbose
    self.time = time
  }

  private var now: Duration { time?.uptime ?? .zero }

  func report(_ event: Event) {
    count(event)
    if isVerbose, let line = Self.line(event) { terminal.note(Advice(line)) }
    switch event {
    case .failed(let what, let failure): terminal.complain("warning: \(what): \(failure.message)")
    case .warning(let message): terminal.complain("warning: \(message)")
    case .retryScheduled(let url, _, let delay, let reason)
    where delay >= Self.timeout && !terminal.showsProgress && !isVerbose:
      terminal.note("waiting \(Self.length(delay)): \(reason): \(url)")
    case .budgetWait(let name, let seconds)
    where .seconds(seconds) >= Self.timeout && !terminal.showsProgress && !isVerbose:
      terminal.note("waiting \(Self.length(.seconds(seconds))) for the request limit of \(name)")
    default: break
    }
    guard terminal.showsProgress else { return }
    let wasShown = note(event)
    guard update(event) || wasShown else { return }
    terminal.status(lines())
  }

  /// Takes in how much of an answer has arrived; the lines that are written every second show it.
  ///
  /// - Parameter url: without a query.
  func received(_ url: String, _ bytes: Int, of expected: Int?) {
    state.withLock { $0.received[url.exact] = (bytes, expected) }
  }

  /// The address without a query.
  private static func place(_ url: String) -> ExactString { String(url.prefix { $0 != "?" }).exact }

  /// Remembers which requests have no answer yet. While there are some, the lines are written again every second, so that
  /// a server that hangs is seen.
  ///
  /// - Returns: whether the request that ended was shown.
  private func note(_ event: Event) -> Bool {
    guard let time else { return false }
    let (begins, wasShown) = state.withLock { state -> (Bool, Bool) in
      var start: Duration?
      switch event {
      case .requestStarted(_, let url, _):
        state.open[url.exact] = time.uptime
        state.received[Self.place(url)] = nil
      case .requestFinished(_, let url, _, _, _), .requestFailed(_, let url, _, _):
        start = state.open.removeValue(forKey: url.exact)
        state.received[Self.place(url)] = nil
      default: break
      }
      let wasShown = start.map { time.uptime - $0 >= Self.timeout } ?? false
      guard !state.open.isEmpty, !state.isTicking else { return (false, wasShown) }
      state.isTicking = true
      return (true, wasShown)
    }
    if begins { tick(time) }
    return wasShown
  }

  /// Writes the lines again every second while a request has no answer.
  private func tick(_ time: any TimeSource) {
    Task { [weak self] in
      while (try? await time.sleep(for: .seconds(1))) != nil, let self {
        let goesOn = state.withLock { state -> Bool in
          state.isTicking = !state.open.isEmpty
          return state.isTicking
        }
        guard goesOn else { return }
        terminal.status(lines())
      }
    }
  }

  /// What stays of a sync that is stopped now, for a person; `nil` where no sync is under way.
  ///
  /// - Parameter isFollowed: whether a sync that names no path asks for this one.
  func kept(isFollowed: @Sendable (String) -> Bool) -> Advice? {
    state.withLock { state -> Advice? in
      guard let kept = state.kept else { return nil }
      let begun = kept.records.sorted { $0.key < $1.key }.filter { $0.value.done > 0 }
      guard kept.ended > 0 || !begun.isEmpty else { return "nothing had come yet, and nothing was changed" }
      var parts = ["\(kept.ended) of \(kept.follows.count.counted("follow"))"]
      parts += begun.map { "\($0.value.done.counted("record")) of \(Printable.text($0.key.text))" }
      // A list whose length is not known, or that is complete, is one page.
      let resumed = begun.filter { $0.value.total.map { [done = $0.value.done] in done < $0 } ?? false }
        .map { $0.key.text }
      let followed = resumed.filter { isFollowed($0) }.map { Printable.text($0) }
      let named = resumed.filter { !isFollowed($0) }
      var next: [Advice] = []
      if kept.follows.contains(where: { isFollowed($0) }) { next.append("the next sync asks for every follow again") }
      if !followed.isEmpty {
        let words = followed.count == 1 ? "continues where it stopped" : "continue where they stopped"
        next.append("\(followed.joined(separator: ", ")) \(words)")
      }
      if !named.isEmpty {
        let words = named.count == 1 ? "it stopped" : "they stopped"
        next.append("\(command: ["sync"] + named) continues where \(words)")
      }
      let words: Advice = "kept: \(parts.joined(separator: ", "))"
      return next.isEmpty ? words : "\(words)\n\(next.joined(separator: "; "))"
    }
  }

  private func count(_ event: Event) {
    state.withLock { state in
      switch event {
      case .syncStarted(_, let follows): state.kept = Kept(follows: follows)
      case .pageCommitted(let follow, let done, let total): state.kept?.records[follow.exact] = (done, total)
      case .followFinished(let report, _) where report.status != .failed:
        state.kept?.records[report.follow.exact] = nil
        state.kept?.ended += 1
      case .syncFinished: state.kept = nil
      default: break
      }
    }
  }

  private func update(_ event: Event) -> Bool {
    state.withLock { state in
      switch event {
      case .followStarted(let follow):
        state.order.append(follow)
        state.lines[follow.exact] = Line(begun: now)
      case .pageCommitted(let follow, let done, let total):
        let begun = state.lines[follow.exact]?.begun ?? now
        state.lines[follow.exact] = Line(done: done, total: total, begun: begun)
      case .picture(let done, let total):
        let images = Line(done: done, total: total, begun: state.images?.begun ?? now)
        state.images = done < total ? images : nil
      case .retryScheduled(let url, let attempt, let delay, let reason):
        let reason = "\(reason), try \(attempt) in \(Self.seconds(delay)) s"
        state.waits.removeAll { $0.$subject == url.exact }
        state.waits.append(Wait(subject: url, reason: reason))
      case .requestStarted(_, let url, let attempt) where attempt > 1: return state.endWait(for: url)
      case .requestFinished(_, let url, _, _, _), .requestFailed(_, let url, _, _): return state.endWait(for: url)
      case .budgetWait(let name, let seconds):
        state.waits.removeAll { $0.$subject == name.exact }
        state.waits.append(Wait(subject: name, reason: "waits \(seconds) s for the request limit"))
      case .budgetTaken(let name, _): return state.endWait(for: name)
      case .followFinished(let report, _):
        state.order.removeAll { $0.exact == report.follow.exact }
        state.lines[report.follow.exact] = nil
      case .syncFinished:
        state.order = []
        state.lines = [:]
        state.waits = []
      default: return false
      }
      return true
    }
  }

  private func lines() -> [String] {
    let width = (terminal.messageWidth ?? 80) - 1
    return state.withLock { state in
      // Of all follows, so that nothing moves while some of them end.
      let all = state.kept.map(\.follows) ?? state.order
      let column = min(all.lazy.map { Printable.width(Printable.text($0)) }.max() ?? 0, width / 2)
      func text(of line: Line, named name: String) -> String {
        let gap = String(repeating: " ", count: max(0, column - Printable.width(name)))
        return self.text(of: line, named: name + gap, width)
      }
      let follows = state.order.prefix(8).map { follow in
        text(of: state.lines[follow.exact] ?? Line(begun: now), named: Printable.text(follow))
      }
      let images = state.images.map { [text(of: $0, named: "images")] } ?? []
      // The reason comes first, because addresses are long.
      let waits = state.waits.prefix(4).map { wait in
        Printable.fitted(Printable.text("  \(wait.reason): \(wait.subject)"), width)
      }
      let waiting = Set(state.waits.map(\.$subject))
      let slow = state.open.filter { now - $0.value >= Self.timeout && !waiting.contains($0.key) }
        .sorted { ($0.value, $0.key) < ($1.value, $1.key) }.prefix(4).map { url, start in
          let words = Self.words(state.received[Self.place(url.text)], after: now - start)
          return Printable.fitted("  \(words): \(Printable.text(url.text))", width)
        }
      return follows + images + waits + slow
    }
  }

  /// What a person sees of a request that takes long.
  private static func words(_ received: (bytes: Int, expected: Int?)?, after duration: Duration) -> String {
    guard let received, received.bytes > 0 else { return "\(length(duration)) without an answer" }
    let size = received.expected.map { " of \(amount($0))" } ?? ""
    let rate = Int(Double(received.bytes) / (duration / .seconds(1)))
    return "\(length(duration)), \(amount(received.bytes))\(size), \(amount(rate))/s"
  }

  /// A number of bytes as a person reads it: `512 B`, `34 kB`, `1.2 MB`.
  private static func amount(_ bytes: Int) -> String {
    switch bytes {
    case ..<1000: "\(bytes) B"
    case ..<1_000_000: "\(bytes / 1000) kB"
    default: "\(bytes / 1_000_000).\(bytes / 100_000 % 10) MB"
    }
  }

  /// A line with its bar, and once it can be told, the rate and the time that is left.
  private func text(of line: Line, named name: String, _ width: Int) -> String {
    var text = name + "  "
    guard let total = line.total, total > 0 else {
      return Printable.fitted(text + (line.done > 0 ? "\(line.done)" : "…"), width)
    }
    let filled = Int(20 * min(1, max(0, Double(line.done) / Double(total))))
    text += String(repeating: "█", count: filled) + String(repeating: "░", count: 20 - filled)
    let done = "\(line.done)"
    text += " " + String(repeating: " ", count: max(0, "\(total)".count - done.count)) + "\(done)/\(total)"
    let elapsed = now - line.begun
    if line.done > 0, line.done < total, elapsed >= Self.timeout {
      let rate = Double(line.done) / (elapsed / .seconds(1))
      let tenths = Int(rate * 10)
      text += rate < 10 ? "  \(tenths / 10).\(tenths % 10)/s" : "  \(Int(rate))/s"
      text += ", \(Self.length(.seconds(min(Double(total - line.done) / rate, 1e9)))) left"
    }
    return Printable.fitted(text, width)
  }

  /// A length as a person reads it: `12 s`, `3 min`, `2 h`.
  private static func length(_ duration: Duration) -> String {
    switch Int(duration.components.seconds) {
    case let seconds where seconds < 100: "\(seconds) s"
    case let seconds where seconds < 6000: "\((seconds + 30) / 60) min"
    case let seconds: "\((seconds + 1800) / 3600) h"
    }
  }

  /// A delay as a person reads it: `0.4`, `3.2`, `12`.
  private static func seconds(_ delay: Duration) -> String {
    let tenths = (milliseconds(delay) + 50) / 100
    return tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\(tenths / 10)"
  }

  private static func line(_ event: Event) -> String? {
    switch event {
    case .requestStarted(let method, let url, let attempt):
      "> \(method) \(Printable.text(url))\(attempt > 1 ? " (try \(attempt))" : "")"
    case .requestFinished(_, let url, let status, let bytes, let duration):
      "< \(status) \(bytes) bytes in \(milliseconds(duration)) ms  \(Printable.text(url))"
    case .requestFailed(_, let url, let code, let duration):
      "< \(code.rawValue) after \(milliseconds(duration)) ms  \(Printable.text(url))"
    case .retryScheduled(let url, let attempt, let delay, let reason):
      "  \(reason); try \(attempt) in \(milliseconds(delay)) ms  \(Printable.text(url))"
    case .budgetWait(let name, let seconds): "  waits \(seconds) s for the budget of \(name)"
    case .redirect(let from, let to, let followed):
      "  redirect \(followed ? "followed" : "refused"): \(Printable.text(from)) → \(Printable.text(to))"
    case .rejected(let follow, let path, let expected, let found):
      "  \(follow): rejected \(path): expected \(expected), found \(Printable.text(found))"
    case .program(let source, let line): "  \(source): \(Printable.text(line))"
    case .edit(let id, let target, let outcome): "  edit \(id) of \(target): \(outcome.rawValue)"
    default: nil
    }
  }

  private static func milliseconds(_ duration: Duration) -> Int {
    Int(duration.components.seconds) * 1000 + Int(duration.components.attoseconds / 1_000_000_000_000_000)
  }
}
