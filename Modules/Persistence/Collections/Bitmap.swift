import CLibrary
import Synchronization

/// Bits that several threads set and read.
final class Bitmap: @unchecked Sendable {
  // The words are atomics, hence unchecked.
  private let words: UnsafeMutablePointer<Atomic<UInt64>>
  private let count: Int

  init(count: Int) {
    self.count = (count + 63) / 64
    // Not touched: of a large file most are never needed. An atomic number consists of its bytes alone.
    guard let memory = calloc(max(self.count, 1), 8) else { fatalError("out of memory for \(count) bits") }
    words = memory.bindMemory(to: Atomic<UInt64>.self, capacity: max(self.count, 1))
  }

  deinit { free(words) }

  @inline(__always)
  subscript(bit: Int) -> Bool { words[bit >> 6].load(ordering: .relaxed) & (1 << UInt64(bit & 63)) != 0 }

  @inline(__always)
  func set(_ bit: Int) { words[bit >> 6].bitwiseOr(1 << UInt64(bit & 63), ordering: .relaxed) }

  func clear() { for word in 0..<count { words[word].store(0, ordering: .relaxed) } }
}
