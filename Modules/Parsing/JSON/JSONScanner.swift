/// Validates a text against RFC 8259 and writes its tape, in one pass without recursion.
///
/// It reads each byte once, except for names with escapes, and allocates only the tape.
struct JSONScanner {
  let base: UnsafePointer<UInt8>
  let count: Int
  let depthLimit: Int
  var tape: JSONTape

  /// The number of words in use, also after a fault.
  var top = 0
  /// The position of the innermost open container after a fault; `nil` at the top level.
  var openAtFault: Int?

  init(_ bytes: UnsafeBufferPointer<UInt8>, depthLimit: Int) {
    // An empty buffer may have no address. Any address will do, because it is never read.
    base = bytes.baseAddress ?? UnsafePointer(bitPattern: 8)!
    count = bytes.count
    self.depthLimit = depthLimit
    tape = JSONTape(forBytes: bytes.count)
  }

  /// Up to this number of members, names are compared as they come. Larger objects are hashed when they end.
  static let smallObject = 32

  /// Scans the whole text.
  ///
  /// - Returns: the first error; `nil` for a valid text.
  mutating func scan() -> JSONFault? {
    let p = base
    let n = count
    guard n < JSONWord.sizeLimit else { return JSONFault(.tooLarge, at: JSONWord.sizeLimit) }
    var i = 0
    // RFC 8259 section 8.1 allows a reader to ignore a byte order mark.
    if n >= 3, p[0] == 0xEF, p[1] == 0xBB, p[2] == 0xBF { i = 3 }

    var words = tape.words
    var capacity = tape.capacity
    var top = 0
    var open = 0
    var depth = 0
    // The state of the innermost open container: its kind, its number of members, and the masks of its names.
    var inObject = false
    var members = 0
    var seen: UInt64 = 0
    var wantsName = false
    var fault = JSONFault(.none, at: 0)

    scanning: while true {
      if top &+ 8 > capacity {
        tape.grow(used: top)
        words = tape.words
        capacity = tape.capacity
      }
      i = JSONLexer.skipSpace(p, i, n)
      if wantsName {
        guard i < n, p[i] == 0x22 else {
          fault = JSONFault(members == 0 ? .nameOrBrace : .name, at: i)
          break scanning
        }
        var flags: UInt64 = 0
        let end = JSONLexer.string(p, i &+ 1, n, &flags, &fault)
        if end < 0 { break scanning }
        let name = JSONWord.make(JSONWord.string | flags, offset: i, extra: end &- i &- 1)
        let mark = JSONLexer.mark(p, i &+ 1, end, n, flags)
        if seen & mark != 0, members < JSONScanner.smallObject {
          members &-= JSONNames.shadow(words, from: open &+ 3, to: top, sameAs: name, base: p)
        }
        seen |= mark
        members &+= 1
        words[top] = name
        top &+= 1
        i = JSONLexer.skipSpace(p, end &+ 1, n)
        guard i < n, p[i] == 0x3A else {
          fault = JSONFault(.colon, at: i)
          break scanning
        }
        i = JSONLexer.skipSpace(p, i &+ 1, n)
        wantsName = false
      } else if !inObject {
        members &+= 1
      }

      guard i < n else {
        fault = JSONFault(.value, at: i)
        break scanning
      }
      let first = p[i]
      if first == 0x22 {
        var flags: UInt64 = 0
        let end = JSONLexer.string(p, i &+ 1, n, &flags, &fault)
        if end < 0 { break scanning }
        words[top] = JSONWord.make(JSONWord.string | flags, offset: i, extra: end &- i &- 1)
        top &+= 1
        i = end &+ 1
      } else if first == 0x7B || first == 0x5B {
        guard depth < depthLimit else {
          fault = JSONFault(.depth, at: i)
          break scanning
        }
        let isObject = first == 0x7B
        // The words of the new container store the state of the outer one.
        words[top] = JSONWord.make(isObject ? JSONWord.object : JSONWord.array, offset: i, extra: open)
        words[top &+ 1] = UInt64(truncatingIfNeeded: members)
        words[top &+ 2] = seen
        open = top
        top &+= 3
        depth &+= 1
        inObject = isObject
        members = 0
        seen = 0
        i = JSONLexer.skipSpace(p, i &+ 1, n)
        if i >= n || p[i] != (isObject ? 0x7D : 0x5D) {
          wantsName = isObject
          continue scanning
        }
      } else if first == 0x2D || (first >= 0x30 && first <= 0x39) {
        var flags: UInt64 = 0
        let end = JSONLexer.number(p, i, n, &flags, &fault)
        if end < 0 { break scanning }
        words[top] = JSONWord.make(JSONWord.number | flags, offset: i, extra: end &- i)
        top &+= 1
        i = end
      } else {
        let kind = JSONLexer.literal(p, i, n, &fault)
        if kind == 0 {
          if members == 1, depth > 0, !inObject, fault.expected == .value { fault.expected = .valueOrBracket }
          break scanning
        }
        words[top] = JSONWord.make(kind, offset: i, extra: 0)
        top &+= 1
        i &+= kind == JSONWord.no ? 5 : 4
      }

      // After a value: the next value, or the end of containers.
      while true {
        i = JSONLexer.skipSpace(p, i, n)
        if depth == 0 {
          guard i == n else {
            fault = JSONFault(.end, at: i)
            break scanning
          }
          self.top = top
          return nil
        }
        // For an empty container, the closing bracket is next, so a comma always follows a value.
        let next = i < n ? p[i] : 0
        if next == 0x2C {
          i &+= 1
          wantsName = inObject
          continue scanning
        }
        guard next == (inObject ? 0x7D : 0x5D) else {
          fault = JSONFault(inObject ? .commaOrBrace : .commaOrBracket, at: i)
          break scanning
        }
        i &+= 1
        if inObject, members > JSONScanner.smallObject {
          members &-= JSONNames.shadowRepeated(words, from: open &+ 3, to: top, base: p)
        }
        let header = words[open]
        let aroundMembers = Int(truncatingIfNeeded: words[open &+ 1])
        let aroundSeen = words[open &+ 2]
        words[open] = JSONWord.make(header & 0xFF, offset: JSONWord.offset(header), extra: top &- open)
        words[open &+ 1] = UInt64(truncatingIfNeeded: members) | UInt64(truncatingIfNeeded: i) &<< 28
        open = JSONWord.extra(header)
        depth &-= 1
        members = aroundMembers
        seen = aroundSeen
        inObject = depth > 0 && JSONWord.kind(words[open]) == JSONWord.object
      }
    }
    self.top = top
    openAtFault = depth > 0 ? open : nil
    return fault
  }
}

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

/// Finds repeated names within an object.
///
/// RFC 8259 does not define their meaning. Here the last one counts: earlier members are marked on the tape as shadowed,
/// and readers of the tape skip them.
enum JSONNames {
  /// Marks earlier members with the same name; returns their number.
  @inline(never)
  static func shadow(
    _ words: UnsafeMutablePointer<UInt64>, from first: Int, to end: Int, sameAs name: UInt64,
    base: UnsafePointer<UInt8>
  ) -> Int {
    var shadowed = 0
    var i = first
    while i < end {
      let word = words[i]
      if word & JSONWord.shadowed == 0, same(word, name, base) {
        words[i] = word | JSONWord.shadowed
        shadowed &+= 1
      }
      i &+= 1 &+ JSONWord.size(words[i &+ 1])
    }
    return shadowed
  }

  /// Marks all members of an object whose names occur again later; returns their number. O(members); the hash is seeded, so
  /// that an attacker cannot choose names that make it slow.
  @inline(never)
  static func shadowRepeated(
    _ words: UnsafeMutablePointer<UInt64>, from first: Int, to end: Int, base: UnsafePointer<UInt8>
  ) -> Int {
    var last: [Name: Int] = [:]
    var shadowed = 0
    var i = first
    while i < end {
      let word = words[i]
      if word & JSONWord.shadowed == 0, let earlier = last.updateValue(i, forKey: Name(word, base)) {
        words[earlier] |= JSONWord.shadowed
        shadowed += 1
      }
      i += 1 + JSONWord.size(words[i + 1])
    }
    return shadowed
  }

  /// Whether two names are equal after unescaping.
  @inline(__always)
  static func same(_ a: UInt64, _ b: UInt64, _ base: UnsafePointer<UInt8>) -> Bool {
    if (a | b) & JSONWord.escaped != 0 {
      return JSONString.unescaped(a, base) == JSONString.unescaped(b, base)
    }
    let length = JSONWord.extra(a)
    guard length == JSONWord.extra(b) else { return false }
    return JSONString.areEqual(base + JSONWord.offset(a) + 1, base + JSONWord.offset(b) + 1, length)
  }

  private struct Name: Hashable {
    let bytes: UnsafeRawBufferPointer
    let owned: [UInt8]?

    init(_ word: UInt64, _ base: UnsafePointer<UInt8>) {
      owned = word & JSONWord.escaped == 0 ? nil : JSONString.unescaped(word, base)
      bytes = UnsafeRawBufferPointer(start: base + JSONWord.offset(word) + 1, count: JSONWord.extra(word))
    }

    func hash(into hasher: inout Hasher) {
      if let owned {
        owned.withUnsafeBytes { hasher.combine(bytes: $0) }
      } else {
        hasher.combine(bytes: bytes)
      }
    }

    static func == (lhs: Name, rhs: Name) -> Bool {
      if lhs.owned != nil || rhs.owned != nil {
        return (lhs.owned ?? Array(lhs.bytes)) == (rhs.owned ?? Array(rhs.bytes))
      }
      return lhs.bytes.elementsEqual(rhs.bytes)
    }
  }
}
