import Models

/// Writes aligned columns, as wide as the first rows need: a table may be longer than memory.
struct TableWriter {
  /// How many rows are held until the widths are known.
  private static let measured = 2000

  private let terminal: Terminal
  private let columns: [Answer.Column]
  private var waiting: [[String]] = []
  /// Once they are known.
  private var widths: [Int]?

  /// A table of these columns.
  init(terminal: Terminal, columns: [Answer.Column]) {
    self.terminal = terminal
    self.columns = columns
  }

  /// Writes a line for a record.
  mutating func append(_ record: JSONObject) {
    let answer = Answer(terminal: terminal)
    let row = columns.map { Printable.text(answer.cell(record.value(at: $0.field))) }
    if let widths { return terminal.line(line(row, widths)) }
    waiting.append(row)
    if waiting.count == Self.measured { begin() }
  }

  /// Writes what was held.
  mutating func finish() {
    if widths == nil, !waiting.isEmpty { begin() }
  }

  /// Writes the heading and the rows that were measured. On a screen the widest columns give way, so that a line stays
  /// one.
  private mutating func begin() {
    var widths = columns.indices.map { column in
      max(Printable.width(columns[column].field), waiting.lazy.map { Printable.width($0[column]) }.max() ?? 0)
    }
    if let screen = terminal.width { shrink(&widths, to: screen - 2 * (columns.count - 1)) }
    terminal.line(terminal.bold(line(columns.map(\.field), widths)))
    for row in waiting { terminal.line(line(row, widths)) }
    waiting = []
    self.widths = widths
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    var line = ""
    for (index, cell) in cells.enumerated() {
      // A later cell may be wider than those that were measured: elsewhere than on a screen nothing is cut off.
      let fitted = terminal.width == nil ? cell : Printable.fitted(cell, widths[index])
      let gap = String(repeating: " ", count: max(0, widths[index] - Printable.width(fitted)))
      line += columns[index].isNumber ? gap + fitted : fitted + gap
      line += "  "
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  private func shrink(_ widths: inout [Int], to total: Int) {
    while widths.reduce(0, +) > total, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
      widths[widest] > 8
    {
      widths[widest] -= 1
    }
  }
}
