enum Parameter {
  case number(Int64)
  case small(Int32)
  case flag(Bool)
  case text([UInt8])
  case bytes([UInt8])
  case numbers([Int64])
  case texts([[UInt8]])
  case blobs([[UInt8]?])

  static func text(_ text: String) -> Parameter { .text(Array(text.utf8)) }
  static func texts(_ texts: [String]) -> Parameter { .texts(texts.map { Array($0.utf8) }) }

  /// The object id of its type, from `pg_type`.
  var type: UInt32 {
    switch self {
    case .flag: 16
    case .bytes: 17
    case .number: 20
    case .small: 23
    case .text: 25
    case .blobs: 1001
    case .texts: 1009
    case .numbers: 1016
    }
  }

  var binary: [UInt8] {
    switch self {
    case .number(let value): Self.bigEndian(value)
    case .small(let value): Self.bigEndian(value)
    case .flag(let value): [value ? 1 : 0]
    case .text(let bytes), .bytes(let bytes): bytes
    case .numbers(let values): Self.array(of: 20, values.map { Self.bigEndian($0) })
    case .texts(let values): Self.array(of: 25, values)
    case .blobs(let values): Self.array(of: 17, values)
    }
  }

  /// An array of one dimension, as array_recv reads it: dimensions, whether there are nulls, the type, the count, the
  /// first index, then each length and value.
  private static func array(of type: UInt32, _ values: [[UInt8]?]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(20 + values.reduce(0) { $0 + 4 + ($1?.count ?? 0) })
    bytes += bigEndian(Int32(values.isEmpty ? 0 : 1))
    bytes += bigEndian(Int32(values.contains { $0 == nil } ? 1 : 0))
    bytes += bigEndian(type)
    if values.isEmpty { return bytes }
    bytes += bigEndian(Int32(values.count))
    bytes += bigEndian(Int32(1))
    for value in values {
      bytes += bigEndian(Int32(value?.count ?? -1))
      if let value { bytes += value }
    }
    return bytes
  }

  private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }
}
