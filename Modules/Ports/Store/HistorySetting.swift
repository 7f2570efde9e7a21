public import Models

/// Which history a program asks a store to keep. A store in which a history has begun goes on with it in any program.
public struct HistorySetting: Sendable {
  /// What is kept of a collection that the store has no policy for yet. `setPolicy` changes it later.
  package let policy: @Sendable (CollectionName) -> HistoryPolicy

  /// Keeps the same of each collection.
  public static func keep(
    _ keep: HistoryPolicy.Keep = .forever, daily: [String] = [], quiet: [String] = []
  ) -> HistorySetting {
    policies { _ in HistoryPolicy(keep, daily: daily, quiet: quiet) }
  }

  public static func policies(_ policy: @escaping @Sendable (CollectionName) -> HistoryPolicy) -> HistorySetting {
    HistorySetting(policy: policy)
  }
}
