import Models
import Ports

extension RecordReader {
  /// The record's fields, or `nil` where there is none.
  ///
  /// - Throws: `StoreError`, `damaged` where the bytes are no JSON object.
  func fields(_ collection: CollectionName, _ id: String, _ coder: any RecordCoder) throws(StoreError) -> JSONObject? {
    guard let bytes = try record(collection, id) else { return nil }
    return try coder.fields(of: bytes, collection, id)
  }

  /// Hands the fields of every record of the range to `body`, by ascending id.
  ///
  /// - Throws: what `body` throws; `StoreError`, `damaged` where the bytes are no JSON object.
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
  /// The fields that stand in a stored record's bytes.
  ///
  /// - Throws: `StoreError`, `damaged` where the bytes are no JSON object.
  func fields(of bytes: [UInt8], _ collection: CollectionName, _ id: String) throws(StoreError) -> JSONObject {
    do {
      return try decode(bytes)
    } catch {
      throw StoreError(.damaged, "the record \(collection)/\(id) cannot be read: \(error)")
    }
  }
}
