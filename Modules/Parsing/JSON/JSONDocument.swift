package import Ports

/// Reads a JSON text where it lies: the bytes are checked once (RFC 8259), nothing is copied, and values are made only
/// of what is asked for.
package enum JSONDocument {
  /// How deeply texts may be nested. Deep enough for any real answer, and shallow enough for every thread's stack.
  @inlinable package static var depthLimit: Int { 512 }

  /// Scans the whole text and hands its root to `body`. O(bytes).
  ///
  /// Nodes point into the text: they are of use within `body` only.
  /// - Throws: `ParsingError` with `syntax` or `truncated` where the text breaks the grammar, `limit` where it is
  ///   nested too deeply or is 256 MiB and more, and what `body` throws.
  @inlinable @inline(__always)
  package static func read<Result>(
    _ bytes: UnsafeBufferPointer<UInt8>, depthLimit: Int = depthLimit,
    _ body: (JSONNode) throws(ParsingError) -> Result
  ) throws(ParsingError) -> Result {
    let scan = try JSONScan(bytes, depthLimit: depthLimit)
    return try body(scan.root)
  }

  /// Scans the whole text and hands its root to `body`. O(bytes).
  ///
  /// - Throws: as `read` of a buffer.
  @inlinable @inline(__always)
  package static func read<Result>(
    _ bytes: [UInt8], depthLimit: Int = depthLimit, _ body: (JSONNode) throws(ParsingError) -> Result
  ) throws(ParsingError) -> Result {
    try bytes.withUnsafeBufferPointer { (buffer) throws(ParsingError) -> Result in
      try read(buffer, depthLimit: depthLimit, body)
    }
  }

  /// Scans the whole text and hands its root to `body`. O(bytes).
  ///
  /// - Throws: as `read` of a buffer.
  @inlinable @inline(__always)
  package static func read<Result>(
    _ bytes: RawSpan, depthLimit: Int = depthLimit, _ body: (JSONNode) throws(ParsingError) -> Result
  ) throws(ParsingError) -> Result {
    try bytes.withUnsafeBytes { (raw) throws(ParsingError) -> Result in
      try read(raw.assumingMemoryBound(to: UInt8.self), depthLimit: depthLimit, body)
    }
  }

  /// Checks the grammar only.
  ///
  /// - Throws: as `read`.
  package static func check(_ bytes: [UInt8], depthLimit: Int = depthLimit) throws(ParsingError) {
    try read(bytes, depthLimit: depthLimit) { _ in }
  }
}

/// A text that was scanned, with its tape; gone with it.
package struct JSONScan: ~Copyable {
  /// The whole value; of use while the scan is there.
  package let root: JSONNode

  /// Scans a text.
  ///
  /// - Throws: as `JSONDocument.read`.
  package init(_ bytes: UnsafeBufferPointer<UInt8>, depthLimit: Int) throws(ParsingError) {
    var scanner = JSONScanner(bytes, depthLimit: depthLimit)
    let fault = scanner.scan()
    root = JSONNode(base: scanner.base, count: scanner.count, tape: scanner.tape.words, position: 0)
    if let fault { throw JSONScan.error(fault, scanner) }
  }

  deinit { root.tape.deallocate() }

  @inline(never)
  private static func error(_ fault: JSONFault, _ scanner: JSONScanner) -> ParsingError {
    let path = JSONPath(
      openIn: scanner.tape.words, top: scanner.top, open: scanner.openAtFault,
      betweenValues: fault.expected == .commaOrBracket || fault.expected == .commaOrBrace, base: scanner.base)
    return fault.error(
      in: UnsafeBufferPointer(start: scanner.base, count: scanner.count), path: path.description,
      depthLimit: scanner.depthLimit)
  }
}
