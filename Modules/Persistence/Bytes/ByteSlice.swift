import CLibrary

/// Bytes in memory that another object keeps alive.
struct ByteSlice: @unchecked Sendable {
  // Not sent anywhere without what it lies in (a mapping or an arena), hence the unchecked sendability.
  var base: UnsafePointer<UInt8>
  var count: Int

  init(base: UnsafePointer<UInt8>, count: Int) { (self.base, self.count) = (base, count) }

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    base = bytes.baseAddress ?? ByteSlice.empty.base
    count = bytes.count
  }

  init(_ base: UnsafeRawPointer, count: Int) {
    self.base = base.assumingMemoryBound(to: UInt8.self)
    self.count = count
  }

  static var empty: ByteSlice { ByteSlice("") }

  init(_ text: StaticString) {
    base = text.utf8Start
    count = text.utf8CodeUnitCount
  }

  var raw: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  var text: String { String(decoding: raw, as: UTF8.self) }

  var array: [UInt8] { Array(UnsafeBufferPointer(start: base, count: count)) }

  subscript(range: Range<Int>) -> ByteSlice { ByteSlice(base: base + range.lowerBound, count: range.count) }

  /// Below 0, 0 or above 0 as these bytes come before, are, or come after the others.
  @inline(__always)
  func compare(_ other: ByteSlice) -> Int {
    let order = memcmp(base, other.base, min(count, other.count))
    return order != 0 ? Int(order) : count - other.count
  }

  @inline(__always)
  func starts(with prefix: ByteSlice) -> Bool {
    // Without a prefix the bytes are not even touched.
    prefix.count == 0 || count >= prefix.count && memcmp(base, prefix.base, prefix.count) == 0
  }

  @inline(__always)
  func first(_ byte: UInt8, from start: Int = 0) -> Int? {
    guard start < count, let found = memchr(base + start, Int32(byte), count - start) else { return nil }
    return UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) - base
  }

  /// Where the lines are, without their newlines; the last one may lack its own.
  var lines: some Sequence<Range<Int>> {
    sequence(state: 0) { start in
      guard start < count else { return nil }
      let end = first(0x0A, from: start) ?? count
      defer { start = end + 1 }
      return start..<end
    }
  }

  /// Whether there is a hole of zero bytes: eight in a row, two up to the end of a disk's sector, or one at either end
  /// of the slice, which in a journal is a transaction's `{` or newline.
  ///
  /// One alone elsewhere may be a space of which a bit flipped.
  /// - Parameter offset: where the slice begins in its file.
  func hasZeros(startingAt offset: Int) -> Bool {
    var start = 0
    while let zero = first(0, from: start) {
      var end = zero
      while end < count, base[end] == 0 { end += 1 }
      let touchesSector = (offset + zero) / 512 != (offset + end) / 512
      if zero == 0 || end == count || end - zero >= (touchesSector ? 2 : 8) { return true }
      start = end
    }
    return false
  }

  static func == (lhs: ByteSlice, rhs: ByteSlice) -> Bool {
    lhs.count == rhs.count && memcmp(lhs.base, rhs.base, lhs.count) == 0
  }
}

extension [UInt8] {
  func withByteSlice<Result, Failure: Error>(_ body: (ByteSlice) throws(Failure) -> Result) throws(Failure) -> Result {
    try withUnsafeBufferPointer { (buffer) throws(Failure) in try body(ByteSlice(buffer)) }
  }
}

extension [UInt8]? {
  func withByteSlice<Result, Failure: Error>(_ body: (ByteSlice?) throws(Failure) -> Result) throws(Failure) -> Result {
    guard let self else { return try body(nil) }
    return try self.withByteSlice { (bytes: ByteSlice) throws(Failure) in try body(bytes) }
  }
}

/// Bytes that stay where they are for as long as it lives.
final class Arena: Sendable {
  let slice: ByteSlice

  init(_ bytes: some Collection<UInt8>) {
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(bytes.count, 1))
    _ = buffer.initialize(from: bytes)
    slice = ByteSlice(base: UnsafePointer(buffer.baseAddress!), count: bytes.count)
  }

  deinit { slice.base.deallocate() }
}

/// A growing buffer of bytes whose capacity is not initialized.
struct ByteBuffer: ~Copyable {
  private(set) var base: UnsafeMutablePointer<UInt8>
  private(set) var count: Int
  private var capacity: Int

  init(capacity: Int) {
    base = Self.memory(nil, capacity)
    count = 0
    self.capacity = capacity
  }

  deinit { free(base) }

  /// `realloc` moves pages instead of copying them, where it can.
  private static func memory(_ old: UnsafeMutablePointer<UInt8>?, _ capacity: Int) -> UnsafeMutablePointer<UInt8> {
    guard let memory = realloc(old, max(capacity, 1)) else { fatalError("out of memory for \(capacity) bytes") }
    if capacity >= 8 << 20 {
      // Large pages save thousands of page faults while the buffer is filled, and page walks when records are read again.
      let start = (Int(bitPattern: memory) + 4095) & ~4095
      Platform.adviseLargePages(UnsafeMutableRawPointer(bitPattern: start), Int(bitPattern: memory) + capacity - start)
    }
    return memory.assumingMemoryBound(to: UInt8.self)
  }

  var slice: ByteSlice { ByteSlice(base: UnsafePointer(base), count: count) }

  mutating func reserve(_ more: Int) {
    guard count + more > capacity else { return }
    capacity = max(capacity * 2, count + more)
    base = Self.memory(base, capacity)
  }

  mutating func append(_ slice: ByteSlice) {
    reserve(slice.count)
    (base + count).update(from: slice.base, count: slice.count)
    count += slice.count
  }

  mutating func append(_ text: StaticString) { append(ByteSlice(base: text.utf8Start, count: text.utf8CodeUnitCount)) }

  mutating func append(_ byte: UInt8) {
    reserve(1)
    base[count] = byte
    count += 1
  }

  /// Appends text as it is written between the quotes of a line.
  mutating func append(escaped text: ByteSlice) {
    if text.first(0x22) == nil, text.first(0x5C) == nil { return append(text) }
    var bytes: [UInt8] = []
    RecordKey.escape(text, into: &bytes)
    bytes.withByteSlice { append($0) }
  }

  mutating func append(utf8 text: String) { Array(text.utf8).withByteSlice { append($0) } }

  mutating func skip(_ bytes: Int) {
    reserve(bytes)
    count += bytes
  }

  mutating func keep(from offset: Int) {
    base.update(from: UnsafePointer(base + offset), count: count - offset)
    count -= offset
  }

  mutating func truncate(to size: Int) { count = size }
}
