public import Models
public import Ports

/// Reads a table whose first line names the fields (RFC 4180), each record as a JSON object of texts.
///
/// Lines end with LF, CR LF or CR. A text with a byte order mark may be UTF-16. In any other, bytes that are not UTF-8 become
/// U+FFFD.
public enum CSVReader {
  /// The records. Empty lines are skipped, and a line may have fewer fields than the first one. Where several columns have no
  /// name, these are left out. O(bytes).
  ///
  /// - Parameter separator: the byte between two fields: that of `,`, `;` or a tab.
  /// - Throws: `ParsingError`: `syntax` for a quote that is not closed, a line with more fields than the first one, or a
  ///   name that two columns have; `foreign` for UTF-16 without a byte order mark.
  public static func records(
    of bytes: [UInt8], separator: UInt8 = UInt8(ascii: ",")
  ) throws(ParsingError) -> [JSONValue] {
    var lines = try Lines(bytes, separator)
    var header: (names: [String], isNamed: [Bool])?
    var records: [JSONValue] = []
    while let line = try lines.next() {
      if line.isEmpty { continue }
      let fields = line.fields
      guard let header else {
        let isNamed = fields.count(where: \.isEmpty) < 2
        let repeated = lines.repeated(fields)
        guard repeated.isEmpty else {
          throw lines.fault(
            at: line.start, expected: "columns of different names",
            found: "several named \(repeated.map { "'\($0)'" }.joined(separator: ", "))")
        }
        header = (fields, fields.map { isNamed || !$0.isEmpty })
        continue
      }
      guard fields.count <= header.names.count else {
        throw lines.fault(
          at: line.start, expected: "\(header.names.count) fields, as in the first line", found: "\(fields.count)")
      }
      let members = fields.indices.filter { header.isNamed[$0] }.map {
        JSONObject.Member(key: header.names[$0], value: .string(fields[$0]))
      }
      records.append(.object(JSONObject(members: members)))
    }
    return records
  }

  /// The lines of a table with their numbers, from 1, of the first one too; those without a text are skipped. O(bytes).
  ///
  /// - Parameter separator: as for `records`.
  /// - Throws: `ParsingError`: `syntax` for a quote that is not closed; `foreign` for UTF-16 without a byte order mark.
  public static func lines(
    of bytes: [UInt8], separator: UInt8 = UInt8(ascii: ",")
  ) throws(ParsingError) -> [(line: Int, fields: [String])] {
    var reader = try Lines(bytes, separator)
    var lines: [(line: Int, fields: [String])] = []
    while let line = try reader.next() {
      if line.fields.contains(where: { !$0.isEmpty }) { lines.append((line.number, line.fields)) }
    }
    return lines
  }

  private struct Line {
    var start: Int
    var number: Int
    var fields: [String]
    /// Whether nothing is before its end, not even quotes.
    var isEmpty: Bool
  }

  private struct Lines {
    private let bytes: [UInt8]
    private let separator: UInt8
    private var offset: Int
    private var number = 1

    init(_ bytes: [UInt8], _ separator: UInt8) throws(ParsingError) {
      self.bytes = UTF16Text.utf8(bytes) ?? bytes
      self.separator = separator
      offset = self.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      guard !self.bytes.prefix(2).contains(0) else {
        throw ParsingError(
          .foreign, expected: "text in UTF-8, or in UTF-16 with a byte order mark", found: "a byte 0 at the beginning")
      }
    }

    func fault(at offset: Int, expected: String, found: String) -> ParsingError {
      let line = bytes[..<offset].lastIndex { $0 == 0x0A || $0 == 0x0D } ?? -1
      return ParsingError(
        .syntax, offset: offset, line: 1 + lineEnds(in: 0..<offset), column: offset - line, expected: expected,
        found: found)
    }

    private func lineEnds(in range: Range<Int>) -> Int {
      range.count { bytes[$0] == 0x0A || bytes[$0] == 0x0D && !($0 + 1 < bytes.count && bytes[$0 + 1] == 0x0A) }
    }

    /// The names that several columns have.
    func repeated(_ names: [String]) -> [String] {
      var (known, repeated): (Set<ExactString>, [String]) = ([], [])
      for name in names where !name.isEmpty && !known.insert(name.exact).inserted { repeated.append(name) }
      return repeated
    }

    mutating func next() throws(ParsingError) -> Line? {
      guard offset < bytes.count else { return nil }
      var line = Line(start: offset, number: number, fields: [], isEmpty: false)
      line.isEmpty = bytes[offset] == 0x0A || bytes[offset] == 0x0D
      while true {
        var field = try quoted()
        let end = bytes[offset...].firstIndex { $0 == separator || $0 == 0x0A || $0 == 0x0D } ?? bytes.count
        field += bytes[offset..<end]
        line.fields.append(String(decoding: field, as: UTF8.self))
        offset = end + 1
        if end < bytes.count, bytes[end] == separator { continue }
        if end < bytes.count, bytes[end] == 0x0D, offset < bytes.count, bytes[offset] == 0x0A { offset += 1 }
        number += lineEnds(in: line.start..<min(offset, bytes.count))
        return line
      }
    }

    /// The text of a quoted field, or nothing if the field is not quoted.
    private mutating func quoted() throws(ParsingError) -> [UInt8] {
      guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else { return [] }
      let start = offset
      var field: [UInt8] = []
      offset += 1
      while true {
        guard let quote = bytes[offset...].firstIndex(of: UInt8(ascii: "\"")) else {
          throw fault(at: start, expected: "a closing quote", found: "the end of the text")
        }
        field += bytes[offset..<quote]
        offset = quote + 1
        // A quote in a quoted field is doubled.
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else { return field }
        field.append(UInt8(ascii: "\""))
        offset += 1
      }
    }
  }
}
