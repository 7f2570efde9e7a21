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
