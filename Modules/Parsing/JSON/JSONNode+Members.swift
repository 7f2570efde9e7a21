extension JSONNode {
  /// The name of a member.
  public struct Name {
    @usableFromInline let word: UInt64
    @usableFromInline let base: UnsafePointer<UInt8>

    @inlinable @inline(__always) init(_ word: UInt64, _ base: UnsafePointer<UInt8>) {
      self.word = word
      self.base = base
    }

    /// The unescaped name.
    public var text: String { JSONString.text(word, base) }

    /// Whether the name is the given one.
    @inlinable @inline(__always)
    public static func == (name: Name, other: StaticString) -> Bool {
      let length = other.utf8CodeUnitCount
      guard name.word & JSONWord.escaped == 0 else { return equalUnescaped(name, other) }
      guard JSONWord.extra(name.word) == length else { return false }
      return JSONString.areEqual(name.base + JSONWord.offset(name.word) + 1, other.utf8Start, length)
    }

    /// The number after `prefix`; `nil` for names of another form.
    package func number(after prefix: StaticString) -> Int? {
      let length = prefix.utf8CodeUnitCount
      guard JSONWord.extra(word) > length, word & JSONWord.escaped == 0 else { return nil }
      let text = base + JSONWord.offset(word) + 1
      guard JSONString.areEqual(text, prefix.utf8Start, length) else { return nil }
      return decimalInteger(UnsafeBufferPointer(start: text + length, count: JSONWord.extra(word) - length))
    }

    /// The rest after `prefix`; `nil` for names without it.
    package func suffix(after prefix: StaticString) -> String? {
      let length = prefix.utf8CodeUnitCount
      guard JSONWord.extra(word) > length, word & JSONWord.escaped == 0 else { return nil }
      let text = base + JSONWord.offset(word) + 1
      guard JSONString.areEqual(text, prefix.utf8Start, length) else { return nil }
      return String(
        decoding: UnsafeBufferPointer(start: text + length, count: JSONWord.extra(word) - length), as: UTF8.self)
    }

    /// Whether the unescaped name has these bytes.
    @inline(__always)
    func isSpelled(_ other: [UInt8]) -> Bool {
      if word & JSONWord.escaped != 0 { return JSONString.unescaped(word, base) == other }
      return JSONWord.extra(word) == other.count
        && JSONString.areEqual(base + JSONWord.offset(word) + 1, other, other.count)
    }

    @usableFromInline
    static func equalUnescaped(_ name: Name, _ other: StaticString) -> Bool {
      JSONString.unescaped(name.word, name.base)
        .elementsEqual(UnsafeBufferPointer(start: other.utf8Start, count: other.utf8CodeUnitCount))
    }
  }

  /// The value of a member; `nil` where there is no such member or the value is not an object. Of members with the same
  /// name, the last one counts. O(members).
  @inlinable @inline(__always)
  public subscript(name: StaticString) -> JSONNode? {
    guard isObject else { return nil }
    var i = position &+ 3
    let end = position &+ JSONWord.extra(word)
    while i < end {
      let nameWord = tape[i]
      if nameWord & JSONWord.shadowed == 0, Name(nameWord, base) == name { return at(i &+ 1) }
      i &+= 1 &+ JSONWord.size(tape[i &+ 1])
    }
    return nil
  }

  /// The value of a member whose name is known only at run time. O(members).
  public func member(_ name: String) -> JSONNode? { member(spelled: Array(name.utf8)) }

  /// The value of a member whose unescaped name has these bytes. O(members).
  func member(spelled name: [UInt8]) -> JSONNode? {
    guard isObject else { return nil }
    var i = position + 3
    let end = position + JSONWord.extra(word)
    while i < end {
      let nameWord = tape[i]
      if nameWord & JSONWord.shadowed == 0, Name(nameWord, base).isSpelled(name) { return at(i + 1) }
      i += 1 + JSONWord.size(tape[i + 1])
    }
    return nil
  }

  /// The element of an array at an index from 0; `nil` where there is no such element. O(index).
  public subscript(index: Int) -> JSONNode? {
    guard isArray, index >= 0, index < elementCount else { return nil }
    var i = position + 3
    for _ in 0..<index { i += JSONWord.size(tape[i]) }
    return at(i)
  }

  /// Calls `body` with the name and value of each member, in their order. Of members with the same name, only the last one
  /// is visited. Does nothing for other kinds.
  @inlinable @inline(__always)
  public func forEachMember<E: Error>(_ body: (Name, JSONNode) throws(E) -> Void) throws(E) {
    guard isObject else { return }
    var i = position &+ 3
    let end = position &+ JSONWord.extra(word)
    while i < end {
      let nameWord = tape[i]
      if nameWord & JSONWord.shadowed == 0 { try body(Name(nameWord, base), at(i &+ 1)) }
      i &+= 1 &+ JSONWord.size(tape[i &+ 1])
    }
  }

  /// Calls `body` with the index and value of each element of an array. Does nothing for other kinds.
  @inlinable @inline(__always)
  public func forEachElement<E: Error>(_ body: (Int, JSONNode) throws(E) -> Void) throws(E) {
    guard isArray else { return }
    var i = position &+ 3
    let end = position &+ JSONWord.extra(word)
    var index = 0
    while i < end {
      try body(index, at(i))
      i &+= JSONWord.size(tape[i])
      index &+= 1
    }
  }

  /// A member that a later one with the same name replaces.
  public struct ReplacedMember {
    /// The name.
    public let name: String
    /// The replaced value.
    public let value: JSONNode
  }

  /// The members that later ones with the same name replace. O(members).
  public var replacedMembers: [ReplacedMember] {
    guard isObject else { return [] }
    var found: [ReplacedMember] = []
    var i = position + 3
    let end = position + JSONWord.extra(word)
    while i < end {
      if tape[i] & JSONWord.shadowed != 0 {
        found.append(ReplacedMember(name: JSONString.text(tape[i], base), value: at(i + 1)))
      }
      i += 1 + JSONWord.size(tape[i + 1])
    }
    return found
  }

  /// Looks up members that usually occur in a fixed order: each search starts after the previous match.
  public struct Cursor {
    @usableFromInline let object: JSONNode
    @usableFromInline let end: Int
    @usableFromInline var next: Int

    /// Creates a cursor over the members of an object. It finds nothing in other kinds.
    @inlinable @inline(__always)
    public init(_ object: JSONNode) {
      self.object = object
      end = object.isObject ? object.position &+ JSONWord.extra(object.word) : object.position
      next = object.position &+ 3
    }

    /// The value of a member; `nil` where there is no such member. O(1) in the expected order, O(members) otherwise.
    @inlinable @inline(__always)
    public mutating func callAsFunction(_ name: StaticString) -> JSONNode? {
      var i = next
      while i < end {
        let nameWord = object.tape[i]
        let value = i &+ 1
        let after = value &+ JSONWord.size(object.tape[value])
        if nameWord & JSONWord.shadowed == 0, Name(nameWord, object.base) == name {
          next = after
          return object.at(value)
        }
        i = after
      }
      return fromStart(name)
    }

    @usableFromInline
    mutating func fromStart(_ name: StaticString) -> JSONNode? {
      var i = object.position &+ 3
      while i < next, i < end {
        let nameWord = object.tape[i]
        let value = i &+ 1
        if nameWord & JSONWord.shadowed == 0, Name(nameWord, object.base) == name { return object.at(value) }
        i = value &+ JSONWord.size(object.tape[value])
      }
      return nil
    }
  }
}
