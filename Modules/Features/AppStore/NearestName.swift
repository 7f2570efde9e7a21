/// Finds the name that was probably meant.
enum NearestName {
  /// The name with the fewest letters to change, at most `limit` of them; the first one of several. `nil` where the
  /// text is empty or nothing is near.
  static func of(_ text: String, among names: [String], within limit: Int) -> String? {
    guard !text.isEmpty else { return nil }
    var best: (name: String, distance: Int)?
    for name in names {
      let distance = distance(Array(text.utf8), Array(name.utf8))
      if distance <= limit, distance < best?.distance ?? .max { best = (name, distance) }
    }
    return best?.name
  }

  /// How many bytes must be put in, taken out or changed (Levenshtein).
  private static func distance(_ lhs: [UInt8], _ rhs: [UInt8]) -> Int {
    var row = Array(0...rhs.count)
    for (index, byte) in lhs.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in rhs.indices {
        let changed = diagonal + (byte == rhs[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(changed, row[column] + 1, diagonal + 1)
      }
    }
    return row[rhs.count]
  }
}
