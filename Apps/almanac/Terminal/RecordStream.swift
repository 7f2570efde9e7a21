import Frontend
import Models
import Ports

/// Prints records one after another, without keeping them: as a JSON array, JSON lines or comma-separated values.
struct RecordStream {
  private let terminal: Terminal
  private let csvFields: [String]
  private var count = 0

  /// A stream to the terminal.
  ///
  /// - Parameter csvFields: the columns of comma-separated values.
  init(terminal: Terminal, csvFields: [String]) {
    self.terminal = terminal
    self.csvFields = csvFields
  }

  mutating func append(encoded record: [UInt8]) {
    switch terminal.format {
    case .json: terminal.write((count == 0 ? Array("[\n".utf8) : Array(",\n".utf8)) + record)
    case .jsonl, .table, .csv: terminal.write(record + [0x0A])
    }
    count += 1
  }

  mutating func append(_ record: JSONObject) {
    guard terminal.format == .csv else { return append(encoded: terminal.coder.encode(record)) }
    if count == 0 { header() }
    count += 1
    let answer = Answer(terminal: terminal)
    terminal.line(csvFields.map { Self.quoted(answer.exact(record.value(at: $0))) }.joined(separator: ","))
  }

  mutating func finish() {
    switch terminal.format {
    case .json: terminal.write(count == 0 ? "[]\n" : "\n]\n")
    case .csv: if count == 0 { header() }
    case .jsonl, .table: break
    }
  }

  private func header() { terminal.line(csvFields.map(Self.quoted).joined(separator: ",")) }

  /// The field as RFC 4180 section 2 writes it.
  static func quoted(_ text: String) -> String {
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
  var copied: [UInt8] { withUnsafeBytes { Array($0) } }
}
