/// A span of time in whole seconds, written `90s`, `15m`, `1h`, `7d` or `2w`; parts may follow one another: `1h30m`.
public struct Interval: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// At least 1.
  public let seconds: Int

  /// A span of so many seconds.
  public init(seconds: Int) { self.seconds = seconds }

  /// Reads a span; `nil` where the text is none, is shorter than a second or longer than 100 years.
  public init?(_ text: some StringProtocol) {
    var total = 0
    var digits: [UInt8] = []
    for character in text.utf8 {
      if (0x30...0x39).contains(character) {
        digits.append(character)
        continue
      }
      guard let unit = Self.units[character], let count = decimal(digits), count <= 3_153_600_000 else { return nil }
      total += count * unit
      digits = []
      guard total <= 3_153_600_000 else { return nil }
    }
    guard digits.isEmpty, total >= 1 else { return nil }
    seconds = total
  }

  private static let units: [UInt8: Int] = [
    UInt8(ascii: "s"): 1, UInt8(ascii: "m"): 60, UInt8(ascii: "h"): 3600, UInt8(ascii: "d"): 86_400,
    UInt8(ascii: "w"): 604_800,
  ]

  /// The span in the largest unit that divides it.
  public var description: String {
    for (unit, letter) in [(604_800, "w"), (86_400, "d"), (3600, "h"), (60, "m")] where seconds % unit == 0 {
      return "\(seconds / unit)\(letter)"
    }
    return "\(seconds)s"
  }

  /// Shorter comes first.
  public static func < (lhs: Interval, rhs: Interval) -> Bool { lhs.seconds < rhs.seconds }
}
