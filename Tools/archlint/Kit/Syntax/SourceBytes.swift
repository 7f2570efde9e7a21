import Dispatch
import Foundation

/// A borrowed view of the bytes of one source file, which are followed by a NUL byte that is not part of the file.
package struct SourceBytes {
  package let base: UnsafePointer<UInt8>
  package let count: Int

  /// - Precondition: `base[count]` is readable and is 0.
  package init(base: UnsafePointer<UInt8>, count: Int) {
    precondition(base[count] == 0, "source bytes must be followed by a NUL")
    (self.base, self.count) = (base, count)
  }

  /// Calls `body` with the bytes of `text`.
  package static func with<Result>(_ text: String, _ body: (SourceBytes) throws -> Result) rethrows -> Result {
    var bytes = Array(text.utf8)
    bytes.append(0)
    return try bytes.withUnsafeBufferPointer {
      try body(SourceBytes(base: $0.baseAddress.unsafelyUnwrapped, count: $0.count - 1))
    }
  }

  /// Calls `body` with the bytes of each file, on all cores; nil for a file that cannot be read.
  package static func withFiles<Result: Sendable>(
    _ paths: [String], _ body: @Sendable (Int, SourceBytes) -> Result
  ) -> [Result?] {
    let slots = UnsafeMutableBufferPointer<Result?>.allocate(capacity: paths.count)
    slots.initialize(repeating: nil)
    defer {
      slots.deinitialize()
      slots.deallocate()
    }
    // Each iteration writes only its own slots.
    nonisolated(unsafe) let results = slots
    let stride = 32
    DispatchQueue.concurrentPerform(iterations: (paths.count + stride - 1) / stride) { chunk in
      for index in chunk * stride..<min((chunk + 1) * stride, paths.count) {
        results[index] = withFile(paths[index]) { body(index, $0) }
      }
    }
    return Array(slots)
  }

  /// Calls `body` with the bytes of the file at `path`; nil if it cannot be read.
  package static func withFile<Result>(_ path: String, _ body: (SourceBytes) throws -> Result) rethrows -> Result? {
    // O_NONBLOCK, because opening a named pipe would otherwise wait for its writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, (status.st_mode & S_IFMT) == S_IFREG else { return nil }
    let size = Int(status.st_size)
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: size + 1)
    defer { buffer.deallocate() }
    var filled = 0
    while filled < size {
      let got = read(descriptor, buffer + filled, size - filled)
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { break }
      filled += got
    }
    buffer[filled] = 0
    return try body(SourceBytes(base: buffer, count: filled))
  }

  func text(_ range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(start: base + range.lowerBound, count: range.count), as: UTF8.self)
  }

  /// The first offset of `word` at or after `start`.
  func offset(of word: StaticString, from start: Int) -> Int? {
    offset(of: UnsafeRawPointer(word.utf8Start).assumingMemoryBound(to: CChar.self), from: start)
  }

  /// The first offset of `word` at or after `start`.
  func offset(of word: String, from start: Int) -> Int? { word.withCString { offset(of: $0, from: start) } }

  private func offset(of word: UnsafePointer<CChar>, from start: Int) -> Int? {
    var start = start
    while start < count {
      let haystack = UnsafeRawPointer(base + start).assumingMemoryBound(to: CChar.self)
      if let hit = strstr(haystack, word) { return start + (UnsafePointer(hit) - haystack) }
      start += strlen(haystack) + 1  // there may be a NUL inside the file
    }
    return nil
  }
}

/// Converts increasing byte offsets into lines and columns.
struct LineCounter {
  private let base: UnsafePointer<UInt8>
  private let count: Int
  private let hasCarriageReturns: Bool
  private var line = 1
  private var lineStart = 0

  init(_ source: SourceBytes) {
    base = source.base
    count = source.count
    hasCarriageReturns = memchr(source.base, 0x0D, source.count) != nil
    if count >= 3, base[0] == 0xEF, base[1] == 0xBB, base[2] == 0xBF { lineStart = 3 }
  }

  mutating func place(of offset: Int) -> (line: Int, column: Int) {
    if hasCarriageReturns {
      advanceOverCarriageReturns(to: offset)
    } else {
      while lineStart < offset, let end = memchr(base + lineStart, 0x0A, offset - lineStart) {
        lineStart = UnsafePointer<UInt8>(end.assumingMemoryBound(to: UInt8.self)) - base + 1
        line += 1
      }
    }
    return (line, offset - lineStart + 1)
  }

  /// Line breaks are `\n`, `\r` and `\r\n`.
  private mutating func advanceOverCarriageReturns(to offset: Int) {
    var index = lineStart
    while index < offset {
      let byte = base[index]
      index += 1
      guard byte == 0x0A || byte == 0x0D else { continue }
      if byte == 0x0D, index < count, base[index] == 0x0A { index += 1 }
      line += 1
      lineStart = index
    }
  }
}

/// Bytes with a special meaning in Swift's lexical grammar.
enum Byte {
  static let quote = UInt8(ascii: "\"")
  static let slash = UInt8(ascii: "/")
  static let star = UInt8(ascii: "*")
  static let hash = UInt8(ascii: "#")
  static let exclamation = UInt8(ascii: "!")
  static let backtick = UInt8(ascii: "`")
  static let backslash = UInt8(ascii: "\\")
  static let dot = UInt8(ascii: ".")
  static let at = UInt8(ascii: "@")
  static let colon = UInt8(ascii: ":")

  static func startsIdentifier(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 || byte == 0x5F || byte >= 0x80 }

  static func continuesIdentifier(_ byte: UInt8) -> Bool {
    startsIdentifier(byte) || byte &- 0x30 < 10 || byte == UInt8(ascii: "$")
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte &- 0x09 < 5 || byte == 0 }

  /// Whether an operator directly after this byte is a prefix operator (The Swift Programming Language, 'Operators').
  static func endsBeforePrefixOperator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ","), UInt8(ascii: ";"), colon: true
    default: isSpace(byte)
    }
  }
}
