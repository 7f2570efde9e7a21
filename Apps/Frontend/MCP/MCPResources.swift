import Models
import Ports

/// The collections and their records as resources, `almanac://people` and `almanac://people/r-1`.
struct MCPResources {
  let services: AssistantServices

  private static let scheme = "almanac://"

  /// The answer to `resources/list`.
  var list: JSONObject { described("resources", "uri", "", "", "the first records of the collection") }

  /// The answer to `resources/templates/list`.
  var templates: JSONObject {
    described("resourceTemplates", "uriTemplate", "/{id}", " record", "a record by its id of the collection")
  }

  private func described(
    _ key: String, _ address: String, _ place: String, _ kind: String, _ text: String
  ) -> JSONObject {
    let items = services.catalog.names.map { name -> JSONValue in
      [
        address: .string("\(Self.scheme)\(name)\(place)"), "name": .string("\(name)\(kind)"),
        "description": .string("\(text) \(name)"), "mimeType": "application/json",
      ]
    }
    return [key: .array(items)]
  }

  /// The answer to `resources/read`.
  func read(_ uri: String, by client: String, isStateless: Bool) throws(MCPError) -> JSONObject {
    let value = try known(uri, by: client, "resources/read", isStateless: isStateless) {
      () throws(Failure) -> JSONValue in
      try self.value(at: place(uri))
    }
    return [
      "contents": [
        [
          "uri": .string(uri), "mimeType": "application/json",
          "text": .string(String(decoding: services.coder.encode(value), as: UTF8.self)),
          "_meta": ["almanac/notice": .string(UntrustedText.notice)],
        ]
      ]
    ]
  }

  /// The collection or the record at an address, which is there.
  func subscribable(_ uri: String, by client: String) throws(MCPError) -> Place {
    try known(uri, by: client, "resources/subscribe", isStateless: false) { () throws(Failure) -> Place in
      let place = try self.place(uri)
      if let id = place.id { _ = try services.library().record(place.collection, id.text) }
      return place
    }
  }

  /// What a reading gives, with a line in the log.
  private func known<Value>(
    _ uri: String, by client: String, _ method: String, isStateless: Bool, _ body: () throws(Failure) -> Value
  ) throws(MCPError) -> Value {
    do throws(Failure) {
      let value = try body()
      services.log?.add(client, method, ["uri": .string(uri)], failure: nil)
      return value
    } catch {
      services.log?.add(client, method, ["uri": .string(uri)], failure: error)
      throw MCPError(
        isStateless ? .invalidParams : .resourceNotFound, MCPServer.text(services.wording(error)),
        data: ["uri": .string(uri)])
    }
  }

  struct Place: Hashable {
    var collection: CollectionName
    /// `nil` for the collection as a whole.
    var id: ExactString?
  }

  private func place(_ uri: String) throws(Failure) -> Place {
    guard uri.hasPrefix(Self.scheme) else {
      throw MCPCall.wrong(
        "'\(uri.prefix(200))' is not the address of a record",
        "addresses are almanac://COLLECTION and almanac://COLLECTION/ID")
    }
    let parts = percentDecoded(uri.dropFirst(Self.scheme.count)).split(separator: "/", maxSplits: 1).map(String.init)
    return Place(
      collection: try CollectionArgument.parse(parts.first ?? "", services), id: parts.count == 2 ? parts[1].exact : nil
    )
  }

  private func value(at place: Place) throws(Failure) -> JSONValue {
    let library = services.library()
    let records =
      if let id = place.id { [try library.record(place.collection, id.text)] } else {
        try library.page(place.collection, LibraryQuery(), limit: 50, counts: false).records
      }
    let values = try records.map { (bytes) throws(Failure) in
      UntrustedText.escaped(.object(try Failure.from { () throws(ParsingError) in try services.coder.decode(bytes) }))
    }
    return place.id == nil ? .array(values) : values[0]
  }
}

/// The resources of which a client wants to know when they change.
struct MCPSubscriptions: Sendable {
  /// How many a client may have.
  static let most = 1000

  private var places: [ExactString: MCPResources.Place] = [:]
  /// Until where the change feed was read.
  private var seen: ChangeCursor?

  var isEmpty: Bool { places.isEmpty }

  mutating func add(_ uri: String, _ place: MCPResources.Place, in library: any LibraryService) throws(MCPError) {
    guard places.count < Self.most else {
      throw MCPError(.invalidParams, "there are \(Self.most) subscriptions; end some with resources/unsubscribe")
    }
    if isEmpty {
      do throws(Failure) { seen = try library.end() } catch {
        throw MCPError(.internalFault, MCPServer.text(error))
      }
    }
    places[uri.exact] = place
  }

  mutating func remove(_ uri: String) { places[uri.exact] = nil }

  /// The addresses of the resources that changed since the last call; all of them where the feed does not reach back so far.
  /// None where the store cannot be read now. O(n) for n changes.
  mutating func changed(in library: any LibraryService) -> [String] {
    var changed: Set<MCPResources.Place> = []
    do throws(Failure) {
      while case let changes = try library.changes(since: seen, limit: 1000), let last = changes.last {
        for change in changes {
          changed.insert(.init(collection: change.collection, id: nil))
          changed.insert(.init(collection: change.collection, id: change.$id))
        }
        seen = last.cursor
      }
    } catch {
      guard error.reason == .usage, let end = try? library.end() else { return [] }
      seen = end
      return places.keys.map(\.text).sorted()
    }
    return places.filter { changed.contains($0.value) }.map(\.key.text).sorted()
  }
}

/// A text with which a person begins a conversation.
struct MCPPrompt: Sendable {
  let name: String
  let title: String
  let text: String

  static let all = [
    MCPPrompt(
      name: "next_birthdays", title: "Who has a birthday next month, and what is new about them?",
      text: """
        List the birthdays of the next 31 days with the tool 'birthdays'. For each person, look with 'show' at the record in \
        'people', and with 'changes' since 4w at what changed. Give one line for each: the date, the name, the age if it is \
        known, and what changed, if anything.
        """),
    MCPPrompt(
      name: "what_changed", title: "What changed in the last week?",
      text: """
        Look with 'changes' since 7d at what was added, changed and removed, with 'chart_movers' at each chart that \
        'status' lists, and with 'prices' at the prices that fell. Sum it up in ten lines, the most important first.
        """),
  ]

  /// The prompt as `prompts/list` describes it.
  var description: JSONObject { ["name": .string(name), "title": .string(title), "arguments": []] }

  /// The answer to `prompts/get`.
  var message: JSONObject {
    [
      "description": .string(title),
      "messages": [["role": "user", "content": ["type": "text", "text": .string(text)]]],
    ]
  }
}
