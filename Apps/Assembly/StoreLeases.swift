import CLibrary
public import Models
public import Ports
import PostgreSQLStore
import Synchronization

/// The leases that this process has of a store on a server.
///
/// Every daemon pulls follows, with a lease for each one. One daemon leads: it has the lease for what only one may do.
public final class StoreLeases: FollowLeases {
  private struct State {
    var leader: StoreLease?
    var follows: [StoreLease] = []
    var renewal: Task<Void, Never>?

    var all: [StoreLease] { (leader.map { [$0] } ?? []) + follows }
  }

  /// How long a lease lasts after each renewal.
  public let seconds: Int
  /// Renews the leases, if nobody else calls `renew`.
  private let ownTime: (any TimeSource)?
  private let base: PostgreSQLStore
  private let leading: LeasedStore
  private let state = Mutex(State())

  init(_ base: PostgreSQLStore, seconds: Int, renewing ownTime: (any TimeSource)?) {
    (self.base, self.seconds, self.ownTime) = (base, seconds, ownTime)
    leading = LeasedStore(base, requiring: .daemon)
  }

  /// Opens the store at an address once more, for the work of a daemon.
  ///
  /// - Parameters:
  ///   - history: what the store keeps of its past.
  ///   - isRenewed: whether the caller renews the leases. Otherwise they are renewed by themselves.
  /// - Throws: `Failure` if the server cannot be reached or refuses the connection.
  public convenience init(
    _ address: String, history: HistorySetting, seconds: Int, time: any TimeSource, isRenewed: Bool
  ) throws(Failure) {
    let base = try Failure.from { () throws(StoreError) in
      try PostgreSQLStore(StoreAddress(address), history: history, time: time)
    }
    base.limitPauses(to: seconds)
    self.init(base, seconds: seconds, renewing: isRenewed ? nil : time)
  }

  public var shared: any RecordStore & StoreMaintenance { base }
  /// The store for what only the daemon may do that leads. It refuses every commit of another one.
  public var leader: any RecordStore & StoreMaintenance { leading.store }

  /// Names this process to other daemons: host and process id.
  public static var holder: String {
    var name = [CChar](repeating: 0, count: 256)
    let isKnown = gethostname(&name, name.count - 1) == 0
    let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return "\(isKnown ? host : "localhost") \(getpid())"
  }

  /// The daemon that leads; `nil` if none does.
  public func current() throws(StoreError) -> String? { try base.leases([.daemon]).first?.holder }

  /// Takes the lease of the daemon that leads.
  ///
  /// - Throws: `StoreError`: `busy` if another daemon has it.
  public func claim() async throws(StoreError) {
    let claimed = try await leading.claim(holder: Self.holder, seconds: seconds)
    state.withLock { $0.leader = claimed }
    startRenewal()
  }

  /// Renews all leases of this process; do so three times in `seconds`.
  ///
  /// - Throws: `StoreError`: `leaseLost` if another daemon leads now. A follow that another program has taken over is told
  ///   by the next commit of its pull.
  public func renew() throws(StoreError) {
    let lost = try base.renew(state.withLock { $0.all })
    guard !lost.isEmpty else { return }
    let leases = Set(lost.map(\.lease))
    state.withLock { state in
      state.follows.removeAll { leases.contains($0) }
      if let leader = state.leader, leases.contains(leader) { state.leader = nil }
    }
    if let lost = lost.first(where: { $0.lease.name == .daemon }) { throw lost.error }
  }

  /// Ends all leases, so that other daemons take over at once. If the server cannot be reached, they lapse.
  public func end() {
    let last = state.withLock { state in
      state.renewal?.cancel()
      defer { state = State() }
      return state.all
    }
    try? base.release(last)
  }

  public func states(of follows: [String]) throws(StoreError) -> [FollowLeaseState] {
    let leases = try base.leases([.daemon] + follows.map { .follow($0) })
    if let alone = leases.first(where: { $0.name == .daemon && !$0.isSharing })?.holder {
      // A daemon of an earlier version pulls all of them, and has no leases for that.
      return follows.map { FollowLeaseState(follow: $0, number: 0, holder: alone) }
    }
    return leases.compactMap { lease in
      lease.name.follow.map { FollowLeaseState(follow: $0, number: lease.number, holder: lease.holder) }
    }
  }

  public func claim(_ follow: String, after last: Int64?) async throws(StoreError) -> any FollowLease {
    let leased = LeasedStore(base, requiring: .follow(follow))
    let lease = try await leased.claim(holder: Self.holder, seconds: seconds, after: last)
    state.withLock { $0.follows.append(lease) }
    startRenewal()
    return Held(leases: self, store: leased.store, lease: lease)
  }

  private struct Held: FollowLease {
    let leases: StoreLeases
    let store: any RecordStore
    let lease: StoreLease

    func end() {
      leases.state.withLock { $0.follows.removeAll { $0 == lease } }
      // If the server cannot be reached, it lapses.
      try? leases.base.release([lease])
    }
  }

  private func startRenewal() {
    guard let ownTime else { return }
    state.withLock { state in
      if state.renewal != nil { return }
      state.renewal = Task { [weak self, seconds] in
        // A renewal that fails is tried again; a lost lease is told by the next commit.
        while (try? await ownTime.sleep(for: .seconds(seconds) / 3)) != nil, let self { try? self.renew() }
      }
    }
  }
}
