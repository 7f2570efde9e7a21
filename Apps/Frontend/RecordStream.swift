public import Models
public import Ports

/// Writes records one after another, without keeping them: as a JSON array, JSON lines or comma-separated values.
public struct RecordStream {
  private let format: RecordFile.Format
  private let fields: [String]
  private let coder: any RecordCoder
  private var count = 0

  /// - Parameter fields: the columns of comma-separated values.
  public init(_ format: RecordFile.Format, fields: [String], _ coder: any RecordCoder) {
    (self.format, self.fields, self.coder) = (format, fields, coder)
  }

  /// The next record, as it is stored. Not for comma-separated values.
  public mutating func piece(encoded record: [UInt8]) -> [UInt8] {
    count += 1
    return format == .json ? Array((count == 1 ? "[\n" : ",\n").utf8) + record : record + [0x0A]
  }

  public mutating func piece(_ record: JSONObject) -> [UInt8] {
    guard format == .csv else { return piece(encoded: coder.encode(record)) }
    count += 1
    let cells = fields.map { RecordFile.cell(record.value(at: $0), coder) }
    return (count == 1 ? header : []) + Self.line(cells)
  }

  /// What follows the last record.
  public var end: [UInt8] {
    switch format {
    case .json: Array((count == 0 ? "[]\n" : "\n]\n").utf8)
    case .csv: count == 0 ? header : []
    case .jsonl: []
    }
  }

  private var header: [UInt8] { Self.line(fields) }

  private static func line(_ cells: [String]) -> [UInt8] {
    Array((cells.map(quoted).joined(separator: ",") + "\n").utf8)
  }

  /// The field as RFC 4180 section 2 writes it.
  private static func quoted(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }) else { return text }
    var result = "\""
    for character in text.unicodeScalars {
      if character == "\"" { result += "\"" }
      result.unicodeScalars.append(character)
    }
    return result + "\""
  }
}

extension RawSpan {
  public var copied: [UInt8] { withUnsafeBytes { Array($0) } }
}

extension StoreChange {
  /// The change as an object in JSON, without a line feed. The record is not read for it.
  public func line(_ coder: any RecordCoder) -> [UInt8] {
    let head: JSONObject = [
      "cursor": .string(cursor.description), "at": .string(at.description), "op": record == nil ? "delete" : "put",
      "collection": .string(collection.rawValue), "id": .string(id),
    ]
    let bytes = coder.encode(head)
    guard let record else { return bytes }
    return bytes.dropLast() + Array(",\"record\":".utf8) + record + [UInt8(ascii: "}")]
  }
}
