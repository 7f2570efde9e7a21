import CLibrary
public import Ports

/// Reads JSON (RFC 8259) without copying it.
///
/// One pass validates the whole text. `JSONNode` then gives access to its values; strings, numbers and trees are created
/// only when they are requested.
///
/// ```swift
/// let title = try JSONDocument.read(bytes) { root in root["feed"]?["title"]?.string }
/// ```
///
/// A closure that throws declares its error: `{ (root) throws(ParsingError) in try root.requiredText("id") }`.
public enum JSONDocument {
  /// The default limit of nesting: deep enough for real documents, and shallow enough for the stack of any thread.
  @inlinable public static var depthLimit: Int { 512 }

  /// Validates the text and calls `body` with its root. O(bytes).
  ///
  /// - Important: Nodes point into the text. Do not use them after `body` returns.
  /// - Parameters:
  ///   - bytes: the text in UTF-8, with or without a byte order mark; less than 256 MiB.
  ///   - depthLimit: the deepest nesting that is accepted.
  ///   - body: reads the document.
  /// - Returns: the result of `body`.
  /// - Throws: `ParsingError`: `syntax` or `truncated` where the text violates the grammar, `limit` where it is too large
  ///   or nested too deeply; the errors of `body`.
  @inlinable @inline(__always)
  public static func read<Result>(
    _ bytes: UnsafeBufferPointer<UInt8>, depthLimit: Int = depthLimit,
    _ body: (JSONNode) throws(ParsingError) -> Result
  ) throws(ParsingError) -> Result {
    let root = try JSONScan.root(of: bytes, depthLimit: depthLimit)
    defer { root.tape.deallocate() }
    return try body(root)
  }

  @inlinable @inline(__always)
  public static func read<Result>(
    _ bytes: [UInt8], depthLimit: Int = depthLimit, _ body: (JSONNode) throws(ParsingError) -> Result
  ) throws(ParsingError) -> Result {
    try bytes.withUnsafeBufferPointer { (buffer) throws(ParsingError) -> Result in
      try read(buffer, depthLimit: depthLimit, body)
    }
  }

  /// Validates the text and calls `body` with its root. O(bytes).
  ///
  /// - Important: Nodes point into the text. Do not use them after `body` returns.
  /// - Throws: the same errors as reading a buffer.
  @inlinable @inline(__always)
  public static func read<Result>(
    _ bytes: RawSpan, depthLimit: Int = depthLimit, _ body: (JSONNode) throws(ParsingError) -> Result
  ) throws(ParsingError) -> Result {
    try bytes.withUnsafeBytes { (raw) throws(ParsingError) -> Result in
      try read(raw.assumingMemoryBound(to: UInt8.self), depthLimit: depthLimit, body)
    }
  }

  /// Validates the text. O(bytes).
  ///
  /// - Throws: `ParsingError`: `syntax`, `truncated` or `limit`.
  public static func check(_ bytes: [UInt8], depthLimit: Int = depthLimit) throws(ParsingError) {
    try read(bytes, depthLimit: depthLimit) { _ in }
  }
}

@usableFromInline enum JSONScan {
  /// Validates a text. The caller must deallocate the tape of the root.
  @usableFromInline
  static func root(of bytes: UnsafeBufferPointer<UInt8>, depthLimit: Int) throws(ParsingError) -> JSONNode {
    var scanner = JSONScanner(bytes, depthLimit: depthLimit)
    guard let fault = scanner.scan() else {
      return JSONNode(base: scanner.base, count: scanner.count, tape: scanner.tape.words, position: 0)
    }
    defer { scanner.tape.words.deallocate() }
    throw error(fault, scanner)
  }

  @inline(never)
  private static func error(_ fault: JSONFault, _ scanner: JSONScanner) -> ParsingError {
    let path = JSONPath(
      openIn: scanner.tape.words, top: scanner.top, open: scanner.openAtFault,
      betweenValues: fault.expected == .commaOrBracket || fault.expected == .commaOrBrace, base: scanner.base)
    return fault.error(
      in: UnsafeBufferPointer(start: scanner.base, count: scanner.count), path: path.abbreviated,
      depthLimit: scanner.depthLimit)
  }
}

extension TextPlace {
  /// The position of a byte offset. O(offset).
  public init(of offset: Int, in text: UnsafeBufferPointer<UInt8>) {
    var line = 1
    var lineStart = 0
    let end = min(offset, text.count)
    if let base = text.baseAddress {
      while lineStart < end, let feed = memchr(base + lineStart, 0x0A, end - lineStart) {
        lineStart = UnsafeRawPointer(feed) - UnsafeRawPointer(base) + 1
        line += 1
      }
    }
    self.init(line: line, column: end - lineStart + 1)
  }
}
