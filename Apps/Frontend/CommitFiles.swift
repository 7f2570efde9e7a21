/// The files that each commit to a store writes: it is appended to the journal, under the lock. Others are replaced.
public enum CommitFiles {
  /// - Parameter name: of a file in the store's folder.
  public static func contain(_ name: some StringProtocol) -> Bool { name == "lock" || name.hasPrefix("journal.") }
}
