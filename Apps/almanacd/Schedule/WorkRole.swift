import Models
import Ports
import Synchronization

/// Whether this daemon leads the daemons of its store. All of them pull and answer requests. The one that leads also sends
/// edits, notifies, fetches pictures and compacts; another one takes over when it ends.
final class WorkRole: Sendable {
  private struct State {
    var leads: Bool
    var holder: String?
    var since: Timestamp?
  }

  /// Whether other daemons may use the store.
  let isShared: Bool
  private let state: Mutex<State>

  /// The role of a daemon that has just started.
  init(isShared: Bool) {
    self.isShared = isShared
    state = Mutex(State(leads: !isShared))
  }

  /// Whether this daemon leads.
  var leads: Bool { state.withLock { $0.leads } }

  /// The daemon that leads, as it names itself; `nil` where it is this one, or none.
  var holder: String? { state.withLock { $0.holder } }

  /// Notes who leads now.
  func set(leads: Bool, holder: String? = nil, at now: Timestamp) {
    state.withLock { state in
      if state.leads != leads || state.since == nil { state.since = now }
      (state.leads, state.holder) = (leads, holder)
    }
  }

  /// What this daemon does, as the page says it; `nil` where it is the only one.
  var sentence: String? {
    guard isShared else { return nil }
    let state = state.withLock { $0 }
    if state.leads { return "This daemon leads: it also sends edits and notifications." }
    return state.holder.map { "The daemon \($0) leads: it also sends edits and notifications." }
      ?? "No daemon leads: edits and notifications wait."
  }

  /// The form of the API; `nil` where it is the only daemon.
  var fields: JSONObject? {
    guard isShared else { return nil }
    let state = state.withLock { $0 }
    var fields: JSONObject = ["role": state.leads ? "leader" : "member"]
    fields.append("holder", state.holder)
    fields.append("since", state.since?.description)
    return fields
  }
}
