import Models

/// The names that a definition may give to its collections.
struct CollectionNames {
  /// Those that other sources fill.
  let taken: [CollectionName]

  /// What is wrong with a name; `nil` if it may be given.
  func problem(_ text: String) -> String? {
    let name = CollectionName(rawValue: text)
    if !SourceName.isDefinable(text) { return "a collection has a name of a-z, 0-9 and -, which begins with a letter" }
    if name.isInternal { return "the collection \(SpellingSuggestion.quoted(text)) is one of Almanac's own" }
    return taken.contains(name) ? "the collection \(SpellingSuggestion.quoted(text)) is filled by another source" : nil
  }

  /// The name for a text: with the source before it where it may not be given, and `records` where it is no name.
  func name(for text: String, of source: SourceName) -> String {
    let text = SourceName.isDefinable(text) ? text : "records"
    return problem(text) == nil ? text : "\(source)-\(text)"
  }
}
