import Foundation

/// The bytes of one source file, followed by a NUL that is not part of it; a borrowed view.
package struct SourceBytes {
  package let base: UnsafePointer<UInt8>
  package let count: Int

  /// - Precondition: `base[count]` may be read and is 0.
  package init(base: UnsafePointer<UInt8>, count: Int) {
    precondition(base[count] == 0, "source bytes must be followed by a NUL")
    self.base = base
    self.count = count
  }

  /// Lends the bytes of `text`.
  package static func with<Result>(_ text: String, _ body: (SourceBytes) throws -> Result) rethrows -> Result {
    var bytes = Array(text.utf8)
    bytes.append(0)
    return try bytes.withUnsafeBufferPointer {
      try body(SourceBytes(base: $0.baseAddress.unsafelyUnwrapped, count: $0.count - 1))
    }
  }

  /// Lends the bytes of the file at `path`; nil when it cannot be read.
  package static func withFile<Result>(_ path: String, _ body: (SourceBytes) throws -> Result) rethrows -> Result? {
    // Without blocking, because a pipe of that name would make us wait for its writer.
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

  /// Where `word` stands first at or after `start`.
  func offset(of word: StaticString, from start: Int) -> Int? {
    var start = start
    while start < count {
      let haystack = UnsafeRawPointer(base + start).assumingMemoryBound(to: CChar.self)
      if let hit = strstr(haystack, UnsafeRawPointer(word.utf8Start).assumingMemoryBound(to: CChar.self)) {
        return start + (UnsafePointer(hit) - haystack)
      }
      start += strlen(haystack) + 1  // there may be a NUL inside the file
    }
    return nil
  }
}
