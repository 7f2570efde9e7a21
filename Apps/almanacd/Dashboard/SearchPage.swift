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
  /// - Throws: `Failure` if the store cannot be read.
  init(
    _ text: String, in collections: [CollectionName] = [], limit: Int = pageSize, _ services: DaemonServices
  ) throws(Failure) {
    (self.text, self.collections) = (text, collections)
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    var found: [FoundRecord] = []
    if !words.isEmpty {
      try services.library.search(words, in: collections) { record in
        found.append(record)
        return found.count > limit ? .stop : .next
      }
    }
    hasMore = found.count > limit
    self.found = Array(found.prefix(limit))
  }

  /// The form of the search, in some collections or everywhere.
  static func form(_ text: String = "", in collections: [CollectionName] = []) -> HTML {
    let names = collections.map(\.rawValue)
    let hidden = names.map { "<input type=\"hidden\" name=\"in\" value=\"\($0)\">" as HTML }
    let everywhere: HTML? =
      names.isEmpty ? nil : " <a href=\"/search?words=\(percentEncoded(text))\">Search everything</a>"
    return """
      <form method="get" action="/search" class="fields" role="search">\(hidden)
      <label class="long">Search \(names.isEmpty ? "everything" : names.joined(separator: ", ")) \
      <input type="search" name="words" value="\(text)"></label>
      <button>Search</button>\(everywhere)</form>
      """
  }

  var page: Page {
    let rows = found.map { record -> HTML in
      let collection = record.collection.rawValue
      let field = record.field.map { "<span class=\"soft\">\($0): </span>" as HTML }
      return """
        <tr><th scope="row"><a href="/collections/\(percentEncoded(collection))/\(percentEncoded(record.id))">\
        \(OverviewPage.short(record.name.isEmpty ? record.id : record.name))</a></th>\
        <td data-name="Collection">\(collection)</td>\
        <td data-name="Found">\(field)\(OverviewPage.short(record.text ?? ""))</td></tr>
        """
    }
    let nothing: HTML? = text.allSatisfy(\.isWhitespace) ? nil : OverviewPage.nothing("No record contains these words.")
    return Page(
      title: "Search",
      content: """
        <section class="card"><h1>Search</h1>\(Self.form(text, in: collections))</section>
        <section class="card" id="found" data-live aria-label="Results">
        \(rows.isEmpty ? nothing : """
          <div class="wide"><table class="stack" aria-label="Results"><thead><tr><th scope="col">Name</th>\
          <th scope="col">Collection</th><th scope="col">Found</th></tr></thead><tbody>\(rows)</tbody></table></div>
          """)
        \(hasMore ? OverviewPage.nothing("There are more than \(Self.pageSize): type more words.") : nil)</section>
        """)
  }
}
