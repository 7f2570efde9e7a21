/// What is on the disk of a file, and what of it is not yet there.
struct SimulatedFile {
  private enum Change {
    case write(offset: Int, bytes: [UInt8])
    case size(Int)
  }

  private(set) var durable: [UInt8]
  private var pending: [Change] = []

  init(_ durable: [UInt8] = []) { self.durable = durable }

  mutating func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    if bytes.count > 0 { pending.append(.write(offset: offset, bytes: Array(bytes))) }
  }

  mutating func truncate(to size: Int) { pending.append(.size(size)) }

  /// Brings what is pending to the disk; what an earlier sync lost stays lost.
  mutating func sync() {
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
  mutating func failSync(_ chance: inout Chance) {
    durable = crashedBytes(&chance)
    pending = []
  }

  /// The file after a power cut: of what was not synced each sector, or the beginning of one, is there or not.
  func crashedBytes(_ chance: inout Chance) -> [UInt8] {
    var bytes = durable
    let keep = chance.share
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
