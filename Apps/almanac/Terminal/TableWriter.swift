import Models

/// Writes aligned columns, as wide as the first rows need: a table may be longer than memory.
///
/// Elsewhere than on a screen every row is one line, and every cell is whole. Where a screen is too narrow for that,
/// columns give way in this order: long texts go below their row, wrapped at words; other texts are cut, to no less than
/// `leastText` columns and their heading; then columns that say nothing and after them the last ones are left out, which is said below the
/// table. Ids, paths and times are always whole: what is cut can be neither copied nor compared.
struct TableWriter {
  /// How many rows are held until the widths are known.
  private static let measured = 2000
  /// The least width to which a text is cut.
  private static let leastText = 12

  private let terminal: Terminal
  private let columns: [Answer.Column]
  private var waiting: [[String]] = []
  /// Once the widths are known.
  private var layout: Layout?

  /// Where the columns are.
  private struct Layout {
    /// The width of each column.
    var widths: [Int]
    /// The columns of the table itself.
    var shown: [Int]
    /// The columns whose texts are written below their row.
    var below: [Int] = []

    /// How wide a line is.
    var total: Int { shown.reduce(0) { $0 + widths[$1] } + 2 * max(0, shown.count - 1) }
  }

  /// A table of these columns.
  init(terminal: Terminal, columns: [Answer.Column]) {
    self.terminal = terminal
    self.columns = columns
  }

  /// Writes a line for a record.
  mutating func append(_ record: JSONObject) {
    let answer = Answer(terminal: terminal)
    let row = columns.map { column in
      let text = Printable.text(answer.shown(record.value(at: column.field), in: column.field))
      return terminal.width == nil || !column.isTime ? text : ScreenTime.local(text) ?? text
    }
    if let layout { return write(row, layout) }
    waiting.append(row)
    if waiting.count == Self.measured { begin() }
  }

  /// Writes what was held, and names the columns that were left out.
  mutating func finish() {
    if layout == nil, !waiting.isEmpty { begin() }
    guard let layout else { return }
    let hidden = columns.indices.filter { !layout.shown.contains($0) && !layout.below.contains($0) }
    guard !hidden.isEmpty else { return }
    let names = hidden.map { columns[$0].field }.joined(separator: ", ")
    terminal.note(
      "not shown on a screen of \(terminal.width ?? 0) columns: \(names); '--format csv' prints every field")
  }

  /// Writes the heading and the rows that were measured.
  private mutating func begin() {
    let widths = columns.indices.map { column in
      max(Printable.width(columns[column].field), waiting.lazy.map { Printable.width($0[column]) }.max() ?? 0)
    }
    var layout = Layout(widths: widths, shown: Array(columns.indices))
    if let screen = terminal.width, layout.total > screen { fit(&layout, to: screen) }
    terminal.line(terminal.bold(line(columns.map(\.field), layout)))
    for row in waiting { write(row, layout) }
    waiting = []
    self.layout = layout
  }

  private func write(_ row: [String], _ layout: Layout) {
    terminal.line(line(row, layout))
    for column in layout.below where !row[column].isEmpty {
      let text = Printable.wrapped("\(columns[column].field): \(row[column])", (terminal.width ?? 80) - 2, indent: 2)
      for line in text { terminal.line("  \(line)") }
    }
  }

  private func line(_ cells: [String], _ layout: Layout) -> String {
    var line = ""
    for index in layout.shown {
      let (cell, width) = (cells[index], layout.widths[index])
      // A later cell may be wider than those that were measured: elsewhere than on a screen nothing is cut off.
      let fitted = terminal.width == nil || columns[index].isWhole ? cell : Printable.fitted(cell, width)
      let gap = String(repeating: " ", count: max(0, width - Printable.width(fitted)))
      let shown = Self.color(of: cell, in: columns[index].field).map { terminal.colored(fitted, $0) } ?? fitted
      line += columns[index].isNumber ? gap + shown : shown + gap
      line += "  "
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  /// The colour of a word that says how something is; each is said in words as well.
  private static func color(of cell: String, in field: String) -> Terminal.Color? {
    switch field {
    case "movement": cell.hasPrefix("▲") || cell == "new" ? .green : cell.hasPrefix("▼") ? .red : nil
    case "change": ["up", "new"].contains(cell) ? .green : ["down", "out"].contains(cell) ? .red : nil
    case "state", "status":
      switch cell {
      case "fresh", "ok", "done": .green
      case "stale", "failing", "failed", "conflict", "refused": .red
      case "partial", "pending", "interrupted": .yellow
      default: nil
      }
    default: nil
    }
  }

  private func fit(_ layout: inout Layout, to screen: Int) {
    layout.below = layout.shown.filter { columns[$0].isLong }
    layout.shown.removeAll { columns[$0].isLong }
    let natural = layout.widths
    shrink(&layout, to: screen)
    while layout.total > screen, let column = leastNeeded(layout) {
      layout.shown.removeAll { $0 == column }
      layout.widths = natural
      shrink(&layout, to: screen)
    }
  }

  /// Cuts the widest texts until a line fits, or none can be cut any more.
  private func shrink(_ layout: inout Layout, to screen: Int) {
    while layout.total > screen {
      let widest = layout.shown.filter { !columns[$0].isWhole && !columns[$0].isNumber }
        .filter { layout.widths[$0] > max(Self.leastText, columns[$0].field.utf8.count) }
        .max { layout.widths[$0] < layout.widths[$1] }
      guard let widest else { return }
      layout.widths[widest] -= 1
    }
  }

  /// The last column in which every cell is empty or 0, or else the last one that may be left out.
  private func leastNeeded(_ layout: Layout) -> Int? {
    let optional = layout.shown.dropFirst().filter { !columns[$0].isKey }
    return optional.last { column in waiting.allSatisfy { $0[column].isEmpty || $0[column] == "0" } } ?? optional.last
  }
}
