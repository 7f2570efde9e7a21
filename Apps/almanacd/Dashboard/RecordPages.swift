import Frontend
import Hummingbird
import Models
import Ports

/// Which records of a collection a page shows: the parameters of its address, as the API has them.
struct RecordQuery: Sendable {
  static let pageSize = 50

  /// Words that a record must contain.
  let search: String
  /// The conditions, one a line; empty if there is none.
  var condition: String
  /// The field to sort by, after `-` where the largest comes first; empty for the order of the ids.
  let sort: String
  /// The cursor at which the page begins; empty for the first page.
  let after: String

  /// Where the list begins: with the first value of the field it is sorted by that is not before this text; empty for its
  /// beginning.
  let from: String

  /// The group whose people are meant; empty for everybody.
  let group: String

  /// How many records come before the page; 0 also where it is not known.
  let start: Int

  /// The query of an address.
  init(_ call: APIRequest) { self.init { call.query($0) } }

  /// The query of an address or of a form, which sends empty fields too.
  init(_ field: (String) -> String?) {
    search = field("search") ?? ""
    var lines = (field("where") ?? "").split(whereSeparator: \.isNewline).map { String($0).trimmed }
    if let name = field("field"), !name.isEmpty, let value = field("value")?.trimmed, !value.isEmpty {
      lines.append("\(name) \(field("is") ?? "~") \(value)")
    }
    if let name = field("between"), !name.isEmpty {
      if let least = field("least")?.trimmed, !least.isEmpty { lines.append("\(name) >= \(least)") }
      if let most = field("most")?.trimmed, !most.isEmpty {
        // The whole of the last day.
        lines.append("\(name) " + (CivilDate(most).map { "< \($0.adding(days: 1))" } ?? "<= \(most)"))
      }
    }
    condition = lines.filter { !$0.isEmpty }.joined(separator: "\n")
    sort = field("sort") ?? ""
    after = field("after") ?? ""
    from = field("from") ?? ""
    group = field("group") ?? ""
    start = after.isEmpty ? 0 : max(0, min(1_000_000_000, field("start").flatMap { Int($0) } ?? 0))
  }

  /// Whether it selects every record.
  var isPlain: Bool { search.isEmpty && condition.isEmpty && after.isEmpty && from.isEmpty }

  /// - Parameter columns: the columns of the table.
  func form(_ collection: CollectionDescriptor, _ columns: [String], _ mistake: RefusedForm?) -> HTML {
    let (name, title) = (collection.name.rawValue, Shown.heading(collection.name.rawValue).lowercased())
    let offered = Self.offered(collection, columns)
    func fields(_ offered: [Offered]) -> [HTML] {
      Control.options([("", "Choose")] + offered.map { ($0.name, $0.label) })
    }
    let ordered = offered.filter(\.isOrdered)
    let range: HTML? =
      ordered.isEmpty
      ? nil
      : """
      <span class="full"></span><label>Number or day <select name="between">\(fields(ordered))</select></label>\
      <label>At least <input name="least" autocomplete="off"></label><label>At most <input name="most" autocomplete="off"></label>
      """
    let isWrong = mistake != nil
    return """
      <form method="get" action="/collections/\(percentEncoded(name))" class="seek" role="search" aria-label="Records">\(group.isEmpty ? nil : Control.hidden("group", group))<span class="find">\
      <input type="search" name="search" placeholder="Search" aria-label="Search in \(title)" value="\(search)">\
      <button class="plainly" aria-label="Search in \(title)">\(Icon.search.html)</button></span>
      <details\(isWrong ? " open" as HTML : nil)><summary class="button">\(Icon.filter.html) <span class="words">Filter</span></summary><div class="fields">\
      <label>Only where <select name="field">\(fields(offered))</select></label>\
      <label>Comparison <select name="is">\(Control.options(Self.operators.prefix(3).map { ($0.sign, $0.words) }))</select></label><label>Value <input name="value" autocomplete="off"></label>\
      \(range)<button class="primary">Show</button><details class="full"\(isWrong ? " open" as HTML : nil)><summary class="soft small">Write conditions</summary>\
      <label class="long"><span>One a line, as in <code>\(columns.first ?? "id") ~ text</code></span> <textarea name="where" rows="2" autocomplete="off" aria-label="Conditions"\(mistake.attributes("where"))>\(condition)</textarea>\
      \(mistake.message("where"))</label></details></div></details>\(order(collection.name, columns))</form>\(isWrong ? nil : chips(collection.name.rawValue, offered))
      """
  }

  private static let operators: [(sign: String, words: String)] = [
    ("~", "contains"), ("=", "is"), ("!=", "is not"), ("<", "less than"), (">", "more than"),
    ("<=", "at most"), (">=", "at least"),
  ]

  /// The same of days.
  private static let dayWords = ["<": "before", ">": "after", "<=": "until", ">=": "from"]

  /// A field that a filter offers; every other one can be written.
  private typealias Offered = (name: String, label: String, isOrdered: Bool)

  private static func offered(_ collection: CollectionDescriptor, _ columns: [String]) -> [Offered] {
    guard collection.name != .people else {
      return [
        ("fullName", "Name"), ("birthday", "Birthday"), ("emails", "Mail"), ("phones", "Phone"),
        ("organization", "Organization"), ("groups", "Group"), ("note", "Note"), ("origin", "Address book"),
      ].map { ($0.0, $0.1, false) }
    }
    let kinds = Dictionary(collection.leaves.map { ($0.name.exact, $0.kind) }) { first, _ in first }
    let more = collection.leaves.map(\.name).filter { name in
      !columns.contains(name) && name != "id" && !collection.media.contains(name)
    }
    return (columns + more).prefix(8).map { name in
      (name, Shown.heading(name), [.whole, .decimal, .time, .timeOrDay].contains(kinds[name.exact]))
    }
  }

  /// What is filtered, each condition of which a press takes away.
  private func chips(_ collection: String, _ offered: [Offered]) -> HTML? {
    let lines = condition.split(separator: "\n").map(String.init)
    let chips = lines.enumerated().map { place, line -> HTML in
      let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
      let sign = parts.count == 3 ? Self.operators.first { $0.sign == parts[1] } : nil
      let field = parts.first ?? ""
      let name = offered.first { $0.name == field }?.label ?? Shown.heading(field)
      let words =
        sign.map { sign in
          let isDay = CivilDate(parts[2]) != nil
          return "\(name) \(isDay ? Self.dayWords[sign.sign] ?? sign.words : sign.words) \(parts[2])"
        } ?? line
      var rest = self
      rest.condition = lines.enumerated().filter { $0.offset != place }.map(\.element).joined(separator: "\n")
      return """
        <a href="\(rest.address(collection))" aria-current="true" aria-label="Remove the filter: \(words)">\(Shown.short(words, 80)) <span aria-hidden="true">✕</span></a>
        """
    }
    return chips.isEmpty ? nil : "<p class=\"choices\">\(chips)</p>"
  }

  /// The order of the records: on a phone, and for people, there are no headings to press.
  private func order(_ collection: CollectionName, _ columns: [String]) -> HTML {
    let orders =
      collection == .people
      ? [("", "First name"), ("lastName", "Last name"), ("organization", "Organization")]
      : [("", "Usual order")]
        + columns.flatMap { [($0, Shown.heading($0)), ("-\($0)", "\(Shown.heading($0)), descending")] }
    return """
      <label class="order"><span>Sort by</span> <select name="sort">\(Control.options(orders, chosen: sort))</select></label><button class="unscripted" aria-label="Show in this order">Show</button>
      """
  }

  static let style = """
    .seek { display: flex; flex-wrap: wrap; gap: var(--s); align-items: start; } .seek .find { flex: 1 1 200px; max-width: 520px; } .seek details { margin: 0; }
    .seek summary { list-style: none; } .seek .button { padding: 6px 14px; } .seek summary::-webkit-details-marker { display: none; }
    .order select { max-width: 220px; } @media (scripting: enabled) { .unscripted { display: none; } }
    .seek { position: relative; } .seek > details > .fields { position: absolute; z-index: 2; left: 0; right: 0; top: calc(100% + 6px); max-width: 760px; padding: var(--m); background: var(--card); border: 1px solid var(--rim); border-radius: 12px; box-shadow: 0 8px 32px #0004; }
    .seek .fields > label { flex: 1 1 160px; } .seek .fields label > :is(input, textarea) { width: 100%; } .seek + .choices a span { margin-left: 6px; }
    .seek + .choices { margin: 0; } .seek .order { display: flex; align-items: center; gap: var(--s); } .seek .order span { white-space: nowrap; }
    @media (max-width: 640px) { .seek:has(.order) .find { flex-basis: 120px; } .seek:has(.order) .find input { padding: 6px 40px 6px 10px; } .seek .order span, .seek:has(.order) .words { position: absolute; clip-path: inset(50%); } .seek .order select { width: 134px; padding: 6px 2px 6px 8px; text-overflow: ellipsis; } .seek:has(.order) summary.button { padding: 6px 11px; } .seek .order { gap: 0; } }
    @media (max-width: 900px) { p.small a { display: inline-block; padding: 12px 0; } }

    """

  /// `321 in all`, or how many are found.
  func count(_ page: Page) -> String {
    page.total.map { "\(grouped($0)) \(search.isEmpty && condition.isEmpty ? "in all" : "found")" } ?? ""
  }

  func pager(_ collection: String, _ page: Page) -> HTML? {
    let end = start + page.records.count
    // The place of a page that begins with a letter, or after a cursor alone, is not known.
    let isPlaced = from.isEmpty && (after.isEmpty || start > 0) && !page.records.isEmpty
    let shown = page.total.flatMap { total in
      isPlaced && total >= end ? "\(grouped(start + 1))–\(grouped(end)) of \(grouped(total))" : nil
    }
    return Card.pager(
      shown ?? "\(page.records.count) shown", before: after.isEmpty ? nil : address(collection),
      after: page.next.map { address(collection, after: $0, start: isPlaced ? end : 0) })
  }

  /// What a form about the list sends of it.
  var hidden: HTML {
    let values = [
      ("search", search), ("where", condition), ("sort", sort), ("group", group), ("after", after), ("from", from),
      ("start", start == 0 ? "" : String(start)),
    ].filter { !$0.1.isEmpty }
    return "\(values.map { Control.hidden($0.0, $0.1) })"
  }

  /// The address of the same query with another order or another place.
  func address(
    _ collection: String, sort: String? = nil, after: String? = nil, from: String? = nil, start: Int = 0,
    at path: String? = nil
  ) -> String {
    let values = [
      ("search", search), ("where", condition), ("group", group), ("sort", sort ?? self.sort), ("after", after ?? ""),
      ("from", from ?? self.from), ("start", start == 0 ? "" : String(start)),
    ]
    let query = values.filter { !$0.1.isEmpty }.map { "\($0.0)=\(percentEncoded($0.1))" }.joined(separator: "&")
    return "\(path ?? "/collections/\(percentEncoded(collection))")\(query.isEmpty ? "" : "?\(query)")"
  }

  /// What is selected, in the order of the ids.
  ///
  /// - Throws: `Failure`, `usage`, where the condition is not valid.
  func selection() throws(Failure) -> LibraryQuery {
    var query = LibraryQuery(words: search.split(whereSeparator: \.isWhitespace).map(String.init))
    for line in condition.split(separator: "\n") { query.conditions.append(try RecordCondition(parsing: String(line))) }
    return query
  }

  /// The people of the group.
  ///
  /// - Throws: `Problem` with 404 where there is no such group; `Failure` where the store cannot be read.
  func members(_ services: DaemonServices) throws -> Set<ExactString> {
    let own = try services.people.groups().all.filter { $0.name.exact == group.exact }
    guard !own.isEmpty else { throw Problem(.notFound, "there is no group '\(Shown.name(group))'") }
    return Set(own.flatMap(\.people))
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
    let coder = services.coder
    let sort = try self.order(of: name, services)
    let order = sort.isEmpty ? nil : sort
    let members = try name == .people && !group.isEmpty ? self.members(services) : nil
    var start: LibraryPlace?
    if !after.isEmpty {
      start = try ListCursor(after, of: order, coder).place
    } else if !from.isEmpty, order != nil {
      start = LibraryPlace(value: .string(from), id: "")
    }
    let page: LibraryPage
    do throws(Failure) {
      var query = try selection()
      query.descending = sort.hasPrefix("-")
      query.sortField = order.map { query.descending ? String($0.dropFirst()) : $0 }
      query.start = start
      if let members {
        page = try Self.page(of: members, query, services)
      } else {
        page = try services.library.page(name, query, limit: Self.pageSize, counts: true)
      }
    } catch {
      guard error.reason == .usage else { throw error }
      throw Problem(.badRequest, error.message, hint: error.hint, code: error.code?.text, kind: error.kind.rawValue)
    }
    return Page(
      records: try page.records.map { try coder.decode($0) },
      next: page.next.map { ListCursor($0, of: order).text(coder) }, total: page.total)
  }

  /// The order of the list: by name, where none is asked for; of very many, that would read them all.
  func order(of name: CollectionName, _ services: DaemonServices) throws -> String {
    guard sort.isEmpty, let field = services.catalog[name]?.nameField, ![.outbox, .rejects, .runs].contains(name) else {
      return sort
    }
    let isSorted = try (name == .people && !from.isEmpty) || services.library.count(name) <= HomeData.mostSorted
    return isSorted ? field : ""
  }

  /// The page of some people.
  private static func page(
    of members: Set<ExactString>, _ query: LibraryQuery, _ services: DaemonServices
  ) throws(Failure) -> LibraryPage {
    let coder = services.coder
    var page = LibraryPage(records: [])
    var last: LibraryPlace?
    try services.library.list(.people, query) { (record: RawSpan) throws(Failure) -> ScanStep in
      guard let id = RecordRule.id(of: record), members.contains(id.exact) else { return .next }
      if page.records.count == pageSize {
        page.next = last
        return .stop
      }
      let fields: JSONObject = try Failure.from { () throws(ParsingError) in try coder.decode(record) }
      last = LibraryPlace(value: query.sortField.flatMap { fields.value(at: $0) }, id: id)
      page.records.append(record.withUnsafeBytes { Array($0) })
      return .next
    }
    var (all, count) = (query, 0)
    (all.start, all.sortField) = (nil, nil)
    try services.library.list(.people, all) { record in
      if let id = RecordRule.id(of: record), members.contains(id.exact) { count += 1 }
      return .next
    }
    page.total = count
    return page
  }
}

enum RecordPages {
  static func collections(_ services: DaemonServices) throws(Failure) -> Page {
    var (filled, empty, own): ([HTML], [HTML], [HTML]) = ([], [], [])
    for collection in services.catalog.collections {
      let (name, count) = (collection.name.rawValue, try services.library.count(collection.name))
      let tile: HTML = """
        <a class="tile" href="/collections/\(percentEncoded(name))">\(Icon(of: collection.name).html)<span>\(Shown.heading(name))</span>\
        <span class="badge">\(grouped(count))</span></a>
        """
      if [.outbox, .rejects, .runs].contains(collection.name) {
        own.append(tile)
      } else if count > 0 {
        filled.append(tile)
      } else {
        empty.append(tile)
      }
    }
    let nothing = Card.nothing(
      .records, "Nothing is kept yet.", "<a class=\"button primary\" href=\"/add\">Follow something</a>")
    return Page(
      title: "Records", section: .records,
      content: """
        <h1>Records</h1><div id="collections" data-live>\(filled.isEmpty ? nothing : "<div class=\"tiles\">\(filled)</div>")
        \(empty.isEmpty ? nil : "<details><summary class=\"soft\">\(empty.count.counted("empty collection"))</summary><div class=\"tiles\">\(empty)</div></details>" as HTML)
        <h2>About the syncs</h2><div class="tiles">\(own)</div></div>
        """)
  }

  /// The records of a collection that a query selects.
  ///
  /// A condition that cannot be read is answered with the form as it was sent, and the reason beside its field.
  static func list(
    _ collection: CollectionDescriptor, _ query: RecordQuery, _ services: DaemonServices, _ refused: RefusedForm? = nil,
    ticks: Ticks = .none
  ) throws -> Page {
    let name = collection.name.rawValue
    var (page, mistake) = (RecordQuery.Page(records: []), RefusedForm?.none)
    do { page = try query.page(of: collection.name, services) } catch let problem as Problem {
      guard !query.condition.isEmpty, query.after.isEmpty else { throw problem }
      var whole = query
      whole.condition = ""
      page = try whole.page(of: collection.name, services)
      mistake = RefusedForm(values: SentForm(), problem: problem.about("where"))
    }
    if collection.name == .people {
      if let refused {
        return refused.values["cards"] == nil
          ? PersonForms.addition(services, refused) : PersonForms.importing(services, refused)
      }
      return PeoplePages.list(query, page, services, ticks, mistake: mistake)
    }
    // Edits and rejects have an id that says nothing.
    let isPlain = [.outbox, .rejects].contains(collection.name)
    let named = [collection.nameField ?? (isPlain ? collection.columns.first { $0 != "id" } : nil) ?? "id"]
    let columns =
      named + collection.columns.filter { $0 != "id" && !named.contains($0) && !$0.hasSuffix(".currency") }
    let kinds = Dictionary(collection.leaves.map { ($0.name.exact, $0.kind) }) { first, _ in first }
    let sort = try query.order(of: collection.name, services)
    let heads = columns.map { column -> DataTable.Column in
      let isUp = sort == column
      var head = DataTable.Column(
        Shown.heading(column), query.address(name, sort: isUp ? "-\(column)" : column),
        order: isUp ? "ascending" : sort == "-\(column)" ? "descending" : "none",
        isNumber: [.whole, .decimal].contains(kinds[column.exact]))
      // An amount of money says what it is.
      if column.hasSuffix(".amount") { head.name = "" }
      return head
    }
    let isTicked = ![.outbox, .rejects, .runs].contains(collection.name)
    let rows = page.records.map { record -> [HTML] in
      let id = record["id"]?.string ?? ""
      let cells = columns.map { column -> HTML in
        let value = shown(column, record)
        if let items = value?.array, items.count > 5 { return "\(items.count) \(Shown.heading(column).lowercased())" }
        // On a phone, a yes would not say what it is about.
        if kinds[column.exact] == .flag { return value?.bool == true ? "\(Shown.heading(column))" : "" }
        return Shown.value(value, kinds[column.exact])
      }
      let picture = collection.media.lazy.compactMap { record[$0]?.string }.first.map { url -> HTML in
        "<img class=\"avatar square\" src=\"\(Shown.media(url))\" alt=\"\" loading=\"lazy\" width=\"40\" height=\"40\">"
      }
      let first = collection.name == .runs ? title(record, .runs, services).map { "\($0)" as HTML } : cells.first
      let title = first.map { $0.text.isEmpty ? "\(id)" : $0.text.hasPrefix("<a ") ? "\(id)" : $0 } ?? "\(id)"
      let box = isTicked ? ticks.box("id", id, says: "Select \(title.isMarkup ? id : title.text)") : nil
      return [
        "\(box)<span class=\"named\">\(picture)<span class=\"cut\"><a href=\"\(Shown.record(name, id))\">\(title)</a></span></span>"
      ]
        + cells.dropFirst()
    }
    let nothing =
      mistake == nil ? Card.nothing(.records, query.isPlain ? "Nothing is here yet." : "No record matches.") : nil
    let table: HTML = """
      <section class="card" id="records" data-live aria-label="Records of \(name)">
      \(rows.isEmpty ? nothing : "\(ticks.all(page.total, shown: rows.count))\(DataTable(label: name, columns: heads, rows: rows, tone: "stack two").html)")\(query.pager(name, page))</section>
      """
    // The list would move a form that was refused, and its reason, out of sight.
    let form = refused.flatMap { RecordForms.addition(collection, $0) }
    return Page(
      title: Shown.heading(name), section: .records,
      content: """
        \(form)<div class="head"><div><p class="small"><a href="/collections">Records</a></p><h1>\(Shown.heading(name))</h1></div>\
        <span class="soft" id="count" data-live>\(query.count(page))</span>\(isTicked && !rows.isEmpty ? Ticks.button : nil)\(isTicked ? Downloads.menu(collection.name, query) : nil)</div>
        \(query.form(collection, columns, mistake))
        \(isTicked ? ticks.form("/do/many/\(percentEncoded(name))", query.hidden, table, total: page.total, ManyForms.actions(collection)) : table)
        \(form == nil ? RecordForms.addition(collection) : nil)
        """, status: mistake?.problem.status ?? .ok)
  }

  /// The value of a column; of an amount of money, with its currency.
  private static func shown(_ column: String, _ record: JSONObject) -> JSONValue? {
    if column.hasSuffix(".amount"), let money = value(String(column.dropLast(7)), record),
      money.object?["currency"] != nil
    {
      return money
    }
    return value(column, record)
  }

  /// The picture of a record in a list: its own, or that of its kind.
  static func picture(
    _ record: JSONObject, _ collection: CollectionName, _ services: DaemonServices, isLarge: Bool = false
  ) -> HTML {
    if let person = person(record, collection) { return Avatar(person: person, isLarge: isLarge).html }
    let size = isLarge ? " large" : ""
    guard let url = services.catalog[collection]?.media.lazy.compactMap({ record[$0]?.string }).first else {
      return "<span class=\"avatar square\(size)\">\(Icon(of: collection).html)</span>"
    }
    return
      "<img class=\"avatar square\(size)\" src=\"\(Shown.media(url))\" alt=\"\" loading=\"lazy\" width=\"40\" height=\"40\">"
  }

  /// Whom a record is about.
  private static func person(_ record: JSONObject, _ collection: CollectionName) -> Person? {
    if collection == .people { return try? Person(fields: record) }
    guard collection == .profiles, let name = record["name"]?.string else { return nil }
    return Person(id: "", firstName: "", lastName: "", birthday: nil, fullName: name)
  }

  /// The name of a record; `nil` if it has none.
  static func title(_ record: JSONObject, _ collection: CollectionName, _ services: DaemonServices) -> String? {
    let field = services.catalog[collection]?.nameField
    if collection == .runs, let time = record["startedAt"]?.timestamp {
      return "Run of \(Shown.date(time.date)), \(Shown.clock(time)) UTC"
    }
    return [field, "fullName", "name", "title"].lazy.compactMap { $0.flatMap { record[$0]?.string } }.first {
      !$0.isEmpty
    }
  }

  /// What a message calls a stored record: its name, or else its id.
  static func name(of id: String, in collection: CollectionName, _ services: DaemonServices) -> String {
    let record = (try? services.library.record(collection, id)).flatMap { try? services.coder.decode($0) }
    return Shown.name(record.flatMap { title($0, collection, services) } ?? id)
  }

  private static let mostFields = 300
  static func record(
    _ collection: CollectionDescriptor, _ id: String, _ services: DaemonServices, _ refused: RefusedForm? = nil,
    at moment: Moment? = nil, until: String? = nil
  ) throws -> Page {
    let name = collection.name.rawValue
    if let refused {
      return collection.name == .people
        ? try PersonForms.change(id, services, refused) : try RecordForms.change(collection, id, services, refused)
    }
    let library = try moment.map { try services.past($0) } ?? services.library
    let bytes: [UInt8]
    do throws(Failure) { bytes = try library.record(collection.name, id) } catch {
      guard error.reason == .notFound, moment == nil,
        let page = removed(collection.name, id, services, until: until)
      else { throw error }
      return page
    }
    let record: JSONObject = try services.coder.decode(bytes)
    if collection.name == .runs { return RunPage(run: record, services: services).page }
    let title = title(record, collection.name, services) ?? id
    let shown =
      (try? Person(fields: record)).flatMap {
        name == "people" ? PeoplePages.profile($0, services, isPast: moment != nil) : nil
      }
      ?? fields(collection, record, title, services, isPast: moment != nil)
    return Page(
      title: title, section: name == "people" ? .people : .records,
      content: """
        \(moment.map { Timeline.banner(collection.name, id, at: $0) } ?? "<div id=\"edits\" data-live>\(OutboxItem.banner(collection.name, id, services))</div>")\(shown)
        \(Timeline(collection: collection.name, id: id, until: until).section(services))
        """)
  }

  /// The page of a record that was removed, with the way to what it was; `nil` where the history does not know it.
  private static func removed(
    _ name: CollectionName, _ id: String, _ services: DaemonServices, until: String?
  ) -> Page? {
    guard let entry = (try? services.history())?.last(of: name, id), entry.after == nil, let last = entry.before else {
      return nil
    }
    let title = title(last, name, services) ?? id
    let past = "commit:\(Int(entry.commit) - 1)"
    return Page(
      title: title, section: name == .people ? .people : .records,
      content: """
        <section class="card" id="removed"><p class="small"><a href="/collections/\(percentEncoded(name.rawValue))">\(Shown.heading(name.rawValue))</a></p>\
        <h1>\(title)</h1><p>It was removed \(Shown.ago(entry.origin?.at)).</p><div class="buttons">\
        <a class="button" href="\(Shown.record(name.rawValue, id))?at=\(past)">Show it as it was</a>\
        \(Control.button("Restore", "/do/restore", says: "Restore \(title)", ["collection": name.rawValue, "id": id, "at": past]))</div></section>
        \(Timeline(collection: name, id: id, until: until).section(services))
        """, status: .notFound)
  }

  private static func fields(
    _ collection: CollectionDescriptor, _ record: JSONObject, _ title: String, _ services: DaemonServices, isPast: Bool
  ) -> HTML {
    let (name, id) = (collection.name.rawValue, record["id"]?.string ?? "")
    let leaves = leaves(record).filter { leaf in
      leaf.name != "id" && !collection.media.contains(leaf.name) && leaf.value != .null
        && !(leaf.name == collection.nameField && leaf.value.string == title)
    }
    let rows = leaves.prefix(mostFields).map { leaf -> (name: String, value: HTML) in
      let kind = collection.leaves.first { $0.name.exact == leaf.name.exact }?.kind
      return (Shown.heading(leaf.name), "<span class=\"lines\">\(Shown.value(leaf.value, kind))</span>")
    }
    let more = leaves.count - rows.count
    let page = name == "apps" ? Shown.place("apps", id) : name == "photos" ? Shown.place("photos", id) : nil
    let actions: [HTML] = [
      page.map { "<a class=\"button\" href=\"\($0)\">\(Icon(of: collection.name).html)Open</a>" },
      isPast || !collection.isChangeable
        ? nil : "<a class=\"button\" href=\"\(Shown.record(name, id))?edit\">\(Icon.edit.html)Edit</a>",
    ].compactMap(\.self)
    let large: HTML? = name == "photos" ? PhotoPages.large(id, title) : nil
    return """
      <section class="card" id="record" data-live>\(large)<div class="profile">\(large == nil ? picture(record, collection.name, services, isLarge: true) : nil)<div><p class="small"><a href="/collections/\(percentEncoded(name))">\(Shown.heading(name))</a></p>\
      <h1>\(title)</h1></div><div class="acts">\(actions)</div></div>
      \(DataTable.values(Array(rows), label: "Fields"))
      \(more > 0 ? Shown.nothing("\(grouped(more)) more fields; the API has them all.") : nil)<details class="soft small"><summary>ID</summary>\(name)/\(id)</details></section>
      """
  }

  private static func value(_ path: String, _ record: JSONObject) -> JSONValue? {
    if let value = record[path] { return value }
    var value: JSONValue? = .object(record)
    for name in path.split(separator: ".") { value = value?.object?[String(name)] }
    return value
  }

  /// The fields, those of objects by their paths; an amount of money is one of them.
  private static func leaves(_ object: JSONObject, _ prefix: String = "") -> [(name: String, value: JSONValue)] {
    object.members.flatMap { member -> [(name: String, value: JSONValue)] in
      if case .object(let inner) = member.value, inner["currency"] == nil {
        return leaves(inner, "\(prefix)\(member.key).")
      }
      return [("\(prefix)\(member.key)", member.value)]
    }
  }
}
