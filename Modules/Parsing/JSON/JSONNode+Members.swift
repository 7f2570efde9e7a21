extension JSONNode {
  /// The name of a member.
  package struct Name {
    @usableFromInline let word: UInt64
    @usableFromInline let base: UnsafePointer<UInt8>

    @inlinable @inline(__always) init(_ word: UInt64, _ base: UnsafePointer<UInt8>) {
      self.word = word
      self.base = base
    }

    /// The name, unescaped.
    package var text: String { JSONString.text(word, base) }

    /// Whether it is this one.
    @inlinable @inline(__always)
    package static func == (name: Name, other: StaticString) -> Bool {
      let length = other.utf8CodeUnitCount
      guard name.word & JSONWord.escaped == 0 else { return equalUnescaped(name, other) }
      guard JSONWord.extra(name.word) == length else { return false }
      return JSONString.areEqual(name.base + JSONWord.offset(name.word) + 1, other.utf8Start, length)
    }

    /// The number that follows `prefix` and ends the name; `nil` for other names.
    package func number(after prefix: StaticString) -> Int? {
      let length = prefix.utf8CodeUnitCount
      guard JSONWord.extra(word) > length, word & JSONWord.escaped == 0 else { return nil }
      let text = base + JSONWord.offset(word) + 1
      guard JSONString.areEqual(text, prefix.utf8Start, length) else { return nil }
      return decimalInteger(UnsafeBufferPointer(start: text + length, count: JSONWord.extra(word) - length))
    }

    /// What follows `prefix` in the name; `nil` for other names.
    package func suffix(after prefix: StaticString) -> String? {
      let length = prefix.utf8CodeUnitCount
      guard JSONWord.extra(word) > length, word & JSONWord.escaped == 0 else { return nil }
      let text = base + JSONWord.offset(word) + 1
      guard JSONString.areEqual(text, prefix.utf8Start, length) else { return nil }
      return String(
        decoding: UnsafeBufferPointer(start: text + length, count: JSONWord.extra(word) - length), as: UTF8.self)
    }

    @usableFromInline
    static func equalUnescaped(_ name: Name, _ other: StaticString) -> Bool {
      JSONString.unescaped(name.word, name.base)
        .elementsEqual(UnsafeBufferPointer(start: other.utf8Start, count: other.utf8CodeUnitCount))
    }
  }

  /// The value of a member; `nil` where there is none, or this is no object. The last one where the name comes twice.
  /// O(members).
  @inlinable @inline(__always)
  package subscript(name: StaticString) -> JSONNode? {
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

  /// The value of a member, by a name that is only known at run time.
  package func member(_ name: String) -> JSONNode? {
    guard isObject else { return nil }
    let wanted = Array(name.utf8)
    var i = position + 3
    let end = position + JSONWord.extra(word)
    while i < end {
      let nameWord = tape[i]
      let isSame =
        nameWord & JSONWord.escaped != 0
        ? JSONString.unescaped(nameWord, base) == wanted
        : JSONWord.extra(nameWord) == wanted.count
          && JSONString.areEqual(base + JSONWord.offset(nameWord) + 1, wanted, wanted.count)
      if nameWord & JSONWord.shadowed == 0, isSame { return at(i + 1) }
      i += 1 + JSONWord.size(tape[i + 1])
    }
    return nil
  }

  /// An element of an array, from 0; `nil` where there is none. O(index).
  package subscript(index: Int) -> JSONNode? {
    guard isArray, index >= 0, index < elementCount else { return nil }
    var i = position + 3
    for _ in 0..<index { i += JSONWord.size(tape[i]) }
    return at(i)
  }

  /// Hands every member to `body`, in their order, those that a later one of the same name replaces left out.
  @inlinable @inline(__always)
  package func forEachMember<E: Error>(_ body: (Name, JSONNode) throws(E) -> Void) throws(E) {
    guard isObject else { return }
    var i = position &+ 3
    let end = position &+ JSONWord.extra(word)
    while i < end {
      let nameWord = tape[i]
      if nameWord & JSONWord.shadowed == 0 { try body(Name(nameWord, base), at(i &+ 1)) }
      i &+= 1 &+ JSONWord.size(tape[i &+ 1])
    }
  }

  /// Hands every element of an array to `body`, with its place.
  @inlinable @inline(__always)
  package func forEachElement<E: Error>(_ body: (Int, JSONNode) throws(E) -> Void) throws(E) {
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

  /// The names that come more than once in this object, each with the place of an earlier, replaced value.
  package var repeated: [(name: String, value: JSONNode)] {
    guard isObject else { return [] }
    var found: [(name: String, value: JSONNode)] = []
    var i = position + 3
    let end = position + JSONWord.extra(word)
    while i < end {
      if tape[i] & JSONWord.shadowed != 0 { found.append((JSONString.text(tape[i], base), at(i + 1))) }
      i += 1 + JSONWord.size(tape[i + 1])
    }
    return found
  }

  /// Reads members that usually come in one order: each search begins behind the last find.
  package struct Cursor {
    @usableFromInline let object: JSONNode
    @usableFromInline let end: Int
    @usableFromInline var next: Int

    /// A cursor over an object's members; over nothing for other kinds.
    @inlinable @inline(__always)
    package init(_ object: JSONNode) {
      self.object = object
      end = object.isObject ? object.position &+ JSONWord.extra(object.word) : object.position
      next = object.position &+ 3
    }

    /// The value of a member; `nil` where there is none. O(1) in the expected order, O(members) otherwise.
    @inlinable @inline(__always)
    package mutating func callAsFunction(_ name: StaticString) -> JSONNode? {
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
