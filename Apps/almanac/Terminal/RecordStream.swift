import Frontend
import Models
import Ports

/// Writes records one after another, without keeping them: as a JSON array, JSON lines or comma-separated values.
struct RecordStream {
  private let terminal: Terminal
  private let format: OutputFormat
  private let csvFields: [String]
  private var count = 0

  /// - Parameter csvFields: the columns of comma-separated values.
  init(terminal: Terminal, csvFields: [String]) {
    (self.terminal, format, self.csvFields) = (terminal, terminal.format, csvFields)
  }

  mutating func piece(encoded record: [UInt8]) -> [UInt8] {
    count += 1
    return format == .json ? Array((count == 1 ? "[\n" : ",\n").utf8) + record : record + [0x0A]
  }

  mutating func piece(_ record: JSONObject) -> [UInt8] {
    guard format == .csv else { return piece(encoded: terminal.coder.encode(record)) }
    count += 1
    let cells = csvFields.map { RecordFile.quoted(terminal.answer.exact(record.value(at: $0))) }
    return (count == 1 ? header : []) + Array((cells.joined(separator: ",") + "\n").utf8)
  }

  /// What follows the last record.
  var end: [UInt8] {
    switch format {
    case .json: Array((count == 0 ? "[]\n" : "\n]\n").utf8)
    case .csv: count == 0 ? header : []
    case .jsonl, .table: []
    }
  }

  private var header: [UInt8] { Array((csvFields.map(RecordFile.quoted).joined(separator: ",") + "\n").utf8) }
}

extension RawSpan {
  var copied: [UInt8] { withUnsafeBytes { Array($0) } }
}
