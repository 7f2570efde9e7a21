import Models
import Ports

extension Event {
  /// The event as listeners of the API get it; `nil` for those that are of no use to them.
  var progress: JSONObject? {
    switch self {
    case .syncStarted(let run, let follows):
      ["kind": "syncStarted", "run": .string(run), "follows": .array(follows.map { .string($0) })]
    case .followStarted(let follow): ["kind": "followStarted", "follow": .string(follow)]
    case .pageCommitted(let follow, let done, let total):
      JSONObject(
        ["kind": "pageCommitted", "follow": .string(follow), "done": .int(done)], "total", total.map { .int($0) })
    case .followFinished(let report, let duration):
      [
        "kind": "followFinished", "follow": .string(report.follow), "report": .object(report.fields),
        "milliseconds": .int(duration.milliseconds),
      ]
    case .syncFinished(let run, let report):
      [
        "kind": "syncFinished", "run": .string(run), "totals": .object(report.totals.fields),
        "outbox": .object(report.outbox.fields),
      ]
    case .edit(let id, let target, let outcome):
      ["kind": "edit", "id": .string(id), "target": .string(target), "outcome": .string(outcome.rawValue)]
    case .rejected(let follow, let path, let expected, let found):
      [
        "kind": "rejected", "follow": .string(follow), "path": .string(path), "expected": .string(expected),
        "found": .string(found),
      ]
    case .budgetWait(let name, let seconds):
      ["kind": "budgetWait", "budget": .string(name), "seconds": .int(seconds)]
    case .breakerChanged(let host, let state):
      ["kind": "breakerChanged", "host": .string(host), "state": .string(state.rawValue)]
    case .compacted(let bytes, _): ["kind": "compacted", "bytes": .int(bytes)]
    case .warning(let message): ["kind": "warning", "message": .string(message)]
    case .requestStarted, .requestFinished, .requestFailed, .retryScheduled, .budgetTaken, .redirect: nil
    }
  }
}

extension JSONObject {
  /// An object with one member more, unless that is `nil`.
  fileprivate init(_ object: JSONObject, _ key: String, _ value: JSONValue?) {
    self = object
    append(key, value)
  }
}

extension Duration {
  /// Whole milliseconds.
  var milliseconds: Int {
    Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
  }

  /// Seconds, with their fraction.
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
