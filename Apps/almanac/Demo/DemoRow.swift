/// A row of one of the demo's tables, which are text: a line of words, then a line of texts with slashes between them.
struct DemoRow {
  /// The words; `-` stands for nothing.
  let words: [String]
  /// The texts, of which the last may be missing.
  let texts: [String]

  /// The word at a place, if it is there.
  func word(_ index: Int) -> String? { Self.value(index, words) }

  /// The text at a place, if it is there.
  func text(_ index: Int) -> String? { Self.value(index, texts) }

  private static func value(_ index: Int, _ values: [String]) -> String? {
    values.indices.contains(index) && values[index] != "-" ? values[index] : nil
  }

  /// The rows of a table.
  static func rows(of table: String) -> [DemoRow] {
    let lines = table.split(separator: "\n")
    return stride(from: 0, to: lines.count, by: 2).map { index in
      DemoRow(
        words: lines[index].split(separator: " ").map(String.init),
        texts: lines[index + 1].split(separator: " / ").map(String.init))
    }
  }
}
