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
    /// A pattern of `YYYY`, `MM`, `DD`, `hh`, `mm`, `ss` and other characters, in UTC; letters between `'` are literal.
    case pattern(String)

    /// Reads the form of a variable in a template: `time`, `date`, `epoch`, `epochms`, a pattern with a year or an hour, or the
    /// month or day alone: `M`, `MM`. `nil` for other texts.
    public init?(inTemplate text: String) {
      switch text {
      case "time": self = .standard
      case "date": self = .pattern("YYYY-MM-DD")
      case "epoch": self = .epoch
      case "epochms": self = .epochMilliseconds
      default:
        let parts = Self.parts(of: text)
        let isPart = parts.count == 1 && (parts[0].isNumber("M") || parts[0].isNumber("D")) && text.utf8.count < 3
        guard isPart || parts.contains(where: { $0.isNumber("Y", 4) || $0.isNumber("h", 2) }) else { return nil }
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
        return Self.parts(of: pattern).map { part in
          switch part {
          case .text(let bytes): String(decoding: bytes, as: UTF8.self)
          case .number(let letter, let count): padded(values[letter] ?? 0, count)
          }
        }.joined()
      }
    }

    public enum PatternPart: Hashable, Sendable {
      /// A letter that stands for a number, and how many digits this has.
      case number(UInt8, digits: Int)
      case text([UInt8])

      fileprivate func isNumber(_ letter: Character, _ digits: Int = 0) -> Bool {
        if case .number(letter.asciiValue, let count) = self { digits == 0 || count == digits } else { false }
      }
    }

    public static func parts(of pattern: String) -> [PatternPart] {
      var parts: [PatternPart] = []
      var isQuoted = false
      var rest = Array(pattern.utf8)[...]
      while let letter = rest.first {
        if letter == UInt8(ascii: "'") {
          isQuoted.toggle()
          rest.removeFirst()
          continue
        }
        let run = rest.prefix { $0 == letter }
        rest = rest.dropFirst(run.count)
        let isNumber = !isQuoted && "YMDhms".utf8.contains(letter)
        parts.append(isNumber ? .number(letter, digits: run.count) : .text(Array(run)))
      }
      return parts
    }

    /// The shortest time that the form tells apart, in seconds.
    public var unit: Int {
      guard case .pattern(let pattern) = self else { return 1 }
      let parts = Self.parts(of: pattern)
      func has(_ letter: Character) -> Bool { parts.contains { $0.isNumber(letter) } }
      return has("s") ? 1 : has("m") ? 60 : has("h") ? 3600 : 86_400
    }
  }
}
