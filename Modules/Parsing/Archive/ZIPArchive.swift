import Models
import Ports

/// Reads the files of a ZIP archive (PKWARE APPNOTE 6.3.10): those that are stored, and those that are compressed by DEFLATE.
enum ZIPArchive {
  /// What the files of an archive may be together: an archive of a few kilobytes can become many gigabytes.
  static let mostBytes = 256 << 20

  static func isOne(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) }

  /// The files in their order, without folders, and without what macOS adds to each of them.
  ///
  /// - Throws: `ParsingError`: `truncated` or `syntax` for a damaged archive; `limit` for one that is too large; `foreign` for
  ///   one that is encrypted, or is compressed in another way.
  static func files(of bytes: [UInt8]) throws(ParsingError) -> [(name: String, bytes: [UInt8])] {
    let reader = Reader(bytes: bytes)
    // The end of the central directory, before a comment of at most 64 KiB.
    let first = max(0, bytes.count - 22 - 0xFFFF)
    guard bytes.count >= 22,
      let end = (first...(bytes.count - 22)).reversed().first(where: { reader.number($0, 4) == 0x0605_4B50 })
    else {
      throw ParsingError(
        .truncated, offset: bytes.count, expected: "the directory of the ZIP archive", found: "the end")
    }
    var place = reader.number(end + 16, 4)
    var files: [(name: String, bytes: [UInt8])] = []
    var total = 0
    for _ in 0..<reader.number(end + 10, 2) {
      guard place + 46 <= bytes.count, reader.number(place, 4) == 0x0201_4B50 else { throw damaged(place) }
      let (flags, method) = (reader.number(place + 8, 2), reader.number(place + 10, 2))
      let (packed, size) = (reader.number(place + 20, 4), reader.number(place + 24, 4))
      let lengths = [28, 30, 32].map { reader.number(place + $0, 2) }
      let local = reader.number(place + 42, 4)
      guard place + 46 + lengths[0] <= bytes.count, local + 30 <= bytes.count else { throw damaged(place) }
      let name = String(decoding: bytes[(place + 46)..<(place + 46 + lengths[0])], as: UTF8.self)
      place += 46 + lengths.reduce(0, +)
      if name.hasSuffix("/") || name.hasPrefix("__MACOSX/") { continue }
      guard flags & 1 == 0, method == 0 || method == 8 else {
        throw ParsingError(
          .foreign, offset: local, expected: "'\(name)' stored, or compressed by DEFLATE",
          found: flags & 1 == 1 ? "an encrypted file" : "the method \(method)")
      }
      total += size
      guard total <= mostBytes else {
        throw ParsingError(.limit, offset: local, expected: "files of \(mostBytes >> 20) MiB together", found: "more")
      }
      let start = local + 30 + reader.number(local + 26, 2) + reader.number(local + 28, 2)
      guard start + packed <= bytes.count else { throw damaged(local) }
      let content = bytes[start..<(start + packed)]
      guard let file = method == 0 ? Array(content) : Inflation.bytes(of: content, count: size), file.count == size,
        checksum(file) == UInt32(reader.number(place - lengths.reduce(0, +) - 46 + 16, 4))
      else { throw damaged(local) }
      files.append((name, file))
    }
    return files
  }

  private static func damaged(_ offset: Int) -> ParsingError {
    ParsingError(.syntax, offset: offset, expected: "a file of the ZIP archive", found: "damaged bytes")
  }

  private struct Reader {
    let bytes: [UInt8]

    /// A number of `count` bytes, the lowest first.
    func number(_ place: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | (place + $1 < bytes.count ? Int(bytes[place + $1]) << (8 * $1) : 0) }
    }
  }

  /// CRC-32 (ISO 3309).
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
  }
}

/// Decompresses DEFLATE (RFC 1951).
private struct Inflation {
  private let input: ArraySlice<UInt8>
  private var place: Int
  private var bit = 0
  private var output: [UInt8] = []

  /// The decompressed bytes; `nil` if there are not as many as expected, or if the input is damaged.
  static func bytes(of input: ArraySlice<UInt8>, count: Int) -> [UInt8]? {
    var inflation = Inflation(input: input, place: input.startIndex)
    inflation.output.reserveCapacity(count)
    return inflation.run(count) ? inflation.output : nil
  }

  private init(input: ArraySlice<UInt8>, place: Int) { (self.input, self.place) = (input, place) }

  private mutating func run(_ count: Int) -> Bool {
    while true {
      guard let isLast = bits(1), let kind = bits(2) else { return false }
      let isRead: Bool
      switch kind {
      case 0: isRead = stored()
      case 1: isRead = compressed(.fixedLengths, .fixedDistances, count)
      case 2:
        guard let (lengths, distances) = tables() else { return false }
        isRead = compressed(lengths, distances, count)
      default: return false
      }
      guard isRead, output.count <= count else { return false }
      if isLast == 1 { return true }
    }
  }

  private mutating func bits(_ count: Int) -> Int? {
    var value = 0
    for shift in 0..<count {
      guard place < input.endIndex else { return nil }
      value |= Int(input[place] >> UInt8(bit) & 1) << shift
      bit += 1
      if bit == 8 { (bit, place) = (0, place + 1) }
    }
    return value
  }

  private mutating func stored() -> Bool {
    if bit > 0 { (bit, place) = (0, place + 1) }
    guard let count = bits(16), let check = bits(16), count == ~check & 0xFFFF, place + count <= input.endIndex else {
      return false
    }
    output += input[place..<(place + count)]
    place += count
    return true
  }

  /// A canonical Huffman code (section 3.2.2).
  private struct Code {
    /// How many symbols each length has, and the symbols by length.
    var counts: [Int]
    var symbols: [Int]

    init(_ lengths: [Int]) {
      counts = (0..<16).map { length in length == 0 ? 0 : lengths.count { $0 == length } }
      symbols = (1..<16).flatMap { length in lengths.indices.filter { lengths[$0] == length } }
    }

    static let fixedLengths = Code((0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
    static let fixedDistances = Code(Array(repeating: 5, count: 30))
  }

  private mutating func symbol(_ code: Code) -> Int? {
    var (value, first, index) = (0, 0, 0)
    for length in 1..<16 {
      guard let next = bits(1) else { return nil }
      value |= next
      let count = code.counts[length]
      if value - count < first { return code.symbols[index + value - first] }
      (index, first, value) = (index + count, (first + count) << 1, value << 1)
    }
    return nil
  }

  /// The codes of a block (section 3.2.7).
  private mutating func tables() -> (Code, Code)? {
    guard let literals = bits(5), let distances = bits(5), let others = bits(4) else { return nil }
    var lengths = Array(repeating: 0, count: 19)
    for symbol in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15].prefix(others + 4) {
      guard let length = bits(3) else { return nil }
      lengths[symbol] = length
    }
    let (code, count) = (Code(lengths), literals + distances + 258)
    var all: [Int] = []
    while all.count < count {
      guard let symbol = symbol(code) else { return nil }
      switch symbol {
      case 16:
        guard let last = all.last, let more = bits(2) else { return nil }
        all += Array(repeating: last, count: 3 + more)
      case 17, 18:
        guard let more = bits(symbol == 17 ? 3 : 7) else { return nil }
        all += Array(repeating: 0, count: (symbol == 17 ? 3 : 11) + more)
      default: all.append(symbol)
      }
    }
    guard all.count == count else { return nil }
    return (Code(Array(all[..<(literals + 257)])), Code(Array(all[(literals + 257)...])))
  }

  private mutating func compressed(_ lengths: Code, _ distances: Code, _ most: Int) -> Bool {
    while output.count <= most, let symbol = symbol(lengths) {
      if symbol < 256 {
        output.append(UInt8(symbol))
      } else if symbol == 256 {
        return true
      } else {
        // Lengths 3 to 258, and distances, with further bits (section 3.2.5).
        let place = symbol - 257
        guard place < 29, let length = value(place, 4, from: 3) else { return false }
        guard let code = self.symbol(distances), code < 30, let distance = value(code, 2, from: 1),
          distance <= output.count
        else { return false }
        for _ in 0..<length { output.append(output[output.count - distance]) }
      }
    }
    return false
  }

  /// The value of a symbol: the first `2 · step` symbols have one value each; each further `step` have a bit more.
  private mutating func value(_ symbol: Int, _ step: Int, from first: Int) -> Int? {
    guard symbol >= 2 * step else { return symbol + first }
    // The last length has no further bits.
    if step == 4, symbol == 28 { return 258 }
    let further = symbol / step - 1
    return bits(further).map { ((symbol % step + step) << further) + first + $0 }
  }
}
