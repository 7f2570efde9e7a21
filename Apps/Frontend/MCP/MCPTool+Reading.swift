import Models
import Ports

extension MCPTool {
  static let reading: [MCPTool] = [
    MCPTool(
      "collections", "Collections", "Lists the collections with the number of their records, and their fields.",
      result: items("collection records:integer fields:array")
    ) { (call) async throws(Failure) in
      let library = call.services.library()
      var items: [JSONObject] = []
      for collection in call.services.catalog.collections {
        items.append([
          "collection": .string(collection.name.rawValue), "records": .int(try library.count(collection.name)),
          "fields": .array(collection.fields.flatMap(\.leaves).map { .string($0.name) }),
        ])
      }
      return listed(items)
    },
    MCPTool(
      "search", "Search",
      "Finds records of all collections in which every word occurs, in any case and without accents.",
      [
        MCPParameter("words", "the words, with spaces between them", isNeeded: true),
        MCPParameter("in", "only these collections", .texts), .limit(200, standard: 25),
      ],
      result: items("collection id name field text", "more:boolean")
    ) { (call) async throws(Failure) in
      let words = call.needed("words").split(whereSeparator: \.isWhitespace).map(String.init)
      guard !words.isEmpty else { throw MCPCall.wrong("'words' is empty") }
      var names: [CollectionName] = []
      for name in call.texts("in") { names.append(try CollectionArgument.parse(name, call.services)) }
      let limit = call.number("limit", 25)
      var found: [JSONObject] = []
      try call.services.library().search(words, in: names, limit: limit + 1) { record in
        found.append(record.fields)
        return found.count > limit ? .stop : .next
      }
      return listed(found.prefix(limit), and: ["more": .bool(found.count > limit)])
    },
    MCPTool(
      "list", "List records",
      """
      Lists records of a collection. Conditions are FIELD OP VALUE with = != < <= > >= ~ (contains), 'FIELD is present' and \
      'FIELD is absent', such as 'price.amount < 1' or 'birthday ~ -12-'. All of them must be met.
      """,
      [
        collection, MCPParameter("where", "the conditions", .texts),
        MCPParameter("sort", "the field to sort by, with - before it for the largest first; the id by default"),
        MCPParameter("columns", "only these fields, such as fullName or price.amount; all by default", .texts),
        .limit(500, standard: 25), MCPParameter("cursor", "'next' of the result before, with the same arguments"),
      ], result: items("", "next")
    ) { (call) async throws(Failure) in try page(call) },
    MCPTool(
      "show", "Show a record", "Shows a record with all of its fields.",
      [collection, record], result: ["record": object]
    ) { (call) async throws(Failure) in
      let (collection, id) = try call.record()
      return ["record": .object(try decoded(try call.services.library().record(collection, id), call.services))]
    },
    MCPTool(
      "birthdays", "Birthdays",
      "Lists the next birthdays in order, with the age that is reached where the year is known.",
      [
        MCPParameter("days", "how many days after the first one; 30 by default", .number(0...3660)),
        MCPParameter("from", "the first day, YYYY-MM-DD; today by default"),
      ], result: items("id fullName birthday date age:integer")
    ) { (call) async throws(Failure) in
      let day = call["from"].map { CivilDate($0) } ?? LocalTime(call.services.time.now).day
      guard let day else { throw MCPCall.wrong("'from' is not a day", "write YYYY-MM-DD") }
      try call.services.check(.people)
      let birthdays = try call.services.view.people.birthdays(from: day, days: call.number("days", 30), leapDay: .feb28)
      return listed(birthdays.map(\.fields))
    },
    MCPTool(
      "chart_top", "Ranks of a chart", "Lists the latest ranks of a chart of apps, with the places gained or lost.",
      [chart, .limit(200, standard: 25)], result: items("rank:integer id name artist movement:integer")
    ) { (call) async throws(Failure) in
      try checkChart(call)
      return listed(
        try call.services.view.charts.top(call.needed("chart"), limit: call.number("limit", 25)).map(\.fields))
    },
    MCPTool(
      "chart_movers", "Movements of a chart", "Lists the apps that rose, fell, entered and left a chart.",
      [chart, since("7d by default"), .limit(200, standard: 25)],
      result: items("change from:integer to:integer id name", "earlier later")
    ) { (call) async throws(Failure) in
      try checkChart(call)
      let comparison = try call.services.view.charts.movers(
        call.needed("chart"), since: Interval(since: call["since"] ?? "7d", now: call.services.time.now),
        limit: call.number("limit", 25))
      return listed(
        comparison.movers.map(\.fields),
        and: ["earlier": .of(comparison.earlier?.description), "later": .of(comparison.later.description)])
    },
    MCPTool(
      "chart_history", "Ranks of an app",
      "Lists the ranks of an app over time, newest last, in each chart that has it.",
      [app(isNeeded: true), MCPParameter("chart", "only this chart"), .limit(500, standard: 100)],
      result: items("observedAt rank:integer chart name", "more:boolean")
    ) { (call) async throws(Failure) in
      try checkChart(call)
      let charts = call.services.view.charts
      let id = try AppArgument.id(call.needed("app"), call.services)
      let (chart, limit) = (call["chart"], call.number("limit", 100))
      let histories = chart == nil ? try charts.histories(app: id) : [try charts.history(app: id, path: chart)]
      let points = histories.flatMap(\.rows)
      return listed(points.suffix(limit), and: ["more": .bool(points.count > limit)])
    },
    MCPTool(
      "prices", "Prices", "Lists the changes of prices, newest first; with an app all of its prices, oldest first.",
      [
        app(isNeeded: false), since("all by default"), MCPParameter("drops", "only prices that fell", .flag),
        .limit(500, standard: 50),
      ], result: items("observedAt name storefront price:object previous:object")
    ) { (call) async throws(Failure) in
      try call.services.check(.prices)
      try call.services.check(.apps)
      let (charts, limit) = (call.services.view.charts, call.number("limit", 50))
      if let app = call["app"] {
        return listed(try charts.prices(app: try AppArgument.id(app, call.services)).flatMap(\.rows).suffix(limit))
      }
      let drops = call.arguments["drops"]?.bool == true
      return listed(try charts.priceChanges(since: call.start(), drops: drops, limit: limit).map(\.fields))
    },
    MCPTool(
      "changes", "Changes",
      """
      Lists which records were added, changed and removed, oldest first. What happened before the last compaction of the \
      store is not kept: each record of then comes as one change with its time.
      """,
      [
        since("all by default"), MCPParameter("cursor", "'next' of a result before"),
        MCPParameter("collection", "only this collection"), .limit(500, standard: 100),
      ],
      result: items("at change collection id name", "next")
    ) { (call) async throws(Failure) in try changes(call) },
    MCPTool(
      "history", "History of a record",
      """
      Lists what changed a record, newest first: when, by what ('by', 'follow', 'command'), and the fields that differ, as \
      they were ('was') and as they became ('now').
      """,
      [collection, record, MCPParameter("field", "only changes of this field"), .limit(200, standard: 25)],
      result: items("at by kind was:object now:object", "more:boolean")
    ) { (call) async throws(Failure) in try history(call) },
    MCPTool(
      "status", "Status", "Shows the state of what is followed: when each was fetched last, and which edits wait.",
      [.limit(500, standard: 100)],
      result: members("follows:array followed:integer outbox:object records:integer")
    ) { (call) async throws(Failure) in
      let services = call.services
      let status = try services.status()
      let follows = status.follows.filter { !services.view.hidden.hides(follow: $0.follow) }
      let outbox = OutboxCounts(of: try services.view.outbox.entries())
      var records = 0
      for name in services.catalog.names { records += try services.library().count(name) }
      return [
        "follows": .array(follows.prefix(call.number("limit", 100)).map { .object($0.fields) }),
        "followed": .int(follows.count), "outbox": .object(outbox.fields), "records": .int(records),
      ]
    },
    MCPTool(
      "outbox", "Edits that wait", "Lists the edits that wait to be sent, and the proposals that wait for approval.",
      [.limit(200, standard: 50)], result: items("id target kind state fields:object")
    ) { (call) async throws(Failure) in
      let services = call.services
      let waiting = try services.view.outbox.entries().map(\.fields)
      let proposals = try services.view.proposals.proposals().map(\.fields)
      return listed((proposals + waiting).prefix(call.number("limit", 50)))
    },
  ]

  private static func checkChart(_ call: MCPCall) throws(Failure) {
    try call.services.check(.charts)
    if let chart = call["chart"] { try call.services.check(follow: chart) }
  }

  private static func page(_ call: MCPCall) throws(Failure) -> JSONObject {
    let (services, collection) = (call.services, try call.collection())
    let columns = call.texts("columns")
    try CollectionArgument.checkFields(columns, of: collection, services)
    var query = try LibraryQuery(where: call.texts("where"), sort: call["sort"])
    if let cursor = call["cursor"] {
      guard let bytes = Base64.decoded(cursor), let place = try? services.coder.decode(bytes),
        let id = place["id"]?.string
      else {
        throw MCPCall.wrong("'cursor' is not one of a list", "use 'next' of the result before")
      }
      query.start = LibraryPlace(value: place["value"], id: id)
    }
    let page = try services.library().page(collection, query, limit: call.number("limit", 25), counts: false)
    var items: [JSONObject] = []
    var (size, next) = (0, page.next)
    for bytes in page.records {
      let record = try decoded(bytes, services)
      var item = columns.isEmpty ? record : JSONObject()
      for column in columns { item.append(column, record.value(at: column)) }
      size += columns.isEmpty ? bytes.count : services.coder.encode(item).count
      // The first one is always among them, so that each page goes on.
      if size > longestResult / 2, !items.isEmpty { break }
      items.append(item)
      next =
        items.count < page.records.count
        ? LibraryPlace(value: query.sortField.flatMap { record.value(at: $0) }, id: record["id"]?.string ?? "")
        : page.next
    }
    let place = next.map { services.coder.encode(["id": .of($0.id), "value": .of($0.value)] as JSONObject) }
    return listed(items, and: ["next": .of(place.map(Base64.encoded))])
  }

  private static func changes(_ call: MCPCall) throws(Failure) -> JSONObject {
    let (services, start) = (call.services, try call.start())
    let only = call["collection"] == nil ? nil : try call.collection()
    let limit = call.number("limit", 100)
    var cursor = call["cursor"].map { ChangeCursor($0) }
    var items: [JSONObject] = []
    while items.count < limit {
      let changes = try services.library().changes(since: cursor, limit: 1000)
      for change in changes where items.count < limit {
        cursor = change.cursor
        guard change.at >= start ?? change.at, change.collection == only ?? change.collection else { continue }
        var item: JSONObject = [
          "at": .string(change.at.description), "change": change.record == nil ? "removed" : "stored",
          "collection": .string(change.collection.rawValue), "id": .string(change.id),
        ]
        if let record = change.record, let field = services.catalog[change.collection]?.nameField {
          item.append("name", try decoded(record, services)[field]?.string)
        }
        items.append(item)
      }
      if changes.count < 1000 { break }
    }
    return listed(items, and: ["next": .of(cursor?.description)])
  }

  /// The changes of a record. Where a hidden follow made one of them, its values are in the others, too.
  private static func history(_ call: MCPCall) throws(Failure) -> JSONObject {
    let services = call.services
    let (collection, id) = try call.record()
    _ = try services.library().record(collection, id)
    guard let history = services.view.history else {
      throw Failure(.store, .usage, "this store keeps no history", code: .own(.noHistory))
    }
    let hidden = services.view.hidden
    if !hidden.isEmpty {
      try history.changes(HistoryQuery([collection], record: id)) { (entry) throws(Failure) in
        guard let follow = entry.origin?.cause?.follow, hidden.mayHide(recordsOf: follow) else { return .next }
        throw Failure(.config, .usage, "the history of \(collection)/\(id) is hidden", code: .own(.notFound))
      }
    }
    let limit = call.number("limit", 25)
    var found: [JSONObject] = []
    try history.changes(HistoryQuery([collection], record: id, field: call["field"], limit: limit + 1)) { entry in
      var fields = entry.fields
      // They tell of other records.
      for name in ["moved", "run", "of"] { fields[name] = nil }
      found.append(fields)
      return .next
    }
    return listed(found.prefix(limit), and: ["more": .bool(found.count > limit)])
  }

  private static func decoded(_ record: [UInt8], _ services: AssistantServices) throws(Failure) -> JSONObject {
    try Failure.from { () throws(ParsingError) in try services.coder.decode(record) }
  }

  static let object: JSONValue = ["type": "object"]

  /// A list of objects with some members, and what is beside it.
  private static func items(_ item: String, _ others: String = "") -> JSONObject {
    let items: JSONValue = ["type": "array", "items": ["type": "object", "properties": .object(members(item))]]
    return JSONObject(members: [.init(key: "items", value: items)] + members(others).members)
  }

  /// The members `name count:integer` in JSON Schema; texts, where no type is said.
  private static func members(_ names: String) -> JSONObject {
    JSONObject(
      members: names.split(separator: " ").map { name in
        let parts = name.split(separator: ":").map(String.init)
        return .init(key: parts[0], value: ["type": .string(parts.count == 2 ? parts[1] : "string")])
      })
  }

  private static func listed(_ items: some Sequence<JSONObject>, and others: JSONObject = [:]) -> JSONObject {
    JSONObject(members: [.init(key: "items", value: .array(items.map { .object($0) }))] + others.members)
  }

  private static let chart = MCPParameter(
    "chart", "the chart, such as app-store/us/top-paid, with /GENRE for one genre", isNeeded: true)

  private static func app(isNeeded: Bool) -> MCPParameter {
    MCPParameter("app", "the app's name or its id; fr/ID for one storefront", isNeeded: isNeeded)
  }

  private static func since(_ standard: String) -> MCPParameter {
    MCPParameter("since", "how far to look back: 12h, 7d, yesterday or last monday; \(standard)")
  }
}
