import Models

/// A fast reader for the usual format of times, of which lists have one or two per record.
enum ISOTime {
  /// Reads `YYYY-MM-DD`, `T` or a space, `hh:mm:ss`, and `Z` or `±hh:mm`; `nil` for other formats, even if
  /// `Timestamp(rfc3339:)` accepts them.
  ///
  /// - Parameters:
  ///   - text: the characters.
  ///   - isLocal: whether there is no zone, and the time is interpreted as UTC.
  static func read(_ text: UnsafeBufferPointer<UInt8>, isLocal: Bool = false) -> Timestamp? {
    let length = text.count
    guard let p = text.baseAddress, isLocal ? length == 19 : length == 20 || length == 25, p[4] == 0x2D, p[7] == 0x2D,
      p[10] == 0x54 || p[10] == 0x20, p[13] == 0x3A, p[16] == 0x3A
    else { return nil }
    let hour = pair(p + 11)
    let minute = pair(p + 14)
    let second = pair(p + 17)
    let (century, year) = (pair(p), pair(p + 2))
    guard century >= 0, year >= 0, hour >= 0, hour < 24, minute >= 0, minute < 60, second >= 0, second < 60,
      let date = CivilDate(year: century * 100 + year, month: pair(p + 5), day: pair(p + 8)),
      let offset = isLocal ? 0 : zone(p + 19, length - 19)
    else { return nil }
    return Timestamp(exactly: date.daysSinceEpoch * 86_400 + hour * 3600 + minute * 60 + second - offset)
  }

  private static func zone(_ p: UnsafePointer<UInt8>, _ length: Int) -> Int? {
    if length == 1 { return p[0] == 0x5A ? 0 : nil }
    let (hours, minutes) = (pair(p + 1), pair(p + 4))
    guard p[3] == 0x3A, p[0] == 0x2B || p[0] == 0x2D, hours >= 0, hours < 24, minutes >= 0, minutes < 60 else {
      return nil
    }
    return (p[0] == 0x2D ? -1 : 1) * (hours * 3600 + minutes * 60)
  }

  /// The number of two digits; negative for other characters.
  @inline(__always)
  private static func pair(_ p: UnsafePointer<UInt8>) -> Int {
    let (tens, ones) = (Int(p[0]) &- 0x30, Int(p[1]) &- 0x30)
    return tens >= 0 && tens < 10 && ones >= 0 && ones < 10 ? tens &* 10 &+ ones : -1
  }
}

extension JSONNode {
  /// The time in a string of the usual format; `nil` for other formats and kinds.
  func time(isLocal: Bool = false) -> Timestamp? {
    guard isString, word & JSONWord.escaped == 0 else { return nil }
    let text = UnsafeBufferPointer(start: base + JSONWord.offset(word) + 1, count: JSONWord.extra(word))
    return ISOTime.read(text, isLocal: isLocal)
  }
}

/// Dates in mail headers and RSS feeds: `Thu, 5 Oct 2023 19:57:28 +0000` (RFC 5322 section 3.3).
enum RFC822Date {
  /// The time; `nil` for other text.
  static func time(_ text: String) -> Timestamp? {
    var parts = text.split { $0 == " " || $0 == "," }
    if let first = parts.first, first.allSatisfy(\.isLetter) { parts.removeFirst() }
    guard parts.count >= 4, let day = Int(parts[0]),
      let month = months.firstIndex(of: parts[1].prefix(3).lowercased()), let year = Int(parts[2])
    else { return nil }
    let zone = parts.count > 4 ? String(parts[4]) : "+0000"
    let offset = ["GMT", "UTC", "UT", "Z"].contains(zone) ? "+0000" : zone
    let clock = parts[3].utf8.count == 5 ? "\(parts[3]):00" : String(parts[3])
    guard let date = CivilDate(year: year < 100 ? year + 2000 : year, month: month + 1, day: day) else { return nil }
    return Timestamp(rfc3339: "\(date)T\(clock)\(offset)")
  }

  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
}
