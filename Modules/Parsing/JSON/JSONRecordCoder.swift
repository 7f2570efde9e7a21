public import Models
public import Ports

/// Writes and reads the store's records with our own JSON reader and writer.
///
/// Writing takes about as long as copying; reading checks the whole record against RFC 8259.
public struct JSONRecordCoder: RecordCoder {
  /// A coder.
  public init() {}

  /// Writes an object as one line of compact JSON, members in their order.
  public func encode(_ fields: JSONObject) -> [UInt8] {
    JSONWriter.bytes { $0.write(fields) }
  }

  /// Writes any value as one line of compact JSON.
  public func encode(_ value: JSONValue) -> [UInt8] { JSONText.bytes(value) }

  /// Reads one JSON object.
  ///
  /// - Throws: `ParsingError`: `syntax` or `truncated` where the grammar is broken, `limit` where the record is nested
  ///   too deeply, `shape` where it is another value than an object.
  public func decode(_ bytes: RawSpan) throws(ParsingError) -> JSONObject {
    try JSONDocument.read(bytes) { (node) throws(ParsingError) -> JSONObject in
      guard node.isObject else { throw node.error(expected: "an object") }
      return node.fields
    }
  }
}
