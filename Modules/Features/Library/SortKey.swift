import Models

/// What a record is sorted by: numbers before texts, what is absent last in either direction.
///
/// A string that writes a decimal number, as amounts are kept, counts as a number. Texts compare by their UTF-8 bytes.
enum SortKey {
  case number(Double)
  case text(String)
  case absent

  init(_ value: JSONValue?) {
    switch value {
    case .number(let digits)?: self = Double(digits).map { .number($0) } ?? .text(digits)
    case .string(let text)?: self = Self.decimal(text).map { .number($0) } ?? .text(text)
    case .bool(let bool)?: self = .text(bool ? "true" : "false")
    case .array(let values)?: self = .text(values.compactMap(\.string).joined(separator: " "))
    case .object?, .null?, nil: self = .absent
    }
  }

  /// `Double` also reads `inf`, `nan` and hexadecimal digits, which are words here.
  private static func decimal(_ text: String) -> Double? {
    guard let first = text.utf8.first, first == 0x2D || (0x30...0x39).contains(first),
      text.utf8.allSatisfy({ (0x2B...0x39).contains($0) && $0 != 0x2C && $0 != 0x2F || $0 == 0x65 || $0 == 0x45 })
    else { return nil }
    return Double(text)
  }

  /// Whether it comes before the other one; `nil` where neither does.
  func precedes(_ other: SortKey, descending: Bool) -> Bool? {
    switch (self, other) {
    case (.absent, .absent): nil
    case (.absent, _): false
    case (_, .absent): true
    case (.number(let left), .number(let right)): left == right ? nil : (left < right) != descending
    case (.text(let left), .text(let right)):
      left.utf8.elementsEqual(right.utf8) ? nil : left.utf8.lexicographicallyPrecedes(right.utf8) != descending
    case (.number, .text): !descending
    case (.text, .number): descending
    }
  }
}
