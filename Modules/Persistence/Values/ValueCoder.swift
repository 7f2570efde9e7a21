import Models
import Ports

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Turns `Codable` values into records and back.
enum ValueCoder {
  /// A value as a record: compact JSON with `id` first and the others by name, so that equal values are equal bytes.
  ///
  /// - Throws: `invalidRecord` where the value is not encoded as an object whose `id` is the value's.
  static func encode<Value: Encodable & Identifiable>(_ value: Value) throws(StoreError) -> [UInt8]
  where Value.ID == String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      guard let text = text(of: date) else {
        throw EncodingError.invalidValue(
          date, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "not in the years 1 to 9999"))
      }
      try container.encode(text)
    }
    let json: [UInt8]
    do { json = Array(try encoder.encode(value)) } catch {
      throw StoreError(.invalidRecord, "the value '\(value.id)' cannot be encoded: \(reason(of: error))")
    }
    guard let member = json.withUnsafeBufferPointer({ idMember(in: ByteSlice($0)) }) else {
      throw StoreError(.invalidRecord, "the value '\(value.id)' is not encoded as an object with a member 'id'")
    }
    var record: [UInt8] = [0x7B]
    record.reserveCapacity(json.count)
    record += json[member]
    // The other members, with one comma fewer.
    let before = json[1..<member.lowerBound].dropLast()
    let after = json[member.upperBound...].dropFirst(json[member.upperBound] == 0x2C ? 1 : 0).dropLast()
    for rest in [before, after] where !rest.isEmpty { record += [0x2C] + rest }
    return record + [0x7D]
  }

  /// A date as RFC 3339 in UTC, with at most nine digits of the second; `nil` outside the years 0 to 9999.
  private static func text(of date: Date) -> String? {
    let interval = date.timeIntervalSinceReferenceDate
    guard interval.isFinite else { return nil }
    let seconds = interval.rounded(.down)
    // Of a date in this century, a Double resolves 0.1 µs.
    var (count, scale, digits) = (0, 1.0, 0.0)
    repeat {
      digits = ((interval - seconds) * scale).rounded()
      if seconds + digits / scale == interval || count == 9 { break }
      (count, scale) = (count + 1, scale * 10)
    } while true
    let isNextSecond = digits == scale
    guard let time = Timestamp(exactly: Int(nearest: seconds).plus(Self.referenceDate + (isNextSecond ? 1 : 0))) else {
      return nil
    }
    if count == 0 || isNextSecond { return time.description }
    return "\(time.description.dropLast()).\(String(Int(digits + scale)).dropFirst())Z"
  }

  /// The date of a text in RFC 3339 with any offset; `nil` for another text.
  private static func date(of text: String) -> Date? {
    guard let time = Timestamp(rfc3339: text) else { return nil }
    var fraction = 0.0
    if let point = text.utf8.firstIndex(of: 0x2E) {
      let digits = text.utf8[text.utf8.index(after: point)...].prefix { (0x30...0x39).contains($0) }
      fraction = Double("0.\(Substring(digits))") ?? 0
    }
    return Date(timeIntervalSinceReferenceDate: Double(time.secondsSinceEpoch - Self.referenceDate) + fraction)
  }

  /// 2001-01-01, from which `Date` counts, in seconds since 1970.
  private static let referenceDate = 978_307_200

  /// Where the member `id` of a compact object is: `"id":"…"`.
  private static func idMember(in json: ByteSlice) -> Range<Int>? {
    var members: [RecordDelta.Member] = []
    guard RecordDelta.members(of: json, &members), let id = members.first(where: { $0.name == ByteSlice("\"id\"") })
    else { return nil }
    let start = id.name.base - json.base
    return start..<start + id.whole.count
  }

  /// Where the value ends that begins at an offset of well-formed JSON.
  static func end(ofValueAt start: Int, in json: ByteSlice) -> Int? {
    var (offset, depth, isInString) = (start, 0, false)
    while offset < json.count {
      let byte = json.base[offset]
      if isInString {
        if byte == 0x5C { offset += 1 } else if byte == 0x22 { isInString = false }
      } else {
        switch byte {
        case 0x22: isInString = true
        case 0x7B, 0x5B: depth += 1
        case 0x7D, 0x5D:
          if depth == 0 { return offset }
          depth -= 1
        case 0x2C, 0x3A: if depth == 0 { return offset }
        default: break
        }
      }
      offset += 1
      if depth == 0, !isInString, byte == 0x22 || byte == 0x7D || byte == 0x5D { return offset }
    }
    return nil
  }

  static func decode<Value: Decodable>(_ record: [UInt8]?, _ collection: CollectionName) throws(StoreError) -> Value? {
    guard let record else { return nil }
    // The span of an array needs macOS 26, that of a slice does not.
    let slice = record[...]
    return try slice.span.bytes.withUnsafeBytes { (bytes) throws(StoreError) in
      try decode(Value.self, bytes, collection)
    }
  }

  /// The value of a record.
  ///
  /// - Throws: `invalidRecord` where the record is JSON and not such a value, `damaged` where it is not JSON.
  static func decode<Value: Decodable>(
    _ type: Value.Type, _ record: UnsafeRawBufferPointer, _ collection: CollectionName
  ) throws(StoreError) -> Value {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      // Earlier versions wrote the seconds since 2001.
      if let interval = try? container.decode(Double.self) { return Date(timeIntervalSinceReferenceDate: interval) }
      let text = try container.decode(String.self)
      if let date = date(of: text) { return date }
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "expected a date as RFC 3339, found '\(text)'")
    }
    do { return try decoder.decode(type, from: Data(record)) } catch {
      let id = record.baseAddress.flatMap { RecordKey(of: ByteSlice($0, count: record.count))?.unescaped() }
      let name = id.map { "the record '\(String(decoding: $0, as: UTF8.self))'" } ?? "a record"
      var reason = reason(of: error)
      if case DecodingError.dataCorrupted(let context) = error, context.codingPath.isEmpty {
        // Foundation calls a document with a number that does not fit its property invalid as a whole.
        guard (try? decoder.decode(Anything.self, from: Data(record))) != nil else {
          throw StoreError(
            .damaged, "\(name) of \(collection) is not JSON", hint: "put the value again, or delete the record")
        }
        reason = "a number does not fit its property, such as 1.5 for an Int"
      }
      throw StoreError(
        .invalidRecord, "\(name) of \(collection) is not of type \(type): \(reason)",
        hint: "make a property that older records lack optional, or give it a default in 'init(from:)'")
    }
  }

  private struct Anything: Decodable { init(from decoder: any Decoder) {} }

  /// What went wrong, with the member that it concerns.
  private static func reason(of error: any Error) -> String {
    func text(_ context: DecodingError.Context, _ reason: String, _ last: (any CodingKey)? = nil) -> String {
      let path = (context.codingPath + (last.map { [$0] } ?? [])).map { key in
        key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)"
      }
      return path.isEmpty ? reason : "\(reason) at $\(path.joined())"
    }
    switch error {
    case DecodingError.keyNotFound(let key, let context): return text(context, "there is no value", key)
    case DecodingError.valueNotFound(let type, let context): return text(context, "expected \(type), found null")
    case DecodingError.typeMismatch(let type, let context):
      // "Expected to decode Int but found a string instead."
      let found = context.debugDescription.components(separatedBy: " but found ").dropFirst().last?
        .components(separatedBy: " instead").first
      return text(context, "expected \(type), found \(found ?? "another type")")
    case DecodingError.dataCorrupted(let context): return text(context, context.debugDescription)
    case EncodingError.invalidValue(let value, let context):
      let path = context.codingPath.map { ".\($0.stringValue)" }.joined()
      // The text of a date that is not a number ends the process.
      let shown = (value as? Date).map { "the date \($0.timeIntervalSince1970)" } ?? "\(value)"
      return "\(shown) at $\(path) has no form in JSON"
    default: return "\(error)"
    }
  }
}
