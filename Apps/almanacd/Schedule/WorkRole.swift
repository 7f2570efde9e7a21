import Models
import Ports
import Synchronization

/// Whether this daemon does the work of the store: pulls, sends, notifies, compacts. Of several daemons on one server, one
/// does; the others answer requests, and take over when it ends.
final class WorkRole: Sendable {
  private struct State {
    var works: Bool
    var holder: String?
    var since: Timestamp?
  }

  /// Whether other daemons may use the store.
  let isShared: Bool
  private let state: Mutex<State>

  /// The role of a daemon that has just started.
  init(isShared: Bool) {
    self.isShared = isShared
    state = Mutex(State(works: !isShared))
  }

  /// Whether this daemon works.
  var works: Bool { state.withLock { $0.works } }

  /// The daemon that works, as it names itself; `nil` where it is this one, or none.
  var holder: String? { state.withLock { $0.holder } }

  /// Notes who works now.
  func set(works: Bool, holder: String? = nil, at now: Timestamp) {
    state.withLock { state in
      if state.works != works || state.since == nil { state.since = now }
      (state.works, state.holder) = (works, holder)
    }
  }

  /// What this daemon does, as the page says it; `nil` where it is the only one.
  var sentence: String? {
    guard isShared else { return nil }
    let state = state.withLock { $0 }
    if state.works { return "This daemon does the work of the store." }
    let other = state.holder.map { "The daemon \($0) does the work." } ?? "No daemon does the work."
    return "This daemon stands by. \(other)"
  }

  /// The form of the API; `nil` where it is the only daemon.
  var fields: JSONObject? {
    guard isShared else { return nil }
    let state = state.withLock { $0 }
    var fields: JSONObject = ["role": state.works ? "working" : "standby"]
    fields.append("holder", state.holder)
    fields.append("since", state.since?.description)
    return fields
  }
}
