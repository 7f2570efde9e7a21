public import Models
public import Ports

/// A collection whose records are `Codable` values.
///
/// ```swift
/// struct ToDo: Codable, Identifiable {
///   var id: String
///   var title: String
/// }
///
/// let toDos = StoreCollection<ToDo>("todos", in: try JSONFileStore(folder: "list.store"))
/// try await toDos.put(ToDo(id: "1", title: "Buy milk"))
/// ```
///
/// A value is kept as one line of JSON, as `JSONEncoder` writes it, with its `id` first and dates as RFC 3339 in UTC
/// (`2026-11-22T09:30:00.25Z`, to the nanosecond). Any number of processes may use the same collection.
///
/// The id is a `String`. A type with another id stores its text: `var id: String { uuid.uuidString }` with the member `id`
/// in its `CodingKeys`, or a stored `id: String` that is made from it.
public struct StoreCollection<Value: Codable & Identifiable & Sendable>: Sendable where Value.ID == String {
  /// The collection's name: 1 to 64 of a-z, 0-9 and `-`.
  public let name: CollectionName
  private let store: any ObservableRecordStore

  /// The collection of this name, which need not hold anything yet. So a mistyped name reads as an empty collection;
  /// `StoreSnapshot.collections` lists those that contain records. Reads and writes throw `invalidRecord` for a name that no
  /// collection can have.
  public init(_ name: String, in store: any ObservableRecordStore) {
    self.name = CollectionName(rawValue: name)
    self.store = store
  }

  /// The value with this id, or `nil`. O(log n) for n records.
  ///
  /// - Throws: `StoreError`; `invalidRecord`, with the record's id in the message, where the record is not such a value,
  ///   as after a property was added to the type that is neither optional nor has a default.
  public func value(_ id: String) throws(StoreError) -> Value? { try store.snapshot().value(id, in: self) }

  /// The value that a change put, or `nil` where it deleted the record or belongs to another collection.
  ///
  /// - Throws: `invalidRecord` where the record is not such a value.
  public func value(of change: StoreChange) throws(StoreError) -> Value? {
    change.collection == name ? try ValueCoder.decode(change.record, name) : nil
  }

  /// The values of a range that meet a condition, by ascending id. O(n) for n records, each decoded in some µs.
  ///
  /// - Parameter onInvalid: receives the error for each record that is not such a value or not JSON, and the record is
  ///   passed over. Without it, the first such record is an error.
  /// - Throws: `StoreError`; `invalidRecord` where a record is not such a value, `damaged` where it is not JSON. The
  ///   message names the record and its collection.
  public func values(
    _ range: ScanRange = .all, where isIncluded: (Value) -> Bool = { _ in true },
    skippingInvalid onInvalid: ((StoreError) -> Void)? = nil
  ) throws(StoreError) -> [Value] {
    try store.snapshot().values(in: self, range, where: isIncluded, skippingInvalid: onInvalid)
  }

  /// What became of a value, newest first, in a store that keeps the history of this collection.
  ///
  /// - Parameter before: a commit; later ones and itself are passed over.
  /// - Throws: as `HistoricalStore.history`; `notKept` where the store has no history; `invalidRecord` where an earlier
  ///   record is not such a value.
  public func history(_ id: String, before: UInt64? = nil, limit: Int = 100) throws(StoreError)
    -> [ValueChange<Value>]
  {
    guard let store = store as? any HistoricalStore else {
      throw StoreError(.notKept, "this store has no history", hint: "open a 'JSONFileStore' with 'history: .keep()'")
    }
    return try store.history(name, id, before: before, limit: limit).map { (change) throws(StoreError) in
      ValueChange(
        commit: change.commit, origin: try store.origin(of: change.commit),
        before: try ValueCoder.decode(change.before, name), after: try ValueCoder.decode(change.after, name))
    }
  }

  /// Writes values as one commit; a value replaces the one with its id.
  ///
  /// - Throws: `StoreError` as `RecordStore.write` does; `invalidRecord` where a value or its id cannot be written.
  public func put(_ values: Value...) async throws(StoreError) { try await put(values) }

  /// Writes values as one commit; a value replaces the one with its id.
  ///
  /// The commit is built in memory; `load` takes more values than fit there.
  /// - Throws: as `put(_:)` of single values does.
  public func put(_ values: some Sequence<Value>) async throws(StoreError) {
    let values = Array(values)
    _ = try await store.write { (transaction) throws(StoreError) in
      for value in values { try transaction.put(value, in: self) }
    }
  }

  /// Writes any number of values as one commit, in any order. A store on a disk holds only some of them in memory at a time.
  ///
  /// - Parameter next: returns the next value, and `nil` at the end.
  /// - Throws: as `RecordStore.load` does; `invalidRecord` where a value or its id cannot be written.
  @discardableResult
  public func load(_ next: () throws(StoreError) -> Value?) async throws(StoreError) -> LoadCounts {
    var number = 0
    var isAtEnd = false
    return try await store.load(name) { () async throws(StoreError) -> LoadBatch? in
      var batch = LoadBatch()
      while !isAtEnd, batch.bytes.count < 1 << 16 {
        guard let value = try next() else {
          isAtEnd = true
          break
        }
        number += 1
        batch.append(LoadedRecord(id: value.id, record: try ValueCoder.encode(value), place: number))
      }
      return batch.isEmpty ? nil : batch
    }
  }

  /// Changes a value, alone among all writers.
  ///
  /// Members of the record that the type does not have are kept, at any depth, so that a program with an older or a
  /// narrower type does not remove what another program stored. `put` replaces the whole record.
  /// - Returns: the changed value.
  /// - Throws: as `put` does; `notFound` where there is no value with this id; `invalidRecord` where the change gives the
  ///   value another id. To rename a value, put it under the new id and delete the old one in one `write`.
  @discardableResult
  public func update(_ id: String, _ change: (inout Value) -> Void) async throws(StoreError) -> Value {
    try await store.write { (transaction) throws(StoreError) -> Value in
      try transaction.update(id, in: self, change)
    }.value
  }

  /// - Returns: whether there was one with this id.
  @discardableResult
  public func delete(_ id: String) async throws(StoreError) -> Bool { try await delete([id]) == 1 }

  /// Removes values as one commit.
  ///
  /// - Returns: how many there were; ids without a value are passed over.
  @discardableResult
  public func delete(_ ids: some Sequence<String>) async throws(StoreError) -> Int {
    let ids = Array(ids)
    return try await store.write { (transaction) throws(StoreError) in
      for id in ids { try transaction.delete(name, id) }
    }.records
  }

  /// The values of a range that meet a condition: those that there are now, and again after each commit of any process
  /// that changes the collection. Values that change while a consumer is busy come once, in their newest state.
  ///
  /// Each delivery reads and decodes all records of the range: O(n) for n of them, about 5 ms for 1,000 values. For a
  /// large collection that changes often, narrow the range, or follow the store's `changes(after:)` and decode each
  /// change with `value(of:)`.
  /// - Parameter onInvalid: receives, at each delivery, the error for each record that is not such a value or not JSON, and
  ///   the record is passed over. Without it, such a record ends the sequence with that error.
  /// - Throws: from the sequence, `StoreError` where the store cannot be read or its folder cannot be watched, and as
  ///   `values` does. After the first delivery, a server that cannot be reached is waited for as long as
  ///   `changes(after:)` does.
  public func observe(
    _ range: ScanRange = .all, where isIncluded: @escaping @Sendable (Value) -> Bool = { _ in true },
    skippingInvalid onInvalid: (@Sendable (StoreError) -> Void)? = nil
  ) -> AsyncThrowingStream<[Value], any Error> {
    let (stream, continuation) = AsyncThrowingStream<[Value], any Error>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let task = Task {
      do {
        let snapshot = try store.snapshot()
        // Watched from before the first look, so that no commit comes between.
        var cursor = snapshot.end
        var changes: AsyncThrowingStream<[StoreChange], any Error>? = store.changes(after: cursor)
        continuation.yield(try snapshot.values(in: self, range, where: isIncluded, skippingInvalid: onInvalid))
        while let batches = changes {
          changes = nil
          for try await batch in batches {
            if batch.contains(where: { $0.collection == name }) {
              do throws(StoreError) {
                continuation.yield(
                  try store.snapshot().values(in: self, range, where: isIncluded, skippingInvalid: onInvalid))
              } catch {
                guard error.code == .unreachable else { throw error }
                // The feed waits for the server, and begins with this batch again.
                changes = store.changes(after: cursor)
                break
              }
            }
            if let last = batch.last { cursor = last.cursor }
          }
        }
        continuation.finish()
      } catch { continuation.finish(throwing: error) }
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }
}

/// One change of a value: `before` is `nil` where it was added, `after` where it was deleted.
public struct ValueChange<Value: Sendable>: Sendable {
  public let commit: UInt64
  /// When and why; `nil` where it is not kept.
  public let origin: CommitOrigin?
  public let before, after: Value?
}

extension RecordReader {
  public func value<Value>(_ id: String, in collection: StoreCollection<Value>) throws(StoreError) -> Value? {
    try DiskTransaction.check(collection.name)
    return try ValueCoder.decode(try record(collection.name, id), collection.name)
  }

  /// The values of a range that meet a condition, by ascending id.
  ///
  /// - Parameter onInvalid: as for `StoreCollection.values`.
  /// - Throws: as `StoreCollection.values`.
  public func values<Value>(
    in collection: StoreCollection<Value>, _ range: ScanRange = .all, where isIncluded: (Value) -> Bool = { _ in true },
    skippingInvalid onInvalid: ((StoreError) -> Void)? = nil
  ) throws(StoreError) -> [Value] {
    try DiskTransaction.check(collection.name)
    var values: [Value] = []
    try scan(collection.name, range) { (record: RawSpan) throws(StoreError) -> ScanStep in
      do throws(StoreError) {
        let value = try record.withUnsafeBytes { (bytes) throws(StoreError) in
          try ValueCoder.decode(Value.self, bytes, collection.name)
        }
        if isIncluded(value) { values.append(value) }
      } catch {
        // What is damaged here is one record: damage of the files is an error of the scan.
        guard let onInvalid else { throw error }
        onInvalid(error)
      }
      return .next
    }
    return values
  }
}

extension StoreTransaction {
  /// Writes a value; it replaces the one with its id.
  ///
  /// - Throws: `invalidRecord` where the value or its id cannot be written.
  public mutating func put<Value>(_ value: Value, in collection: StoreCollection<Value>) throws(StoreError) {
    try put(ValueCoder.encode(value), id: value.id, in: collection.name)
  }

  /// Changes a value, and keeps the members of its record that the type does not have.
  ///
  /// - Returns: the changed value.
  /// - Throws: `notFound` where there is no value with this id; `invalidRecord` where the record is not such a value, or the
  ///   change gives it another id.
  @discardableResult
  public mutating func update<Value>(
    _ id: String, in collection: StoreCollection<Value>, _ change: (inout Value) -> Void
  ) throws(StoreError) -> Value {
    let name = collection.name
    guard let record = try record(name, id), var value = try self.value(id, in: collection) else {
      throw StoreError(.notFound, "there is no '\(id)' in \(name)", hint: "'put' adds a value")
    }
    let old = try ValueCoder.encode(value)
    change(&value)
    guard value.id.utf8.elementsEqual(id.utf8) else {
      throw StoreError(
        .invalidRecord, "an update of '\(id)' in \(name) cannot change the id to '\(value.id)'",
        hint: "put the value under its new id and delete the old one, in one 'write'")
    }
    try put(RecordUpdate.applied(to: record, from: old, to: ValueCoder.encode(value)), id: id, in: name)
    return value
  }
}
