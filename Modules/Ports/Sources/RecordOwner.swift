public import Models

/// The source that a record belongs to: it brings the record, and takes its changes and its removal.
public enum RecordOwner: Hashable, Sendable {
  /// No remote has the record, and no edit brings it to one.
  case here
  /// The source of the pending edits, or else that of the remote's copy.
  case source(SourceName)
  /// A remote has the record, or will get it, and a store of an earlier version does not say which one.
  case unknown

  public init(_ copy: RemoteCopy?, edits: [OutboxEntry] = []) {
    if let source = edits.lazy.compactMap(\.source).first ?? copy?.source {
      self = .source(source)
    } else {
      self = copy == nil && edits.isEmpty ? .here : .unknown
    }
  }

  /// Whether a source may bring or change the record. A source that is no longer configured keeps no record from others.
  public func admits(_ source: SourceName, configured: Set<SourceName>) -> Bool {
    guard case .source(let owner) = self else { return true }
    return owner == source || !configured.contains(owner)
  }

  public func isOther(than source: SourceName) -> Bool {
    guard case .source(let owner) = self else { return false }
    return owner != source
  }
}

extension PendingEdits {
  /// The owner of a record. O(n) for n pending edits of all records.
  public func owner(
    of collection: CollectionName, _ id: String, in reader: some RecordReader
  ) throws(StoreError) -> RecordOwner {
    RecordOwner(try remoteCopy(of: collection, id, in: reader), edits: try edits(of: collection, id, in: reader))
  }
}
