/// A number of bytes in the notation that people use.
public struct ByteCount: Hashable, Sendable {
  public let bytes: Int

  /// Parses digits with an optional fraction and unit: `500000`, `512K`, `1.5M`, `1GiB`, `20 MB`.
  ///
  /// `K`, `M`, `G` and `T`, alone or as `KiB` and so on, are powers of 1024; `KB`, `MB`, `GB` and `TB` are powers of
  /// 1000. Case is ignored. Returns `nil` for any other text, and if the number does not fit into an `Int`.
  public init?(_ text: String) {
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let unit = text.dropFirst(number.count).drop { $0 == " " }.lowercased()
    guard let value = Double(number), number.first != ".", number.last != ".", let factor = Self.factor(unit) else {
      return nil
    }
    // A `Double` cannot represent every integer above 2^53, so a number without a unit is parsed as an integer.
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
