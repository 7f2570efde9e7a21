import Models
import Ports
import Synchronization

/// Whether this daemon leads the daemons of its store. All of them pull and answer requests. The one that leads also sends
/// edits, notifies, fetches pictures and compacts; another one takes over when it ends.
///
/// The server of the store says who leads, and its word holds for as long as a lease: while it is away, the lease of the
/// daemon that led lapses, and another one may lead.
final class WorkRole: Sendable {
  private struct State {
    var isLeader = false
    var holder: String?
    var since: Timestamp?
    /// Until when it is known, by the clock that never goes back.
    var end = Duration.zero
  }

  /// The clock; `nil` where no other daemon may use the store.
  private let time: (any TimeSource)?
  private let state = Mutex(State())

  /// The role of a daemon that has just started.
  ///
  /// - Parameter time: the clock, where other daemons may use the store.
  init(sharedBy time: (any TimeSource)? = nil) { self.time = time }

  /// Whether other daemons may use the store.
  var isShared: Bool { time != nil }

  var isLeader: Bool {
    guard let time else { return true }
    return state.withLock { $0.isLeader && time.uptime < $0.end }
  }

  /// Notes what the server said.
  ///
  /// - Parameters:
  ///   - isLeader: whether this daemon leads.
  ///   - holder: the daemon that leads, as it names itself; `nil` where it is this one, or none.
  ///   - end: until when that holds, by the clock that never goes back.
  /// - Returns: whether it is news.
  @discardableResult
  func set(isLeader: Bool, holder: String? = nil, until end: Duration) -> Bool {
    guard let time else { return false }
    return state.withLock { state in
      let isNews = state.since == nil || state.isLeader != isLeader || state.holder?.exact != holder?.exact
      if state.isLeader != isLeader || state.since == nil { state.since = time.now }
      (state.isLeader, state.holder, state.end) = (isLeader, holder, end)
      return isNews
    }
  }

  /// What is known now; `nil` where the server has not said it for too long.
  private func known(_ time: any TimeSource) -> State? {
    let now = time.uptime
    return state.withLock { now < $0.end ? $0 : nil }
  }

  /// What this daemon does, as the page says it; `nil` where it is the only one.
  var sentence: String? {
    guard let time else { return nil }
    guard let state = known(time) else {
      return "It is not known which daemon leads: the server of the store has not said it."
    }
    if state.isLeader { return "This daemon leads: it also sends edits and notifications." }
    return state.holder.map { "The daemon \($0) leads: it also sends edits and notifications." }
      ?? "No daemon leads: edits and notifications wait."
  }

  /// The form of the API; `nil` where it is the only daemon.
  var fields: JSONObject? {
    guard let time else { return nil }
    guard let state = known(time) else { return ["role": "unknown"] }
    return [
      "role": state.isLeader ? "leader" : "member", "holder": .of(state.holder), "since": .of(state.since?.description),
    ]
  }
}
