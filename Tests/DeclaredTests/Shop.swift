import AlmanacTesting
import Declared
import Models
import Parsing
import Ports
import Sync
import Synchronization

/// An API of items that knows every kind of paging.
final class Shop: BenchServer {
  /// What the server holds, and how it behaves.
  struct State: Sendable {
    var items: [Item] = []
    /// Answers in place of the usual ones, by path with query.
    var answers: [ExactString: HTTPResponse] = [:]
    var tags = false
    /// Changes what the server holds, before it answers a request.
    var meanwhile: (@Sendable (_ target: String, _ state: inout State) -> Void)?
  }

  struct Item: Sendable {
    var id: Int
    var name: String?
    var at: Int
    var maker: String

    var json: String {
      let name = name.map { #", "name": "\#($0)""# } ?? ""
      return #"{"id": \#(id)\#(name), "at": \#(at), "maker": {"login": "\#(maker)"}}"#
    }
  }

  static let base = "https://shop.example/api"
  /// The records of a page, of which most lists are made.
  static let take = #""take": {"records": "$.items", "into": "items"}"#

  let state = Mutex(State())
  let bench: DeclaredBench
  private let sent = Mutex<[HTTPRequest]>([])

  /// A shop with so many items, and the source of a definition.
  ///
  /// - Parameter other: a shop whose store this one goes on with, as after an edit of the definition.
  init(
    items: Int = 0, _ definition: String, url: String? = nil, key: SourceKey = .absent, after other: Shop? = nil,
    compiler: any AnswerReaderCompiler = JSONAnswerReaderCompiler()
  ) throws {
    bench = try DeclaredBench(
      definition, settings: url.map { Settings.Server(url: $0) }, key: key,
      store: other?.store ?? InMemoryRecordStore(time: ManualTime()), compiler: compiler)
    state.withLock { state in
      state.items = (0..<items).map { Item(id: $0, name: "n\($0)", at: 1000 + $0, maker: "m\($0 % 3)") }
    }
  }

  /// A shop with so many items, and a source whose follow `shop/all` takes the items of a page.
  convenience init(
    items: Int = 0, follow: String, and others: String = "", more: String = "", fields: String = usualFields,
    url: String? = nil, key: SourceKey = .absent, after other: Shop? = nil,
    compiler: any AnswerReaderCompiler = JSONAnswerReaderCompiler()
  ) throws {
    let text = Self.definition("\(follow), \(Self.take)", and: others, more: more, fields: fields)
    try self.init(items: items, text, url: url, key: key, after: other, compiler: compiler)
  }

  static let usualFields = #""name": "text $.name", "at": "time(epoch) $.at""#

  /// A definition with the follow `shop/all`, and with others.
  static func definition(
    _ follow: String, and others: String = "", more: String = "", fields: String = usualFields
  ) -> String {
    """
    {
      "almanac": 1, "source": "shop", "url": "\(base)", \(more)
      "collections": {
        "items": {"id": "$.id", "fields": {\(fields)}},
        "makers": {"id": "$.login", "fields": {"name": "text? $.name"}}
      },
      "follows": {
        "all": {\(follow)}, \(others.isEmpty ? "" : "\(others), ")
        "maker/{login}": {"get": "/makers/{login}", "take": {"into": "makers"}}
      }
    }
    """
  }

  /// The requests so far, without the server: `/items?page=1`.
  var requests: [String] {
    sent.withLock { sent in sent.map { String($0.url.dropFirst(Self.base.count)) } }
  }

  var sentRequests: [HTTPRequest] { sent.withLock { $0 } }

  var lastRequest: HTTPRequest? { sentRequests.last }

  @discardableResult
  func sync(
    _ path: String = "shop/all", limit: Int? = nil, options: SyncOptions = SyncOptions(), _ values: JSONObject = [:]
  ) async throws -> FollowReport {
    sent.withLock { $0 = [] }
    return try await bench.sync(path, limit: limit, values, over: self, options).follows[0]
  }

  func ids() throws -> [String] { try ids("items") }

  /// Answers the requests of a target in another way.
  func answer(_ target: String, _ body: String = "", status: Int = 200, headers: HTTPHeaders = [:]) {
    state.withLock { $0.answers[target.exact] = HTTPResponse(body, status: status, headers: headers) }
  }

  func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

  /// The keys of the engine's state that begin with a text.
  func states(_ prefix: String) throws -> [String] { try ids("state").filter { $0.hasPrefix(prefix) } }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    sent.withLock { $0.append(request) }
    let target = String(request.url.dropFirst(Self.base.count))
    let state = state.withLock { state in
      state.meanwhile?(target, &state)
      return state
    }
    if let answer = state.answers[target.exact] { return answer }
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    var query: [ExactString: String] = [:]
    for pair in parts.dropFirst().first?.split(separator: "&") ?? [] {
      let sides = pair.split(separator: "=", maxSplits: 1).map(String.init)
      query[sides[0].exact] = sides.count == 2 ? sides[1] : ""
    }
    func number(_ name: ExactString) -> Int? { query[name].flatMap { Int($0) } }
    if parts[0].hasPrefix("/makers/") {
      let login = parts[0].dropFirst("/makers/".count)
      return reply(#"{"login": "\#(login)", "name": "Maker \#(login)"}"#, request, state)
    }
    let size = number("size") ?? 2
    var items = state.items
    if let since = number("since") { items = items.filter { $0.at >= since } }
    if query["order"] == "newest" { items.reverse() }
    let start =
      number("offset") ?? number("cursor") ?? number("page").map { ($0 - 1) * size }
      ?? number("after").map { after in (items.firstIndex { $0.id == after } ?? -1) + 1 } ?? 0
    let page = items.dropFirst(start).prefix(size)
    let end = start + page.count
    let isLast = end >= items.count
    let list = "[\(page.map(\.json).joined(separator: ", "))]"
    let next = isLast ? "null" : #""\#(Self.base)/items?cursor=\#(end)&size=\#(size)""#
    var response = reply(
      #"{"items": \#(list), "next": \#(next), "cursor": \#(isLast ? "null" : "\(end)"), "total": \#(items.count), "pages": \#((items.count + size - 1) / size), "more": \#(!isLast)}"#,
      request, state)
    if !isLast {
      response.headers["Link"] =
        #"<\#(Self.base)/items?a=<,>&cursor=0>; rel="first", </api/items?cursor=\#(end)&size=\#(size)>; rel="next last""#
    }
    response.headers["X-Cursor"] = isLast ? nil : "\(end)"
    return response
  }

  private func reply(_ body: String, _ request: HTTPRequest, _ state: State) -> HTTPResponse {
    let tag = "\"\(body.utf8.reduce(5381) { ($0 &* 33) ^ Int($1) })\""
    if state.tags, request.validator?.etag == tag { return HTTPResponse(status: 304, url: request.url) }
    return HTTPResponse(body, headers: state.tags ? ["ETag": tag] : [:], url: request.url)
  }
}

extension HTTPResponse {
  init(_ body: String, status: Int = 200, headers: HTTPHeaders = [:], url: String = "") {
    self.init(status: status, headers: headers, body: Array(body.utf8), url: url)
  }
}
