public import Models

/// Which side wins a conflict of the records of a follow, whose owner is not asked.
public enum ConflictRule: String, Sendable, CaseIterable {
  case mine
  case theirs
  /// What was changed last. Where the server does not say when, the conflict waits.
  case newest

  public static let option = FollowOption(
    "conflict", allowed: allCases.map(\.rawValue),
    help: "which side of a conflict wins without a question: the edit made here, the server, or what was changed last")
}
