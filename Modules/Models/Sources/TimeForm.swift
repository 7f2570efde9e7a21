extension SourceDefinition {
  public enum TimeForm: Hashable, Sendable {
    /// RFC 3339, with a zone; of a date, what begins with `YYYY-MM-DD`.
    case standard
    /// RFC 3339; a time without a zone is in UTC.
    case utc
    /// Seconds since 1970.
    case epoch
    case epochMilliseconds
    /// `Thu, 5 Oct 2023 19:57:28 +0000`
    case rfc822
    /// A pattern of `YYYY`, `MM`, `DD`, `hh`, `mm`, `ss` and other characters; in UTC.
    case pattern(String)

    /// Reads the form of a variable in a template: `time`, `date`, `epoch`, `epochms`, or a pattern. `nil` for other texts.
    public init?(inTemplate text: String) {
      switch text {
      case "time": self = .standard
      case "date": self = .pattern("YYYY-MM-DD")
      case "epoch": self = .epoch
      case "epochms": self = .epochMilliseconds
      default:
        guard text.contains("YYYY") || text.contains("hh") else { return nil }
        self = .pattern(text)
      }
    }

    var word: String {
      switch self {
      case .standard, .utc, .rfc822: "time"
      case .epoch: "epoch"
      case .epochMilliseconds: "epochms"
      case .pattern(let pattern): pattern
      }
    }

    /// A time in this form. `rfc822` is only read, and written as RFC 3339.
    public func text(_ time: Timestamp) -> String {
      switch self {
      case .standard, .utc, .rfc822: return time.description
      case .epoch: return String(time.secondsSinceEpoch)
      case .epochMilliseconds: return String(time.secondsSinceEpoch * 1000)
      case .pattern(let pattern):
        let (date, second) = (time.date, time.secondOfDay)
        let values: [UInt8: Int] = [
          UInt8(ascii: "Y"): date.year, UInt8(ascii: "M"): date.month, UInt8(ascii: "D"): date.day,
          UInt8(ascii: "h"): second / 3600, UInt8(ascii: "m"): second / 60 % 60, UInt8(ascii: "s"): second % 60,
        ]
        var text = ""
        var letters = Array(pattern.utf8)[...]
        while let letter = letters.first {
          let run = letters.prefix { $0 == letter }
          letters = letters.dropFirst(run.count)
          if let value = values[letter] {
            let digits = String(value)
            text += String(repeating: "0", count: max(0, run.count - digits.count)) + digits
          } else {
            text += String(decoding: run, as: UTF8.self)
          }
        }
        return text
      }
    }

    /// The shortest time that the form tells apart, in seconds.
    public var unit: Int {
      guard case .pattern(let pattern) = self else { return 1 }
      return pattern.contains("ss") ? 1 : pattern.contains("mm") ? 60 : pattern.contains("hh") ? 3600 : 86_400
    }
  }
}
