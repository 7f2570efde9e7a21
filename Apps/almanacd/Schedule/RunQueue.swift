import Models

/// Runs that were requested, until the store has a record of them.
struct RunQueue {
  struct Run: Sendable {
    let id: String
    let follows: [Follow]
    var state = RunState.queued
    /// When it began; until then, when it was asked for.
    var startedAt: Timestamp
    var finishedAt: Timestamp?
    var error: Failure?

    var fields: JSONObject {
      var fields: JSONObject = ["id": .string(id), "state": .string(state.rawValue)]
      fields.append("startedAt", startedAt.description)
      fields.append("finishedAt", finishedAt?.description)
      fields.append("error", error.map { .object($0.fields) })
      return fields
    }
  }

  static let most = 64

  private var runs: [Run] = []

  /// A run that is queued, at work, or failed without a report.
  subscript(id: String) -> Run? { runs.first { $0.id.exact == id.exact } }

  /// The paths of everything that is queued or at work.
  var paths: Set<ExactString> { Set(runs.filter { $0.state != .failed }.flatMap { $0.follows.map(\.$path) }) }

  var runningPaths: [ExactString] { runs.filter { $0.state == .running }.flatMap { $0.follows.map(\.$path) } }

  /// Queues a run; `false` where too many wait.
  mutating func add(_ follows: [Follow], id: String, now: Timestamp) -> Bool {
    guard runs.filter({ $0.state == .queued }).count < Self.most else { return false }
    // One that was interrupted is asked for again.
    runs.removeAll { $0.state == .failed && $0.id.exact == id.exact }
    runs.append(Run(id: id, follows: follows, startedAt: now))
    return true
  }

  /// Takes the first run of which no follow is busy, here or among `others`.
  mutating func start(besides others: Set<ExactString>, now: Timestamp) -> Run? {
    var busy = others
    for index in runs.indices where runs[index].state != .failed {
      let paths = runs[index].follows.map(\.$path)
      if runs[index].state == .queued, busy.isDisjoint(with: paths) {
        runs[index].state = .running
        runs[index].startedAt = now
        return runs[index]
      }
      // Those that wait longer keep their follows, or a long run would never get its turn.
      busy.formUnion(paths)
    }
    return nil
  }

  mutating func finish(_ id: String) { runs.removeAll { $0.id.exact == id.exact } }

  /// The run ended without a report; the last failed ones are remembered.
  mutating func fail(_ id: String, _ failure: Failure, now: Timestamp) {
    guard let index = runs.firstIndex(where: { $0.id.exact == id.exact }) else { return }
    runs[index].state = .failed
    runs[index].finishedAt = now
    runs[index].error = failure
    let failed = runs.filter { $0.state == .failed }
    if failed.count > Self.most { runs.removeAll { $0.id == failed[0].id } }
  }
}
