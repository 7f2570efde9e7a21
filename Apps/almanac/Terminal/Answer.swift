import CLibrary
import Frontend
import Models
import Ports

extension Terminal {
  var answer: Answer { Answer(terminal: self) }
}

extension CompositionRoot {
  var answer: Answer { terminal.answer }
}

extension Failure {
  /// A mistake in the arguments.
  static func usage(_ message: String, hint: Advice? = nil, code: OwnCode? = nil, path: String? = nil) -> Failure {
    Failure(.config, .usage, message, hint: hint, code: code.map { .own($0) }, path: path)
  }

  func advising(_ hint: Advice) -> Failure {
    var failure = self
    failure.hint = hint
    return failure
  }
}

extension JSONValue {
  static func texts(_ texts: some Sequence<String>) -> JSONValue { .array(texts.map { .string($0) }) }
  static func objects(_ objects: some Sequence<JSONObject>) -> JSONValue { .array(objects.map { .object($0) }) }
}

struct Answer {
  struct Column: ExpressibleByStringLiteral {
    /// The field, with `.` between the levels. It is the heading too: what a reader sees there can be written after
    /// `--where` and `--sort`.
    var field: String
    /// Whether numbers line up at the right.
    var isNumber: Bool
    /// Whether it holds texts of any length.
    var isLong: Bool
    /// Whether it names a record of which the row is not: it is never cut.
    private var isName: Bool
    /// Whether it is shown wherever it says something, also on a narrow screen.
    let isNeeded: Bool
    /// Whether it holds points in time or days.
    let isTime: Bool

    init(
      _ field: String, number: Bool = false, isLong: Bool = false, isName: Bool = false, isNeeded: Bool = false,
      isTime: Bool = false
    ) {
      self.field = field
      self.isNeeded = isNeeded
      self.isTime = isTime || Self.times.contains(field)
      isNumber = number
      self.isLong = isLong || Self.longTexts.contains(field)
      self.isName = isName
    }

    init(stringLiteral field: String) { self.init(field) }

    private static let keys: Set<String> = ["id", "follow", "target"]
    private static let times: Set<String> = [
      "at", "birthday", "createdAt", "date", "finishedAt", "firstSeen", "lastObservedAt", "lastSuccess", "next",
      "observedAt", "postedAt", "releaseDate", "since", "startedAt", "takenAt",
    ]
    private static let pages: Set<String> = ["pageURL", "url"]
    private static let addresses: Set<String> = ["email"]
    private static let longTexts: Set<String> = [
      "addresses", "emails", "emails.value", "error", "expected", "fields", "found", "lastError", "mine", "path",
      "phones", "phones.value", "record", "text", "theirs", "was",
    ]

    /// Whether it names the record: it is never left out.
    var isKey: Bool { Self.keys.contains(field) }
    /// Whether it holds addresses of pages.
    var isPage: Bool { Self.pages.contains(field) }
    /// Whether it is never cut.
    var isWhole: Bool { isKey || isTime || isPage || isName || Self.addresses.contains(field) || field == "field" }
  }

  let terminal: Terminal

  /// Prints a list: a table of the columns, a JSON array, JSON lines, or comma-separated values of all columns.
  ///
  /// - Returns: success, with which a command ends that has no more to do, here and below.
  @discardableResult
  func list(
    _ records: [JSONObject], columns: [Column], csvFields: [String]? = nil, empty: Advice? = nil
  ) -> ExitStatus {
    var list = Rows(terminal: terminal, columns: columns, csvFields: csvFields, empty: empty)
    for record in records { list.append(record) }
    list.finish()
    return .done
  }

  /// A list that is printed while it is read, in the same formats.
  struct Rows {
    private let terminal: Terminal
    private let empty: Advice?
    private var table: TableWriter
    private var stream: RecordStream
    private var isEmpty = true

    /// - Parameters:
    ///   - empty: what is said where there is nothing to print in a table.
    ///   - leavesOutEmpty: whether a table on a screen has no column that is empty in all rows.
    init(
      terminal: Terminal, columns: [Column], csvFields: [String]? = nil, empty: Advice? = nil,
      leavesOutEmpty: Bool = true
    ) {
      self.terminal = terminal
      self.empty = empty
      table = TableWriter(terminal: terminal, columns: columns, leavesOutEmpty: leavesOutEmpty)
      stream = RecordStream(terminal.format.ofRecords, fields: csvFields ?? columns.map(\.field), terminal.coder)
    }

    mutating func append(_ record: JSONObject) {
      isEmpty = false
      switch terminal.format {
      case .table: table.append(ContactPhoto.withoutData(record))
      case .csv: terminal.write(stream.piece(ContactPhoto.withoutData(record)))
      case .json, .jsonl: terminal.write(stream.piece(record))
      }
    }

    mutating func finish() {
      guard terminal.format == .table else { return terminal.write(stream.end) }
      table.finish()
      if isEmpty, let empty { terminal.note(empty) }
    }
  }

  /// Prints one thing: `FIELD: value` lines, or JSON, or a header with one line.
  @discardableResult
  func one(_ record: JSONObject) -> ExitStatus {
    switch terminal.format {
    case .table:
      let record = ContactPhoto.withoutData(record).flat
      let width = record.keys.map(\.utf8.count).max() ?? 0
      for member in record.members {
        var lines = [Printable.text(shown(member.value, in: member.key))]
        let gap = String(repeating: " ", count: width - member.key.utf8.count)
        if let columns = terminal.width {
          let room = columns - width - 2
          // Objects are long: a line for each.
          if let items = items(of: member.value), member.value.array?.contains(where: { $0.object != nil }) == true {
            lines = items.map(Printable.text)
          }
          // Addresses stay whole, so that they can be copied.
          if room >= 20 { lines = lines.flatMap { Printable.wrapped($0, room) } }
          lines = lines.map(Printable.leftToRight)
        }
        terminal.line("\(terminal.bold(member.key))\(gap)  \(lines[0])")
        let indent = String(repeating: " ", count: width + 2)
        for line in lines.dropFirst() { terminal.line(indent + line) }
      }
    case .json, .jsonl: terminal.write(terminal.coder.encode(record) + [0x0A])
    case .csv: list([record], columns: record.keys.map { Column($0) })
    }
    return .done
  }

  /// Shows what would be changed: as a table, a line for each field of a changed record, or as `planned` of the answer.
  ///
  /// - Parameter hasIDs: whether added records have their ids already.
  func plan(_ entries: [HistoryEntry], in fields: inout JSONObject, hasIDs: Bool = true) {
    guard terminal.format == .table else {
      fields["dryRun"] = true
      fields["planned"] = .objects(
        entries.map { entry in
          var planned = entry.fields
          planned["commit"] = nil
          if entry.before == nil, !hasIDs {
            planned["id"] = nil
            var now = entry.after ?? [:]
            now["id"] = nil
            planned["now"] = .object(now)
          }
          return planned
        })
      return
    }
    let rows = entries.flatMap { entry -> [JSONObject] in
      let head: JSONObject = ["change": .string(entry.kind), "name": .string(entry.name ?? entry.id)]
      return entry.before == nil || entry.after == nil
        ? [head]
        : entry.differences.map { difference in
          var row = head
          row["field"] = .string(difference.field)
          row.append("from", difference.from)
          row.append("to", difference.to)
          return row
        }
    }
    if rows.isEmpty || terminal.isQuiet { return }
    list(rows, columns: ["change", "name", "field"] + ["from", "to"].map { Column($0, isLong: true) })
  }

  /// Prints a value: JSON, a header with one line of comma-separated values, or the text.
  @discardableResult
  func value(_ json: @autoclosure () -> JSONObject, text: () -> Void) -> ExitStatus {
    switch terminal.format {
    case .json, .jsonl: terminal.write(terminal.coder.encode(json()) + [0x0A])
    case .csv:
      let fields = ContactPhoto.withoutData(json()).flat
      list([fields], columns: fields.keys.map { Column($0) })
    case .table: text()
    }
    return .done
  }

  /// Prints what a command did. In words it is left out where only what goes wrong is wanted: all went well.
  @discardableResult
  func done(_ json: @autoclosure () -> JSONObject, text: () -> Void) -> ExitStatus {
    value(json()) { if !terminal.isQuiet { text() } }
  }

  /// Prints what a command did, in one line of words.
  @discardableResult
  func done(_ json: @autoclosure () -> JSONObject, line: @autoclosure () -> String) -> ExitStatus {
    done(json()) { terminal.line(line()) }
  }

  /// The same with words that are no answer.
  @discardableResult
  func done(_ json: @autoclosure () -> JSONObject, note: @autoclosure () -> Advice) -> ExitStatus {
    done(json()) { terminal.note(note()) }
  }

  /// Prints what a command did with several follows; `isOne` where the call named one, which is then no list.
  func done(_ rows: [JSONObject], isOne: Bool, text: () -> Void) {
    if isOne, let row = rows.first {
      done(row, text: text)
    } else if terminal.format != .table {
      list(rows, columns: [], csvFields: ["follow", "outcome"])
    } else if !terminal.isQuiet {
      text()
    }
  }

  /// Prints the record that a command made or changed, in the same way.
  func done(_ record: JSONObject) {
    if terminal.format != .table || !terminal.isQuiet { one(record) }
  }

  /// A field as a person reads it: as `cell`, but an amount of money without the zeros that feeds append.
  func shown(_ value: JSONValue?, in field: String) -> String {
    let text = cell(value)
    return field == "price.amount" || field == "previous.amount" ? Price.shortened(text) : text
  }

  /// A field as one cell of a table: strings as they are, the items of a list with commas between them, objects as JSON.
  func cell(_ value: JSONValue?) -> String { items(of: value)?.joined(separator: ", ") ?? exact(value) }

  /// A field as one cell of comma-separated values: strings as they are, lists and objects as JSON, so that both can be
  /// read back.
  func exact(_ value: JSONValue?) -> String { RecordFile.cell(value, terminal.coder) }

  /// The items of a list as a person reads them; `nil` for other values. A mail address, say, is written with its kind.
  private func items(of value: JSONValue?) -> [String]? {
    value?.array?.map { value in
      guard let object = value.object else { return exact(value) }
      let address = PostalAddress.isOne(object) ? PostalAddress(fields: object)?.text : nil
      let text = address ?? (ContactValue.isOne(object) ? object["value"]?.string : nil)
      guard let text else { return exact(value) }
      let words = [object["type"]?.string, object["preferred"] == true ? "preferred" : nil].compactMap(\.self)
      return text + (words.isEmpty ? "" : " (\(words.joined(separator: ", ")))")
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
}

/// What a table and what comma-separated values show of each collection.
enum CollectionColumns {
  /// The columns of a table: what a person looks for.
  static func table(
    _ collection: CollectionName, in catalog: CollectionCatalog = Catalog.collections
  ) -> [Answer.Column] {
    (catalog[collection]?.columns ?? ["id"]).map { column($0, of: collection, in: catalog) }
  }

  static func column(_ field: String, of collection: CollectionName, in catalog: CollectionCatalog) -> Answer.Column {
    let kind = leaves(collection, catalog).first { $0.name == field }?.kind
    return .init(field, number: kind == .whole || kind == .decimal, isTime: kind == .time || kind == .timeOrDay)
  }

  /// The fields of comma-separated values: everything, nested objects by their parts.
  static func csv(_ collection: CollectionName, in catalog: CollectionCatalog = Catalog.collections) -> [String] {
    RecordFile.fields(of: collection, catalog)
  }

  /// The fields of every collection, as help texts have them: in 80 columns.
  static var help: String {
    Catalog.collections.names.map { name in
      var lines = ["  \(name):"]
      let fields = csv(name)
      for (index, field) in fields.enumerated() {
        let word = index == fields.count - 1 ? field : field + ","
        if lines[lines.count - 1].count + 1 + word.count > 78 { lines.append("   ") }
        lines[lines.count - 1] += " " + word
      }
      return lines.joined(separator: "\n")
    }.joined(separator: "\n")
  }

  /// The fields that conditions and `--columns` can name, with the members of lists.
  static func paths(_ collection: CollectionName, in catalog: CollectionCatalog) -> [String] {
    leaves(collection, catalog).flatMap { field in [field.name] + field.members.map { "\(field.name).\($0.name)" } }
  }

  /// The fields that records can be sorted by.
  static func ordered(_ collection: CollectionName, in catalog: CollectionCatalog) -> [String] {
    leaves(collection, catalog).filter { $0.kind != .objects && $0.kind != .anyObject }.map(\.name)
  }

  private static func leaves(_ collection: CollectionName, _ catalog: CollectionCatalog) -> [RecordField] {
    let fields = catalog[collection]?.leaves ?? []
    return fields.isEmpty ? [RecordField("id")] : fields
  }
}

/// Points in time as a person reads them on a screen. Elsewhere they stay exact (RFC 3339).
enum ScreenTime {
  /// A time in the zone of `TZ` or the machine, to the minute: `2026-11-22 16:05`; `nil` where the text is not a time.
  static func local(_ text: String) -> String? {
    Timestamp(rfc3339: text).map { LocalTime($0).description }
  }

  /// How long ago, or how long from now: `3 min ago`, `in 2 h`, `now`.
  static func relative(_ time: Timestamp, to now: Timestamp) -> String {
    let seconds = time - now
    let length = abs(seconds)
    let words: String
    switch length {
    case ..<60: return "now"
    case ..<5400: words = "\((length + 30) / 60) min"
    case ..<172_800: words = "\((length + 1800) / 3600) h"
    default: words = "\((length + 43_200) / 86_400) days"
    }
    return seconds < 0 ? "\(words) ago" : "in \(words)"
  }
}
