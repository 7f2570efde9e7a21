/// Arithmetic on numbers from servers, files and command lines. What does not fit into an `Int` is the nearest number that does,
/// where the operators of Swift end the process.
extension Int {
  package func plus(_ other: Int) -> Int {
    let (sum, isOut) = addingReportingOverflow(other)
    return isOut ? (other < 0 ? .min : .max) : sum
  }

  package func minus(_ other: Int) -> Int {
    let (difference, isOut) = subtractingReportingOverflow(other)
    return isOut ? (other < 0 ? .max : .min) : difference
  }

  package func times(_ other: Int) -> Int {
    let (product, isOut) = multipliedReportingOverflow(by: other)
    return isOut ? ((self < 0) == (other < 0) ? .max : .min) : product
  }

  /// Rounds towards zero; 0 for what is no number.
  package init(nearest value: Double) {
    self = Int(exactly: value.rounded(.towardZero)) ?? (value.isNaN ? 0 : value < 0 ? .min : .max)
  }
}

extension JSONValue {
  /// The largest number that counts something: 2^53, which JSON carries everywhere. Sums of such numbers fit into an `Int`.
  package static let largestCount = 1 << 53

  /// The number, where it counts something, as the numbers that the program has stored itself: 0 to 2^53.
  package var count: Int? { int.flatMap { (0...Self.largestCount).contains($0) ? $0 : nil } }
}
