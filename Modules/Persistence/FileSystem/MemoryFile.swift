import Glibc

/// A file in memory. Bytes that a mapping shows do not move; writes appear in it.
final class MemoryFile: @unchecked Sendable {
  // Touched only under its file system's lock, hence unchecked.

  /// Memory that mappings share.
  private final class Storage: @unchecked Sendable {
    let base: UnsafeMutableRawPointer
    let capacity: Int

    init(capacity: Int) {
      guard let memory = calloc(max(capacity, 1), 1) else { fatalError("out of memory for \(capacity) bytes") }
      base = memory
      self.capacity = capacity
    }

    deinit { free(base) }
  }

  /// What it was called when it was made.
  let name: String
  let identity: UInt64
  var isReadOnly = false
  var modified = Int.max
  private(set) var size = 0
  private var storage = Storage(capacity: 0)

  init(name: String, identity: UInt64) {
    self.name = name
    self.identity = identity
  }

  var bytes: [UInt8] { Array(UnsafeRawBufferPointer(start: storage.base, count: size)) }

  func read(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    let count = max(0, min(bytes.count, size - offset))
    if count > 0 { memcpy(bytes.baseAddress!, storage.base + offset, count) }
    return count
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    guard bytes.count > 0 else { return }
    let end = offset + bytes.count
    if end > storage.capacity { reserve(size == 0 ? end : max(end, storage.capacity * 2)) }
    memcpy(storage.base + offset, bytes.baseAddress!, bytes.count)
    size = max(size, end)
  }

  func truncate(to size: Int) {
    if size > storage.capacity { reserve(size) }
    if size < self.size { memset(storage.base + size, 0, self.size - size) }
    self.size = size
  }

  /// Shows its first bytes, and those that come, up to so many. A file that outgrows what was shown gets new memory,
  /// in which what was shown earlier does not change any more.
  func map(capacity: Int) -> Mapping {
    reserve(capacity)
    let storage = storage
    return Mapping(base: UnsafeRawPointer(storage.base), capacity: capacity) { _, _ in _ = storage }
  }

  private func reserve(_ capacity: Int) {
    guard capacity > storage.capacity else { return }
    let grown = Storage(capacity: capacity)
    memcpy(grown.base, storage.base, size)
    storage = grown
  }

  func copy() -> MemoryFile {
    let copy = MemoryFile(name: name, identity: identity)
    copy.reserve(size)
    memcpy(copy.storage.base, storage.base, size)
    copy.size = size
    copy.isReadOnly = isReadOnly
    copy.modified = modified
    return copy
  }
}
