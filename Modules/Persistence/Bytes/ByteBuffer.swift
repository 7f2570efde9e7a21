#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

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
      Platform.adviseLargePages(
        UnsafeMutableRawPointer(bitPattern: start), Int(bitPattern: memory) + capacity - start)
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

  mutating func append(_ text: StaticString) {
    append(ByteSlice(base: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(_ byte: UInt8) {
    reserve(1)
    base[count] = byte
    count += 1
  }

  /// Adds bytes that are filled in later.
  mutating func skip(_ bytes: Int) {
    reserve(bytes)
    count += bytes
  }

  /// Removes the bytes before an offset.
  mutating func keep(from place: Int) {
    base.update(from: UnsafePointer(base + place), count: count - place)
    count -= place
  }

  mutating func truncate(to size: Int) { count = size }
}
