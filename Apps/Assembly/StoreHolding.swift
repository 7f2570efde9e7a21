public import Models
public import Ports
import PostgreSQLStore

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
    let holder = "\(Self.host) \(getpid())"
    let lease = try await Failure.from { () async throws(StoreError) in try await store.claimLease(holder: holder) }
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

  private static var host: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
