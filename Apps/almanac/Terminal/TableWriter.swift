import Frontend
import Models

/// Writes aligned columns, as wide as the first rows need: a table may be longer than memory.
///
/// On a screen, columns that are empty in all these rows are left out, unless they were asked for; a value in a later row is
/// then said to be not shown. Elsewhere than on a screen every row is one line, and every cell is whole. Where a screen is too narrow for that,
/// columns give way in this order: long texts go below their row, wrapped at words, and so do ids and paths that are longer
/// than half a line, but that of the first column goes above it; addresses of pages are left out where texts would be cut to
/// less than `easyText` columns; texts are cut, to no less than `leastText` columns and their heading; then columns that say
/// nothing, and after them the last ones that are not needed, are left out, which is said below the table. Ids, paths and times
/// are always whole: what is cut can be neither copied nor compared.
struct TableWriter {
  /// How many rows are held until the widths are known.
  private static let measured = 2000
  /// The least width to which a text is cut.
  private static let leastText = 12
  /// The least width to which a text is cut while there is something less needed.
  private static let easyText = 24

  private struct Row {
    var cells: [String]
    var link: String?
  }

  private let terminal: Terminal
  private let columns: [Answer.Column]
  private let leavesOutEmpty: Bool
  /// How wide the screen is; `nil` where nothing is cut or left out.
  private let screen: Int?
  private var waiting: [Row] = []
  /// Once the widths are known.
  private var layout: Layout?
  /// The columns that are left out because they are empty in all rows so far.
  private var empty: [Int] = []

  private struct Layout {
    var widths: [Int]
    var shown: [Int]
    /// The columns whose texts are written below their row.
    var below: [Int] = []

    var total: Int { shown.reduce(0) { $0 + widths[$1] } + 2 * max(0, shown.count - 1) }
  }

  init(terminal: Terminal, columns: [Answer.Column], leavesOutEmpty: Bool = false) {
    self.terminal = terminal
    self.columns = columns
    self.leavesOutEmpty = leavesOutEmpty
    screen = terminal.isWide ? nil : terminal.width
  }

  mutating func append(_ record: JSONObject) {
    let answer = terminal.answer
    let cells = columns.map { column in
      let text = Printable.text(answer.shown(record.value(at: column.field), in: column.field))
      return terminal.width == nil || !column.isTime ? text : ScreenTime.local(text) ?? text
    }
    let row = Row(cells: cells, link: terminal.hasLinks ? Self.page(of: record) : nil)
    if let layout {
      if !empty.isEmpty { empty.removeAll { !cells[$0].isEmpty } }
      return write(row, layout)
    }
    waiting.append(row)
    if waiting.count == Self.measured { begin() }
  }

  /// Writes what was held, and names the columns that were left out.
  mutating func finish() {
    if layout == nil, !waiting.isEmpty { begin() }
    guard let layout else { return }
    let hidden = columns.indices.filter {
      !layout.shown.contains($0) && !layout.below.contains($0) && !empty.contains($0)
    }
    guard !hidden.isEmpty else { return }
    let names = hidden.map { columns[$0].field }.joined(separator: ", ")
    terminal.note(
      "not shown on a screen of \(screen ?? 0) columns: \(names); '-o wide' shows every column, --format csv every field"
    )
  }

  private mutating func begin() {
    let widths = columns.indices.map { column in
      max(Printable.width(columns[column].field), waiting.lazy.map { Printable.width($0.cells[column]) }.max() ?? 0)
    }
    if leavesOutEmpty, screen != nil {
      empty = columns.indices.dropFirst().filter { column in waiting.allSatisfy { $0.cells[column].isEmpty } }
    }
    var layout = Layout(widths: widths, shown: columns.indices.filter { !empty.contains($0) })
    if let screen, layout.total > screen { fit(&layout, to: screen) }
    terminal.line(terminal.bold(line(columns.map(\.field), layout)))
    for row in waiting { write(row, layout) }
    waiting = []
    self.layout = layout
  }

  /// The address that the name of a record leads to.
  static func page(of record: JSONObject) -> String? {
    let address = ["pageURL", "profileURL", "url"].lazy.compactMap { record[$0]?.string }.first
    guard let address, address.hasPrefix("https://") || address.hasPrefix("http://") else { return nil }
    return address.unicodeScalars.allSatisfy { (0x21...0x7E).contains($0.value) } ? address : nil
  }

  private func write(_ row: Row, _ layout: Layout) {
    var cells = row.cells
    var below = layout.below
    var isAbove = false
    for column in layout.shown where screen != nil && columns[column].isKey {
      guard Printable.width(cells[column]) > layout.widths[column] else { continue }
      if column == layout.shown.first {
        terminal.line(Printable.leftToRight(cells[column]))
        cells[column] = ""
        isAbove = true
      } else {
        below.append(column)
      }
    }
    let texts = below.map { cells[$0] }
    for column in below { cells[column] = "" }
    let rest = line(cells, layout, link: row.link)
    if !isAbove || !rest.isEmpty { terminal.line(rest) }
    for (column, text) in zip(below, texts) where !text.isEmpty {
      let lines = Printable.wrapped("\(columns[column].field): \(text)", (screen ?? 80) - 2, indent: 2)
      for line in lines { terminal.line("  \(line)") }
    }
  }

  private func line(_ cells: [String], _ layout: Layout, link: String? = nil) -> String {
    var line = ""
    var link = link
    for index in layout.shown {
      let (cell, width) = (cells[index], layout.widths[index])
      // A later cell may be wider than those that were measured: elsewhere than on a screen nothing is cut off.
      let fitted = screen == nil || columns[index].isWhole ? cell : Printable.fitted(cell, width)
      let gap = String(repeating: " ", count: max(0, width - Printable.width(fitted)))
      var shown = terminal.width == nil ? fitted : Printable.leftToRight(fitted)
      if let color = Self.color(of: cell, in: columns[index].field) { shown = terminal.colored(shown, color) }
      if let address = link, Self.names.contains(columns[index].field), !cell.isEmpty {
        shown = terminal.linked(shown, to: address)
        link = nil
      }
      line += columns[index].isNumber ? gap + shown : shown + gap
      line += "  "
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  /// The columns whose text leads to the page of the record.
  private static let names: Set<String> = ["name", "title", "username", "fullName"]

  /// The colour of a word that says how something is; each is said in words as well.
  private static func color(of cell: String, in field: String) -> Terminal.Color? {
    switch field {
    case "movement": cell.hasPrefix("▲") || cell == "new" ? .green : cell.hasPrefix("▼") ? .red : nil
    case "change": ["up", "new"].contains(cell) ? .green : ["down", "out"].contains(cell) ? .red : nil
    case "state", "status":
      switch cell {
      case "fresh", "ok", "done": .green
      case "stale", "failing", "failed", "conflict", "refused": .red
      case "partial", "pending", "interrupted", "waiting": .yellow
      default: nil
      }
    default: nil
    }
  }

  private func fit(_ layout: inout Layout, to screen: Int) {
    layout.below = layout.shown.filter { columns[$0].isLong }
    layout.shown.removeAll { columns[$0].isLong }
    // Otherwise one long path would take the columns of all other rows.
    for column in layout.shown where columns[column].isKey && layout.widths[column] > screen / 2 {
      let widths = waiting.lazy.map { Printable.width($0.cells[column]) }.filter { $0 <= screen / 2 }
      layout.widths[column] = max(Printable.width(columns[column].field), widths.max() ?? 0)
    }
    let natural = layout.widths
    shrink(&layout, to: screen, least: Self.easyText)
    while layout.total > screen, let column = layout.shown.last(where: { columns[$0].isPage }) {
      layout.shown.removeAll { $0 == column }
      layout.widths = natural
      shrink(&layout, to: screen, least: Self.easyText)
    }
    shrink(&layout, to: screen)
    while layout.total > screen, let column = leastNeeded(layout) {
      layout.shown.removeAll { $0 == column }
      layout.widths = natural
      shrink(&layout, to: screen)
    }
    // What says whose row it is goes above it.
    if layout.total > screen, let first = layout.shown.first, columns[first].isKey {
      layout.widths[first] = Printable.width(columns[first].field)
    }
  }

  /// Cuts the widest texts until a line fits, or none can be cut any more.
  private func shrink(_ layout: inout Layout, to screen: Int, least: Int = leastText) {
    while layout.total > screen {
      let widest = layout.shown.filter { !columns[$0].isWhole && !columns[$0].isNumber }
        .filter { layout.widths[$0] > max(least, columns[$0].field.utf8.count) }
        .max { layout.widths[$0] < layout.widths[$1] }
      guard let widest else { return }
      layout.widths[widest] -= 1
    }
  }

  /// The last column in which every cell is empty or 0, or else the last one that may be left out.
  private func leastNeeded(_ layout: Layout) -> Int? {
    let optional = layout.shown.dropFirst().filter { !columns[$0].isKey }
    func saysNothing(_ column: Int) -> Bool {
      waiting.allSatisfy { $0.cells[column].isEmpty || $0.cells[column] == "0" }
    }
    return optional.last(where: saysNothing) ?? optional.last { !columns[$0].isNeeded }
  }
}
