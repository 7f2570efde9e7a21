import Models
import Ports

extension RecordReader {
  /// The fields of the record; `nil` if there is no such record.
  ///
  /// - Throws: `StoreError`: `damaged` if the bytes are not a JSON object.
  func fields(_ collection: CollectionName, _ id: String, _ coder: any RecordCoder) throws(StoreError) -> JSONObject? {
    guard let bytes = try record(collection, id) else { return nil }
    return try coder.fields(of: bytes, collection, id)
  }

  /// Calls `body` with the fields of every record of the range, by ascending id.
  ///
  /// - Throws: the errors of `body`; `StoreError`: `damaged` if the bytes are not a JSON object.
  func eachFields(
    _ collection: CollectionName, _ range: ScanRange, _ coder: any RecordCoder,
    _ body: (JSONObject) throws(StoreError) -> ScanStep
  ) throws(StoreError) {
    try scan(collection, range) { (bytes: RawSpan) throws(StoreError) -> ScanStep in
      let fields: JSONObject
      do {
        fields = try coder.decode(bytes)
      } catch {
        throw StoreError(.damaged, "a record of \(collection) cannot be read: \(error)")
      }
      return try body(fields)
    }
  }
}

extension RecordCoder {
  /// Decodes the fields of a stored record.
  ///
  /// - Throws: `StoreError`: `damaged` if the bytes are not a JSON object.
  func fields(of bytes: [UInt8], _ collection: CollectionName, _ id: String) throws(StoreError) -> JSONObject {
    do {
      return try decode(bytes)
    } catch {
      throw StoreError(.damaged, "the record \(collection)/\(id) cannot be read: \(error)")
    }
  }
}
