import Models
import Ports

/// A fetch of the pictures that records name: one that is under way, or what became of the last one.
struct PictureFetch: Sendable, Equatable {
  /// Whether it is under way.
  var isRunning = false
  /// New pictures.
  var fetched = 0
  /// Pictures that could not be fetched, or are too large.
  var failed = 0
  /// Pictures that were not asked for, because of a limit or because their host does not answer.
  var left = 0
  /// Why pictures are missing, from the first of them.
  var problem: String?
  /// When it ended; `nil` where none has ended since the start.
  var at: Timestamp?

  /// How many pictures are not there although records name them: at least one where there is a problem.
  var missing: Int { max(failed + left, problem == nil ? 0 : 1) }

  /// Takes the result of a fetch.
  mutating func take(_ report: MediaReport) {
    fetched = report.fetched
    failed = report.failed.count + report.skipped.count
    left = max(0, report.left - report.skipped.count)
    let first = report.failed.first ?? report.skipped.first
    problem = first.map { "\(failed) \(failed == 1 ? "is" : "are") missing: \($0.message)" }
    if problem == nil, let host = report.unreachable.first {
      problem = "\(host.address) does not answer, and \(left) \(left == 1 ? "is" : "are") missing"
    }
  }

  /// The result in one line; `nil` where there is none yet.
  var summary: String? {
    if isRunning { return "Fetching pictures" }
    guard at != nil else { return nil }
    var parts = [fetched == 0 ? "No new pictures" : "\(fetched) new \(fetched == 1 ? "picture" : "pictures")"]
    if let problem { parts.append(problem) } else if left > 0 { parts.append("\(left) are left for the next time") }
    return parts.joined(separator: "; ")
  }

  /// The form of the API and of events.
  var fields: JSONObject {
    var fields: JSONObject = [
      "state": .string(isRunning ? "running" : at == nil ? "idle" : "done"), "fetched": .int(fetched),
      "failed": .int(failed), "left": .int(left),
    ]
    fields.append("problem", problem)
    fields.append("at", at?.description)
    return fields
  }
}
