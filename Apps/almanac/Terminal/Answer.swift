import Models
import Ports

/// Prints records in the format that was asked for.
struct Answer {
  /// A column of a table or of comma-separated values.
  struct Column {
    /// The field, with `.` between the levels.
    var field: String
    /// The heading.
    var title: String
    /// Whether numbers line up at the right.
    var isNumber: Bool

    /// A column.
    init(_ field: String, _ title: String? = nil, number: Bool = false) {
      self.field = field
      self.title = title ?? field.uppercased()
      isNumber = number
    }
  }

  /// Where it goes.
  let terminal: Terminal

  /// Prints a list: a table of the columns, a JSON array, JSON lines, or comma-separated values of all columns.
  func list(_ records: [JSONObject], columns: [Column], csvFields: [String]? = nil, empty: String? = nil) {
    switch terminal.format {
    case .table:
      if records.isEmpty {
        if let empty { terminal.note(empty) }
      } else {
        TableWriter(terminal: terminal).write(records, columns)
      }
    case .json, .jsonl, .csv:
      var stream = RecordStream(terminal: terminal, csvFields: csvFields ?? columns.map(\.field))
      for record in records { stream.append(record) }
      stream.finish()
    }
  }

  /// Prints one thing: `FIELD: value` lines, or JSON, or a header with one line.
  func one(_ record: JSONObject) {
    switch terminal.format {
    case .table:
      let width = record.keys.map(\.utf8.count).max() ?? 0
      for member in record.members {
        let value = Printable.text(cell(member.value))
        let gap = String(repeating: " ", count: width - member.key.utf8.count)
        terminal.line("\(terminal.bold(member.key))\(gap)  \(value)")
      }
    case .json, .jsonl: terminal.write(terminal.coder.encode(record) + [0x0A])
    case .csv: list([record], columns: record.keys.map { Column($0) })
    }
  }

  /// Prints a value: JSON, a header with one line of comma-separated values, or the text.
  func value(_ json: @autoclosure () -> JSONObject, text: () -> Void) {
    switch terminal.format {
    case .json, .jsonl: terminal.write(terminal.coder.encode(json()) + [0x0A])
    case .csv:
      let fields = json().flat
      list([fields], columns: fields.keys.map { Column($0) })
    case .table: text()
    }
  }

  /// A field as one cell: strings as they are, lists joined, objects as JSON.
  func cell(_ value: JSONValue?) -> String {
    switch value {
    case nil, .null?: ""
    case .string(let text)?: text
    case .number(let digits)?: digits
    case .bool(let flag)?: flag ? "true" : "false"
    case .array(let values)? where values.allSatisfy({ $0.string != nil }):
      values.compactMap(\.string).joined(separator: " ")
    case let value?: String(decoding: terminal.coder.encode(value), as: UTF8.self)
    }
  }
}

extension JSONObject {
  /// The object with the members of objects in it as its own, with `.` between the levels.
  fileprivate var flat: JSONObject {
    var flat = JSONObject()
    for member in members {
      guard let inner = member.value.object else {
        flat[member.key] = member.value
        continue
      }
      for part in inner.flat.members { flat["\(member.key).\(part.key)"] = part.value }
    }
    return flat
  }

  /// The value of a field with `.` between the levels.
  func value(at field: String) -> JSONValue? {
    if let value = self[field] { return value }
    guard let dot = field.firstIndex(of: ".") else { return nil }
    return self[String(field[..<dot])]?.object?.value(at: String(field[field.index(after: dot)...]))
  }
}
