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

/// The lease of one of several daemons that share a store on a server: its holder does the work, the others stand by.
///
/// Everything that is work is committed through `store`, which refuses every commit while another daemon has the lease.
public final class WorkLease: Sendable {
  /// The store for the work.
  public var store: any RecordStore & StoreMaintenance { leading.store }
  /// How long the lease lasts after each renewal.
  public let seconds: Int
  private let base: PostgreSQLStore
  private let leading: LeasedStore
  private let lease = Mutex<StoreLease?>(nil)

  /// Opens the store at an address once more, for the work alone; the lease is not claimed yet.
  ///
  /// - Throws: `Failure` if the server cannot be reached or refuses the connection.
  public init(_ address: String, seconds: Int, time: any TimeSource) throws(Failure) {
    self.seconds = seconds
    base = try Failure.from { () throws(StoreError) in try PostgreSQLStore(StoreAddress(address), time: time) }
    base.limitPauses(to: seconds)
    leading = LeasedStore(base, requiring: .daemon)
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
  public func current() throws(StoreError) -> String? { try base.leases([.daemon]).first?.holder }

  /// Takes the lease.
  ///
  /// - Throws: `StoreError`: `busy` if another daemon has it.
  public func claim() async throws(StoreError) {
    let claimed = try await leading.claim(holder: Self.holder, seconds: seconds)
    lease.withLock { $0 = claimed }
  }

  /// Renews the lease; do so three times in `seconds`.
  ///
  /// - Throws: `StoreError`: `leaseLost` if another daemon has taken over.
  public func renew() throws(StoreError) {
    guard let lease = lease.withLock({ $0 }) else { return }
    if let lost = try base.renew([lease]).first { throw lost.error }
  }

  /// Claims the lease, and renews it until the task is cancelled.
  ///
  /// - Throws: `StoreError`: `busy` if another daemon has it.
  public func hold(_ time: any TimeSource) async throws(StoreError) -> Task<Void, Never> {
    try await claim()
    return Task {
      // A renewal that fails is tried again; a lost lease is told by the next commit.
      while (try? await time.sleep(for: .seconds(seconds) / 3)) != nil { try? renew() }
    }
  }

  /// Gives the lease back, so that another daemon takes over at once. A server that cannot be reached lets it lapse.
  public func end() {
    let last = lease.withLock { lease in
      defer { lease = nil }
      return lease
    }
    if let last { try? base.release([last]) }
  }
}
