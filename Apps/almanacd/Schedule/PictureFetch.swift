import Models
import Ports

/// A fetch of the pictures that records name: one that is under way, or what became of the last one.
struct PictureFetch: Sendable, Equatable {
  var isRunning = false
  /// Whether the daemon that leads has not begun it yet.
  var isWaiting = false
  var fetched = 0
  /// Pictures that could not be fetched, or are too large.
  var failed = 0
  /// Pictures that were not asked for, because of a limit or because their host does not answer.
  var left = 0
  /// Why pictures are missing, from the first of them.
  var problem: String?
  /// The hosts that do not answer, with the number of pictures that are missing for it.
  var silentHosts: [MediaReport.Host] = []
  /// When it ended; `nil` where none has ended since the start.
  var at: Timestamp?
  /// Whether the store could not be used. Its problem is reported as that of the store, and the pictures are fetched later.
  var isInterrupted = false

  /// Fetches pictures for as long as there is room.
  ///
  /// - Parameter most: the most bytes of one fetch.
  static func made(by media: any MediaService, _ services: Scheduler.Services, most: Int) async -> PictureFetch {
    var result = PictureFetch()
    do throws(Failure) {
      let room = try Failure.from { () throws(StoreError) in try services.roomForMedia() }
      if room <= 0 {
        result.problem = "the pictures of this store take all the room that they may take"
      } else {
        result.take(try await media.fetch(maxBytes: min(room, most)))
      }
    } catch {
      if error.reason != .cancelled { result.problem = error.message }
      result.isInterrupted = error.kind == .store && error.retryable
    }
    result.at = services.time.now
    return result
  }

  /// How many pictures are not there although records name them: at least one where there is a problem.
  var missing: Int { max(failed + left, problem == nil ? 0 : 1) }

  mutating func take(_ report: MediaReport) {
    fetched = report.fetched
    failed = report.failed.count + report.skipped.count
    left = max(0, report.left - report.skipped.count)
    let first = report.failed.first ?? report.skipped.first
    problem = first.map { "\(failed.counted("is", "are")) missing: \($0.message)" }
    if problem == nil, let host = report.unreachable.first {
      problem = "\(host.address) does not answer, and \(left.counted("is", "are")) missing"
    }
    silentHosts = report.unreachable.map { host in
      // Those that were asked for are among the failures.
      let asked = report.failed.count { ($0.url ?? "").hasPrefix(host.address + "/") }
      return MediaReport.Host(address: host.address, left: host.left + asked)
    }
    let isOfHost = { (failure: Failure) in
      report.unreachable.contains { (failure.url ?? "").hasPrefix($0.address + "/") }
    }
    otherReasons = []
    for failure in report.failed.filter({ !isOfHost($0) }) + report.skipped {
      // The message of an image that is too large names what was left of the limit.
      let code = failure.code?.text ?? failure.message
      if let known = otherReasons.firstIndex(where: { $0.code == code }) {
        otherReasons[known].count += 1
      } else {
        otherReasons.append(Reason(code: code, message: failure.message, url: failure.url, count: 1))
      }
    }
  }

  /// Why pictures of a host that answers are missing.
  struct Reason: Sendable, Equatable {
    /// What is the same for each of them.
    var code: String
    /// The reason of the first of them.
    var message: String
    /// The address of the first of them.
    var url: String?
    var count: Int

    var text: String {
      "\(count.counted("is", "are")) missing: \(message)"
        + (url.map { count == 1 ? " (\($0))" : " (the first is \($0))" } ?? "")
    }
  }

  /// The reasons of pictures of hosts that answer.
  private(set) var otherReasons: [Reason] = []

  /// The result in one line; `nil` where there is none yet.
  var summary: String? {
    if isRunning { return "Fetching pictures" }
    if isWaiting { return "The daemon that leads will fetch pictures" }
    guard at != nil else { return nil }
    var parts = [fetched == 0 ? "No new pictures" : fetched.counted("new picture")]
    if let problem { parts.append(problem) } else if left > 0 { parts.append("\(left) are left for the next time") }
    return parts.joined(separator: "; ")
  }

  /// The form of the API and of events.
  var fields: JSONObject {
    [
      "state": .string(isRunning ? "running" : isWaiting ? "waiting" : at == nil ? "idle" : "done"),
      "fetched": .int(fetched), "failed": .int(failed), "left": .int(left), "problem": .of(problem),
      "at": .of(at?.description),
    ]
  }
}

/// What was said about pictures that are missing: a host that does not answer is named once, until it answers again,
/// however many pictures are missing for it by then. So is each other reason.
struct PictureProblems {
  private var hosts: Set<ExactString> = []
  private var others: Set<ExactString> = []

  /// The lines to log after a fetch.
  mutating func news(in fetch: PictureFetch) -> [String] {
    if fetch.isInterrupted { return [] }
    let new = fetch.silentHosts.filter { !hosts.contains($0.$address) }
    var lines = new.map { "pictures: \($0.address) does not answer; \($0.left.counted("is", "are")) missing" }
    hosts = Set(fetch.silentHosts.map(\.$address))
    // A fetch that failed as a whole has no other reasons.
    let isWhole = fetch.silentHosts.isEmpty && fetch.otherReasons.isEmpty
    let reasons =
      isWhole ? [fetch.problem].compactMap(\.self).map { ($0, $0) } : fetch.otherReasons.map { ($0.code, $0.text) }
    for (reason, text) in reasons where !others.contains(reason.exact) { lines.append("pictures: \(text)") }
    others = Set(reasons.map(\.0.exact))
    return lines
  }
}
