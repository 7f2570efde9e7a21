public import Models
import Networking
import Persistence
public import Ports
import Synchronization

/// Counts the calls under rate budgets in the user's state folder.
///
/// A budget belongs to a key, whatever store its calls are for, so that all stores of a user share the counts. On a server the
/// store has them, for the programs of all machines. No request waits for the disk: after a power cut, calls of the last seconds
/// before it may be missing.
public final class BudgetFolder: BudgetLedger {
  /// `nil` where the store has the counts.
  private let folder: String?
  private let store: (any RecordStore)?
  private let coder: any RecordCoder
  private let time: any TimeSource
  private let opened = Mutex<Opened?>(nil)

  private struct Opened {
    let ledger: any BudgetLedger
    /// The store in the folder, if that is used.
    var shared: JSONFileStore?
  }

  /// The counts of a call. Nothing is made before the first one.
  ///
  /// - Parameter store: has the counts where the folder cannot be used, or is inside the store's own, and those of an earlier
  ///   version; `nil` for a plan, which changes no store.
  public init(_ places: Places, besides store: (any RecordStore)?, coder: any RecordCoder, time: any TimeSource) {
    let folder = Places.absolute(places.budgets)
    self.folder =
      places.isStoreOnServer || folder.hasPrefix(Places.absolute(places.store) + "/") ? nil : folder
    (self.store, self.coder, self.time) = (store, coder, time)
  }

  /// Counts one call, or returns how long to wait.
  ///
  /// - Throws: `StoreError` as `StoredBudgetLedger.take`.
  public func take(_ budget: RateBudget, at now: Timestamp) async throws(StoreError) -> BudgetDecision {
    let opened = opened.withLock { opened in
      let known = opened ?? open()
      opened = known
      return known
    }
    do throws(StoreError) { return try await opened.ledger.take(budget, at: now) } catch {
      guard error.code == .damaged, let shared = opened.shared else { throw error }
      _ = try await shared.repair()
      return try await opened.ledger.take(budget, at: now)
    }
  }

  private func open() -> Opened {
    if let folder, let shared = try? Self.opened(folder, time) {
      return Opened(ledger: StoredBudgetLedger(store: shared, before: store, coder: coder), shared: shared)
    }
    return Opened(ledger: store.map { StoredBudgetLedger(store: $0, coder: coder) } ?? InMemoryBudgetLedger())
  }

  private static func opened(_ folder: String, _ time: any TimeSource) throws -> JSONFileStore {
    let system = RealFileSystem(path: folder, followsLink: true, syncs: false)
    _ = try system.openFolder(create: true)
    var limits = Limits()
    // Nobody reads what was counted hours ago.
    (limits.compactJournal, limits.keptJournal) = (1 << 20, 0)
    return try JSONFileStore(
      system: system, time: time, limits: limits,
      suggestions: StoreSuggestions(repair: "delete the folder \(folder): the calls are counted anew"))
  }
}
