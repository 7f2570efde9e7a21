import Models
import Ports

/// What the manifest says of the past: the runs of reverse deltas, from when on they count, and what is kept.
struct History: Hashable, Sendable {
  /// A file of changes: a line per record, by id. Those of a collection follow one another in time.
  struct Run: Hashable, Sendable {
    var part: Manifest.Part
    /// The commits of its changes.
    var first: UInt64
    var last: UInt64
    /// The times of these commits, in seconds since 1970.
    var least: Int
    var most: Int
    /// Whether a clock was set back between them.
    var isMixed = false
    var changes: Int

    mutating func add(_ other: Run, isMixed: Bool) {
      (first, last) = (min(first, other.first), max(last, other.last))
      (least, most) = (min(least, other.least), max(most, other.most))
      self.isMixed = self.isMixed || isMixed
      changes += other.changes
    }
  }

  /// The policy of a collection, and from which commit on its states are known.
  struct Kept: Hashable, Sendable {
    var policy: HistoryPolicy
    var since: UInt64
    var sinceAt: Int
    /// Fields that states before a commit lack: those that are quiet (`.max`), or were until then.
    var hidden: [Hidden] = []

    struct Hidden: Hashable { var field: String, until: UInt64 }

    /// The names, as they are written in records, that a state lacks.
    func hiddenNames(at commit: UInt64) -> [[UInt8]] {
      hidden.filter { commit < $0.until }.map { Array("\"\($0.field)\"".utf8) }
    }
  }

  /// States of records that a repair could not save.
  struct Lost: Hashable, Sendable {
    var collection: String
    /// From the state of one commit up to that before another.
    var commits: Range<UInt64>
    /// The ids between which they are, and which are not lost; `nil` for no bound.
    var after: [UInt8]?
    var before: [UInt8]?

    func holds(_ key: ByteSlice) -> Bool {
      (after.map { $0.withByteSlice { $0.compare(key) < 0 } } ?? true)
        && (before.map { $0.withByteSlice { key.compare($0) < 0 } } ?? true)
    }
  }

  /// The commit whose state is the first known one, and its time.
  var begins: UInt64
  var beginsAt: Int
  /// In their order in time for each collection. The notes of commits are those of `notes`.
  var runs: [Run] = []
  var kept: [String: Kept] = [:]
  var lost: [Lost] = []

  /// Has no collection's name, whose characters are others.
  static let notes = "_commits"

  func runs(of collection: String) -> [Run] { runs.filter { $0.part.collection == collection } }
}

extension History {
  var lines: String {
    var text = "begins \(begins) \(beginsAt)\n"
    for run in runs {
      let part = run.part
      text += "history \(part.collection) \(part.version) \(run.first) \(run.last) \(run.least) \(run.most)"
      text += " \(run.isMixed ? 1 : 0) \(run.changes) \(part.records) \(part.bytes) \(hexadecimalText(part.sum))\n"
    }
    for (name, kept) in kept.sorted(by: { $0.key < $1.key }) {
      let keep =
        switch kept.policy.keep {
        case .none: "none"
        case .forever: "forever"
        case .days(let days): String(days)
        }
      text += "policy \(name) \(kept.since) \(kept.sinceAt) \(keep)"
      for field in kept.policy.daily { text += " daily=\(hexadecimalText(of: Array(field.utf8)))" }
      for hidden in kept.hidden { text += " quiet=\(hexadecimalText(of: Array(hidden.field.utf8)))@\(hidden.until)" }
      text += "\n"
    }
    for lost in lost {
      let (after, before) = (lost.after.map(hexadecimalText(of:)), lost.before.map(hexadecimalText(of:)))
      text += "lost \(lost.collection) \(lost.commits.lowerBound) \(lost.commits.upperBound)"
      text += " \(after ?? "-") \(before ?? "-")\n"
    }
    return text
  }

  /// Takes a line of the manifest; false where it is wrong.
  mutating func take(_ words: [String]) -> Bool {
    switch words[0] {
    case "history":
      guard words.count == 12, let version = UInt64(words[2]), let first = UInt64(words[3]),
        let last = UInt64(words[4]),
        let least = Int(words[5]), let most = Int(words[6]), let changes = Int(words[8]), let records = Int(words[9]),
        let bytes = Int(words[10]), let sum = UInt64(words[11], radix: 16)
      else { return false }
      let part = Manifest.Part(
        collection: words[1], version: version, records: records, bytes: bytes, sum: sum, isHistory: true)
      runs.append(
        Run(part: part, first: first, last: last, least: least, most: most, isMixed: words[7] == "1", changes: changes))
    case "policy":
      guard words.count >= 5, let since = UInt64(words[2]), let sinceAt = Int(words[3]) else { return false }
      var policy = HistoryPolicy(
        words[4] == "none" ? .none : words[4] == "forever" ? .forever : .days(Int(words[4]) ?? 0))
      var hidden: [Kept.Hidden] = []
      for word in words.dropFirst(5) {
        let parts = word.split(separator: "=")
        let values = parts.last?.split(separator: "@") ?? []
        guard parts.count == 2, let bytes = values.first.flatMap({ bytes(hexadecimal: $0) }) else { return false }
        let field = String(decoding: bytes, as: UTF8.self)
        if parts[0] == "daily" {
          policy.daily.append(field)
        } else {
          guard values.count == 2, let until = UInt64(values[1]) else { return false }
          hidden.append(Kept.Hidden(field: field, until: until))
          if until == .max { policy.quiet.append(field) }
        }
      }
      kept[words[1]] = Kept(policy: policy, since: since, sinceAt: sinceAt, hidden: hidden)
    case "lost":
      guard words.count == 6, let from = UInt64(words[2]), let until = UInt64(words[3]), from <= until else {
        return false
      }
      lost.append(
        Lost(
          collection: words[1], commits: from..<until, after: bytes(hexadecimal: words[4]),
          before: bytes(hexadecimal: words[5])))
    default: return false
    }
    return true
  }
}
