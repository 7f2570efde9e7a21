import Models
import Parsing
import Synchronization

@testable import almanac

/// What a program writes, as a file gets it and as a person sees it.
final class FakeTerminal: Sendable {
  private let state = Mutex((out: "", err: "", screen: FakeScreen()))

  func terminal(_ look: Terminal.Look, input: (@Sendable (String) -> String?)? = nil) -> Terminal {
    Terminal(
      look, coder: JSONRecordCoder(), input: input,
      out: { bytes in
        self.state.withLock { $0.out += String(decoding: bytes, as: UTF8.self) }
        return nil
      }, err: { self.take($0) })
  }

  /// What is written into a pipe, or to a screen of so many columns.
  static func printing(
    _ width: Int?, isWide: Bool = false, hasLinks: Bool = false, hasColor: Bool = false, _ body: (Answer) -> Void
  ) -> FakeTerminal {
    let screen = FakeTerminal()
    let terminal = screen.terminal(
      .init(
        isInteractive: width != nil, width: width, messageWidth: width, hasColor: hasColor, hasLinks: hasLinks,
        isWide: isWide))
    body(Answer(terminal: terminal))
    terminal.flush()
    return screen
  }

  /// Takes what is written to standard error, or typed.
  func take(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    state.withLock { state in
      state.err += text
      state.screen.take(text)
    }
  }

  var out: String { state.withLock { $0.out } }
  /// Every byte of standard error.
  var err: String { state.withLock { $0.err } }
  var lines: [String] { out.split(separator: "\n").map(String.init) }
  /// The rows of messages and progress as a terminal shows them.
  var rows: [String] { state.withLock { $0.screen.rows } }
}

/// A terminal's screen: text, line breaks, the cursor that goes up, and lines that are cleared to their end.
struct FakeScreen {
  private var lines: [[Character]] = [[]]
  private var row = 0
  private var column = 0

  /// The rows up to the last one that is not empty.
  var rows: [String] {
    var rows = lines.map { line in String(line) }
    while rows.last?.isEmpty == true { rows.removeLast() }
    return rows
  }

  mutating func take(_ text: String) {
    // As scalars: a carriage return and a line feed are one character to Swift.
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\r": column = 0
      case "\n":
        row += 1
        column = 0
        if row == lines.count { lines.append([]) }
      case "\u{1B}":
        rest.removeFirst()
        let digits = rest.prefix { ("0"..."9").contains($0) }
        rest = rest.dropFirst(digits.count)
        switch rest.popFirst() {
        case "A": row = max(0, row - max(1, Int(String(digits)) ?? 1))
        case "K": lines[row] = Array(lines[row].prefix(column))
        case "J":
          lines = Array(lines.prefix(row + 1))
          lines[row] = Array(lines[row].prefix(column))
        default: break
        }
      default:
        while lines[row].count <= column { lines[row].append(" ") }
        lines[row][column] = Character(scalar)
        column += 1
      }
    }
  }
}
