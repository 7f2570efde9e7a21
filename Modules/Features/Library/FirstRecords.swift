import Models

/// Keeps the first records of an order, no more of them than are wanted.
///
/// Records that sort alike stay in the order in which they came, which is that of their ids.
struct FirstRecords {
  private struct Entry {
    let key: SortKey?
    let place: Int
    let record: [UInt8]
  }

  private let limit: Int
  private let descending: Bool
  /// Where there is a limit, a heap whose first entry is the last of the order.
  private var entries: [Entry] = []
  private var count = 0

  init(limit: Int?, descending: Bool) {
    self.limit = limit ?? Int.max
    self.descending = descending
  }

  /// Takes a record in, if it is among the first ones so far. Without a key the order is that of coming.
  mutating func add(_ key: SortKey?, _ record: RawSpan) {
    count += 1
    if entries.count >= limit {
      guard limit > 0 else { return }
      // Judged before the bytes are copied: most records of a large collection end here.
      let entry = Entry(key: key, place: count, record: [])
      guard precedes(entry, entries[0]) else { return }
      entries[0] = Entry(key: key, place: count, record: Self.copy(record))
      sink(0)
      return
    }
    entries.append(Entry(key: key, place: count, record: Self.copy(record)))
    if limit != Int.max { rise(entries.count - 1) }
  }

  func inOrder() -> [[UInt8]] { entries.sorted(by: precedes).map(\.record) }

  private static func copy(_ record: RawSpan) -> [UInt8] { record.withUnsafeBytes { Array($0) } }

  private func precedes(_ lhs: Entry, _ rhs: Entry) -> Bool {
    guard let left = lhs.key, let right = rhs.key else { return (lhs.place < rhs.place) != descending }
    return left.precedes(right, descending: descending) ?? (lhs.place < rhs.place)
  }

  private mutating func rise(_ start: Int) {
    var index = start
    while index > 0, precedes(entries[(index - 1) / 2], entries[index]) {
      entries.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func sink(_ start: Int) {
    var index = start
    while true {
      var last = index
      for child in [2 * index + 1, 2 * index + 2] where child < entries.count {
        if precedes(entries[last], entries[child]) { last = child }
      }
      if last == index { return }
      entries.swapAt(index, last)
      index = last
    }
  }
}

/// What a record is sorted by: numbers before texts, what is absent last in either direction.
///
/// A string that writes a decimal number, as amounts are kept, counts as a number. Texts compare without case and accents:
/// José comes beside Jörg.
enum SortKey {
  case number(Double)
  case text(String)
  case absent

  init(_ value: JSONValue?) {
    switch value {
    case .number(let digits)?: self = Double(digits).map { .number($0) } ?? .text(digits)
    case .string(let text)?: self = Self.decimal(text).map { .number($0) } ?? .text(FoldedText.folded(text))
    case .bool(let bool)?: self = .text(bool ? "true" : "false")
    case .array(let values)?: self = .text(FoldedText.folded(values.compactMap(\.string).joined(separator: " ")))
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
