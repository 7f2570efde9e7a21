import Models
import Ports
import Synchronization

/// Turns events into lines that a person reads: progress on a terminal, every exchange with `--verbose`.
final class ProgressEvents: EventSink {
  private struct Line {
    var done = 0
    var total: Int?
    var note: String?
  }

  private struct State {
    var order: [String] = []
    var lines: [String: Line] = [:]
    var kept: Kept?
  }

  /// What a sync has committed so far.
  private struct Kept {
    var follows: Int
    var ended = 0
    var records: [String: Int] = [:]
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
  var kept: String? {
    state.withLock { state in
      guard let kept = state.kept else { return nil }
      let under = kept.records.sorted { $0.key < $1.key }.filter { $0.value > 0 }
      guard kept.ended > 0 || !under.isEmpty else { return "nothing had come yet, and nothing was changed" }
      var parts = ["\(kept.ended) of \(kept.follows) follows"]
      parts += under.map { "\($0.value) records of \(Printable.text($0.key))" }
      return "kept: \(parts.joined(separator: ", ")); the next sync goes on from there"
    }
  }

  private func count(_ event: Event) {
    state.withLock { state in
      switch event {
      case .syncStarted(_, let follows): state.kept = Kept(follows: follows.count)
      case .pageCommitted(let follow, let done, _): state.kept?.records[follow] = done
      case .followFinished(let report, _) where report.status != .failed:
        state.kept?.records[report.follow] = nil
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
        state.lines[follow] = Line()
      case .pageCommitted(let follow, let done, let total): state.lines[follow] = Line(done: done, total: total)
      case .retryScheduled(_, let attempt, let delay, let reason):
        guard let last = state.order.last else { return false }
        state.lines[last]?.note = "\(reason), try \(attempt) in \(delay.components.seconds) s"
      case .budgetWait(let name, let seconds):
        guard let last = state.order.last else { return false }
        state.lines[last]?.note = "waits \(seconds) s for the budget of \(name)"
      case .followFinished(let report, _):
        state.order.removeAll { $0 == report.follow }
        state.lines[report.follow] = nil
      case .syncFinished:
        state.order = []
        state.lines = [:]
      default: return false
      }
      return true
    }
  }

  private func lines() -> [String] {
    let width = (terminal.width ?? 80) - 1
    return state.withLock { state in
      state.order.prefix(8).map { follow in
        let line = state.lines[follow] ?? Line()
        var text = Printable.text(follow) + "  "
        if let total = line.total, total > 0 {
          let filled = Int(20 * min(1, max(0, Double(line.done) / Double(total))))
          text += String(repeating: "█", count: filled) + String(repeating: "░", count: 20 - filled)
          text += " \(line.done)/\(total)"
        } else {
          text += line.done > 0 ? "\(line.done)" : "…"
        }
        if let note = line.note { text += "  \(note)" }
        return Printable.fitted(text, width)
      }
    }
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
