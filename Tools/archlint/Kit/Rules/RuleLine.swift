/// One line of the rule file as words; a word in double quotes may hold spaces.
struct RuleLine {
  var place: Place
  var isIndented: Bool
  var words: [RuleWord]

  var keyword: String { words[0].text }
  var arguments: [RuleWord] { Array(words.dropFirst()) }

  /// Nil for an empty line or a comment; a message when a quote is left open.
  static func read(_ line: Substring, number: Int, path: String) -> Result<RuleLine?, RuleMistake> {
    var words: [RuleWord] = []
    var index = line.startIndex
    while index < line.endIndex {
      let character = line[index]
      if character == "#" { break }
      if character == " " || character == "\t" || character == "\r" {
        index = line.index(after: index)
        continue
      }
      let place = Place(path, number, line.utf8.distance(from: line.startIndex, to: index) + 1)
      if character == "\"" {
        let start = line.index(after: index)
        guard let end = line[start...].firstIndex(of: "\"") else {
          return .failure(RuleMistake(place: place, text: "this quote has no end on its line"))
        }
        words.append(RuleWord(text: String(line[start..<end]), place: place))
        index = line.index(after: end)
      } else {
        let end = line[index...].firstIndex { " \t\r\"#".contains($0) } ?? line.endIndex
        words.append(RuleWord(text: String(line[index..<end]), place: place))
        index = end
      }
    }
    guard let first = words.first else { return .success(nil) }
    return .success(RuleLine(place: first.place, isIndented: first.place.column > 1, words: words))
  }
}

/// Something wrong in the rule file.
struct RuleMistake: Error {
  var place: Place
  var text: String
  var line: String { "\(place.text): error: \(text)" }
}
