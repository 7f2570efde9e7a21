/// A decimal number of any length and exponent, normalized for exact comparison: ±0.d₁d₂d₃… × 10ᵉ.
struct DecimalText: Sendable {
  private let isNegative: Bool
  /// Without leading and trailing zeros; empty for zero.
  private let digits: [UInt8]
  private let exponent: Int
  /// The value of a short whole number, for which the other members are not set.
  private let short: Int?

  /// Reads a number in JSON's grammar (RFC 8259 section 6); `nil` for other text.
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard let first = text.first, first == 0x2D || JSONLexer.isDigit(first), let base = text.baseAddress else {
      return nil
    }
    var flags: UInt64 = 0
    var fault = JSONFault(.none, at: 0)
    guard JSONLexer.number(base, 0, text.count, &flags, &fault) == text.count else { return nil }
    short = flags & JSONWord.whole != 0 && text.count <= 18 ? decimalInteger(text) : nil
    isNegative = first == 0x2D
    guard short == nil else {
      digits = []
      exponent = 0
      return
    }
    var digits: [UInt8] = []
    var point: Int?
    var written = 0
    var i = isNegative ? 1 : 0
    while i < text.count, text[i] | 0x20 != 0x65 {
      if text[i] == 0x2E {
        point = digits.count
      } else {
        digits.append(text[i] - 0x30)
      }
      i += 1
    }
    if i < text.count {
      let digitsStart = text[i + 1] == 0x2B ? i + 2 : i + 1
      let magnitude = UnsafeBufferPointer(rebasing: text[digitsStart...])
      // An exponent that overflows is larger than all others.
      written = decimalInteger(magnitude) ?? (text[i + 1] == 0x2D ? -(1 << 60) : 1 << 60)
      written = max(-(1 << 60), min(1 << 60, written))
    }
    let leading = digits.prefix { $0 == 0 }.count
    exponent = (point ?? digits.count) - leading + written
    digits.removeFirst(leading)
    while digits.last == 0 { digits.removeLast() }
    self.digits = digits
  }

  /// Reads a number in JSON's grammar; `nil` for other text.
  init?(_ text: String) {
    var text = text
    guard let number = text.withUTF8({ DecimalText($0) }) else { return nil }
    self = number
  }

  /// Returns -1, 0 or 1 for less, equal or greater.
  static func compare(_ a: DecimalText, _ b: DecimalText) -> Int {
    if let left = a.short, let right = b.short { return left < right ? -1 : left > right ? 1 : 0 }
    let left = a.normalized
    let right = b.normalized
    if left.sign != right.sign { return left.sign < right.sign ? -1 : 1 }
    if left.sign == 0 { return 0 }
    if left.exponent != right.exponent { return left.exponent < right.exponent ? -left.sign : left.sign }
    for (one, other) in zip(left.digits, right.digits) where one != other {
      return one < other ? -left.sign : left.sign
    }
    let lengths = left.digits.count - right.digits.count
    return lengths == 0 ? 0 : lengths < 0 ? -left.sign : left.sign
  }

  /// The sign, digits and exponent, also of short numbers.
  private var normalized: (sign: Int, digits: [UInt8], exponent: Int) {
    guard let short else { return (digits.isEmpty ? 0 : isNegative ? -1 : 1, digits, exponent) }
    if short == 0 { return (0, [], 0) }
    var digits = String(short.magnitude).utf8.map { $0 - 0x30 }
    let exponent = digits.count
    while digits.last == 0 { digits.removeLast() }
    return (short.signum(), digits, exponent)
  }
}
