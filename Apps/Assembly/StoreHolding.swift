public import Models
public import Ports
import PostgreSQLStore
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The right to keep a store on a server as its only daemon, which is renewed until it is ended. A store in a folder needs
/// none.
public struct StoreHolding: Sendable {
  private let held: (store: PostgreSQLStore, lease: StoreLease, renewal: Task<Void, Never>)?

  /// Takes the right.
  ///
  /// - Throws: `Failure`, `tryLater`, if another daemon has it.
  public init(_ store: any RecordStore, time: any TimeSource) async throws(Failure) {
    guard let store = store as? PostgreSQLStore else {
      held = nil
      return
    }
    let lease = try await Failure.from { () async throws(StoreError) in
      try await store.claimLease(holder: WorkLease.holder)
    }
    let renewal = Task {
      // A renewal that fails is tried again; a lost lease is told by the next commit.
      while (try? await time.sleep(for: .seconds(StoreLease.seconds / 3))) != nil { try? store.renew(lease) }
    }
    held = (store, lease, renewal)
  }

  /// Gives the right back.
  public func end() {
    guard let held else { return }
    held.renewal.cancel()
    try? held.store.release(held.lease)
  }
}

/// The lease of one of several daemons that share a store on a server: its holder does the work, the others stand by.
///
/// Everything that is work is committed through `store`, which refuses every commit while another daemon has the lease.
public final class WorkLease: Sendable {
  /// The store for the work.
  public var store: any RecordStore & StoreMaintenance { base }
  /// How long the lease lasts after each renewal.
  public let seconds: Int
  private let base: PostgreSQLStore
  private let lease = Mutex<StoreLease?>(nil)

  /// Opens the store at an address once more, for the work alone; the lease is not claimed yet.
  ///
  /// - Throws: `Failure` if the server cannot be reached or refuses the connection.
  public init(_ address: String, seconds: Int, time: any TimeSource) throws(Failure) {
    self.seconds = seconds
    base = try Failure.from { () throws(StoreError) in try PostgreSQLStore(StoreAddress(address), time: time) }
    base.requireLease(seconds: seconds)
  }

  /// Names this process to other daemons: host and process id.
  public static var holder: String {
    var name = [CChar](repeating: 0, count: 256)
    let isKnown = gethostname(&name, name.count - 1) == 0
    let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return "\(isKnown ? host : "localhost") \(getpid())"
  }

  /// The daemon that has the lease; `nil` where it is free.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  public func current() throws(StoreError) -> String? { try base.leaseHolder() }

  /// Takes the lease.
  ///
  /// - Throws: `StoreError`: `busy` if another daemon has it.
  public func claim() async throws(StoreError) {
    let claimed = try await base.claimLease(holder: Self.holder, seconds: seconds)
    lease.withLock { $0 = claimed }
  }

  /// Renews the lease; do so three times in `seconds`.
  ///
  /// - Throws: `StoreError`: `leaseLost` if another daemon has taken over.
  public func renew() throws(StoreError) {
    if let lease = lease.withLock({ $0 }) { try base.renew(lease) }
  }

  /// Gives the lease back, so that another daemon takes over at once. A server that cannot be reached lets it lapse.
  public func end() {
    let last = lease.withLock { lease in
      defer { lease = nil }
      return lease
    }
    if let last { try? base.release(last) }
  }
}
