/// A number of bytes as a person writes it.
public struct ByteCount: Hashable, Sendable {
  /// The number, at least 0.
  public let bytes: Int

  /// Reads digits with or without a fraction and a unit: `500000`, `512K`, `1.5M`, `1GiB`, `20 MB`.
  ///
  /// `K`, `M`, `G`, `T`, alone or as `KiB` and so on, are powers of 1024; `KB`, `MB`, `GB`, `TB` are powers of 1000. Upper
  /// and lower case are the same. `nil` for anything else, and for what does not fit.
  public init?(_ text: String) {
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let unit = text.dropFirst(number.count).drop { $0 == " " }.lowercased()
    guard let value = Double(number), number.first != ".", number.last != ".", let factor = Self.factor(unit) else {
      return nil
    }
    // Above 2^53 a Double skips numbers; no limit is that exact, but a plain number is taken as it is.
    if let whole = Int(number), factor == 1 {
      bytes = whole
    } else {
      guard value * factor < 9e18, factor > 1 else { return nil }
      bytes = Int((value * factor).rounded())
    }
  }

  private static func factor(_ unit: String) -> Double? {
    if unit.isEmpty || unit == "b" { return 1 }
    guard let place = ["k", "m", "g", "t"].firstIndex(of: String(unit.prefix(1))) else { return nil }
    let base: Double
    switch unit.dropFirst() {
    case "", "ib": base = 1024
    case "b": base = 1000
    default: return nil
    }
    return (0..<place).reduce(base) { product, _ in product * base }
  }
}
