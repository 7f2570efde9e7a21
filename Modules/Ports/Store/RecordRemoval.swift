public import Models

/// Deletes records together with what belongs to them. No other code deletes a record of a collection.
public enum RecordRemoval {
  /// Deletes a record and its companion, such as the card of a person. Does nothing if there is neither.
  ///
  /// - Parameter collection: the description of the collection; `nil` where it has none, and so no companions.
  public static func delete(
    _ id: String, of name: CollectionName, _ collection: CollectionDescriptor?,
    in transaction: inout any StoreTransaction
  ) throws(StoreError) {
    try transaction.delete(name, id)
    if let companion = collection?.companion { try transaction.delete(companion, id) }
  }
}
