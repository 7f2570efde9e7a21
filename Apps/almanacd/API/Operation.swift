import Hummingbird
import Models

/// An operation of the API: the route that answers it, and what OpenAPI says about it.
struct Operation: Sendable {
  enum Effect: Sendable {
    /// Reads; the answer has no entity tag.
    case reads
    /// Reads; the answer has an entity tag, and may be 304.
    case readsTagged
    case writes
    /// Adds a record to the collection that the path names.
    case adds
    /// Writes, in whatever state the record is, or only in the state that If-Match names.
    case edits
    /// Writes, and answers with a secret: no answer is kept for an Idempotency-Key.
    case makesSecret
  }

  struct Body: Sendable {
    let schema: JSONValue
    let isNeeded: Bool

    static func needed(_ schema: String) -> Body { Body(schema: OpenAPI.ref(schema), isNeeded: true) }
    static func optional(_ schema: String) -> Body { Body(schema: OpenAPI.ref(schema), isNeeded: false) }
    /// Nothing, or an object without members.
    static let nothing = optional("Nothing")
  }

  enum Answer: Sendable {
    case schema(Status, JSONValue)
    /// JSON, or plain text for clients that do not ask for JSON; the refusal with 503 too.
    case jsonOrText(JSONValue)
    case media(String)
    /// 204.
    case empty

    static func json(_ schema: String) -> Answer { .json(.ok, schema) }
    static func json(_ status: Status, _ schema: String) -> Answer { .schema(status, OpenAPI.ref(schema)) }
  }

  struct Variant: Sendable {
    let id, summary: String
    let answer: Answer
    var body: Body?
  }

  /// `operationId`, and the summary; those of an operation for each collection are in its variants.
  let id, summary: String
  let method: Method
  /// `{name}` is one part of the path. `{id…}` at its end is the rest, with slashes.
  let path: String
  let access: Route.Access
  let effect: Effect
  let idText: String
  let query: [Parameter]
  let headers: [Parameter]
  let body: Body?
  let answers: [Answer]
  /// The statuses of its refusals beside those that follow from the other members.
  let refusals: Set<Int>
  let mayWait: Bool
  /// What it is for a collection; `nil` for a collection that does not have it.
  let variant: (@Sendable (CollectionDescriptor) -> Variant?)?
  let run: @Sendable (APIRequest) async throws -> Response

  init(
    _ method: Method, _ path: String, _ id: String, _ summary: String, access: Route.Access = .token,
    effect: Effect? = nil, idText: String = "", query: [Parameter] = [], headers: [Parameter] = [], body: Body? = nil,
    answers: [Answer] = [], refusals: Set<Int> = [], mayWait: Bool = true,
    variant: (@Sendable (CollectionDescriptor) -> Variant?)? = nil,
    run: @escaping @Sendable (APIRequest) async throws -> Response
  ) {
    (self.method, self.path, self.id, self.summary, self.access) = (method, path, id, summary, access)
    self.effect = effect ?? (method == .get ? .reads : .writes)
    (self.idText, self.query, self.headers, self.body) = (idText, query, headers, body)
    (self.answers, self.refusals, self.mayWait, self.variant, self.run) = (answers, refusals, mayWait, variant, run)
  }

  var route: Route {
    let rest = path.hasSuffix("…}") ? path.lastIndex(of: "{") : nil
    return Route(
      method, rest.map { path[..<$0] + "**" } ?? path, access, content: method == .patch ? .patch : .json,
      query: isOfAPI ? query : nil, keepsAnswer: takesKey, addsRecord: effect == .adds, mayWait: mayWait, answer: run)
  }

  /// Whether it is one of the paths that take no parameters but the described ones.
  var isOfAPI: Bool { path.hasPrefix("/api/") }
  var hasID: Bool { path.contains("{id") }
  /// Whether a repetition with the same Idempotency-Key gets the same answer.
  var takesKey: Bool { method == .post && effect != .makesSecret }
  var writes: Bool { method != .get }

  /// Every status of its refusals.
  var statuses: Set<Int> {
    var all = refusals.union([403, 421])
    if access != .open { all.insert(401) }
    // A request that can be read wrong has something to do, for which the store is needed.
    if isOfAPI { all.insert(400) }
    if isOfAPI || !refusals.isEmpty { all.insert(503) }
    if hasID { all.insert(404) }
    if takesKey { all.insert(409) }
    if effect == .edits { all.insert(412) }
    // A DELETE may come with a body; what changes something may find the disk of the store full.
    if writes { all.formUnion([413, 415, 507]) }
    if body != nil { all.insert(422) }
    return all
  }

  /// What it is for each collection; itself, where it has no variants.
  func described(_ catalog: CollectionCatalog) -> [Operation] {
    guard let variant else { return [self] }
    return catalog.collections.compactMap { collection in
      variant(collection).map { variant in
        Operation(
          method, path.replacing("{name}", with: collection.name.rawValue), variant.id, variant.summary, access: access,
          effect: effect, idText: idText, query: query, headers: headers, body: variant.body, answers: [variant.answer],
          refusals: refusals, mayWait: mayWait, run: run)
      }
    }
  }
}

/// A parameter of the query, or a header.
struct Parameter: Sendable {
  let name, text: String
  let schema: JSONValue
  var isNeeded = false
  /// The numbers that it takes, if it is one.
  var range: ClosedRange<Int>?
  /// Whether a query may have it more than once.
  var isRepeatable: Bool { schema.object?["type"]?.string == "array" }

  init(_ name: String, _ text: String, _ schema: JSONValue = OpenAPI.text, isNeeded: Bool = false) {
    (self.name, self.text, self.schema, self.isNeeded) = (name, text, schema, isNeeded)
  }

  init(_ name: String, _ text: String, in range: ClosedRange<Int>, standard: Int? = nil) {
    let schema: JSONObject = [
      "type": "integer", "minimum": .int(range.lowerBound), "maximum": .int(range.upperBound), "default": .of(standard),
    ]
    self.init(name, text, .object(schema))
    self.range = range
  }
}
