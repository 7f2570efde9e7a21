/// Ids that are different bytes and the same text, or nearly: whatever takes two of them for one loses a record.
public enum LookAlikes {
  /// Pairs that Swift's `String` takes for equal.
  public static let equivalent: [(String, String)] = [
    // One scalar, and a letter with its mark.
    ("caf\u{E9}", "cafe\u{301}"),
    // Two marks of one letter in either order.
    ("a\u{323}\u{307}", "a\u{307}\u{323}"),
    // A Hangul syllable and its letters.
    ("\u{D55C}", "\u{1112}\u{1161}\u{11AB}"),
    // A sign of its own and the letter that it is.
    ("\u{212B}", "\u{C5}"),
  ]

  /// All of these, ids that differ in case only, and marks that join what stands before an id.
  public static let ids: [String] =
    equivalent.flatMap { [$0.0, $0.1] } + ["Id", "id", "\u{301}x", "\u{FE0F}"]

  /// Pairs of which each is taken for the other by something: by Swift's `String`, or by whoever forgets about case.
  private static let pairs = equivalent + [("Id", "id")]

  /// An endless row of different ids in which two that follow each other, from an even number on, look alike.
  public static func id(_ number: Int) -> String {
    let (round, pair) = (number / 2 / pairs.count, pairs[number / 2 % pairs.count])
    return (number % 2 == 0 ? pair.0 : pair.1) + (round == 0 ? "" : String(round))
  }
}
