/// Reads single files of a ZIP archive (APPNOTE 6.3.10, with ZIP64): the list of files at its end, and what is asked for.
package struct ZIPArchive {
  package enum Problem: Error, Equatable {
    case notThere
    /// The list of files is missing: the archive may end early.
    case noList
    /// The archive contradicts itself at an offset, or the file is not what its checksum says.
    case damaged(Int)
    case encrypted
    case tooLarge
    /// Another method than store (0) and deflate (8).
    case method(Int)
  }

  package struct Entry {
    package var name: String
    fileprivate var method: Int
    fileprivate var isEncrypted: Bool
    fileprivate var checksum: UInt32
    fileprivate var packed: Int
    package var size: Int
    package var offset: Int
  }

  package private(set) var entries: [Entry] = []
  private let length: Int
  private let source: (_ offset: Int, _ count: Int) -> [UInt8]?

  /// - Parameters:
  ///   - source: reads a part that lies within the archive; `nil` where that fails.
  package init(length: Int, source: @escaping (_ offset: Int, _ count: Int) -> [UInt8]?) throws(Problem) {
    (self.length, self.source) = (length, source)
    let before = max(0, length - 65_557)
    let tail = try read(before, length - before)
    guard let end = tail.indices.dropLast(21).reversed().first(where: { tail.number(at: $0, 4) == 0x0605_4B50 }) else {
      throw .noList
    }
    var (count, size, start) = (
      tail.number(at: end + 10, 2), tail.number(at: end + 12, 4), tail.number(at: end + 16, 4)
    )
    if start == 0xFFFF_FFFF || size == 0xFFFF_FFFF || count == 0xFFFF, tail.number(at: end - 20, 4) == 0x0706_4B50 {
      let large = try read(tail.number(at: end - 12, 8), 56)
      (count, size, start) = (large.number(at: 32, 8), large.number(at: 40, 8), large.number(at: 48, 8))
    }
    // Names of files take some hundred bytes each.
    guard size <= 256 << 20 else { throw .tooLarge }
    let list = try read(start, size)
    var at = 0
    for _ in 0..<count {
      let (name, extra, comment) = (
        list.number(at: at + 28, 2), list.number(at: at + 30, 2), list.number(at: at + 32, 2)
      )
      guard list.number(at: at, 4) == 0x0201_4B50, at + 46 + name + extra <= list.count else {
        throw .damaged(start + at)
      }
      var entry = Entry(
        name: String(decoding: list[(at + 46)..<(at + 46 + name)], as: UTF8.self), method: list.number(at: at + 10, 2),
        isEncrypted: list.number(at: at + 8, 2) & 1 == 1, checksum: UInt32(list.number(at: at + 16, 4)),
        packed: list.number(at: at + 20, 4), size: list.number(at: at + 24, 4), offset: list.number(at: at + 42, 4))
      Self.widen(&entry, with: Array(list[(at + 46 + name)..<(at + 46 + name + extra)]))
      entries.append(entry)
      at += 46 + name + extra + comment
    }
  }

  /// Numbers of 64 bits (APPNOTE section 4.5.3).
  private static func widen(_ entry: inout Entry, with extra: [UInt8]) {
    var at = 0
    while at + 4 <= extra.count {
      let size = extra.number(at: at + 2, 2)
      if extra.number(at: at, 2) == 1 {
        var field = at + 4
        func next(_ value: Int) -> Int {
          guard value == 0xFFFF_FFFF, field + 8 <= at + 4 + size else { return value }
          defer { field += 8 }
          return extra.number(at: field, 8)
        }
        entry.size = next(entry.size)
        entry.packed = next(entry.packed)
        entry.offset = next(entry.offset)
      }
      at += 4 + size
    }
  }

  /// The content of a file. O(its size).
  ///
  /// - Throws: `Problem`, `tooLarge` for more than `most` bytes.
  package func content(of entry: Entry, most: Int) throws(Problem) -> [UInt8] {
    if entry.isEncrypted { throw .encrypted }
    guard entry.size <= most, entry.packed <= most else { throw .tooLarge }
    let head = try read(entry.offset, 30)
    guard head.number(at: 0, 4) == 0x0403_4B50 else { throw .damaged(entry.offset) }
    let packed = try read(entry.offset + 30 + head.number(at: 26, 2) + head.number(at: 28, 2), entry.packed)
    let bytes: [UInt8]
    switch entry.method {
    case 0: bytes = packed
    case 8:
      var inflate = Inflate(packed, size: entry.size)
      guard let inflated = inflate.all() else { throw .damaged(entry.offset) }
      bytes = inflated
    default: throw .method(entry.method)
    }
    guard bytes.count == entry.size, CRC32.of(bytes) == entry.checksum else { throw .damaged(entry.offset) }
    return bytes
  }

  private func read(_ offset: Int, _ count: Int) throws(Problem) -> [UInt8] {
    guard offset >= 0, count >= 0, count <= length, offset <= length - count, let bytes = source(offset, count) else {
      throw .damaged(max(0, offset))
    }
    return bytes
  }
}

extension [UInt8] {
  /// A little-endian number; 0 beyond the end, or where it does not fit.
  fileprivate func number(at offset: Int, _ count: Int) -> Int {
    guard offset >= 0, offset + count <= self.count else { return 0 }
    let value = (0..<count).reduce(UInt64(0)) { $0 | UInt64(self[offset + $1]) << UInt64(8 * $1) }
    return Int(exactly: value) ?? 0
  }
}

/// The checksum of ZIP (ISO 3309).
private enum CRC32 {
  private static let table = (0..<256).map { (byte: UInt32) -> UInt32 in
    (0..<8).reduce(byte) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
  }

  static func of(_ bytes: [UInt8]) -> UInt32 {
    table.withUnsafeBufferPointer { table in
      ~bytes.reduce(~UInt32(0)) { $0 >> 8 ^ table[Int(($0 ^ UInt32($1)) & 0xFF)] }
    }
  }
}

/// Decompresses DEFLATE (RFC 1951).
private struct Inflate {
  /// A Huffman code: how many codes have each length, and the symbols in their order.
  private struct Code {
    var counts = [Int](repeating: 0, count: 16)
    var symbols: [Int] = []

    init(_ lengths: some Collection<Int>) {
      for length in lengths { counts[length] += 1 }
      counts[0] = 0
      symbols = lengths.enumerated().filter { $0.element > 0 }
        .sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }.map(\.offset)
    }
  }

  private static let lengths = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
  ]
  private static let distances = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
    8193, 12_289, 16_385, 24_577,
  ]
  private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  private let bytes: [UInt8]
  private let size: Int
  private var next = 0
  private var bits = 0
  private var count = 0
  private var out: [UInt8] = []

  /// - Parameter size: how many bytes come out; more are an error.
  init(_ bytes: [UInt8], size: Int) { (self.bytes, self.size) = (bytes, size) }

  /// All bytes; `nil` if the input is no such stream, or has more of them.
  mutating func all() -> [UInt8]? {
    out.reserveCapacity(size)
    while true {
      guard let isLast = take(1), let kind = take(2), block(kind) else { return nil }
      if isLast == 1 { return out }
    }
  }

  private mutating func block(_ kind: Int) -> Bool {
    switch kind {
    case 0:
      (bits, count) = (0, 0)
      guard next + 4 <= bytes.count else { return false }
      let length = Int(bytes[next]) | Int(bytes[next + 1]) << 8
      next += 4
      guard next + length <= bytes.count, out.count + length <= size else { return false }
      out += bytes[next..<(next + length)]
      next += length
      return true
    case 1:
      let literals = (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
      return symbols(Code(literals), Code(Array(repeating: 5, count: 30)))
    case 2:
      guard let literals = take(5), let distances = take(5), let codes = take(4) else { return false }
      var lengths = [Int](repeating: 0, count: 19)
      for index in 0..<(codes + 4) {
        guard let length = take(3) else { return false }
        lengths[Self.order[index]] = length
      }
      guard let all = self.lengths(literals + 257 + distances + 1, Code(lengths)) else { return false }
      return symbols(Code(all[..<(literals + 257)]), Code(all[(literals + 257)...]))
    default: return false
    }
  }

  private mutating func lengths(_ wanted: Int, _ code: Code) -> [Int]? {
    var all: [Int] = []
    while all.count < wanted {
      guard let symbol = symbol(code) else { return nil }
      switch symbol {
      case 0..<16: all.append(symbol)
      case 16:
        guard let last = all.last, let more = take(2) else { return nil }
        all += Array(repeating: last, count: 3 + more)
      default:
        guard let more = take(symbol == 17 ? 3 : 7) else { return nil }
        all += Array(repeating: 0, count: (symbol == 17 ? 3 : 11) + more)
      }
    }
    return all.count == wanted ? all : nil
  }

  private mutating func symbols(_ literals: Code, _ distances: Code) -> Bool {
    while true {
      guard let symbol = symbol(literals) else { return false }
      if symbol == 256 { return true }
      if symbol < 256 {
        guard out.count < size else { return false }
        out.append(UInt8(symbol))
        continue
      }
      let index = symbol - 257
      guard index < 29, let more = take(index < 8 || index == 28 ? 0 : (index - 4) / 4),
        let far = self.symbol(distances), far < 30, let further = take(far < 4 ? 0 : (far - 2) / 2)
      else { return false }
      let (length, distance) = (Self.lengths[index] + more, Self.distances[far] + further)
      guard distance <= out.count, out.count + length <= size else { return false }
      for _ in 0..<length { out.append(out[out.count - distance]) }
    }
  }

  private mutating func take(_ wanted: Int) -> Int? {
    while count < wanted {
      guard next < bytes.count else { return nil }
      bits |= Int(bytes[next]) << count
      next += 1
      count += 8
    }
    defer {
      bits >>= wanted
      count -= wanted
    }
    return bits & ((1 << wanted) - 1)
  }

  private mutating func symbol(_ code: Code) -> Int? {
    var (value, first, index) = (0, 0, 0)
    for length in 1..<16 {
      guard let bit = take(1) else { return nil }
      value |= bit
      let count = code.counts[length]
      if value - first < count { return code.symbols[index + value - first] }
      index += count
      first = (first + count) << 1
      value <<= 1
    }
    return nil
  }
}
