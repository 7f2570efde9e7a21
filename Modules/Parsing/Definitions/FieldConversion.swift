import Models
import Ports

/// Converts values of an answer to what a field is.
struct FieldConversion: Sendable {
  private let kind: SourceDefinition.Kind

  init(_ kind: SourceDefinition.Kind) { self.kind = kind }

  var expected: String {
    switch kind {
    case .text, .plain: "a string or a number"
    case .url: "a URL that begins with http:// or https://"
    case .int: "a whole number"
    case .decimal: "a decimal number"
    case .bool: "true or false"
    case .json: "a value"
    case .list: "a list"
    case .date(let form): "a date\(Self.described(form) ?? " that begins with YYYY-MM-DD")"
    case .time(let form): "a time\(Self.described(form) ?? " with its zone (RFC 3339)")"
    }
  }

  private static func described(_ form: SourceDefinition.TimeForm) -> String? {
    switch form {
    case .standard: nil
    case .utc: " (RFC 3339, in UTC where there is no zone)"
    case .epoch: " in seconds since 1970"
    case .epochMilliseconds: " in milliseconds since 1970"
    case .rfc822: " (RFC 5322)"
    case .pattern(let pattern): " as \(pattern)"
    }
  }

  /// The value of a field; `nil` for an empty text in place of a number, a time or a URL.
  ///
  /// - Throws: `ParsingError` where it is of another kind.
  func value(of node: JSONNode) throws(ParsingError) -> JSONValue? {
    switch kind {
    case .json: return node.value
    case .text:
      if let text = node.string { return .string(text) }
      if let digits = node.digits { return .string(digits) }
    case .bool:
      if let value = node.bool { return .bool(value) }
      if let text = node.string ?? node.digits { return try value(text: text, at: node) }
    case .int:
      if let value = node.int { return .int(value) }
      if let text = node.string { return try value(text: text, at: node) }
      if let value = node.double.flatMap({ Int(exactly: $0) }) { return .int(value) }
    case .time(.standard):
      if let time = node.time() { return .string(time.description) }
      if let text = node.string { return try value(text: text, at: node) }
    case .plain, .url, .decimal, .date, .time, .list:
      if let text = node.string ?? node.digits { return try value(text: text, at: node) }
    }
    throw node.error(expected: expected)
  }

  /// The value of a text; `nil` as for nodes.
  func value(text: String, at node: JSONNode) throws(ParsingError) -> JSONValue? {
    switch kind {
    case .text, .json: return .string(text)
    case .plain: return .string(PlainText.of(html: text))
    case _ where text.isEmpty: return nil
    case .url:
      if text.utf8.starts(with: "https://".utf8) || text.utf8.starts(with: "http://".utf8) { return .string(text) }
    case .int:
      if let value = Int(text) ?? Self.wholeNumber(text) { return .int(value) }
    case .decimal:
      if DecimalText(text) != nil { return .string(text) }
    case .bool:
      if text == "1" || text == "true" { return .bool(true) }
      if text == "0" || text == "false" { return .bool(false) }
    case .date(let form):
      if let date = Self.date(text, form) { return .string(date.description) }
    case .time(let form):
      if let time = Self.timestamp(text, form) { return .string(time.description) }
    case .list: break
    }
    throw node.error(expected: expected)
  }

  /// `12.0`
  private static func wholeNumber(_ text: String) -> Int? {
    guard DecimalText(text) != nil, let value = Double(text) else { return nil }
    return Int(exactly: value)
  }

  private static func date(_ text: String, _ form: SourceDefinition.TimeForm) -> CivilDate? {
    switch form {
    case .standard, .utc: CivilDate(String(decoding: text.utf8.prefix(10), as: UTF8.self))
    default: timestamp(text, form)?.date
    }
  }

  private static func timestamp(_ text: String, _ form: SourceDefinition.TimeForm) -> Timestamp? {
    switch form {
    case .standard: return Timestamp(rfc3339: text)
    case .utc:
      if let time = Timestamp(rfc3339: text) { return time }
      let words = [" UTC", " GMT", "UTC", "GMT"]
      let bare = words.first { text.hasSuffix($0) }.map { String(text.dropLast($0.count)) } ?? text
      // `2026-01-02T03:04` has no seconds.
      return Timestamp(rfc3339: bare.utf8.count == 16 ? "\(bare):00Z" : "\(bare)Z")
        ?? CivilDate(bare).map { Timestamp(startOf: $0) }
    case .epoch: return seconds(text, per: 1) ?? Timestamp(rfc3339: text)
    case .epochMilliseconds: return seconds(text, per: 1000) ?? Timestamp(rfc3339: text)
    case .rfc822: return RFC822Date.time(text)
    case .pattern(let pattern): return PatternTime.read(text, pattern)
    }
  }

  private static func seconds(_ text: String, per unit: Double) -> Timestamp? {
    guard DecimalText(text) != nil, let value = Double(text) else { return nil }
    return Timestamp(exactly: Int(nearest: (value / unit).rounded(.down)))
  }
}

/// Reads times by a pattern such as `DD.MM.YYYY hh:mm`.
enum PatternTime {
  /// The time in UTC; `nil` where the text is not as the pattern says.
  static func read(_ text: String, _ pattern: String) -> Timestamp? {
    var rest = Array(text.utf8)[...]
    var (year, month, day, hour, minute, second) = (1970, 1, 1, 0, 0, 0)
    for part in SourceDefinition.TimeForm.parts(of: pattern) {
      guard case .number(let letter, let count) = part else {
        guard case .text(let text) = part, rest.starts(with: text) else { return nil }
        rest = rest.dropFirst(text.count)
        continue
      }
      guard rest.count >= count, let number = decimal(rest.prefix(count)) else { return nil }
      rest = rest.dropFirst(count)
      switch letter {
      case UInt8(ascii: "Y"): year = number
      case UInt8(ascii: "M"): month = number
      case UInt8(ascii: "D"): day = number
      case UInt8(ascii: "h"): hour = number
      case UInt8(ascii: "m"): minute = number
      default: second = number
      }
    }
    guard rest.isEmpty, hour < 24, minute < 60, second <= 60, let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    return Timestamp(secondsSinceEpoch: date.daysSinceEpoch * 86_400 + hour * 3600 + minute * 60 + min(second, 59))
  }
}
