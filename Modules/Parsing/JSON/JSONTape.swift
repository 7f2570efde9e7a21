/// What the scanner writes down about a text: one 64-bit word per scalar and per member name, three per container.
///
/// The words stand in the order of the text, so that a reader walks forward through memory and skips a whole container
/// by one addition. A word is `kind | flags` (8 bits), the offset of the value's first byte (28 bits), and an extra
/// (28 bits): the length of a string's or number's text, or the number of words of a container, itself included.
/// A container's second word is the number of its elements or members (28 bits) and the offset just past its closing
/// bracket (28 bits); the third is used while it is open, and where it is an array that is `marked`: then it holds the
/// index of an element (28 bits) and where its word is, counted from the array's (28 bits).
@usableFromInline enum JSONWord {
  @inlinable static var null: UInt64 { 1 }
  @inlinable static var no: UInt64 { 2 }
  @inlinable static var yes: UInt64 { 3 }
  @inlinable static var number: UInt64 { 4 }
  @inlinable static var string: UInt64 { 5 }
  @inlinable static var array: UInt64 { 6 }
  @inlinable static var object: UInt64 { 7 }
  /// A string with backslashes in it.
  @inlinable static var escaped: UInt64 { 0x10 }
  /// A number without fraction and exponent.
  @inlinable static var whole: UInt64 { 0x20 }
  /// A member whose name comes again later in the same object; the later one counts.
  @inlinable static var shadowed: UInt64 { 0x40 }
  /// An array whose third word says where an element is.
  @inlinable static var marked: UInt64 { 0x10 }
  /// On the first word of the tape: the records of a list are being read.
  @inlinable static var inList: UInt64 { 0x80 }
  /// On the first word of the tape, a container's: errors are counted, and need no place.
  @inlinable static var isCounting: UInt64 { 0x40 }
  /// Offsets and lengths have 28 bits.
  static let sizeLimit = 1 << 28

  @inline(__always) static func make(_ kind: UInt64, offset: Int, extra: Int) -> UInt64 {
    kind | UInt64(truncatingIfNeeded: offset) &<< 8 | UInt64(truncatingIfNeeded: extra) &<< 36
  }

  @inlinable @inline(__always) static func kind(_ word: UInt64) -> UInt64 { word & 0x0F }

  @inlinable @inline(__always) static func offset(_ word: UInt64) -> Int {
    Int(truncatingIfNeeded: word &>> 8 & 0xFFF_FFFF)
  }

  @inlinable @inline(__always) static func extra(_ word: UInt64) -> Int {
    Int(truncatingIfNeeded: word &>> 36)
  }

  /// How many words the value takes.
  @inlinable @inline(__always) static func size(_ word: UInt64) -> Int {
    word & 0x0F >= 6 ? extra(word) : 1
  }
}

/// The room for a tape while it is written; whoever ends the scan owns the words.
struct JSONTape {
  private(set) var words: UnsafeMutablePointer<UInt64>
  private(set) var capacity: Int

  /// Room for the tape of an ordinary text of so many bytes; it grows where the text is denser.
  init(forBytes bytes: Int) {
    capacity = bytes / 6 + 32
    words = .allocate(capacity: capacity)
  }

  /// Doubles the room, of which `used` words are kept.
  mutating func grow(used: Int) {
    let larger = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity * 2)
    larger.update(from: words, count: used)
    words.deallocate()
    words = larger
    capacity *= 2
  }
}
