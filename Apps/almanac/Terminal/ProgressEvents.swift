import Models
import Ports
import Synchronization

/// Turns events into lines that a person reads: progress on a terminal, every exchange with `--verbose`.
final class ProgressEvents: EventSink {
  private struct Line {
    var done = 0
    var total: Int?
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
    var kept: Kept?

    /// Takes the reason away; answers whether there was one.
    mutating func endWait(for subject: String) -> Bool {
      let count = waits.count
      waits.removeAll { $0.$subject == subject.exact }
      return waits.count < count
    }
  }

  /// What a sync has committed so far.
  private struct Kept {
    var follows: [String]
    var ended = 0
    /// The records of follows that have not ended.
    var records: [ExactString: (done: Int, total: Int?)] = [:]
  }

  private let terminal: Terminal
  private let isVerbose: Bool
  private let state = Mutex(State())

  /// Reports to a terminal.
  init(terminal: Terminal, isVerbose: Bool) {
    self.terminal = terminal
    self.isVerbose = isVerbose
  }

  func report(_ event: Event) {
    count(event)
    if isVerbose, let line = Self.line(event) { terminal.note(line) }
    if case .warning(let message) = event { terminal.complain("warning: \(Printable.text(message))") }
    guard terminal.showsProgress, update(event) else { return }
    terminal.status(lines())
  }

  /// What stays of a sync that is stopped now, for a person; `nil` where no sync is under way.
  ///
  /// - Parameter isFollowed: whether a sync that names no path asks for this one.
  func kept(isFollowed: @Sendable (String) -> Bool) -> String? {
    state.withLock { state -> String? in
      guard let kept = state.kept else { return nil }
      let begun = kept.records.sorted { $0.key < $1.key }.filter { $0.value.done > 0 }
      guard kept.ended > 0 || !begun.isEmpty else { return "nothing had come yet, and nothing was changed" }
      var parts = ["\(kept.ended) of \(kept.follows.count) follows"]
      parts += begun.map { "\($0.value.done) records of \(Printable.text($0.key.text))" }
      // A list whose length is not known, or that is complete, is one page.
      let resumed = begun.filter { $0.value.total.map { [done = $0.value.done] in done < $0 } ?? false }
        .map { $0.key.text }
      let followed = resumed.filter { isFollowed($0) }.map { Printable.text($0) }
      let named = resumed.filter { !isFollowed($0) }.map { Printable.text($0) }
      var next: [String] = []
      if kept.follows.contains(where: { isFollowed($0) }) { next.append("the next sync asks for every follow again") }
      if !followed.isEmpty {
        let words = followed.count == 1 ? "continues where it stopped" : "continue where they stopped"
        next.append("\(followed.joined(separator: ", ")) \(words)")
      }
      if !named.isEmpty {
        let words = named.count == 1 ? "it stopped" : "they stopped"
        next.append("'almanac sync \(named.joined(separator: " "))' continues where \(words)")
      }
      let rest = next.isEmpty ? "" : "\n" + next.joined(separator: "; ")
      return "kept: \(parts.joined(separator: ", "))\(rest)"
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
        state.lines[follow.exact] = Line()
      case .pageCommitted(let follow, let done, let total): state.lines[follow.exact] = Line(done: done, total: total)
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
      let follows = state.order.prefix(8).map { follow in
        let line = state.lines[follow.exact] ?? Line()
        var text = Printable.text(follow) + "  "
        if let total = line.total, total > 0 {
          let filled = Int(20 * min(1, max(0, Double(line.done) / Double(total))))
          text += String(repeating: "█", count: filled) + String(repeating: "░", count: 20 - filled)
          text += " \(line.done)/\(total)"
        } else {
          text += line.done > 0 ? "\(line.done)" : "…"
        }
        return Printable.fitted(text, width)
      }
      // The reason comes first, because addresses are long.
      let waits = state.waits.prefix(4).map { wait in
        Printable.fitted(Printable.text("  \(wait.reason): \(wait.subject)"), width)
      }
      return follows + waits
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
    case .edit(let id, let target, let outcome): "  edit \(id) of \(target): \(outcome.rawValue)"
    default: nil
    }
  }

  private static func milliseconds(_ duration: Duration) -> Int {
    Int(duration.components.seconds) * 1000 + Int(duration.components.attoseconds / 1_000_000_000_000_000)
  }
}
