import Glibc

/// A file of the simulated disk: its bytes now, and what of them is not synced.
final class Node: @unchecked Sendable {
  // Touched only under the disk's lock, hence unchecked. Bytes once written do not move while a mapping shows them.

  /// Memory that mappings share.
  final class Storage: @unchecked Sendable {
    let base: UnsafeMutableRawPointer
    let capacity: Int

    init(capacity: Int) {
      base = calloc(max(capacity, 1), 1)
      self.capacity = capacity
    }

    deinit { free(base) }
  }

  private enum Change {
    case write(offset: Int, bytes: [UInt8])
    case size(Int)
  }

  let name: String
  private(set) var storage = Storage(capacity: 256)
  private(set) var size = 0
  private var durable: [UInt8] = []
  private var pending: [Change] = []

  init(name: String) { self.name = name }

  func reserve(_ capacity: Int) {
    guard capacity > storage.capacity else { return }
    let grown = Storage(capacity: capacity)
    memcpy(grown.base, storage.base, size)
    storage = grown
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    guard bytes.count > 0 else { return }
    if offset + bytes.count > storage.capacity { reserve(max(offset + bytes.count, storage.capacity * 2)) }
    memcpy(storage.base + offset, bytes.baseAddress!, bytes.count)
    size = max(size, offset + bytes.count)
    pending.append(.write(offset: offset, bytes: Array(bytes)))
  }

  func truncate(to size: Int) {
    if size < self.size { memset(storage.base + size, 0, self.size - size) }
    self.size = size
    pending.append(.size(size))
  }

  /// Brings what is pending to the disk; what an earlier sync lost stays lost.
  func sync() {
    for change in pending {
      switch change {
      case .size(let size): Self.resize(&durable, to: size)
      case .write(let offset, let written):
        Self.grow(&durable, to: offset + written.count)
        durable.replaceSubrange(offset..<offset + written.count, with: written)
      }
    }
    pending = []
  }

  /// A sync that fails: some of what was pending is on the disk, and the system takes all of it for written.
  func failSync(_ chance: inout Chance) {
    durable = crashedBytes(&chance)
    pending = []
  }

  func copy() -> Node {
    let copy = Node(name: name)
    copy.reserve(storage.capacity)
    memcpy(copy.storage.base, storage.base, size)
    copy.size = size
    copy.durable = durable
    copy.pending = pending
    return copy
  }

  /// The file after a power cut: of what was not synced each sector, or the beginning of one, is there or not.
  func crashed(_ chance: inout Chance) -> Node {
    let bytes = crashedBytes(&chance)
    let copy = Node(name: name)
    bytes.withUnsafeBytes { copy.write($0, at: 0) }
    copy.sync()
    return copy
  }

  private func crashedBytes(_ chance: inout Chance) -> [UInt8] {
    var bytes = durable
    let keep = chance.shares
    for change in pending {
      switch change {
      case .size(let size):
        if chance.flip(keep) { Self.resize(&bytes, to: size) }
      case .write(let offset, let written):
        // The size may be on the disk before the bytes are: then they are zero.
        if chance.flip(keep) { Self.grow(&bytes, to: offset + chance.below(written.count + 1)) }
        var start = 0
        while start < written.count {
          let end = min(written.count, ((offset + start) / 512 + 1) * 512 - offset)
          if chance.flip(keep) {
            var kept = end - start
            // A torn sector; at least two bytes of it are missing.
            if chance.below(8) == 0, kept > 2 { kept = chance.below(kept - 1) }
            if kept > 0 {
              Self.grow(&bytes, to: offset + start + kept)
              bytes.replaceSubrange(offset + start..<offset + start + kept, with: written[start..<start + kept])
            }
          }
          start = end
        }
      }
    }
    return bytes
  }

  private static func resize(_ bytes: inout [UInt8], to size: Int) {
    if size < bytes.count { bytes.removeLast(bytes.count - size) } else { grow(&bytes, to: size) }
  }

  private static func grow(_ bytes: inout [UInt8], to size: Int) {
    if bytes.count < size { bytes.append(contentsOf: repeatElement(0, count: size - bytes.count)) }
  }
}

/// Numbers that look like chance and come again for the same seed: SplitMix64.
struct Chance {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// True so many times of 256.
  mutating func flip(_ share: Int) -> Bool { below(256) < share }

  /// How much of a kind survives a crash: nothing, all, or some.
  var shares: Int {
    mutating get { [0, 16, 128, 240, 256][below(5)] }
  }
}
