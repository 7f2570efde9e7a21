import Frontend
import Hummingbird
import Models
import Ports

extension API {
  private static let time = "\(WrittenTime.examples), now, or commit:N"

  static let at = Parameter("at", "the records as they were at a time: \(time)")

  private static let historyParameters = [
    Parameter("since", "only changes after a time: \(time)"), Parameter("until", "only changes until a time"),
    Parameter(
      "by",
      "only changes of a kind (sync, sent, edit, proposal, import, undo, restore, purge), a follow, a command or a run"),
    Parameter("field", "only changes of this field"),
    Parameter("limit", "how many changes at most", in: 1...largestPage, standard: 100),
  ]

  var history: [Operation] {
    [
      Operation(
        .get, "/api/v1/history", "listChanges", "Changes of records, newest first", effect: .readsTagged,
        query: Self.historyParameters + [
          Parameter("in", "only this collection; repeatable", OpenAPI.list(OpenAPI.words))
        ],
        answers: [.json("RecordChanges")], refusals: [404]
      ) { call in try Self.changes(call, HistoryQuery(Self.searched(call))) },
      Operation(
        .get, "/api/v1/history/{name}/{id…}", "", "", effect: .readsTagged, idText: Self.recordID,
        query: Self.historyParameters,
        variant: { collection in
          Operation.Variant(
            id: "list\(collection.title)RecordChanges",
            summary: "Changes of a record of \(collection.name), newest first",
            answer: .json("RecordChanges"))
        }
      ) { call in try Self.changes(call, HistoryQuery([try Self.collection(call)], record: call.rest(after: 4))) },
      Operation(
        .get, "/api/v1/blame/{name}/{id…}", "", "", effect: .readsTagged, idText: Self.recordID, query: [Self.at],
        variant: { collection in
          Operation.Variant(
            id: "blame\(collection.title)Record",
            summary: "The change that gave each field of a record of \(collection.name) its value",
            answer: .json("Blame"))
        }
      ) { call in
        let (history, name) = (try call.history(), try Self.collection(call))
        let fields = try history.blame(name, call.rest(after: 4), at: call.moment(call.query("at") ?? "now"))
        return call.answer(json: ["items": .array(fields.map { .object($0.fields) })])
      },
      Operation(
        .get, "/api/v1/diff", "listDifferences", "What differs between two times, record by record",
        effect: .readsTagged,
        query: [
          Parameter("from", "the earlier time: \(Self.time)", isNeeded: true),
          Parameter("to", "the later one; now by default"),
          Parameter("in", "only this collection; repeatable", OpenAPI.list(OpenAPI.words)), Self.limit(),
        ], answers: [.json("RecordChanges")], refusals: [404]
      ) { call in
        let (from, to) = (try call.moment(try call.needed("from")), try call.moment(call.query("to") ?? "now"))
        let (limit, names) = (try call.number("limit") ?? 100, try Self.searched(call))
        var items: [JSONValue] = []
        try call.asked { () throws(Failure) in
          try call.services.history().difference(from: from, to: to, in: names) { entry in
            items.append(.object(entry.fields))
            return items.count <= limit ? .next : .stop
          }
        }
        return Self.list(items, limit, call)
      },
      Operation(
        .post, "/api/v1/restore/{name}/{id…}", "", "", effect: .edits, idText: Self.recordID,
        query: [Parameter("at", "the time: \(Self.time)", isNeeded: true)],
        variant: { collection in
          Operation.Variant(
            id: "restore\(collection.title)Record",
            summary: "Makes a record of \(collection.name) what it was, by an edit",
            answer: .json(collection.recordType),
            body: .nothing)
        }
      ) { call in
        _ = try call.object()
        let services = call.services.because(ChangeCause(.restore, tool: .request(call.request.method.rawValue)))
        let (name, history) = (try Self.collection(call), try services.history())
        var restoration = try history.restoration(
          of: name, call.rest(after: 4), at: call.moment(try call.needed("at")))
        if let expected = try call.expected(name, restoration.id) { restoration.current = expected }
        let restored = try await history.restore(restoration, in: call.services.books)
        return call.answer(try call.services.library.record(name, restored.id))
      },
    ]
  }

  private static func changes(_ call: APIRequest, _ asked: HistoryQuery) throws -> Response {
    var query = asked
    let limit = try call.number("limit") ?? 100
    query.since = try call.query("since").flatMap { text in
      try call.asked { () throws(Failure) in try call.services.history().beginning(text) }
    }
    query.until = try call.query("until").map { try call.moment($0) }
    (query.cause, query.field, query.limit) = (call.query("by"), call.query("field"), limit + 1)
    var items: [JSONValue] = []
    let history = try call.history()
    try history.changes(query) { entry in
      items.append(.object(entry.fields))
      return .next
    }
    if items.isEmpty {
      let services = call.services
      try call.asked { () throws(Failure) in
        try query.checkNames(
          services.library, history, services.catalog, follows: services.settings.follows.map(\.path), commands: nil)
      }
    }
    if items.isEmpty, let id = query.record, let name = query.collections.first {
      // A record that is stored may be older than the history.
      if history.last(of: name, id) == nil { _ = try call.services.library.record(name, id) }
    }
    return list(items, limit, call)
  }

  private static func list(_ items: [JSONValue], _ limit: Int, _ call: APIRequest) -> Response {
    call.answer(json: ["items": .array(Array(items.prefix(limit))), "more": .bool(items.count > limit)])
  }
}

extension APIRequest {
  /// - Throws: `Problem` with 400 where the store keeps no history.
  func history() throws -> any HistoryService {
    try asked { () throws(Failure) in try services.history() }
  }

  /// - Throws: `Problem` with 400 where the text is not a time.
  func moment(_ text: String) throws -> Moment {
    try asked { () throws(Failure) in try services.history().moment(text) }
  }

  /// The library as of the time that the query names, and the tag of its answers: its commit.
  func library() throws -> (library: any LibraryService, tag: String?) {
    guard let at = query("at"), !at.isEmpty else { return (services.library, nil) }
    let moment = try moment(at)
    return (try services.past(moment), "\"commit-\(moment.commit)\"")
  }
}
