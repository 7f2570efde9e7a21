import Hummingbird
import Models
import Ports

/// A search for words in the records of every collection, as `almanac search` does it.
struct RecordSearch {
  static let pageSize = 100

  /// The words as they were typed.
  let text: String
  /// Where it was looked for; everywhere if empty.
  let collections: [CollectionName]
  let found: [FoundRecord]
  let hasMore: Bool

  /// Searches; finds nothing without words.
  ///
  /// - Parameter collections: where; everywhere if empty.
  init(
    _ text: String, in collections: [CollectionName] = [], limit: Int = pageSize, _ services: DaemonServices
  ) throws(Failure) {
    (self.text, self.collections) = (text, collections)
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    var found: [FoundRecord] = []
    if !words.isEmpty {
      try services.library.search(words, in: collections, limit: limit + 1) { record in
        found.append(record)
        return found.count > limit ? .stop : .next
      }
    }
    hasMore = found.count > limit
    self.found = Array(found.prefix(limit))
  }

  var page: Page {
    let rows = found.map { record -> [HTML] in
      let collection = record.collection.rawValue
      return [
        "<a href=\"\(Shown.record(collection, record.id))\">\(Shown.short(record.name.isEmpty ? record.id : record.name))</a>",
        "\(Shown.heading(collection))",
        "\(record.field.map { "<span class=\"soft\">\(Shown.heading($0)): </span>" as HTML })\(Shown.short(record.text ?? ""))",
      ]
    }
    let isEmpty = text.allSatisfy(\.isWhitespace)
    let nothing = Card.nothing(
      .search, isEmpty ? "Type words above: a name, a title, a number." : "No record contains these words.")
    let everywhere: HTML? =
      collections.isEmpty
      ? nil
      : "<p>In \(collections.map(\.rawValue).joined(separator: ", ")). <a href=\"/search?words=\(percentEncoded(text))\">Search everything</a></p>"
    let table = DataTable(label: "Results", columns: [.init("Name"), .init("Collection"), .init("Found")], rows: rows)
    return Page(
      title: "Search",
      content: """
        <h1>\(isEmpty ? "Search" : "Search: \(Shown.short(text, 80))")</h1>\(everywhere)
        <section class="card" id="found" data-live aria-label="Results">\(rows.isEmpty ? nothing : table.html)
        \(hasMore ? Shown.nothing("There are more than \(Self.pageSize): type more words.") : nil)</section>
        """)
  }
}
