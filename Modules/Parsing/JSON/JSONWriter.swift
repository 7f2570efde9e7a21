public import Models
public import Ports

/// Writes JSON into a buffer on the stack, and into heap memory where that is too small.
package struct JSONWriter: ~Copyable {
  private var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var count = 0
  private var isOwner = false

  private init(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
    capacity = buffer.count
    // A buffer of 1 KiB always has an address.
    base = buffer.baseAddress!
  }

  deinit {
    if isOwner { base.deallocate() }
  }

  package static func bytes(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1024) { buffer in
      var writer = JSONWriter(buffer)
      body(&writer)
      return writer.bytes
    }
  }

  private var bytes: [UInt8] { Array(UnsafeBufferPointer(start: base, count: count)) }

  package mutating func write(_ value: JSONValue) {
    switch value {
    case .null: literal("null")
    case .bool(let truth): literal(truth ? "true" : "false")
    case .number(let digits): copy(digits)
    case .string(let text): string(text)
    case .array(let values):
      byte(0x5B)
      values.withUnsafeBufferPointer { values in
        guard let first = values.baseAddress else { return }
        withUnsafeTemporaryAllocation(of: JSONValue.self, capacity: 1) { buffer in
          guard let slot = buffer.baseAddress else { return }
          for index in 0..<values.count {
            if index > 0 { byte(0x2C) }
            // Avoids reference counting as for the members of an object.
            UnsafeMutableRawPointer(slot).copyMemory(from: first + index, byteCount: MemoryLayout<JSONValue>.size)
            let value = slot.move()
            write(value)
            slot.initialize(to: value)
          }
        }
      }
      byte(0x5D)
    case .object(let object): write(object)
    }
  }

  /// Writes an object without white space. Members keep their order.
  package mutating func write(_ object: JSONObject) {
    byte(0x7B)
    object.members.withUnsafeBufferPointer { members in
      guard let first = members.baseAddress else { return }
      withUnsafeTemporaryAllocation(of: JSONObject.Member.self, capacity: 1) { buffer in
        guard let slot = buffer.baseAddress else { return }
        for index in 0..<members.count {
          if index > 0 { byte(0x2C) }
          // Reading a member from the array would retain it, and reference counting takes as long as writing. The caller
          // keeps the array alive, so a bitwise copy is enough. It is moved out of a slot, and moved back instead of
          // being released.
          UnsafeMutableRawPointer(slot).copyMemory(from: first + index, byteCount: MemoryLayout<JSONObject.Member>.size)
          let member = slot.move()
          string(member.key)
          byte(0x3A)
          write(member.value)
          slot.initialize(to: member)
        }
      }
    }
    byte(0x7D)
  }

  /// Writes a value in several lines with two spaces per level. Empty containers stay on one line.
  package mutating func writeIndented(_ value: JSONValue, level: Int) {
    switch value {
    case .array(let values) where !values.isEmpty:
      byte(0x5B)
      for (index, value) in values.enumerated() {
        line(level + 1, after: index > 0)
        writeIndented(value, level: level + 1)
      }
      line(level, after: false)
      byte(0x5D)
    case .object(let object) where !object.isEmpty:
      byte(0x7B)
      for (index, member) in object.members.enumerated() {
        line(level + 1, after: index > 0)
        string(member.key)
        byte(0x3A)
        byte(0x20)
        writeIndented(member.value, level: level + 1)
      }
      line(level, after: false)
      byte(0x7D)
    default: write(value)
    }
  }

  /// Writes a string with the necessary escapes: short ones where RFC 8259 has them, `\u00XX` for other controls.
  package mutating func string(_ text: borrowing String) {
    Self.withBytes(text) { quoted($0) }
  }

  /// Copies eight bytes at a time until one must be escaped.
  @inline(__always)
  private mutating func quoted(_ text: UnsafeBufferPointer<UInt8>) {
    let n = text.count
    // The last store of eight bytes may write seven bytes too many.
    reserve(n &+ 16)
    base[count] = 0x22
    count &+= 1
    if let p = text.baseAddress {
      let target = UnsafeMutableRawPointer(base + count)
      var i = 0
      while i &+ 8 <= n {
        let bytes = UnsafeRawPointer(p).loadUnaligned(fromByteOffset: i, as: UInt64.self)
        target.storeBytes(of: bytes, toByteOffset: i, as: UInt64.self)
        if JSONWriter.special(UInt64(littleEndian: bytes)) != 0 { return escaped(p, from: i, n) }
        i &+= 8
      }
      if i < n {
        let rest = JSONWriter.rest(p, i, n)
        target.storeBytes(of: rest.littleEndian, toByteOffset: i, as: UInt64.self)
        let isThere = (1 as UInt64) &<< UInt64(truncatingIfNeeded: (n &- i) &* 8) &- 1
        if JSONWriter.special(rest) & isThere != 0 { return escaped(p, from: i, n) }
      }
    }
    count &+= n
    base[count] = 0x22
    count &+= 1
  }

  /// Writes the rest of a string from `start` with escapes, and its closing quote.
  @inline(never)
  private mutating func escaped(_ p: UnsafePointer<UInt8>, from start: Int, _ n: Int) {
    var i = start
    count &+= start
    while i &+ 8 <= n {
      reserve(n &- i &+ 16)
      let bytes = UnsafeRawPointer(p).loadUnaligned(fromByteOffset: i, as: UInt64.self)
      UnsafeMutableRawPointer(base).storeBytes(of: bytes, toByteOffset: count, as: UInt64.self)
      let flagged = JSONWriter.special(UInt64(littleEndian: bytes))
      if flagged == 0 {
        i &+= 8
        count &+= 8
      } else {
        let plain = flagged.trailingZeroBitCount &>> 3
        count &+= plain
        escape(p[i &+ plain])
        i &+= plain &+ 1
      }
    }
    while i < n {
      if p[i] == 0x22 || p[i] == 0x5C || p[i] < 0x20 { escape(p[i]) } else { byte(p[i]) }
      i &+= 1
    }
    byte(0x22)
  }

  /// The last one to seven bytes from `i` on, little-endian, padded with zeros.
  @inline(__always)
  private static func rest(_ p: UnsafePointer<UInt8>, _ i: Int, _ n: Int) -> UInt64 {
    let raw = UnsafeRawPointer(p)
    let left = n &- i
    if n >= 8 {
      let last = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: n &- 8, as: UInt64.self))
      return last &>> UInt64(truncatingIfNeeded: (8 &- left) &* 8)
    }
    if left >= 4 {
      let low = UInt64(UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: i, as: UInt32.self)))
      let high = UInt64(UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: n &- 4, as: UInt32.self)))
      return low | high &<< UInt64(truncatingIfNeeded: (left &- 4) &* 8)
    }
    var word = UInt64(p[i])
    if left > 1 { word |= UInt64(p[i &+ 1]) &<< 8 }
    if left > 2 { word |= UInt64(p[i &+ 2]) &<< 16 }
    return word
  }

  /// Sets the high bit of the first byte that must be escaped, and possibly of later ones; 0 without such a byte.
  @inline(__always)
  private static func special(_ word: UInt64) -> UInt64 {
    // Flipping bit 1 makes a quote 0x20 and a space 0x22. Control characters stay below both.
    let low = (word ^ 0x0202_0202_0202_0202) &- 0x2121_2121_2121_2121
    let backslash = (word ^ 0x5C5C_5C5C_5C5C_5C5C) &- 0x0101_0101_0101_0101
    return (low | backslash) & ~word & 0x8080_8080_8080_8080
  }

  private mutating func escape(_ character: UInt8) {
    byte(0x5C)
    switch character {
    case 0x22, 0x5C: byte(character)
    case 0x08: byte(0x62)
    case 0x09: byte(0x74)
    case 0x0A: byte(0x6E)
    case 0x0C: byte(0x66)
    case 0x0D: byte(0x72)
    default:
      literal("u00")
      byte(0x30 + character >> 4)
      let low = character & 0x0F
      byte(low < 10 ? 0x30 + low : 0x57 + low)
    }
  }

  private mutating func line(_ level: Int, after comma: Bool) {
    if comma { byte(0x2C) }
    byte(0x0A)
    for _ in 0..<level * 2 { byte(0x20) }
  }

  private mutating func literal(_ text: StaticString) {
    append(text.utf8Start, text.utf8CodeUnitCount)
  }

  @inline(__always)
  private static func withBytes(_ text: borrowing String, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      text.utf8.span.withUnsafeBufferPointer(body)
    } else {
      var text = copy text
      text.withUTF8(body)
    }
  }

  private mutating func copy(_ text: borrowing String) {
    Self.withBytes(text) { characters in
      if let start = characters.baseAddress { append(start, characters.count) }
    }
  }

  private mutating func append(_ start: UnsafePointer<UInt8>, _ length: Int) {
    reserve(length)
    (base + count).update(from: start, count: length)
    count &+= length
  }

  @inline(__always)
  private mutating func byte(_ value: UInt8) {
    if count == capacity { grow(1) }
    base[count] = value
    count &+= 1
  }

  @inline(__always)
  private mutating func reserve(_ more: Int) {
    if count &+ more > capacity { grow(more) }
  }

  @inline(never)
  private mutating func grow(_ more: Int) {
    let larger = max(capacity * 2, count + more)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    moved.update(from: base, count: count)
    if isOwner { base.deallocate() }
    isOwner = true
    base = moved
    capacity = larger
  }
}

/// Reads and writes JSON texts as trees.
///
/// The output is stable: members keep their order, numbers keep their digits, and only the characters that RFC 8259
/// section 7 requires are escaped (quote, backslash, control characters). The same value always yields the same bytes.
public enum JSONText {
  /// Reads a text as a tree. Of members with the same name, the last one counts.
  ///
  /// - Throws: `ParsingError`: `syntax`, `truncated` or `limit`.
  public static func value(of bytes: [UInt8]) throws(ParsingError) -> JSONValue {
    try JSONDocument.read(bytes) { $0.value }
  }

  /// Reads a text as a tree.
  ///
  /// - Throws: `ParsingError`: `syntax`, `truncated` or `limit`.
  public static func value(of text: String) throws(ParsingError) -> JSONValue { try value(of: Array(text.utf8)) }

  /// The value on one line, without white space.
  public static func compact(_ value: JSONValue) -> String { String(decoding: bytes(value), as: UTF8.self) }

  /// The value on one line, without white space, in UTF-8.
  public static func bytes(_ value: JSONValue) -> [UInt8] {
    JSONWriter.bytes { $0.write(value) }
  }

  /// The value with an indentation of two spaces per level, without a final line break. Empty containers stay on one line.
  public static func pretty(_ value: JSONValue) -> String {
    String(decoding: JSONWriter.bytes { $0.writeIndented(value, level: 0) }, as: UTF8.self)
  }
}
