import Models

/// Dates as mail headers and RSS feeds write them: `Thu, 5 Oct 2023 19:57:28 +0000` (RFC 5322 section 3.3).
enum RFC822Date {
  /// The time; `nil` where the text is none.
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

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
}
