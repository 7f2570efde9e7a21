enum JSONNumber {
  static func text(_ word: UInt64, _ base: UnsafePointer<UInt8>) -> String {
    String(
      decoding: UnsafeBufferPointer(start: base + JSONWord.offset(word), count: JSONWord.extra(word)), as: UTF8.self)
  }

  /// The nearest `Double`, with ties to even.
  static func double(_ word: UInt64, _ base: UnsafePointer<UInt8>) -> Double? {
    exact(base + JSONWord.offset(word), JSONWord.extra(word)) ?? Double(text(word, base))
  }

  /// A fast path for short numbers without exponent: where the digits fit into 53 bits and the power of ten is exact, one
  /// division rounds correctly (Clinger 1990).
  private static func exact(_ p: UnsafePointer<UInt8>, _ length: Int) -> Double? {
    guard length <= 17 else { return nil }
    let isNegative = p[0] == 0x2D
    var digits: UInt64 = 0
    var decimals = 0
    var isFraction = false
    var i = isNegative ? 1 : 0
    while i < length {
      let byte = p[i]
      if byte == 0x2E {
        isFraction = true
      } else {
        let digit = byte &- 0x30
        guard digit < 10 else { return nil }
        digits = digits &* 10 &+ UInt64(digit)
        if isFraction { decimals &+= 1 }
      }
      i &+= 1
    }
    guard digits < 1 << 53 else { return nil }
    var power = 1.0
    while decimals > 0 {
      power *= 10
      decimals &-= 1
    }
    let value = Double(digits) / power
    return isNegative ? -value : value
  }
}

/// Reads an optional minus sign and digits; `nil` for other text and on overflow.
func decimalInteger(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
  guard let first = text.first else { return nil }
  let negative = first == 0x2D
  var i = negative ? 1 : 0
  guard i < text.count else { return nil }
  var value = 0
  while i < text.count {
    let digit = text[i] &- 0x30
    guard digit < 10 else { return nil }
    // Accumulates negative values, because `Int.min` has no positive counterpart.
    let (product, tooLarge) = value.multipliedReportingOverflow(by: 10)
    let (sum, tooMuch) = product.subtractingReportingOverflow(Int(digit))
    if tooLarge || tooMuch { return nil }
    value = sum
    i &+= 1
  }
  if negative { return value }
  return value == Int.min ? nil : -value
}
