import Models

/// Writes aligned columns.
struct TableWriter {
  /// Where they go.
  let terminal: Terminal

  /// Writes a heading and a line per record. On a screen the widest columns give way, so that a line stays one.
  func write(_ records: [JSONObject], _ columns: [Answer.Column]) {
    let answer = Answer(terminal: terminal)
    let rows = records.map { record in
      columns.map { Printable.text(answer.cell(record.value(at: $0.field))) }
    }
    var widths = columns.indices.map { column in
      max(Printable.width(columns[column].title), rows.lazy.map { Printable.width($0[column]) }.max() ?? 0)
    }
    if let screen = terminal.width { shrink(&widths, to: screen - 2 * (columns.count - 1)) }
    terminal.line(terminal.bold(line(columns.map(\.title), columns, widths)))
    for row in rows { terminal.line(line(row, columns, widths)) }
  }

  private func line(_ cells: [String], _ columns: [Answer.Column], _ widths: [Int]) -> String {
    var line = ""
    for (index, cell) in cells.enumerated() {
      let fitted = Printable.fitted(cell, widths[index])
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
