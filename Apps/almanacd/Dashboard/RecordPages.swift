import Hummingbird
import Models
import Ports

/// Which records of a collection a page shows: the parameters of its address, as the API has them.
struct RecordQuery: Sendable {
  static let pageSize = 100

  /// Words that a record must contain.
  let search: String
  /// The condition as entered; empty if there is none.
  let condition: String
  /// The field to sort by, after `-` where the largest comes first; empty for the order of the ids.
  let sort: String
  /// The cursor at which the page begins; empty for the first page.
  let after: String

  /// The query of an address. A form sends empty fields too.
  init(_ call: APIRequest) {
    search = call.query("search") ?? ""
    condition = call.query("where") ?? ""
    sort = call.query("sort") ?? ""
    after = call.query("after") ?? ""
  }

  /// The address of the same query with another order or another place.
  func address(_ collection: String, sort: String? = nil, after: String? = nil) -> String {
    let values = [("search", search), ("where", condition), ("sort", sort ?? self.sort), ("after", after ?? "")]
    let query = values.filter { !$0.1.isEmpty }.map { "\($0.0)=\(percentEncoded($0.1))" }.joined(separator: "&")
    return "/collections/\(percentEncoded(collection))\(query.isEmpty ? "" : "?\(query)")"
  }

  struct Page: Sendable {
    var records: [JSONObject]
    /// The cursor of the next page; `nil` on the last one.
    var next: String?
    var total: Int?
  }

  /// Reads one page.
  ///
  /// - Throws: `Problem` with 400 where the query is not valid; `Failure` where the store cannot be read.
  func page(of name: CollectionName, _ services: DaemonServices) throws -> Page {
    let (coder, order) = (services.coder, sort.isEmpty ? nil : sort)
    var query = LibraryQuery(words: search.split(whereSeparator: \.isWhitespace).map(String.init))
    query.descending = sort.hasPrefix("-")
    query.sortField = order.map { query.descending ? String($0.dropFirst()) : $0 }
    if !after.isEmpty { query.start = try ListCursor(after, of: order, coder).place }
    let page: LibraryPage
    do throws(Failure) {
      if !condition.isEmpty { query.conditions = [try RecordCondition(parsing: condition)] }
      page = try services.library.page(name, query, limit: Self.pageSize, counts: true)
    } catch {
      guard error.reason == .usage else { throw error }
      throw Problem(.badRequest, error.message, hint: error.hint, code: error.code?.text, kind: error.kind.rawValue)
    }
    return Page(
      records: try page.records.map { try coder.decode($0) },
      next: page.next.map { ListCursor($0, of: order).text(coder) }, total: page.total)
  }
}

/// The pages of the collections: all of them, the records of one, and one record.
enum RecordPages {
  static func collections(_ services: DaemonServices) throws(Failure) -> Page {
    var rows: [HTML] = []
    for collection in services.catalog.collections {
      let name = collection.name.rawValue
      rows.append(
        """
        <tr><th scope="row"><a href="/collections/\(percentEncoded(name))">\(name)</a></th>
        <td class="end">\(grouped(try services.library.count(collection.name)))</td></tr>
        """)
    }
    return Page(
      title: "Records",
      content: """
        <section class="card">\(RecordSearch.form())</section>
        <section class="card" id="collections" data-live><h1>Records</h1>
        <table class="short" aria-label="Collections"><thead><tr><th scope="col">Collection</th><th scope="col" class="end">Records</th>\
        </tr></thead><tbody>\(rows)</tbody></table></section>
        """)
  }

  /// The records of a collection that a query selects.
  ///
  /// A condition that cannot be read is answered with the form as it was sent, and the reason beside its field.
  static func list(
    _ collection: CollectionDescriptor, _ query: RecordQuery, _ services: DaemonServices, _ refused: RefusedForm? = nil
  ) throws -> Page {
    let name = collection.name.rawValue
    var (page, mistake) = (RecordQuery.Page(records: []), RefusedForm?.none)
    do { page = try query.page(of: collection.name, services) } catch let problem as Problem {
      guard !query.condition.isEmpty, query.after.isEmpty else { throw problem }
      mistake = RefusedForm(values: SentForm(), problem: problem.about("where"))
    }
    let columns = collection.columns.isEmpty ? ["id"] : collection.columns
    let heads = columns.map { column -> HTML in
      let isUp = query.sort == column
      let order = isUp ? "ascending" : query.sort == "-\(column)" ? "descending" : "none"
      return """
        <th scope="col" aria-sort="\(order)"><a href="\(query.address(name, sort: isUp ? "-\(column)" : column))">\(column)\
        \(order == "none" ? "" : isUp ? " ▲" : " ▼")</a></th>
        """
    }
    let rows = page.records.map { record -> HTML in
      let id = record["id"]?.string ?? ""
      let cells = columns.map { column -> HTML in
        let text = OverviewPage.short(Self.text(value(column, record)))
        return column == columns[0]
          ? "<th scope=\"row\"><a href=\"\(address(name, id))\">\(text.isEmpty ? id : text)</a></th>"
          : "<td data-name=\"\(column)\">\(text)</td>"
      }
      return "<tr>\(cells)</tr>"
    }
    let next = page.next.map { place -> HTML in
      "<p><a href=\"\(query.address(name, after: place))\" rel=\"next\">Next \(RecordQuery.pageSize)</a></p>"
    }
    let first = query.after.isEmpty ? nil : "<a href=\"\(query.address(name))\">First page</a>" as HTML
    let nothing = mistake == nil ? OverviewPage.nothing("No record matches.") : nil
    return Page(
      title: name,
      content: """
        <section class="card"><div class="head"><h1>\(name)</h1>\
        <span class="soft small">\(page.total.map { "\(grouped($0)) in all" } ?? "")</span></div>
        <form method="get" action="/collections/\(percentEncoded(name))" class="fields" role="search">
        <label>Search <input type="search" name="search" value="\(query.search)"></label>
        <label>Condition <input name="where" value="\(query.condition)" placeholder="\(columns[0]) ~ text"\
        \(mistake.attributes("where"))>\(mistake.message("where"))</label>
        <input type="hidden" name="sort" value="\(query.sort)"><button>Show</button></form></section>
        <section class="card" id="records" data-live aria-label="Records of \(name)">
        \(rows.isEmpty ? nothing : """
          <div class="wide"><table class="stack" aria-label="\(name)"><thead><tr>\(heads)</tr></thead><tbody>\(rows)</tbody></table></div>
          """)
        \(next)\(first)</section>
        \(name == "people" ? PersonForms.addition(refused, books: services.books) : RecordForms.addition(collection, refused))
        """, status: mistake?.problem.status ?? .ok)
  }

  /// The most fields of a record that are shown.
  private static let mostFields = 300
  /// The longest text of a field that is shown, in characters.
  private static let longestText = 5000
  /// The most follows of a run that are shown.
  private static let mostLines = 10

  /// Every chart that is followed, 100 a page.
  static func charts(_ services: DaemonServices, start: Int) -> Page {
    let paths = services.settings.follows.filter { $0.source == .appStore }.map(\.path)
    let (start, size) = (max(0, min(start, paths.count)), DashboardData.followsShown)
    let items = paths.dropFirst(start).prefix(size).map { path -> HTML in
      let address = "/charts/" + path.split(separator: "/").map { percentEncoded($0) }.joined(separator: "/")
      return "<li><a href=\"\(address)\">\(path.split(separator: "/").dropFirst().joined(separator: " · "))</a></li>"
    }
    let next: HTML? =
      start + size < paths.count ? "<p><a href=\"/charts?from=\(start + size)\" rel=\"next\">Next \(size)</a></p>" : nil
    return Page(
      title: "Charts",
      content: """
        <section class="card"><div class="head"><h1>Charts</h1><span class="soft small">\(grouped(paths.count)) in all</span></div>
        \(items.isEmpty ? OverviewPage.nothing("No chart is followed.") : "<ul class=\"plain\">\(items)</ul>")\(next)</section>
        """)
  }

  static func record(
    _ collection: CollectionDescriptor, _ id: String, _ services: DaemonServices, _ refused: RefusedForm? = nil
  ) throws -> Page {
    let name = collection.name.rawValue
    let bytes = try services.library.record(collection.name, id)
    let record: JSONObject = try services.coder.decode(bytes)
    let pictures = collection.media.compactMap { record[$0]?.string }.map { url -> HTML in
      "<img class=\"picture\" src=\"\(OverviewPage.media(url))\" alt=\"\">"
    }
    var rows: [HTML] = []
    let leaves = leaves(record)
    for (key, value) in leaves.prefix(mostFields) {
      let text = OverviewPage.short(Self.text(value), longestText)
      let isLink = text.hasPrefix("https://") || text.hasPrefix("http://")
      rows.append(
        """
        <tr><th scope="row">\(key)</th>\
        <td>\(isLink ? "<a href=\"\(text)\" rel=\"noreferrer\">\(text)</a>" as HTML : "\(text)" as HTML)</td></tr>
        """)
    }
    let title = record["fullName"]?.string ?? record["name"]?.string ?? record["title"]?.string ?? id
    return Page(
      title: title,
      content: """
        <section class="card" id="record" data-live><h1>\(title)</h1>
        <p class="soft"><a href="/collections/\(percentEncoded(name))">\(name)</a>\
        \(name == "apps" ? " · <a href=\"/apps/\(id.split(separator: "/").map { percentEncoded($0) }.joined(separator: "/"))\">ranks</a>" as HTML : nil)</p>
        \(pictures)<table class="values" aria-label="Fields"><tbody>\(rows)</tbody></table>
        \(leaves.count > mostFields ? OverviewPage.nothing("\(grouped(leaves.count - mostFields)) more fields; the API has them all.") : nil)</section>
        \(name == "people" ? PersonForms.change(record, tag: EntityTag.of(bytes), today: services.time.now.date, refused) : RecordForms.change(collection, record, tag: EntityTag.of(bytes), refused))
        """)
  }

  /// The last syncs that changed or failed something, the newest first.
  static func activity(_ services: DaemonServices) throws(Failure) -> Page {
    var items: [HTML] = []
    let coder = services.coder
    try services.library.list(.runs, LibraryQuery(descending: true, limit: 500)) {
      (bytes: RawSpan) throws(Failure) -> ScanStep in
      let run = try Failure.from { () throws(StoreError) in try coder.object(bytes, of: .runs) }
      let lines = (run["follows"]?.array ?? []).compactMap(\.object).compactMap(line)
      let time = run["startedAt"]?.string.flatMap { Timestamp(rfc3339: $0) }
      let sent = run["outbox"]?.object?["sent"]?.int ?? 0
      let edits = sent > 0 ? "<li>\(sent.counted("edit")) sent</li>" as HTML : nil
      guard !lines.isEmpty || edits != nil else { return .next }
      let id = run["id"]?.string ?? ""
      items.append(
        """
        <li><div class="head"><a href="\(address("runs", id))">\(OverviewPage.ago(time))</a></div>\
        <ul class="plain">\(Array(lines.prefix(mostLines)))\(lines.count > mostLines ? "<li class=\"soft\">and \(grouped(lines.count - mostLines)) more follows</li>" : nil)\(edits)</ul></li>
        """)
      return items.count < 100 ? .next : .stop
    }
    return Page(
      title: "Activity",
      content: """
        <section class="card" id="activity" data-live><h1>Activity</h1>
        \(items.isEmpty ? OverviewPage.nothing("No sync has changed anything yet.") : "<ul class=\"entries\">\(items)</ul>")
        </section>
        """)
  }

  /// What a run did to one follow; `nil` where it changed nothing.
  private static func line(_ follow: JSONObject) -> HTML? {
    let name = follow["follow"]?.string ?? ""
    if let error = follow["error"]?.object {
      let text = OverviewPage.short(
        [error["message"]?.string, error["hint"]?.string].compactMap { $0 }.joined(separator: "; "))
      return
        "<li><strong>\(name)</strong> <span class=\"badge bad\">failed</span><span class=\"error\">\(text)</span></li>"
    }
    let counts = ["added", "updated", "removed", "rejected"].compactMap { key -> String? in
      follow[key]?.int.flatMap { $0 > 0 ? "\(grouped($0)) \(key)" : nil }
    }
    guard !counts.isEmpty else { return nil }
    let tone = (follow["rejected"]?.int ?? 0) > 0 ? "warn" : "good"
    return "<li><strong>\(name)</strong> <span class=\"badge \(tone)\">\(counts.joined(separator: ", "))</span></li>"
  }

  private static func address(_ collection: String, _ id: String) -> String {
    "/collections/\(percentEncoded(collection))/\(percentEncoded(id))"
  }

  private static func value(_ path: String, _ record: JSONObject) -> JSONValue? {
    if let value = record[path] { return value }
    var value: JSONValue? = .object(record)
    for name in path.split(separator: ".") { value = value?.object?[String(name)] }
    return value
  }

  /// The fields, those of objects by their paths.
  private static func leaves(_ object: JSONObject, _ prefix: String = "") -> [(String, JSONValue)] {
    object.members.flatMap { member -> [(String, JSONValue)] in
      if case .object(let inner) = member.value { return leaves(inner, "\(prefix)\(member.key).") }
      return [("\(prefix)\(member.key)", member.value)]
    }
  }

  private static func text(_ value: JSONValue?) -> String {
    switch value {
    case .string(let text)?, .number(let text)?: text
    case .bool(let flag)?: flag ? "yes" : "no"
    case .array(let values)?: values.map { text($0) }.joined(separator: ", ")
    case .object(let object)?: object.members.map { "\($0.key): \(text($0.value))" }.joined(separator: ", ")
    case .null?, nil: ""
    }
  }
}
