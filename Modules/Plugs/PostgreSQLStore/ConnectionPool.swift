import Models
import Ports
import Synchronization

/// The connections of one store, which its views share, and what is known of its server.
final class ConnectionPool: Sendable {
  let address: StoreAddress
  let time: any TimeSource
  /// The order of the writers of this process.
  let turn = WriteTurn()
  let outage: Outage
  private let idle = Mutex<[Connection]>([])
  private let wasThere = Atomic(false)
  private let refusesHistory = Atomic(false)
  private let pause = Mutex(Connection.longestPause)

  private static let mostIdle = 8

  init(_ address: StoreAddress, time: any TimeSource) throws(StoreError) {
    (self.address, self.time) = (address, time)
    outage = Outage(time)
    give(try Connection(address))
  }

  func take() throws(StoreError) -> Connection {
    try outage.check()
    let begun = time.uptime
    do throws(StoreError) {
      let connection: Connection
      if let kept = idle.withLock({ $0.popLast() }) {
        connection = kept
      } else {
        connection = try Connection(address, pause: pause.withLock { $0 })
      }
      // A schema that is missing in the calls that begin now may be made by another caller meanwhile.
      connection.isSchemaKnown = wasThere.load(ordering: .relaxed)
      return connection
    } catch {
      note(error, since: begun)
      throw error
    }
  }

  /// Notes that a call failed that began at `begun`. For a silent server, writers wait no longer than they may.
  func note(_ error: StoreError, since begun: Duration) {
    outage.note(error, since: begun)
    if outage.isKnown { turn.refuse(at: time.uptime) }
  }

  /// Puts a connection back that is not within a transaction. One that is broken is closed, and so are the others: the
  /// server has ended them, too, or is about to be silent to them.
  func give(_ connection: Connection) {
    idle.withLock { idle in
      if connection.isBroken { return idle.removeAll() }
      if idle.count < Self.mostIdle { idle.append(connection) }
    }
  }

  /// Whether a connection is open that may have ended unnoticed.
  var hasIdle: Bool { idle.withLock { !$0.isEmpty } }

  /// Lets later connections be paused within a transaction for no longer than so many seconds.
  func limit(pause seconds: Int) {
    pause.withLock { $0 = min(seconds, Connection.longestPause) }
    idle.withLock { $0 = [] }
  }

  /// Whether the user may not change the tables, so that no history can begin.
  var isHistoryRefused: Bool { refusesHistory.load(ordering: .relaxed) }

  func refuseHistory() { refusesHistory.store(true, ordering: .relaxed) }

  func noteSchema() { wasThere.store(true, ordering: .relaxed) }
}
