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
    try services.library.search(words, in: collections, limit: limit + 1) { record in
      found.append(record)
      return found.count > limit ? .stop : .next
    }
    hasMore = found.count > limit
    self.found = Array(found.prefix(limit))
  }

  /// What was found, by kind: the kind of the best match first.
  func page(_ services: DaemonServices) -> Page {
    var kinds: [CollectionName] = []
    for record in found where !kinds.contains(record.collection) { kinds.append(record.collection) }
    let groups = kinds.map { kind -> HTML in
      let items = found.filter { $0.collection == kind }.map { item($0, services) }
      return """
        <section class="found"><div class="head"><h2>\(Shown.heading(kind.rawValue))</h2>\
        \(collections.isEmpty && items.count > 5 ? "<a class=\"small\" href=\"/search?words=\(percentEncoded(text))&amp;in=\(percentEncoded(kind.rawValue))\">All \(hasMore ? "of them" : "\(items.count)")</a>" as HTML : nil)</div>
        <ul class="entries">\(Array(items.prefix(collections.isEmpty ? 5 : .max)))</ul></section>
        """
    }
    let isEmpty = text.allSatisfy(\.isWhitespace)
    let nothing = Card.nothing(
      .search, isEmpty ? "Type words above: a name, a title, a number." : "No record contains these words.")
    let everywhere: HTML? =
      collections.isEmpty
      ? nil
      : "<p>In \(collections.map { Shown.heading($0.rawValue) }.joined(separator: ", ")). <a href=\"/search?words=\(percentEncoded(text))\">Search everything</a></p>"
    var page = Page(
      title: "Search",
      content: """
        <h1>\(isEmpty ? "Search" : "Search: \(Shown.short(text, 80))")</h1>\(everywhere)
        <section class="card" id="found" data-live aria-label="Results">\(groups.isEmpty ? nothing : "\(groups)")
        \(hasMore ? Shown.nothing("There are more than \(Self.pageSize): type more words.") : nil)</section>
        """)
    page.words = text
    return page
  }

  private func item(_ record: FoundRecord, _ services: DaemonServices) -> HTML {
    let collection = record.collection
    let fields = (try? services.library.record(collection, record.id)).flatMap { try? services.coder.decode($0) } ?? [:]
    // Of what an id is about, the page shows the name alone.
    let place = record.field.flatMap { field -> HTML? in
      field.hasSuffix("Name")
        ? nil
        : "<span class=\"soft small cut\">\(Shown.field(field, of: collection)): \(Shown.short(record.text ?? "", 120))</span>"
    }
    let person = collection == .people && place == nil ? (try? Person(fields: fields)) : nil
    let about = [person?.details.organization, person?.details.emails.first?.value].compactMap(\.self).first.map {
      "<span class=\"soft small cut\">\(Shown.short($0, 80))</span>" as HTML
    }
    return """
      <li class="named">\(RecordPages.picture(fields, collection, services))<span class="cut"><a href="\(Shown.page(collection, record.id))">\
      \(Shown.short(record.name.isEmpty ? record.id : record.name))</a>\(place)\(about)</span></li>
      """
  }

  static let style = """
    .found + .found { margin-top: var(--l); } .named > .cut a { display: inline; color: var(--ink); } .named a:not(:hover) { text-decoration: none; }
    .suggestions { position: absolute; top: 46px; left: 0; right: 0; z-index: 4; margin: 0; padding: var(--xs) var(--m); list-style: none; background: var(--card);
      border: 1px solid var(--rim); border-radius: 12px; box-shadow: 0 8px 32px #0004; } .suggestions .named { min-height: 48px; } .suggestions:empty { display: none; }
    .suggestions .place { display: flex; gap: var(--s); align-items: center; min-height: 44px; } .suggestions .place .icon { color: var(--accent); }
    .suggestions a { color: inherit; text-decoration: none; } .suggestions a:focus { text-decoration: underline; }

    """
}
