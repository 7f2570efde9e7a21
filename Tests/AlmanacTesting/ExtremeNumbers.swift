/// Numbers at the ends of what an `Int`, a `Double` and a time can hold, as servers, files and people may write them.
public enum ExtremeNumbers {
  public static let texts = [
    "-9223372036854775808", "-9223372036854775807", "-1", "0", "-0", "9007199254740993", "9223372036854775806",
    "9223372036854775807", "9223372036854775808", "1e308", "-1e308", "-62167219201", "253402300800", "1764413491000",
  ]

  /// Each as a number and as a string of JSON.
  public static let json = texts.flatMap { [$0, "\"\($0)\""] }

  public static let integers = [Int.min, .min + 1, -1, 0, 1, 1 << 53, .max - 1, .max]
}
