public import Models

extension RecordReader {
  /// A record as a value, or `nil` where there is none.
  ///
  /// - Throws: `StoreError`, `damaged` where the bytes are no such record.
  public func record<Value: Record>(
    _ type: Value.Type, _ id: String, _ coder: any RecordCoder
  ) throws(StoreError) -> Value? {
    guard let bytes = try record(Value.collection, id) else { return nil }
    // The span of an array needs macOS 26, that of a slice does not.
    let slice = bytes[...]
    return try Value(stored: slice.span.bytes, coder)
  }

  /// Hands every record of the range to `body` as a value, by ascending id.
  ///
  /// - Throws: what `body` throws; `StoreError`, `damaged` where the bytes are no such record.
  public func scan<Value: Record>(
    _ type: Value.Type, _ range: ScanRange = .all, _ coder: any RecordCoder,
    _ body: (Value) throws(StoreError) -> ScanStep
  ) throws(StoreError) {
    try scan(Value.collection, range) { (bytes: RawSpan) throws(StoreError) -> ScanStep in
      try body(Value(stored: bytes, coder))
    }
  }
}

extension RecordReader {
  /// The members of a record of any kind, or `nil` where there is none.
  ///
  /// - Throws: `StoreError`, `damaged` where the bytes are no JSON object.
  public func object(
    _ collection: CollectionName, _ id: String, _ coder: any RecordCoder
  ) throws(StoreError) -> JSONObject? {
    guard let bytes = try record(collection, id) else { return nil }
    // The span of an array needs macOS 26, that of a slice does not.
    let slice = bytes[...]
    return try coder.object(slice.span.bytes, of: collection)
  }
}

extension RecordCoder {
  /// Reads a record of any kind as the store keeps it.
  ///
  /// - Throws: `StoreError`, `damaged` where the bytes are no JSON object.
  public func object(_ stored: RawSpan, of collection: CollectionName) throws(StoreError) -> JSONObject {
    do throws(ParsingError) {
      return try decode(stored)
    } catch {
      throw StoreError(.damaged, "a record of \(collection) cannot be read: \(error)")
    }
  }
}

extension StoreTransaction {
  /// Writes a value, whole.
  ///
  /// - Throws: `StoreError.invalidRecord` where the id is not as it must be.
  public mutating func put(_ record: some Record, _ coder: any RecordCoder) throws(StoreError) {
    try put(coder.encode(record.fields), id: record.id, in: type(of: record).collection)
  }
}

extension Record {
  /// Reads a record as the store keeps it.
  ///
  /// - Throws: `StoreError`, `damaged` where the bytes are no such record.
  public init(stored bytes: RawSpan, _ coder: any RecordCoder) throws(StoreError) {
    let fields = try coder.object(bytes, of: Self.collection)
    do throws(RecordError) {
      self = try Self(fields: fields)
    } catch {
      throw StoreError(.damaged, "a record cannot be read: \(error)")
    }
  }
}
