/// Gives the items of a JSON array as lines, each at the line of the file where it begins; other text as it is.
///
/// What is between brackets is not checked here: the reader of the lines does that.
struct ArrayLines {
  private enum State { case begins, passes, array, ended }

  private var state = State.begins
  /// How many brackets are open within the array.
  private var depth = 0
  private var isText = false
  private var isEscaped = false
  /// Whether an item stands on the line.
  private var hasItem = false
  /// The ends of lines within an item, which are written after it.
  private var ends = 0

  /// Whether the array has not ended yet.
  var isOpen: Bool { state == .array }

  /// Takes the next piece of the file.
  mutating func lines(of piece: [UInt8]) -> [UInt8] {
    var start = 0
    if state == .begins {
      let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
      start = piece.starts(with: mark) ? mark.count : 0
      while start < piece.count, [0x20, 0x09, 0x0A, 0x0D].contains(piece[start]) { start += 1 }
      guard start < piece.count else { return piece }
      state = piece[start] == UInt8(ascii: "[") ? .array : .passes
      if state == .array { start += 1 }
    }
    guard state != .passes else { return piece }
    var lines = piece[..<start].filter { $0 == 0x0A }
    lines.reserveCapacity(piece.count + 64)
    for byte in piece[start...] { take(byte, &lines) }
    return lines
  }

  private mutating func take(_ byte: UInt8, _ lines: inout [UInt8]) {
    if isText {
      (isText, isEscaped) = (isEscaped || byte != UInt8(ascii: "\""), !isEscaped && byte == UInt8(ascii: "\\"))
      return lines.append(byte)
    }
    switch byte {
    case 0x0A where depth > 0:
      ends += 1
      lines.append(0x20)
    case 0x0A:
      lines += Array(repeating: 0x0A, count: ends + 1)
      (hasItem, ends) = (false, 0)
    case UInt8(ascii: ",") where depth == 0 && state == .array: lines.append(0x20)
    case UInt8(ascii: "]") where depth == 0 && state == .array: state = .ended
    case 0x20, 0x09, 0x0D: lines.append(byte)
    default:
      if depth == 0, hasItem, state == .array, isOpening(byte) { lines.append(0x0A) }
      hasItem = true
      if isOpening(byte) { depth += 1 }
      if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { depth -= 1 }
      isText = byte == UInt8(ascii: "\"")
      lines.append(byte)
    }
  }

  private func isOpening(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") }
}
