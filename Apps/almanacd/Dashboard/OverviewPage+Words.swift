import Models
import Ports

extension OverviewPage {
  /// How a follow stands, in a word and a tone.
  static func state(_ follow: FollowStatus) -> (name: String, tone: String) {
    if follow.error != nil { return ("failing", "bad") }
    if follow.lastSuccess == nil { return ("waiting", "warn") }
    return follow.isStale ? ("stale", "warn") : ("fresh", "good")
  }

  /// A time, which the script turns into `3 minutes ago`.
  static func ago(_ time: Timestamp?) -> HTML {
    guard let time else { return "<span class=\"soft\">never</span>" }
    let text = time.description
    return "<time datetime=\"\(text)\" data-ago>\(text.replacing("T", with: " "))</time>"
  }

  /// `Nov 21`.
  static func day(_ date: CivilDate) -> String {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    return "\(months[date.month - 1]) \(date.day)"
  }

  /// Bytes for people.
  static func size(_ bytes: Int) -> String {
    var value = Double(bytes)
    for unit in ["B", "KB", "MB", "GB"] {
      if value < 1000 || unit == "GB" {
        let tenths = Int((value * 10).rounded())
        return unit == "B" || tenths >= 1000 ? "\(tenths / 10) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
      }
      value /= 1000
    }
    return "\(bytes) B"
  }

  /// Where the daemon serves the picture of an address.
  static func media(_ url: String) -> String { "/media/\(percentEncoded(url))" }

  /// The address, if it is one that a link may lead to.
  static func safe(_ url: String) -> String {
    url.hasPrefix("https://") || url.hasPrefix("http://") ? url : "#"
  }

  /// What stands where there is nothing.
  static func nothing(_ text: HTML) -> HTML { "<p class=\"soft\">\(text)</p>" }
}

/// A number with a thin space between thousands.
func grouped(_ number: Int) -> String {
  var result = ""
  let digits = String(number)
  for (index, digit) in digits.enumerated() {
    if index > 0, (digits.count - index) % 3 == 0 { result += "\u{202F}" }
    result.append(digit)
  }
  return result
}
