public import Models
public import Ports

/// Looks up, lists, copies out and copies in the records of any collection.
public struct Library: LibraryService {
  let store: any RecordStore
  let coder: any RecordCoder
  let filters: any RecordFilterCompiler
  let catalog: CollectionCatalog

  /// A library over a store.
  ///
  /// - Parameters:
  ///   - filters: looks at single fields of stored records.
  ///   - catalog: the collections that there are, with their fields.
  public init(
    store: any RecordStore, coder: any RecordCoder, filters: any RecordFilterCompiler, catalog: CollectionCatalog
  ) {
    self.store = store
    self.coder = coder
    self.filters = filters
    self.catalog = catalog
  }

  /// The record as it is kept. O(log n) for n records.
  public func record(_ collection: CollectionName, _ id: String) throws(Failure) -> [UInt8] {
    let record: [UInt8]?
    do throws(StoreError) {
      record = try store.snapshot().record(collection, id)
    } catch {
      throw error.failure
    }
    guard let record else {
      throw Failure(
        .store, .notFound, "there is no record '\(id)' in \(collection)", code: "not-found",
        path: "\(collection)/\(id)")
    }
    return record
  }

  /// How many records a collection holds.
  public func count(_ collection: CollectionName) throws(Failure) -> Int {
    do throws(StoreError) {
      return try store.snapshot().count(collection)
    } catch {
      throw error.failure
    }
  }

  /// The change feed of the collections that users see.
  ///
  /// Fewer than `limit` changes say that there are no more for now.
  public func changes(since cursor: ChangeCursor?, limit: Int) throws(Failure) -> [StoreChange] {
    let listed = Set(catalog.names)
    var changes: [StoreChange] = []
    var place = cursor
    do throws(StoreError) {
      while changes.count < limit {
        // The system's own memory is left out, so that a piece of the feed can come out empty before its end.
        let piece = try store.changes(since: place, limit: max(limit - changes.count, 256))
        guard let last = piece.last else { break }
        changes += piece.filter { listed.contains($0.collection) }.prefix(limit - changes.count)
        place = last.cursor
      }
    } catch {
      throw error.failure
    }
    return changes
  }
}
