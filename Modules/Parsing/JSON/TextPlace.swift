#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A place in a text as editors show it.
package struct TextPlace: Hashable, Sendable {
  /// From 1.
  package var line: Int
  /// In bytes, from 1.
  package var column: Int

  /// A place.
  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The place so many bytes into the text. O(offset).
  package init(of offset: Int, in text: UnsafeBufferPointer<UInt8>) {
    var line = 1
    var lineStart = 0
    let end = min(offset, text.count)
    if let base = text.baseAddress {
      while lineStart < end, let feed = memchr(base + lineStart, 0x0A, end - lineStart) {
        lineStart = UnsafeRawPointer(feed) - UnsafeRawPointer(base) + 1
        line += 1
      }
    }
    self.line = line
    column = end - lineStart + 1
  }
}
