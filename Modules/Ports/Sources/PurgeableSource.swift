public import Models

/// A source that can tell which stored records a follow brought.
public protocol PurgeableSource: Source {
  /// The records that this follow brought and none of the others; `nil` if the source cannot tell, so that the engine looks
  /// at what the last complete pull listed.
  ///
  /// - Parameters:
  ///   - follow: in its usual spelling.
  ///   - others: the other follows of this source, with those that ended and whose records were kept.
  func records(
    of follow: Follow, besides others: [Follow], in reader: any RecordReader
  ) throws(StoreError) -> [RecordName]?

  /// The records that the given ones refer to, and that were pulled for their sake: the owners of photos. Each is removed
  /// with the last record that refers to it. None by default.
  func dependents(of records: [RecordName], in reader: any RecordReader) throws(StoreError) -> Set<RecordName>

  /// Those of the dependents to which nothing in the store refers, and that no other follow names. All by default.
  ///
  /// - Parameter others: as for `records`.
  func unneeded(
    _ dependents: Set<RecordName>, besides others: [Follow], in reader: any RecordReader
  ) throws(StoreError) -> Set<RecordName>
}

extension PurgeableSource {
  public func dependents(
    of records: [RecordName], in reader: any RecordReader
  ) throws(StoreError) -> Set<RecordName> { [] }

  public func unneeded(
    _ dependents: Set<RecordName>, besides others: [Follow], in reader: any RecordReader
  ) throws(StoreError) -> Set<RecordName> { dependents }
}

public struct PurgedRecords: Hashable, Sendable {
  public var removed: [CollectionName: Int]
  /// The records with pending edits, and those that were changed here.
  public var kept: [RecordName]

  public init(removed: [CollectionName: Int], kept: [RecordName] = []) { (self.removed, self.kept) = (removed, kept) }
}

public protocol PurgeService: Sendable {
  /// Looks whether the records can be removed, and changes nothing.
  ///
  /// - Returns: whether there are any, or anything else that is remembered of the follow.
  func check(_ follow: Follow, besides others: [Follow]) throws(Failure) -> Bool

  /// Removes the records that a follow brought and no other follow, and what is remembered of it. Records with pending edits,
  /// and records that were changed here, are kept.
  ///
  /// - Parameter others: the follows that go on.
  /// - Throws: `Failure`: `usage` if the store does not know which records the follow brought; if the store cannot be read
  ///   or written.
  func purge(_ follow: Follow, besides others: [Follow]) async throws(Failure) -> PurgedRecords
}
