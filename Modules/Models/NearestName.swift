package enum NearestName {
  /// Returns the name with the smallest edit distance (insertions, deletions, substitutions, transpositions); the first
  /// one if several are equally near. Case is ignored.
  ///
  /// - Parameter limit: the largest accepted distance; by default a third of the name's length, at least 1.
  /// - Returns: `nil` if the text is empty or no name is near enough. O(letters of the text · letters of all names).
  package static func of(_ text: String, among names: [String], within limit: Int? = nil) -> String? {
    var best: (name: String, distance: Int)?
    let typed = letters(text)
    for name in names {
      if let distance = distance(typed, name, within: limit), distance < best?.distance ?? .max {
        best = (name, distance)
      }
    }
    return best?.name
  }

  /// The beginning of a hint, `did you mean 'NAME'? `; empty if no name is near enough.
  package static func question(_ text: String, among names: [String]) -> String {
    of(text, among: names).map { "did you mean '\($0)'? " } ?? ""
  }

  /// `did you mean 'a' or 'b'?`, or else the first names.
  ///
  /// - Parameter meant: what is known to be meant.
  package static func suggestion(_ text: String, among names: [String], also meant: String? = nil) -> String {
    let near = [meant].compactMap(\.self) + alike(text, among: names).filter { $0.exact != meant?.exact }
    guard near.isEmpty else { return "did you mean \(near.prefix(most).map { "'\($0)'" }.joined(separator: " or "))?" }
    return "one of \(few(names))"
  }

  private static let most = 5

  package static func few(_ names: [String]) -> String {
    let rest = names.count - most
    return names.prefix(most).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  /// The nearest name, or else those that contain the text or are contained in it, ignoring case and hyphens.
  package static func alike(_ text: String, among names: [String]) -> [String] {
    if let nearest = of(text, among: names) { return [nearest] }
    func plain(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }
    let typed = plain(text)
    guard typed.count > 2 else { return [] }
    let near = names.enumerated().filter { _, name in
      let name = plain(name)
      return name.count > 2 && (name.contains(typed) || typed.contains(name))
    }
    let sorted = near.sorted {
      let (left, right) = (abs(plain($0.element).count - typed.count), abs(plain($1.element).count - typed.count))
      return (left, $0.offset) < (right, $1.offset)
    }
    return Array(sorted.map(\.element).prefix(most))
  }

  /// The edit distance of a name from a misspelled one, as `of` has it; `nil` without a text, or if no name is near.
  package static func distance(of text: String, from name: String) -> Int? {
    distance(letters(text), name, within: nil)
  }

  private static func letters(_ text: String) -> [Unicode.Scalar] { Array(text.lowercased().unicodeScalars.prefix(64)) }

  private static func distance(_ typed: [Unicode.Scalar], _ name: String, within limit: Int?) -> Int? {
    let name = Array(name.lowercased().unicodeScalars)
    let limit = limit ?? max(1, name.count / 3)
    guard !typed.isEmpty, abs(typed.count - name.count) <= limit else { return nil }
    let distance = distance(typed, name)
    return distance <= limit ? distance : nil
  }

  /// The optimal string alignment distance. O(product of the lengths).
  static func distance(_ typed: [Unicode.Scalar], _ name: [Unicode.Scalar]) -> Int {
    var before: [Int] = []
    var previous = Array(0...name.count)
    for (row, letter) in typed.enumerated() {
      var current = [row + 1]
      for column in name.indices {
        let replaced = previous[column] + (letter == name[column] ? 0 : 1)
        var best = min(replaced, previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, letter == name[column - 1], typed[row - 1] == name[column] {
          best = min(best, before[column - 1] + 1)
        }
        current.append(best)
      }
      (before, previous) = (previous, current)
    }
    return previous[name.count]
  }
}
