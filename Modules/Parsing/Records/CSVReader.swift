public import Models
public import Ports

/// Reads a table whose first line names the fields (RFC 4180), each record as a JSON object of texts.
public enum CSVReader {
  /// The records. Lines end with LF or CR LF; empty ones are skipped, and a line may have fewer fields than the first one. A
  /// byte order mark is skipped; bytes that are not UTF-8 become U+FFFD. O(bytes).
  ///
  /// - Parameter separator: the byte between two fields: that of `,`, `;` or a tab.
  /// - Throws: `ParsingError`: `syntax` for a quote that is not closed, or a line with more fields than the first one.
  public static func records(
    of bytes: [UInt8], separator: UInt8 = UInt8(ascii: ",")
  ) throws(ParsingError) -> [JSONValue] {
    var names: [String]?
    var records: [JSONValue] = []
    var offset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while offset < bytes.count {
      let start = offset
      let fields = try line(of: bytes, from: &offset, separator)
      if fields == [""] { continue }
      guard let known = names else {
        names = fields
        continue
      }
      guard fields.count <= known.count else {
        throw fault(
          in: bytes, at: start, expected: "\(known.count) fields, as in the first line", found: "\(fields.count)")
      }
      records.append(.object(JSONObject(members: zip(known, fields).map { .init(key: $0, value: .string($1)) })))
    }
    return records
  }

  /// The lines of a table with their numbers, from 1, of the first one too; those without a text are skipped. O(bytes).
  ///
  /// - Parameter separator: as for `records`.
  /// - Throws: `ParsingError`: `syntax` for a quote that is not closed.
  public static func lines(
    of bytes: [UInt8], separator: UInt8 = UInt8(ascii: ",")
  ) throws(ParsingError) -> [(line: Int, fields: [String])] {
    var lines: [(line: Int, fields: [String])] = []
    var (offset, number) = (bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0, 1)
    while offset < bytes.count {
      let start = offset
      let fields = try line(of: bytes, from: &offset, separator)
      if fields.contains(where: { !$0.isEmpty }) { lines.append((number, fields)) }
      number += bytes[start..<min(offset, bytes.count)].count { $0 == 0x0A }
    }
    return lines
  }

  private static func fault(in bytes: [UInt8], at offset: Int, expected: String, found: String) -> ParsingError {
    let before = bytes[..<offset]
    return ParsingError(
      .syntax, offset: offset, line: 1 + before.count { $0 == 0x0A },
      column: offset - (before.lastIndex(of: 0x0A) ?? -1), expected: expected, found: found)
  }

  private static func line(
    of bytes: [UInt8], from offset: inout Int, _ separator: UInt8
  ) throws(ParsingError) -> [String] {
    var fields: [String] = []
    while true {
      var field: [UInt8] = []
      if offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") {
        let start = offset
        offset += 1
        while true {
          guard let quote = bytes[offset...].firstIndex(of: UInt8(ascii: "\"")) else {
            throw fault(in: bytes, at: start, expected: "a closing quote", found: "the end of the text")
          }
          field += bytes[offset..<quote]
          offset = quote + 1
          // A quote in a quoted field is doubled.
          guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else { break }
          field.append(UInt8(ascii: "\""))
          offset += 1
        }
      }
      let end = bytes[offset...].firstIndex { $0 == separator || $0 == 0x0A } ?? bytes.count
      field += bytes[offset..<end]
      let isLast = end == bytes.count || bytes[end] == 0x0A
      if isLast, field.last == 0x0D { field.removeLast() }
      fields.append(String(decoding: field, as: UTF8.self))
      offset = end + 1
      if isLast { return fields }
    }
  }
}
