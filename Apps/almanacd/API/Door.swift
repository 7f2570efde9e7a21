import Models
import Synchronization

/// Where the daemon can be reached; the port of `:0` is known only when it listens.
final class Door: Sendable {
  private let state: Mutex<ListenAddress>

  /// A door at an address; not open yet.
  init(_ address: ListenAddress) { state = Mutex(address) }

  /// The address.
  var address: ListenAddress { state.withLock { $0 } }

  /// It listens on this port.
  func open(port: Int) { state.withLock { $0.port = port } }

  /// Whether a request's Host is one of ours. On a Unix socket clients say `localhost`, or leave the port out.
  func isOurs(_ authority: String) -> Bool {
    authority.lowercased() == "localhost" || address.isOurs(authority)
  }
}
