/// A string that is compared by the bytes of its UTF-8.
///
/// A Swift `String` is compared by canonical equivalence (Unicode, section 3.11): 'é' as U+00E9 equals 'e' with U+0301.
/// For servers and for the store these are two ids. Whatever identifies something (ids, keys, paths, cursors, entity tags,
/// member names) is compared, hashed and sorted as this type: as the element of a set, as the key of a dictionary, and as
/// a property that is declared with `@ExactString`, whose `$name` is what is compared.
@propertyWrapper
public struct ExactString: Sendable {
  /// The text.
  public var wrappedValue: String

  /// A text that is compared exactly.
  @inlinable
  public init(wrappedValue: String) { self.wrappedValue = wrappedValue }

  /// The text.
  @inlinable public var text: String { wrappedValue }

  /// What is compared.
  @inlinable public var projectedValue: ExactString { self }

  /// Whether it begins with the bytes of the other one.
  public func hasPrefix(_ prefix: String) -> Bool { text.utf8.starts(with: prefix.utf8) }
}

extension String {
  /// The string as it is compared by its bytes.
  @inlinable public var exact: ExactString { ExactString(wrappedValue: self) }

  /// What stands before the first `/`, all of it where there is none. A `/` before a combining mark is one, which it is
  /// not as a `Character`.
  public var firstPart: String { String(Substring(utf8.prefix { $0 != UInt8(ascii: "/") })) }
}

extension ExactString: Hashable {
  /// Whether both have the same bytes.
  @inlinable
  public static func == (lhs: ExactString, rhs: ExactString) -> Bool { areEqual(lhs.text, rhs.text) }

  /// Whether two strings have the same bytes. Places that are asked millions of times call this, which counts no
  /// reference.
  @inlinable @inline(__always)
  static func areEqual(_ lhs: String, _ rhs: String) -> Bool {
    // What is not equal as a string has other bytes, and most comparisons end here.
    lhs == rhs && haveSameBytes(lhs, rhs)
  }

  /// The same of two strings that are equal as strings.
  @usableFromInline
  static func haveSameBytes(_ lhs: String, _ rhs: String) -> Bool {
    // Of two with as many bytes an ASCII one is the other: whatever else is equal to an ASCII character takes more bytes
    // (U+212A and 'K').
    lhs.utf8.count == rhs.utf8.count
      && (lhs.utf8Span.isKnownASCII || compared(lhs, rhs) { $0.elementsEqual($1) })
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(UInt8(0xFF))
  }

  /// Hands the bytes of both to `body`. A native string has them in one piece; any other is copied into one.
  @inlinable @inline(__always)
  static func compared(
    _ lhs: String, _ rhs: String, _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Bool {
    let result = lhs.utf8.withContiguousStorageIfAvailable { left in
      rhs.utf8.withContiguousStorageIfAvailable { right in body(left, right) }
    }
    if let result = result ?? nil { return result }
    return Array(lhs.utf8).withUnsafeBufferPointer { left in
      Array(rhs.utf8).withUnsafeBufferPointer { right in body(left, right) }
    }
  }
}

extension ExactString: Comparable {
  /// Orders by the bytes, as the store does.
  public static func < (lhs: ExactString, rhs: ExactString) -> Bool {
    compared(lhs.text, rhs.text) { $0.lexicographicallyPrecedes($1) }
  }
}

extension ExactString: ExpressibleByStringLiteral, CustomStringConvertible {
  /// The text as written.
  @inlinable
  public init(stringLiteral text: String) { self.init(wrappedValue: text) }

  /// The text.
  public var description: String { text }
}
