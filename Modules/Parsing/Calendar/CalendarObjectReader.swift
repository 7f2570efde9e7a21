import Models
import Ports

/// Reads what matters of an object of a calendar, and computes the digest of its content.
///
/// Servers write the same object in other ways: in another order, with other folding, escapes and letter case of names. The
/// digest is the same for all of them.
struct CalendarObjectReader {
  /// The property with the digest that Almanac wrote.
  static let markName = "X-ALMANAC-DIGEST"

  /// Properties that servers and other programs set by themselves.
  private static let ignored: [String] = ["UID", "DTSTAMP", "CREATED", "LAST-MODIFIED", "SEQUENCE"]

  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// A line without folding.
  private struct Line {
    /// In upper case.
    var name: String
    /// In upper case, sorted.
    var parameters: [String]
    var value: String
  }

  private struct Event {
    var isInstance = false
    var uid: String?
    var summary = ""
    var mark: String?
    var content: [String] = []
  }

  /// The object; `nil` without an event that has a `UID`.
  func object() -> CalendarObject? {
    var events: [Event] = []
    var event: Event?
    var inner: [String] = []
    for line in lines {
      switch (line.name, line.value.uppercased()) {
      case ("BEGIN", "VEVENT") where event == nil: event = Event()
      case ("END", "VEVENT") where inner.isEmpty:
        if let event { events.append(event) }
        event = nil
      case ("BEGIN", let name) where event != nil: inner.append(name)
      case ("END", _) where event != nil: _ = inner.popLast()
      default: if event != nil { Self.add(line, of: inner, to: &event!) }
      }
    }
    guard let uid = events.lazy.compactMap(\.uid).first else { return nil }
    var hash = StableHash()
    for content in events.map({ $0.content.map(\.exact).sorted() }).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      for line in content { hash.combine(line.text) }
      hash.combine("")
    }
    let series = events.first { !$0.isInstance } ?? events[0]
    return CalendarObject(bytes: bytes, uid: uid, summary: series.summary, digest: hash.hex, mark: series.mark)
  }

  private static func add(_ line: Line, of inner: [String], to event: inout Event) {
    if inner.isEmpty {
      switch line.name {
      case "UID": event.uid = event.uid ?? line.value
      case "SUMMARY": event.summary = line.value
      case "RECURRENCE-ID": event.isInstance = true
      case markName: event.mark = line.value
      default: break
      }
    }
    guard !ignored.contains(line.name), !line.name.hasPrefix("X-") else { return }
    event.content.append((inner + [line.name] + line.parameters).joined(separator: ";") + ":" + line.value)
  }

  private var lines: [Line] {
    var unfolded: [[UInt8]] = []
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      if let first = line.first, first == 0x20 || first == 0x09, !unfolded.isEmpty {
        unfolded[unfolded.count - 1] += line.dropFirst()
      } else {
        unfolded.append(Array(line))
      }
    }
    return unfolded.compactMap { Self.line(String(decoding: $0, as: UTF8.self)) }
  }

  private static func line(_ text: String) -> Line? {
    var parts: [String] = []
    var part = String.UnicodeScalarView()
    var isQuoted = false
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"": isQuoted.toggle()
      case ";" where !isQuoted, ":" where !isQuoted:
        parts.append(String(part).uppercased())
        part = String.UnicodeScalarView()
        if scalar == ":" {
          let value = normalized(unescaped(rest), of: parts[0])
          return Line(name: parts[0], parameters: parts.dropFirst().sorted(), value: value)
        }
      default: part.append(scalar)
      }
    }
    return nil
  }

  /// One form of values that have several: the parts of a rule in any order, and the units of a duration (RFC 5545
  /// sections 3.3.10 and 3.3.6).
  private static func normalized(_ value: String, of name: String) -> String {
    switch name {
    case "RRULE": value.uppercased().split(separator: ";").sorted().joined(separator: ";")
    case "TRIGGER", "DURATION": seconds(value).map(String.init) ?? value
    default: value
    }
  }

  /// The seconds of a duration; `nil` for another value, such as a time.
  private static func seconds(_ text: String) -> Int? {
    let isNegative = text.hasPrefix("-")
    let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
    guard digits.first == "P" else { return nil }
    var (total, number) = (0, 0)
    for scalar in digits.dropFirst().unicodeScalars {
      let factor: Int
      switch scalar {
      case "0"..."9" where number < 1_000_000_000:
        number = number * 10 + Int(scalar.value - 0x30)
        continue
      case "T": factor = 0
      case "W": factor = 604_800
      case "D": factor = 86_400
      case "H": factor = 3600
      case "M": factor = 60
      case "S": factor = 1
      default: return nil
      }
      total = total.plus(number * factor)
      number = 0
    }
    return isNegative ? -total : total
  }

  /// Removes the escapes of text (RFC 5545 section 3.3.11).
  private static func unescaped(_ value: Substring.UnicodeScalarView) -> String {
    var text = String.UnicodeScalarView()
    var rest = value
    while let scalar = rest.popFirst() {
      guard scalar == "\\", let next = rest.popFirst() else {
        text.append(scalar)
        continue
      }
      text.append(next == "n" || next == "N" ? "\n" : next)
    }
    return String(text)
  }
}
