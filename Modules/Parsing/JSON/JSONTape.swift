/// The words of a tape: one 64-bit word per scalar and per member name, three per container.
///
/// The words are in the order of the text, so that a reader moves forward through memory and skips a container with one
/// addition. A word is `kind | flags` (8 bits), the offset of the value's first byte (28 bits), and an extra
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
  /// A member that a later one with the same name replaces.
  @inlinable static var shadowed: UInt64 { 0x40 }
  /// An array whose third word has the position of an element.
  @inlinable static var marked: UInt64 { 0x10 }
  /// In the first word of the tape: records of a list are being read.
  @inlinable static var inList: UInt64 { 0x80 }
  /// In the first word of the tape: errors are only counted and need no place.
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

  /// The number of words of the value.
  @inlinable @inline(__always) static func size(_ word: UInt64) -> Int {
    word & 0x0F >= 6 ? extra(word) : 1
  }
}

/// The memory of a tape while it is written. The caller of the scanner takes ownership of the words.
struct JSONTape {
  private(set) var words: UnsafeMutablePointer<UInt64>
  private(set) var capacity: Int

  /// Allocates memory for a typical text of this size. It grows for denser texts.
  init(forBytes bytes: Int) {
    capacity = bytes / 6 + 32
    words = .allocate(capacity: capacity)
  }

  /// Doubles the capacity and copies the `used` words.
  mutating func grow(used: Int) {
    let larger = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity * 2)
    larger.update(from: words, count: used)
    words.deallocate()
    words = larger
    capacity *= 2
  }
}
