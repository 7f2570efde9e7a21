public import Models

/// The leases of follows in a store that several programs use: one program at a time pulls a follow.
public protocol FollowLeases: Sendable {
  /// What the store has of the leases of follows, by canonical paths, without those that were never claimed.
  func states(of follows: [String]) throws(StoreError) -> [FollowLeaseState]

  /// Takes the lease of a follow, which is renewed until it is ended.
  ///
  /// - Parameter last: the number of the lease that the caller knows: if another program has claimed it since, it is
  ///   refused. `nil` to take it whatever others did.
  /// - Throws: `StoreError`: `busy` if another program has the lease, or had it after `last`.
  func claim(_ follow: String, after last: Int64?) async throws(StoreError) -> any FollowLease
}

public struct FollowLeaseState: Hashable, Sendable {
  @ExactString public var follow: String
  /// Raised by each claim.
  public var number: Int64
  public var holder: String?

  public init(follow: String, number: Int64, holder: String? = nil) {
    (self.follow, self.number, self.holder) = (follow, number, holder)
  }
}

public protocol FollowLease: Sendable {
  /// The store for the pull. Once another program has the lease, it refuses every commit with `leaseLost`.
  var store: any RecordStore { get }

  func end()
}

extension Failure {
  /// The error of a follow that another program pulls, or has just pulled.
  public static func pulledElsewhere(_ error: StoreError) -> Failure {
    Failure(
      .store, .tryLater, error.message, hint: error.hint, code: .own(.pulledElsewhere), path: error.path,
      retryable: true)
  }

  /// Whether another program does, or has just done, what was to be done. That is not a failure of a follow.
  public var isTakenOver: Bool { code == .own(.pulledElsewhere) || code == .store(.leaseLost) }
}
