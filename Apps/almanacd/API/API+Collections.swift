import Hummingbird
import Models
import Ports

extension API {
  /// The most records of one answer.
  static let largestPage = 1000

  var collections: [Operation] {
    [
      Operation(
        .get, "/api/v1/collections", "listCollections", "The collections", answers: [.json("Collections")]
      ) { call in
        var items: [JSONValue] = []
        for name in call.services.catalog.names {
          items.append(["name": .string(name.rawValue), "records": .int(try call.services.library.count(name))])
        }
        return Response(json: ["items": .array(items)], call.services.coder)
      },
      Operation(
        .get, "/api/v1/collections/{name}", "", "", effect: .readsTagged, query: Self.listParameters, refusals: [404],
        variant: { collection in
          Operation.Variant(
            id: "list\(collection.title)", summary: "Records of the collection \(collection.name), page by page",
            answer: .json("\(collection.recordType)Page"))
        }
      ) { call in
        try Self.page(call, try Self.collection(call))
      },
      Operation(
        .get, "/api/v1/search", "search", "Records of every collection that contain all words",
        effect: .readsTagged,
        query: [
          Parameter("words", "the words, separated by spaces", OpenAPI.words, isNeeded: true),
          Parameter("in", "only this collection; repeatable", OpenAPI.list(OpenAPI.words)), Self.limit(), Self.at,
        ], answers: [.json("FoundRecords")], refusals: [404]
      ) { call in
        let text = try call.needed("words")
        guard text.contains(where: { !$0.isWhitespace }) else { throw Problem(.badRequest, "words are empty") }
        let limit = try call.number("limit") ?? 50
        var (services, (library, tag)) = (call.services, try call.library())
        services.library = library
        let search = try RecordSearch(text, in: Self.searched(call), limit: limit, services)
        let fields: JSONObject = [
          "items": .array(search.found.map { .object($0.fields) }), "more": .bool(search.hasMore),
        ]
        return call.answer(services.coder.encode(fields), tag: tag)
      },
      Operation(
        .get, Self.recordPath, "", "", effect: .readsTagged, idText: Self.recordID, query: [Self.at],
        variant: { collection in
          Operation.Variant(
            id: "get\(collection.title)Record", summary: "One record of the collection \(collection.name)",
            answer: .json(collection.recordType))
        }
      ) { call in
        let name = try Self.collection(call)
        let (library, tag) = try call.library()
        return call.answer(try library.record(name, call.rest(after: 4)), tag: tag)
      },
    ]
  }

  /// The collections that a search names; none for all of them.
  ///
  /// - Throws: `Problem` with 404 and a name that is like it, where there is no such collection.
  static func searched(_ call: APIRequest) throws(Problem) -> [CollectionName] {
    try call.queries("in").filter { !$0.isEmpty }.map { name throws(Problem) in
      try collection(CollectionName(rawValue: name), call)
    }
  }

  static func collection(_ call: APIRequest) throws(Problem) -> CollectionName {
    try collection(CollectionName(rawValue: call.part("name")), call)
  }

  private static func collection(_ name: CollectionName, _ call: APIRequest) throws(Problem) -> CollectionName {
    let catalog = call.services.catalog
    guard catalog.contains(name) else {
      throw Problem(
        .notFound, "there is no collection '\(name)'",
        hint: "there are: \(catalog.names.map(\.rawValue).joined(separator: ", "))")
    }
    return name
  }

  static let recordPath = "/api/v1/collections/{name}/{id…}"
  static let recordID = "the record's id; slashes may be escaped or not"

  private static let listParameters = [
    Parameter("limit", "how many records at most", in: 1...largestPage, standard: 100),
    Parameter("after", "only what comes after this place: 'next' of the page before"),
    Parameter("prefix", "only ids that begin with this"),
    Parameter(
      "where",
      "a condition, as \(help: "list --where") takes it: FIELD OP VALUE with = != < <= > >= ~ (contains), where a "
        + "list is met by one of its values, and a value by one of its members (emails ~ example.org); all of them "
        + "must be met", OpenAPI.list(OpenAPI.text)),
    Parameter("search", "words, each of which is in a text of the record, ignoring ASCII case"),
    Parameter("sort", "a field to sort by, with - before it for the largest first"),
    Parameter("total", "whether to count the records of all pages", ["type": "boolean", "default": false]),
    at,
  ]

  /// How many records or entries an answer has at most.
  static func limit(_ most: Int = largestPage) -> Parameter { Parameter("limit", "the maximum number", in: 1...most) }

  /// `{"items": […], "next"?, "total"?}`; the records go out as they are stored, without being read.
  private static func page(_ call: APIRequest, _ name: CollectionName) throws -> Response {
    let limit = try call.number("limit") ?? 100
    let query = try query(call)
    let counts = try call.flag("total")
    let (library, tag) = try call.library()
    let page = try call.asked { () throws(Failure) in
      try library.page(name, query, limit: limit, counts: counts)
    }
    let coder = call.services.coder
    var bytes = Array(#"{"items":["#.utf8)
    for (index, record) in page.records.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += record
    }
    bytes.append(UInt8(ascii: "]"))
    if let next = page.next {
      bytes += Array(#","next":"#.utf8)
      bytes += coder.encode(.string(ListCursor(next, of: call.query("sort")).text(coder)))
    }
    if let total = page.total { bytes += Array(",\"total\":\(total)".utf8) }
    bytes.append(UInt8(ascii: "}"))
    return call.answer(bytes, tag: tag)
  }

  /// The query of a list, which means what `almanac list` means.
  private static func query(_ call: APIRequest) throws -> LibraryQuery {
    var query = LibraryQuery(prefix: call.query("prefix") ?? "")
    query.words = (call.query("search") ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
    query.conditions = try call.queries("where").map { text in
      try call.asked { () throws(Failure) in try RecordCondition(parsing: text) }
    }
    let sort = call.query("sort")
    if let sort {
      query.descending = sort.hasPrefix("-")
      query.sortField = query.descending ? String(sort.dropFirst()) : sort
    }
    if let after = call.query("after") { query.start = try ListCursor(after, of: sort, call.services.coder).place }
    return query
  }
}

/// The cursor of a list: the last id where the list comes by id, otherwise its place in the order, in hexadecimal digits.
struct ListCursor {
  /// The position after which the list continues.
  let place: LibraryPlace
  private let sort: String?

  /// The cursor of a place.
  ///
  /// - Parameter sort: the parameter of the list.
  init(_ place: LibraryPlace, of sort: String?) {
    (self.place, self.sort) = (place, sort)
  }

  /// Reads a cursor.
  ///
  /// - Throws: `Problem` with 400 where it does not belong to a list of that order.
  init(_ text: String, of sort: String?, _ coder: any RecordCoder) throws(Problem) {
    guard let sort else {
      self.init(LibraryPlace(id: text), of: nil)
      return
    }
    let digits = Array(text.utf8)
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16)
    }
    guard bytes.count * 2 == digits.count, let fields = try? coder.decode(bytes), let id = fields["id"]?.string,
      let order = fields["sort"]?.string, order.exact == sort.exact
    else {
      throw Problem(
        .badRequest, "'after' is not a cursor of a list that is sorted by '\(sort)'",
        hint: "use 'next' of the page before, with the same 'sort'", code: "bad-cursor")
    }
    self.init(LibraryPlace(value: fields["value"], id: id), of: sort)
  }

  func text(_ coder: any RecordCoder) -> String {
    guard let sort else { return place.id }
    let fields: JSONObject = ["id": .string(place.id), "sort": .string(sort), "value": .of(place.value)]
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: coder.encode(fields).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
