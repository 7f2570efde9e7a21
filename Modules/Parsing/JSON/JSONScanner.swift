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
        words[open] = JSONWord.make(
          header & 0xFF, offset: JSONWord.offset(header), extra: top &- open)
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
