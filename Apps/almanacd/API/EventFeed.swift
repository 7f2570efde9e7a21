import Models
import Ports
import ServiceLifecycle
import Synchronization

/// Numbered events, kept for a while, so that a listener that reconnects continues where it stopped.
final class EventFeed: EventSink {
  struct Item: Sendable {
    /// Its place, from 1.
    var number: Int
    /// `progress` or `commit`.
    var name: String
    /// The place in the change feed that was reached.
    var cursor: ChangeCursor?
    var data: [UInt8]
  }

  struct Listening: Sendable {
    /// There may be new events.
    let signals: AsyncStream<Void>
    let leave: @Sendable () -> Void
  }

  private struct State {
    var items: [Item] = []
    var bytes = 0
    var last = 0
    var cursor: ChangeCursor?
    var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    var nextListener = 0
    /// How many twentieths of the pictures were told.
    var pictureStep = 0
  }

  static let mostItems = 1024
  static let mostBytes = 2 << 20
  /// How many may listen at the same time.
  static let mostListeners = 128

  /// Tells this process's numbers from those of an earlier one.
  let boot: String
  private let coder: any RecordCoder
  private let state = Mutex(State())

  init(coder: any RecordCoder) {
    self.coder = coder
    boot = String(DaemonToken.fresh().prefix(8))
  }

  func report(_ event: Event) {
    if case .picture(let done, let total) = event, !isWorthTelling(done, of: total) { return }
    guard let fields = event.progress else { return }
    add("progress", coder.encode(fields))
  }

  /// Reports that a problem of the daemon began, changed or ended.
  func changed(_ part: String, problem: String?) {
    let fields: JSONObject = ["kind": "health", "part": .string(part), "problem": .of(problem)]
    add("progress", coder.encode(fields))
  }

  /// Reports that what is followed was changed, which is no commit where the config file has it.
  func changedFollows() {
    let fields: JSONObject = ["kind": "follows"]
    add("progress", coder.encode(fields))
  }

  /// Reports that a fetch of pictures began or ended.
  func changed(_ pictures: PictureFetch) {
    var fields: JSONObject = ["kind": "pictures"]
    fields.members += pictures.fields.members
    fields.append("summary", pictures.summary)
    add("progress", coder.encode(fields))
  }

  /// Whether a twentieth more of the pictures was fetched: other events must not be pushed out by thousands of these.
  private func isWorthTelling(_ done: Int, of total: Int) -> Bool {
    state.withLock { state in
      let step = done * 20 / max(1, total)
      defer { state.pictureStep = done >= total ? 0 : step }
      return step != state.pictureStep
    }
  }

  /// Adds an event; `cursor` is the place in the change feed that was reached with it.
  func add(_ name: String, _ data: [UInt8], cursor: ChangeCursor? = nil) {
    let listeners = state.withLock { state in
      state.last += 1
      if let cursor { state.cursor = cursor }
      state.items.append(Item(number: state.last, name: name, cursor: state.cursor, data: data))
      state.bytes += data.count
      if state.items.count > Self.mostItems || state.bytes > Self.mostBytes {
        let gone = max(1, Self.mostItems / 8)
        for item in state.items.prefix(gone) { state.bytes -= item.data.count }
        state.items.removeFirst(min(gone, state.items.count))
      }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.yield() }
  }

  /// The place in the change feed is known without anything that happened.
  func reached(_ cursor: ChangeCursor) { state.withLock { $0.cursor = cursor } }

  /// The id of the newest event, for `Last-Event-ID`.
  var position: String {
    let (number, cursor) = state.withLock { ($0.last, $0.cursor) }
    return id(number, cursor)
  }

  /// The id of an event: its number in this process, and the place in the change feed, which later processes know.
  func id(_ number: Int, _ cursor: ChangeCursor?) -> String {
    "\(boot)-\(number)" + (cursor.map { "@\($0)" } ?? "")
  }

  /// The number of the newest event, 0 before the first.
  var last: Int { state.withLock { $0.last } }

  /// The place in the change feed that was reached.
  var cursor: ChangeCursor? { state.withLock { $0.cursor } }

  var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }

  /// The events after a number; `nil` where some of them are not kept any more.
  func items(after number: Int) -> [Item]? {
    state.withLock { state in
      guard number < state.last else { return [] }
      guard let first = state.items.first, first.number <= number + 1 else { return nil }
      return Array(state.items.suffix(state.last - number))
    }
  }

  /// Wakes every listener, so that it shows that it is alive.
  func wake() {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield() }
  }

  /// Something to wait on: it says that there may be new events. `nil` where too many listen.
  func listen() -> Listening? {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number: Int? = state.withLock { state in
      guard state.listeners.count < Self.mostListeners else { return nil }
      state.nextListener += 1
      state.listeners[state.nextListener] = continuation
      return state.nextListener
    }
    guard let number else { return nil }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
    }
    return Listening(signals: stream, leave: { continuation.finish() })
  }
}

/// Shows every listener from time to time that the line is alive, and looks for commits when a module reports one.
///
/// Commits of other processes are heard of by `StoreWatch`; with every sign of life it is looked for any that were not.
struct FeedService: Service {
  /// Seconds between two signs of life.
  static let heartbeat = 15

  let feed: EventFeed
  let reader: CommitReader
  /// What modules report, which says when to look.
  let hub: EventHub
  let time: any TimeSource

  func run() async throws {
    await cancelWhenGracefulShutdown {
      await withDiscardingTaskGroup { group in
        group.addTask { await beat() }
        group.addTask { await lookAfterEvents() }
      }
    }
  }

  private func beat() async {
    while true {
      do throws(CancellationError) { try await time.sleep(for: .seconds(Self.heartbeat)) } catch { return }
      guard feed.hasListeners else { continue }
      try? await reader.read()
      feed.wake()
    }
  }

  private func lookAfterEvents() async {
    for await event in hub.listen() {
      guard feed.hasListeners else { continue }
      switch event {
      case .pageCommitted, .followFinished, .syncFinished, .edit: try? await reader.read()
      default: break
      }
    }
  }
}

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
    case .breakerChanged(let host, let state, _):
      ["kind": "breakerChanged", "host": .string(host), "state": .string(state.rawValue)]
    case .compacted(let bytes, _): ["kind": "compacted", "bytes": .int(bytes)]
    case .picture(let done, let total):
      ["kind": "pictures", "state": "running", "done": .int(done), "total": .int(total)]
    case .failed(_, let failure) where failure.isSaidOnce: nil
    case .failed(let what, let failure): ["kind": "warning", "message": .string("\(what): \(failure.message)")]
    case .warning(let message): ["kind": "warning", "message": .string(message.description)]
    case .requestStarted, .requestFinished, .requestFailed, .retryScheduled, .budgetTaken, .redirect, .program: nil
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
  var milliseconds: Int {
    Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
  }
}
