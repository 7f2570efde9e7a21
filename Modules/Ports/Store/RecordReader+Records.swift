public import Models

extension RecordReader {
  /// A record as a value; `nil` if there is none. Unreadable bytes are `damaged`, here and below.
  public func record<Value: Record>(
    _ type: Value.Type, _ id: String, _ coder: any RecordCoder
  ) throws(StoreError) -> Value? {
    guard let bytes = try record(Value.collection, id) else { return nil }
    // `[UInt8].span` requires macOS 26; the span of an array slice does not.
    let slice = bytes[...]
    return try Value(stored: slice.span.bytes, coder)
  }

  /// Calls `body` with every record of the range as a value, by ascending id.
  public func scan<Value: Record>(
    _ type: Value.Type, _ range: ScanRange = .all, _ coder: any RecordCoder,
    _ body: (Value) throws(StoreError) -> ScanStep
  ) throws(StoreError) {
    try scan(Value.collection, range) { (bytes: RawSpan) throws(StoreError) -> ScanStep in
      try body(Value(stored: bytes, coder))
    }
  }

  /// The records of the range as values, by ascending id.
  public func all<Value: Record>(
    _ type: Value.Type, _ coder: any RecordCoder, in range: ScanRange = .all
  ) throws(StoreError) -> [Value] { try all(type, coder, in: range) { $0 } }

  /// What is made of each record of the range, by ascending id, without `nil`.
  public func all<Value: Record, Result>(
    _ type: Value.Type, _ coder: any RecordCoder, in range: ScanRange = .all,
    _ transform: (Value) throws(StoreError) -> Result?
  ) throws(StoreError) -> [Result] {
    var results: [Result] = []
    try scan(type, range, coder) { (record) throws(StoreError) in
      if let result = try transform(record) { results.append(result) }
      return .next
    }
    return results
  }
}

extension RecordReader {
  /// Reads the members of a record of any type; `nil` if there is no such record.
  public func object(
    _ collection: CollectionName, _ id: String, _ coder: any RecordCoder
  ) throws(StoreError) -> JSONObject? {
    try record(collection, id).map { (bytes) throws(StoreError) in try coder.object(bytes, collection, id) }
  }

  /// Calls `body` with the members of every record of the range, by ascending id.
  public func eachObject(
    _ collection: CollectionName, _ range: ScanRange, _ coder: any RecordCoder,
    _ body: (JSONObject) throws(StoreError) -> ScanStep
  ) throws(StoreError) {
    try scan(collection, range) { (bytes: RawSpan) throws(StoreError) -> ScanStep in
      try body(coder.object(bytes, of: collection))
    }
  }
}

extension RecordCoder {
  /// Decodes the stored bytes of a record of any type.
  public func object(_ stored: RawSpan, of collection: CollectionName) throws(StoreError) -> JSONObject {
    do throws(ParsingError) {
      return try decode(stored)
    } catch {
      throw StoreError(.damaged, "a record of \(collection) cannot be read: \(error)")
    }
  }

  public func object(_ stored: [UInt8], _ collection: CollectionName, _ id: String) throws(StoreError) -> JSONObject {
    do throws(ParsingError) {
      return try decode(stored)
    } catch {
      throw StoreError(.damaged, "the record \(collection)/\(id) cannot be read: \(error)")
    }
  }
}

extension StoreTransaction {
  public mutating func put(_ record: some Record, _ coder: any RecordCoder) throws(StoreError) {
    try put(coder.encode(record.fields), id: record.id, in: type(of: record).collection)
  }

  /// Writes the record that goes with a record that was added; nothing without a note.
  ///
  /// - Throws: `StoreError`: `aborted` if another process has written it meanwhile; if the store cannot be read or written.
  public mutating func put(
    _ note: CommitNote?, with collection: CollectionName, _ id: String, _ coder: any RecordCoder
  ) throws(StoreError) {
    guard let note, let added = try record(collection, id) else { return }
    if let known = try state(note.key, coder), note.isInUse(known) {
      throw StoreError(.aborted, "another process has written \(note.key.id)")
    }
    try setState(note.key, to: note.fields(id, added), coder)
  }
}

/// The record of `state` that the commit which adds another record writes as well.
public struct CommitNote: Sendable {
  public let key: StateKey
  /// Whether a stored one must not be replaced.
  let isInUse: @Sendable (JSONObject) -> Bool
  /// Its fields, made of the id and the bytes of the added record.
  let fields: @Sendable (_ id: String, _ record: [UInt8]) -> JSONObject

  public init(
    _ key: StateKey, isInUse: @escaping @Sendable (JSONObject) -> Bool,
    fields: @escaping @Sendable (_ id: String, _ record: [UInt8]) -> JSONObject
  ) { (self.key, self.isInUse, self.fields) = (key, isInUse, fields) }
}

extension Record {
  public init(stored bytes: RawSpan, _ coder: any RecordCoder) throws(StoreError) {
    let fields = try coder.object(bytes, of: Self.collection)
    do throws(RecordError) {
      self = try Self(fields: fields)
    } catch {
      throw StoreError(.damaged, "a record of \(Self.collection) cannot be read: \(error)")
    }
  }
}

extension RecordReader {
  /// Whether the record is stored as these bytes; true where there are none to compare with.
  public func holds(_ bytes: [UInt8]?, _ collection: CollectionName, _ id: String) throws(StoreError) -> Bool {
    guard let bytes else { return true }
    return try record(collection, id) == bytes
  }
}

extension Failure {
  /// An edit was made for another state of the record than the stored one.
  public static func changed(_ collection: CollectionName, _ id: String) -> Failure {
    Failure(
      .config, .usage, "\(collection)/\(id) was changed since it was read", hint: "read it again, then repeat the edit",
      code: .own(.changed), path: "\(collection)/\(id)")
  }
}
