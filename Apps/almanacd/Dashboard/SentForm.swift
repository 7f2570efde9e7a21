import Models

/// The fields of a form as a browser sent them. A form that edits something has each field twice: `NAME`, as the person left
/// it, and `was.NAME`, as the page showed it. What is the same in both was not changed by the person, and is not sent.
struct SentForm: Sendable {
  private var fields: [String: String] = [:]
  /// Every field in its order, also those that are there more than once.
  private var list: [(name: String, text: String)] = []
  private var files: [(name: String, fileName: String, bytes: [UInt8])] = []

  init() {}

  /// The fields of a body (WHATWG URL, application/x-www-form-urlencoded). Browsers send line breaks as CR LF; they are LF
  /// here, as everywhere else.
  init(_ body: [UInt8]) {
    for pair in String(decoding: body, as: UTF8.self).split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let text = sides.map { percentDecoded(String($0.map { $0 == "+" ? " " : $0 })) }
      append(text[0], text.count > 1 ? text[1] : "")
    }
    join()
  }

  /// The fields and the files of a body in parts (RFC 7578).
  init(parts body: [UInt8], _ type: String) {
    let boundary = type.firstRange(of: "boundary=").map { type[$0.upperBound...].prefix { $0 != ";" } } ?? ""
    let line = Array("\r\n--\(boundary.filter { $0 != "\"" })".utf8)
    for part in (Array("\r\n".utf8) + body).split(separator: line) {
      guard let end = part.firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
      let head = String(decoding: part[..<end.lowerBound], as: UTF8.self)
      guard let start = head.firstRange(of: "; name=\"") else { continue }
      let (name, value) = (String(head[start.upperBound...].prefix { $0 != "\"" }), part[end.upperBound...])
      if let place = head.firstRange(of: "; filename=\"") {
        files.append((name, String(head[place.upperBound...].prefix { $0 != "\"" }), Array(value)))
        append(name, "")
      } else {
        append(name, String(decoding: value, as: UTF8.self))
      }
    }
    join()
  }

  private mutating func append(_ name: String, _ text: String) {
    let value = text.replacing("\r\n", with: "\n")
    fields[name] = value
    list.append((name, value))
  }

  /// Fields that are entered in several controls.
  private mutating func join() {
    for (name, lines) in rows where fields[name] == nil { fields[name] = lines.joined(separator: "\n") }
  }

  /// The rows of several controls, `NAME[].type` and its values, as the lines of a field `NAME`.
  private var rows: [(name: String, lines: [String])] {
    var rows: [(name: String, cells: [String])] = []
    for (field, text) in list {
      guard let place = field.firstRange(of: "[].") else { continue }
      let name = String(field[..<place.lowerBound])
      if field[place.upperBound...] == "type" {
        rows.append((name, [text]))
      } else if !rows.isEmpty {
        rows[rows.count - 1].cells.append(text)
      }
    }
    return Dictionary(grouping: rows, by: \.name).map { name, rows in
      (name, rows.compactMap { Self.line(of: $0.cells) })
    }
  }

  /// The line of a row: its type and its values; `nil` where there is no value.
  static func line(of cells: [String]) -> String? {
    var values = cells.dropFirst().map(\.trimmed)
    while values.last?.isEmpty == true { values.removeLast() }
    let type = cells.first?.trimmed ?? ""
    return values.isEmpty ? nil : (type.isEmpty ? "" : "\(type): ") + values.joined(separator: "; ")
  }

  /// The text of a field; `nil` where the form does not have it.
  subscript(name: String) -> String? { fields[name] }

  /// The bytes of a file that was chosen; `nil` where none was.
  func file(_ name: String) -> [UInt8]? { files.first { $0.name == name && !$0.bytes.isEmpty }?.bytes }

  /// What the file that was chosen is called on the computer of the browser.
  func fileName(_ name: String) -> String { files.first { $0.name == name }?.fileName ?? "" }

  /// The texts of a field that may be there more than once.
  func all(_ name: String) -> [String] { list.filter { $0.name == name }.map(\.text) }

  /// The fields whose names begin so, with the rest of the name.
  func fields(after prefix: String) -> [(name: String, text: String)] {
    list.filter { $0.name.hasPrefix(prefix) }.map { (String($0.name.dropFirst(prefix.count)), $0.text) }
  }

  func without(_ name: String) -> SentForm {
    var form = self
    form.fields[name] = nil
    return form
  }

  /// What the page showed in a field; `nil` where the form does not say it.
  func shown(_ name: String) -> String? { fields["was.\(name)"] }

  /// The text of a field that the person changed.
  ///
  /// - Parameter stored: what the field shows of what is stored now, which takes the place of what was shown where the form
  ///   does not say it.
  func changed(_ name: String, stored: String) -> String? {
    fields[name].flatMap { $0.exact == (shown(name) ?? stored).exact ? nil : $0 }
  }

  /// Whether the person and another edit changed a field, and not to the same text.
  func isConflict(_ name: String, stored: String) -> Bool {
    guard let shown = shown(name), let text = changed(name, stored: stored) else { return false }
    return shown.exact != stored.exact && text.trimmed.exact != stored.trimmed.exact
  }

  /// A text as a field of one line shows it, and sends it where it is not changed.
  static func line(_ text: String) -> String {
    text.utf8.contains { $0 == 0x0A || $0 == 0x0D }
      ? String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\n" && $0 != "\r" })) : text
  }

  /// A text as a field of several lines shows it, and sends it where it is not changed.
  static func lines(_ text: String) -> String { text.replacing("\r\n", with: "\n").replacing("\r", with: "\n") }
}
