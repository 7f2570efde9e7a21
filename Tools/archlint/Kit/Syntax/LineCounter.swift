import Foundation

/// Turns byte offsets that only grow into lines and columns.
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

  /// Line ends are `\n`, `\r` and `\r\n`.
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
