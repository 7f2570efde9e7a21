import Models
public import Ports
import Synchronization

/// The right to do the work of a store's daemons, for a time that is renewed.
public struct StoreLease: Sendable {
  /// How long a lease lasts without being renewed, by the clock of the server, unless its holder says otherwise.
  public static let seconds = 30
  /// How long it lasts after each renewal.
  public let seconds: Int
  /// Raised by each holder.
  public let fence: Int64
}

extension PostgreSQLStore {
  /// Refuses every commit through this object before it has claimed a lease. A process that is paused within a transaction
  /// holds the lock of the store for no longer than its lease.
  public func requireLease(seconds: Int = StoreLease.seconds) {
    fence.withLock { $0 = $0 ?? 0 }
    limit(pause: seconds)
  }

  /// Takes the lease of the store's daemon. From then on every commit through this object checks that no other process has
  /// taken it over.
  ///
  /// - Parameters:
  ///   - holder: names the process, so that another one can say which is running: host and process id.
  ///   - seconds: how long the lease lasts without being renewed.
  /// - Throws: `StoreError`: `busy` if another process holds the lease.
  public func claimLease(holder: String, seconds: Int = StoreLease.seconds) async throws(StoreError) -> StoreLease {
    // Without the lock of the writers: a daemon that waits for the lease asks every second.
    if let holder = try leaseHolder() { throw isHeld(by: holder) }
    let s = "\"\(schema.name)\""
    await turn.take()
    defer { turn.give() }
    var claimed: Int64?
    var other = ""
    try await creatingSchema { (connection) throws(StoreError) in
      // Under the lock of the writers: a commit of the earlier holder ends before, or is refused.
      try connection.run(schema.lock, patience: Connection.longPatience)
      let rows = try connection.query(
        "lease-claim-\(seconds)",
        """
        insert into \(s).lease as l values ('daemon', $1, 1, clock_timestamp() + interval '\(seconds) s')
          on conflict (name) do update set holder = excluded.holder, fence = l.fence + 1, until = excluded.until
          where l.until <= clock_timestamp() returning fence
        """, [.text(holder)])
      claimed = rows.count == 1 ? rows.number(0, 0) : nil
      if claimed == nil {
        other = try connection.query("lease-holder", "select holder from \(s).lease where name = 'daemon'").text(0, 0)
      }
      try connection.run("commit")
    }
    guard let claimed else { throw isHeld(by: other) }
    fence.withLock { $0 = claimed }
    return StoreLease(seconds: seconds, fence: claimed)
  }

  /// Who holds the lease; `nil` if it has lapsed, or nobody ever held it.
  public func leaseHolder() throws(StoreError) -> String? {
    try readingIfThere { (connection) throws(StoreError) -> String? in
      let rows = try connection.query(
        "lease-held",
        "select holder from \"\(schema.name)\".lease where name = 'daemon' and until > clock_timestamp()")
      return rows.count == 1 ? rows.text(0, 0) : nil
    } ?? nil
  }

  private func isHeld(by holder: String) -> StoreError {
    StoreError(
      .busy, "another daemon works on this store: \(holder)",
      hint: "end it first; if its machine failed, its lease ends within \(StoreLease.seconds) s", path: address.text)
  }

  /// Renews a lease. Call it three times in `seconds`.
  ///
  /// - Throws: `StoreError`: `leaseLost` if another process has taken it over.
  public func renew(_ lease: StoreLease) throws(StoreError) {
    try updateLease(lease, until: "clock_timestamp() + interval '\(lease.seconds) s'")
  }

  /// Ends a lease, so that another process need not wait until it lapses.
  public func release(_ lease: StoreLease) throws(StoreError) { try updateLease(lease, until: "clock_timestamp()") }

  private func updateLease(_ lease: StoreLease, until: String) throws(StoreError) {
    let s = "\"\(schema.name)\""
    try reading { (connection) throws(StoreError) in
      let updated = try connection.run(
        "update \(s).lease set until = \(until) where name = 'daemon' and fence = \(lease.fence) returning 1")
      if updated.count == 1 { return }
      let found = try connection.run("select fence from \(s).lease where name = 'daemon'")
      throw leaseLost(lease.fence, to: found.count == 1 ? Int64(found.text(0, 0)) : nil)
    }
  }

  /// The error for a lease that is not the one in the store.
  ///
  /// - Parameter holder: the fence that is there; each holder raises it, so that a lower one is that of another copy.
  func leaseLost(_ fence: Int64, to holder: Int64?) -> StoreError {
    guard let holder, holder > fence else {
      return StoreError(
        .leaseLost, "the lease of this daemon is not in the store any more: an earlier copy was put back",
        hint: "nothing was written; a daemon takes the lease again by itself", path: address.text)
    }
    return StoreError(
      .leaseLost, "another daemon has taken over this store, because this one was silent for too long",
      hint: "nothing was written; the other one does the work now", path: address.text)
  }
}
