import CLibrary

/// A string that is compared, hashed and sorted by its UTF-8 bytes.
///
/// Swift compares a `String` by canonical equivalence (Unicode, section 3.11): 'é' as U+00E9 equals 'e' with U+0301. To
/// servers and to the store these are two different ids. Use this type for every identifier (ids, keys, paths, cursors,
/// entity tags, member names): as the element of a set, as the key of a dictionary, or as a property declared with
/// `@ExactString`, whose `$name` is compared.
@propertyWrapper
public struct ExactString: Sendable {
  public var wrappedValue: String

  @inlinable
  public init(wrappedValue: String) { self.wrappedValue = wrappedValue }

  @inlinable public var text: String { wrappedValue }

  @inlinable public var projectedValue: ExactString { self }

  public func hasPrefix(_ prefix: String) -> Bool { text.utf8.starts(with: prefix.utf8) }
}

extension String {
  @inlinable public var exact: ExactString { ExactString(wrappedValue: self) }

  /// The part before the first `/`; the whole string if there is no `/`. Works on bytes: as a `Character`, a `/`
  /// followed by a combining mark is not a `/`.
  public var firstPart: String { String(Substring(utf8.prefix { $0 != UInt8(ascii: "/") })) }

  /// What follows the first `/`: `a/b` in `people/a/b`; empty if there is none.
  package var restOfParts: String { String(Substring(utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst())) }

  /// The parts between the slashes, empty ones as well.
  var parts: [String] {
    utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { String(Substring($0)) }
  }
}

extension ExactString: Hashable {
  @inlinable
  public static func == (lhs: ExactString, rhs: ExactString) -> Bool { areEqual(lhs.text, rhs.text) }

  @inlinable @inline(__always)
  static func areEqual(_ lhs: String, _ rhs: String) -> Bool {
    #if _pointerBitWidth(_64)
      // The same representation means the same bytes. Strings of up to 15 bytes are stored inline, so most comparisons
      // of names and short values end here.
      let left = unsafeBitCast(lhs, to: (UInt64, UInt64).self)
      let right = unsafeBitCast(rhs, to: (UInt64, UInt64).self)
      if left.0 == right.0, left.1 == right.1 { return true }
    #endif
    return haveSameBytes(lhs, rhs)
  }

  // Without `readonly` the optimizer retains and releases both strings around each call, which takes longer than the
  // comparison itself.
  @_effects(readonly) @inline(never) @usableFromInline
  static func haveSameBytes(_ lhs: String, _ rhs: String) -> Bool {
    guard lhs.utf8.count == rhs.utf8.count else { return false }
    return compared(lhs, rhs) { left, right in
      guard let left = left.baseAddress, let right = right.baseAddress else { return true }
      return memcmp(left, right, lhs.utf8.count) == 0
    }
  }

  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(UInt8(0xFF))
  }

  /// Calls `body` with the bytes of both strings. Only bridged strings, which are not contiguous, are copied.
  @inline(__always)
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
  public static func < (lhs: ExactString, rhs: ExactString) -> Bool {
    compared(lhs.text, rhs.text) { left, right in
      guard let leftBase = left.baseAddress, let rightBase = right.baseAddress else { return left.count < right.count }
      let order = memcmp(leftBase, rightBase, min(left.count, right.count))
      return order == 0 ? left.count < right.count : order < 0
    }
  }
}

extension ExactString: ExpressibleByStringLiteral, CustomStringConvertible {
  @inlinable
  public init(stringLiteral text: String) { self.init(wrappedValue: text) }

  public var description: String { text }
}
