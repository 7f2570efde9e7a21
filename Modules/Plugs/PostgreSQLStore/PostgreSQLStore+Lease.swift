public import Models
public import Ports
import Synchronization

/// What a lease gives the right to.
public struct LeaseName: Hashable, Sendable {
  /// The key of the row in the table `lease`.
  @ExactString public private(set) var text: String

  /// What only one daemon of a store may do: send edits, notify, compact.
  public static let daemon = LeaseName(text: "daemon")
  public static func follow(_ path: String) -> LeaseName { LeaseName(text: followPrefix + path) }

  /// The follow that the lease is for; `nil` for `daemon`.
  public var follow: String? {
    text.hasPrefix(Self.followPrefix) ? String(text.dropFirst(Self.followPrefix.count)) : nil
  }

  private static let followPrefix = "follow/"
  /// The end of the name of a holder of `daemon` that lets others pull follows.
  ///
  /// A daemon that does not know the leases of follows has no such mark. It pulls every follow, so that no other program may.
  static let sharingMark = " +follows"
}

/// The right to do something with a store that other programs use as well, for a time that is renewed.
public struct StoreLease: Hashable, Sendable {
  /// How long a lease lasts without being renewed, by the clock of the server, unless its holder says otherwise.
  public static let seconds = 30
  public let name: LeaseName
  /// How long it lasts after each renewal.
  public let seconds: Int
  /// Raised by each holder.
  public let number: Int64
}

public struct LeaseState: Hashable, Sendable {
  public var name: LeaseName
  public var number: Int64
  /// The program that has it; `nil` if it was ended, or has lapsed.
  public var holder: String?
  /// Whether the last holder of `daemon` lets others pull follows.
  public var isSharing: Bool
}

/// The lease that the commits through one view of a store require.
final class Fence: Sendable {
  let name: LeaseName
  private let current = Mutex<Int64>(0)

  init(_ name: LeaseName) { self.name = name }

  /// The number of the lease when it was claimed last; 0 before, so that every commit is refused.
  var number: Int64 { current.withLock { $0 } }
  func set(_ number: Int64) { current.withLock { $0 = number } }
}

/// A store whose commits require a lease. It uses the connections of the store that it was made from.
public struct LeasedStore: Sendable {
  /// Refuses every commit, with `leaseLost`, before the lease was claimed and after another program has claimed it.
  public let store: PostgreSQLStore
  private let fence: Fence

  public init(_ base: PostgreSQLStore, requiring name: LeaseName) {
    fence = Fence(name)
    store = PostgreSQLStore(base, requiring: fence)
  }

  /// - Parameters:
  ///   - holder: names the process, so that another one can say which is running: host and process id.
  ///   - last: the number of the lease that the caller knows. If another program has claimed it since, it is refused.
  /// - Throws: `StoreError`: `busy` if another program has the lease, had it after `last`, or must be alone with the store.
  public func claim(
    holder: String, seconds: Int = StoreLease.seconds, after last: Int64? = nil
  ) async throws(StoreError) -> StoreLease {
    let number = try await store.claim(fence.name, holder: holder, seconds: seconds, after: last)
    fence.set(number)
    return StoreLease(name: fence.name, seconds: seconds, number: number)
  }
}

extension PostgreSQLStore {
  private var table: String { "\"\(schema.name)\".lease" }

  /// Lets no paused program hold the lock of the store in a transaction for longer than so many seconds, 15 at most.
  public func limitPauses(to seconds: Int) { pool.limit(pause: seconds) }

  /// The leases with these names that were ever claimed, in no order.
  public func leases(_ names: [LeaseName]) throws(StoreError) -> [LeaseState] {
    let rows = try queryIfThere(
      "leases", "select name, fence, holder, until > clock_timestamp() from \(table) where name = any($1)",
      [.texts(names.map(\.text))])
    guard let rows else { return [] }
    return (0..<rows.count).map { row in
      let (holder, isHeld) = (rows.text(row, 2), rows.bytes(row, 3) == [1])
      let isSharing = holder.hasSuffix(LeaseName.sharingMark)
      return LeaseState(
        name: LeaseName(text: rows.text(row, 0)), number: rows.number(row, 1),
        holder: isHeld ? isSharing ? String(holder.dropLast(LeaseName.sharingMark.count)) : holder : nil,
        isSharing: isSharing)
    }
  }

  fileprivate func claim(
    _ name: LeaseName, holder: String, seconds: Int, after last: Int64?
  ) async throws(StoreError) -> Int64 {
    // Without the lock of the writers: a program that waits for a lease asks every second.
    if let problem = try refusal(of: name, after: last) { throw problem }
    let mark = name == .daemon ? LeaseName.sharingMark : ""
    try await takeTurn()
    defer { pool.turn.give() }
    var claimed: Int64?
    try await creatingSchema { (connection) throws(StoreError) in
      // Under the lock of the writers: a commit of the earlier holder ends before, or is refused.
      try connection.run(schema.lock, timeout: Connection.longTimeout)
      let rows = try connection.query(
        "lease-claim-\(seconds)-\(name.follow != nil)",
        """
        insert into \(table) as l select $1, $2, 1, clock_timestamp() + interval '\(seconds) s'
          \(name.follow == nil ? "" : "where not exists (\(schema.earlierVersion))")
          on conflict (name) do update set holder = excluded.holder, fence = l.fence + 1, until = excluded.until
          where l.until <= clock_timestamp() and ($3 < 0 or l.fence = $3) returning fence
        """, [.text(name.text), .text(holder + mark), .number(last ?? -1)])
      claimed = rows.count == 1 ? rows.number(0, 0) : nil
      try connection.run("commit")
    }
    if let claimed { return claimed }
    throw try refusal(of: name, after: last) ?? isTaken(name, by: nil)
  }

  private func refusal(of name: LeaseName, after last: Int64?) throws(StoreError) -> StoreError? {
    for lease in try leases(name == .daemon ? [name] : [name, .daemon]) {
      if lease.name == name {
        if let holder = lease.holder { return isTaken(name, by: holder) }
        if let last, lease.number != last { return isTaken(name, by: nil) }
      } else if let holder = lease.holder, !lease.isSharing {
        return isPulledByEarlierVersion(holder)
      }
    }
    return nil
  }

  private func isTaken(_ name: LeaseName, by holder: String?) -> StoreError {
    guard let follow = name.follow else {
      return StoreError(
        .busy, "another daemon leads on this store" + (holder.map { ": \($0)" } ?? ""),
        hint: "end it first; if its machine failed, its lease ends within \(StoreLease.seconds) s", path: address.text)
    }
    return StoreError(
      .busy, holder.map { "another program pulls \(follow) now: \($0)" } ?? "another program has just pulled \(follow)",
      hint: "try again later; if its machine failed, its lease ends within \(StoreLease.seconds) s", path: address.text)
  }

  /// The error where the leases of follows do not count, because a program does not know them.
  func isPulledByEarlierVersion(_ holder: String) -> StoreError {
    StoreError(
      .busy, "a daemon of an earlier version pulls everything that is followed: \(holder)",
      hint: "end it, and start one of this version", path: address.text)
  }

  /// Renews leases, in one statement. Call it three times in their `seconds`.
  ///
  /// - Returns: the leases that another process has taken over, and what to say of each.
  public func renew(_ leases: [StoreLease]) throws(StoreError) -> [(lease: StoreLease, error: StoreError)] {
    guard let seconds = leases.first?.seconds else { return [] }
    let lost = try update(leases, until: "clock_timestamp() + interval '\(seconds) s'", "lease-renew-\(seconds)")
    guard !lost.isEmpty else { return [] }
    let states = try self.leases(lost.map(\.name))
    return lost.map { lease in
      (lease, leaseLost(lease.name, lease.number, to: states.first { $0.name == lease.name }?.number))
    }
  }

  /// Ends leases, so that another process need not wait until they lapse.
  public func release(_ leases: [StoreLease]) throws(StoreError) {
    if !leases.isEmpty { _ = try update(leases, until: "clock_timestamp()", "lease-release") }
  }

  /// - Returns: those that are not the ones in the store.
  private func update(_ leases: [StoreLease], until: String, _ statement: String) throws(StoreError) -> [StoreLease] {
    let updated = try reading { (connection) throws(StoreError) in
      let rows = try connection.query(
        statement,
        """
        update \(table) l set until = \(until) from unnest($1::text[], $2::bigint[]) u(name, fence)
          where l.name = u.name and l.fence = u.fence returning l.name
        """, [.texts(leases.map(\.name.text)), .numbers(leases.map(\.number))])
      return Set((0..<rows.count).map { rows.text($0, 0).exact })
    }
    return leases.filter { !updated.contains($0.name.$text) }
  }

  /// The error for a lease that is not the one in the store.
  ///
  /// - Parameter holder: the number that is there; each holder raises it, so that a lower one is that of another copy.
  func leaseLost(_ name: LeaseName, _ number: Int64, to holder: Int64?) -> StoreError {
    guard let holder, holder > number else {
      return StoreError(
        .leaseLost, "the lease of this daemon is not in the store any more: an earlier copy was put back",
        hint: "nothing was written; a daemon takes the lease again by itself", path: address.text)
    }
    guard let follow = name.follow else {
      return StoreError(
        .leaseLost, "another daemon has taken over this store, because this one was silent for too long",
        hint: "nothing was written; the other one leads now", path: address.text)
    }
    return StoreError(
      .leaseLost, "another program has taken over \(follow), because this one was silent for too long",
      hint: "nothing was written; the other one pulls it now", path: address.text)
  }
}
