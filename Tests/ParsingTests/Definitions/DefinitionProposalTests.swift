import AlmanacTesting
import Models
import Parsing
import Ports
import Testing

@Suite("Definitions: proposals")
struct DefinitionProposalTests {
  private func propose(
    _ body: String, _ query: String = "?limit=50", path: String = "v1/items", headers: HTTPHeaders = [:],
    taken: [CollectionName] = []
  ) throws -> (proposal: ProposedDefinition, definition: SourceDefinition) {
    let url = "https://api.shop.example/\(path)\(query)"
    let answer = HTTPResponse(status: 200, headers: headers, body: Array(body.utf8), url: url)
    let proposal = try JSONDefinitionFormat(collections: taken, isSecret: { $0 == .parameter("key") })
      .proposal(for: answer, to: url, named: SourceName(rawValue: "shop"))
    return (proposal, try JSONDefinitionFormat().read(Array(proposal.text.utf8), named: nil))
  }

  private func record(_ id: Int, _ more: String = "") -> String {
    #"{"sku": \#(id), "title": "Item \#(id)", "price": 1.5, "made_at": "2026-01-02T03:04:05Z", "seen_at": 1760000000, "ok": true, "tags": ["a"], "html": "<p>x</p>", "maker": {"login": "m", "url": "https://m.example/a.png"}, "parts": [{}], "mixed": [1, {}]\#(more)}"#
  }

  @Test("records, id, fields and their kinds")
  func fields() throws {
    let list = (0..<6).map { record($0, $0 == 0 ? "" : #", "extra": 1"#) }.joined(separator: ",")
    let (proposal, definition) = try propose(#"{"meta": {"links": [{"x": 1}]}, "data": [\#(list)], "total": 6}"#)
    #expect(proposal.records == 6)
    #expect(proposal.rejected == 0)
    let collection = try #require(definition.collections.first)
    #expect(collection.name.rawValue == "items")
    #expect(collection.mapping.id == [.path(try ValuePath("$.sku"))])
    let fields = CollectionDescriptor(collection.name, fields: definition.descriptor.collections[0].fields, columns: [])
      .leaves
    #expect(
      fields == [
        .init("id"), .init("title"), .init("price", .decimal), .init("madeAt", .time), .init("seenAt", .time),
        .init("ok", .flag), .init("tags", .texts), .init("html"), .init("makerLogin"), .init("makerURL"),
        .init("parts", .objects), .optional("extra", .whole),
      ])
    #expect(collection.media == ["makerURL"])
    #expect(proposal.notes.filter { $0.part == "left out" }.map(\.choice) == ["$.mixed"])
    #expect(proposal.notes.first { $0.part == "records" }?.isSure == false)
  }

  @Test("a long title is in the table, and names the record")
  func longTitle() throws {
    let long = String(repeating: "long ", count: 20)
    let list = (0..<6).map { #"{"id": \#($0), "size": \#($0), "title": "\#($0 == 3 ? long : "Item") \#($0)"}"# }
    let collection = try propose("[\(list.joined(separator: ","))]").definition.descriptor.collections[0]
    #expect(collection.nameField == "title" && collection.columns.prefix(2) == ["id", "title"])
  }

  @Test("records are found by the field that seems to name them, and `when` is a time")
  func namesAndTimes() throws {
    let list = (0..<6).map { #"{"id": \#($0), "full_name": "acme/tool-\#($0)", "when": \#(1_700_000_000 + $0)}"# }
    let collection = try propose("[\(list.joined(separator: ","))]").definition.descriptor.collections[0]
    #expect(collection.nameField == "fullName")
    #expect(collection.fields.contains(.init("when", .time)), "\(collection.fields)")
  }

  /// Parameters in brackets are those of a page, and header fields may say how many pages there are.
  @Test(
    arguments: [
      ("page=1&per_page=2", ["X-WP-TotalPages": "3"], #""page": 1, "size": 2, "pages": "header X-WP-TotalPages""#),
      ("pagination[page]=1&pagination[pageSize]=2", [:], #""page": 1, "size": 2"#),
      (
        "page%5Bnumber%5D=1&page%5Bsize%5D=2", ["X-Total-Count": "5"],
        #""page": 1, "size": 2, "count": "header X-Total-Count""#
      ),
    ] as [(String, HTTPHeaders, String)])
  func numberedPages(_ query: String, _ headers: HTTPHeaders, _ pages: String) throws {
    let (proposal, definition) = try propose(
      #"[{"id": "a", "title": "A"}, {"id": "b", "title": "B"}]"#, "?\(query)", headers: headers)
    let text = proposal.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains(pages) && text.contains("{page}") && text.contains("{size}"), "\(text)")
    #expect(definition.follows[0].request.paging?.style == .page(1))
  }

  @Test(
    "a list that says that there is more, and how to ask for it as far as that is known",
    arguments: [
      (#"{"object": "list", "has_more": true, "data": []}"#, #""last": { "starting_after": "$.id" }"#, "$.has_more"),
      (#"{"offset": "itrA/recB", "records": []}"#, #""cursor": { "offset": "$.offset" }"#, "$.offset"),
      (#"{"list": {"more_items_url": "/latest?page=1", "items": []}}"#, #""next": "$.list.more_items_url""#, "$.list"),
      (
        #"{"page": 1, "per_page": 2, "total_pages": 3, "data": []}"#, #""page": 1, "pages": "$.total_pages""#,
        "the parameter may have another name than page"
      ),
      (
        #"{"content": [], "number": 0, "totalPages": 2, "totalElements": 3}"#,
        #""page": 0, "count": "$.totalElements""#, "$.number is the number of the page"
      ),
      (
        #"{"meta": {"pagination": {"page": 1, "links": {"next": "https://api.shop.example/v1/items?page=2"}}}, "data": []}"#,
        #""next": "$.meta.pagination.links.next""#, "it holds the address of the next page"
      ),
      (#"{"hasMore": true, "items": []}"#, nil, "$.hasMore says that there is more, but how to ask for it is"),
      (#"{"meta": {"count": 312}, "results": []}"#, nil, "$.meta.count is 312, so that there may be more"),
    ] as [(String, String?, String)])
  func more(_ body: String, _ pages: String?, _ said: String) throws {
    let records = #"[{"id": "a", "title": "A"}, {"id": "b", "title": "B"}]"#
    let (proposal, _) = try propose(body.replacing("[]", with: records), "")
    let text = proposal.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if let pages { #expect(text.contains(pages), "\(text)") } else { #expect(!text.contains("pages"), "\(text)") }
    let notes = proposal.notes.filter { $0.part == "pages" }
    #expect(notes.contains { "\($0.choice) \($0.reason)".contains(said) }, "\(notes)")
  }

  @Test(
    "how the list goes on",
    arguments: [
      (
        #"{"items": [], "next": "https://api.shop.example/v1/items?page=2"}"#, "",
        SourceDefinition.Paging.Style.next(.path(ValuePath(.record)))
      ),
      (#"{"items": []}"#, "?page=3&per_page=20", .page(3)), (#"{"items": []}"#, "?offset=0", .offset(0)),
      (#"{"items": [], "meta": {"next_cursor": "abc"}}"#, "?limit=5", .cursor([])),
    ])
  func paging(_ body: String, _ query: String, _ style: SourceDefinition.Paging.Style) throws {
    let (_, definition) = try propose(body.replacing("[]", with: "[\(record(1)), \(record(2))]"), query)
    switch (definition.follows[0].request.paging?.style, style) {
    case (.next, .next), (.cursor, .cursor): break
    case (let found, let style): #expect(found == style)
    }
    if query.contains("per_page") { #expect(definition.follows[0].request.paging?.size == 20) }
  }

  @Test(
    "a next page that is a number or a token",
    arguments: [
      (#""next": 2"#, "?limit=5", "/v1/items?limit={size}{&page}", #"{"page": "$.next"}"#),
      (#""next": 50"#, "?limit=50", "/v1/items?limit={size}{&offset}", #"{"offset": "$.next"}"#),
      (#""next_page": 2"#, "", "/v1/items{?page}", #"{"page": "$.next_page"}"#),
      (#""meta": {"nextOffset": 20}"#, "", "/v1/items{?offset}", #"{"offset": "$.meta.nextOffset"}"#),
      (#""next_cursor": 7"#, "?cursor=3&q=x", "/v1/items?q=x{&cursor}", #"{"cursor": "$.next_cursor"}"#),
      (#""next": "eyJ""#, "?q=x&cursor=abc", "/v1/items?q=x{&cursor}", #"{"cursor": "$.next"}"#),
      (#""next_token": "eyJ""#, "", "/v1/items{?page_token}", #"{"page_token": "$.next_token"}"#),
    ])
  func nextValues(_ member: String, _ query: String, _ address: String, _ cursor: String) throws {
    let (proposal, definition) = try propose("{\"items\": [\(record(1))], \(member)}", query)
    let request = definition.follows[0].request
    #expect(request.address.description == address)
    #expect(proposal.text.split { $0.isWhitespace }.joined().contains(cursor.filter { $0 != " " }), "\(proposal.text)")
  }

  @Test("a number beside a counted parameter says whether there are more; other numbers say nothing")
  func countedNext() throws {
    let (_, paged) = try propose(#"{"items": [\#(record(1))], "next": 4}"#, "?page=3")
    let paging = paged.follows[0].request.paging
    #expect(paging?.style == .page(3))
    #expect(try paging?.more == .path(ValuePath("$.next")))
    #expect(paged.follows[0].request.address.description == "/v1/items?page={page}")
    for member in [#""next_update": 1760000000"#, #""next": 0"#, #""next": null"#, #""next": """#] {
      let (_, whole) = try propose(#"{"items": [\#(record(1))], \#(member)}"#)
      #expect(whole.follows[0].request.paging == nil, "\(member)")
    }
  }

  @Test(
    "no secret of an address is in the definition",
    arguments: [
      ("?limit=5&key=s3cret", "/v1/items?limit=5", "key"), ("?api_sig=REDACTED", "/v1/items", "api_sig"),
      ("?key=s3cret&q=x", "/v1/items?q=x", "key"), ("?key=a&token=REDACTED", "/v1/items", "key"),
    ])
  func secrets(_ query: String, _ address: String, _ name: String) throws {
    let (proposal, definition) = try propose("[\(record(1))]", query)
    #expect(definition.auth == .query(name))
    #expect(definition.follows[0].request.address.description == address)
    for text in ["s3cret", "REDACTED"] { #expect(!proposal.text.contains(text)) }
    #expect(proposal.notes.contains { $0.part == "auth" })
    let (path, _) = try propose("[\(record(1))]", "", path: "botREDACTED/items")
    #expect(path.notes.contains { $0.part == "address" && !$0.isSure })
  }

  @Test(
    "the number of all records ends the list, makes it whole, and tells a short answer",
    arguments: [
      (#", "total": 2"#, "", "$.total", true, true), (#", "total": 40"#, "", nil, false, false),
      (#", "count": 2"#, "", nil, false, false),
      (#", "meta": {"totalResults": 40}"#, "?page=1", "$.meta.totalResults", true, false),
      (#", "count": 40, "next": "https://api.shop.example/v1/items?page=2""#, "", "$.count", true, false),
      (#", "count": 2, "next": "https://api.shop.example/v1/items?page=2""#, "", nil, false, false),
    ])
  func whole(_ more: String, _ query: String, _ count: String?, _ isWhole: Bool, _ isSure: Bool) throws {
    let (proposal, definition) = try propose("{\"items\": [\(record(1)), \(record(2))]\(more)}", query)
    let follow = definition.follows[0]
    #expect(try follow.request.paging?.count == count.map { .path(try ValuePath($0)) })
    #expect((follow.request.complete == .always) == isWhole)
    #expect(proposal.notes.first { $0.part == "complete" }?.isSure == isSure)
  }

  /// A birthday differs in all records, and is no id: it can change.
  @Test func anIDThatOneRecordLacksIsProposed() throws {
    let records = (1...5).map { number in
      "{\(number == 3 ? "" : #""id": \#(number), "#)\"name\": \"N\", \"birthday\": \"199\(number)-01-01\"}"
    }
    let (proposal, definition) = try propose("[\(records.joined(separator: ", "))]")
    #expect(definition.collections[0].mapping.id == [.path(try ValuePath("$.id"))])
    let note = proposal.notes.first { $0.part == "id" }
    #expect(note?.isSure == false && note?.reason.hasPrefix("1 of 5 records have none") == true)
  }

  @Test("the cursor of the first page, lines, and fields in a wrapper")
  func firstCursorLinesAndWrappers() throws {
    let (_, works) = try propose(#"{"items": [\#(record(1))], "next_cursor": "abc"}"#, "?cursor=*&q=x")
    #expect(works.follows[0].request.address.description == "/v1/items?cursor={cursor}&q=x")
    #expect(works.follows[0].options.map(\.standard) == ["*"])
    let (lines, _) = try propose("\(record(1))\n\(record(2))\n", headers: ["Content-Type": "application/x-ndjson"])
    #expect(lines.records == 2)
    let anime = (0..<5).map {
      #"{"id": "\#($0)", "type": "anime", "attributes": {"rating": \#($0), "title": "T\#($0)", "type": "x\#($0)"}}"#
    }
    let (_, wrapped) = try propose("{\"data\": [\(anime.joined(separator: ","))]}")
    let collection = wrapped.collections[0]
    #expect(collection.mapping.fields.map(\.name) == ["type", "rating", "title", "attributesType"])
    #expect(collection.table == ["title", "rating", "attributesType"])
  }

  @Test(
    "a name of ids is chosen before titles, and it is said where there is none",
    arguments: [
      (#""name": "Träck N &ouml;", "trackId": "T N""#, "$.name", false),
      (#""name": "Träck N &ouml;", "trackId": "TN""#, "$.trackId", true),
      (#""name": "tN", "track_id": "TN""#, "$.track_id", true), (#""title": "tN", "orderid": "TN""#, "$.orderid", true),
      (#""name": "tN", "shopCode": "TN""#, "$.shopCode", true),
      (#""author": {"id": N}, "trackID": N"#, "$.trackID", true),
      (#""title": "Item N", "mark": "mN""#, "$.mark", false), (#""title": "<b>N</b>""#, "$.title", false),
      (#""title": "same""#, "#", false), (#""name": "tN""#, "$.name", true),
    ])
  func ids(_ members: String, _ path: String, _ isSure: Bool) throws {
    let list = (0..<4).map { number in "{\(members.replacing("N", with: "\(number)"))}" }.joined(separator: ",")
    let (proposal, _) = try propose("{\"tracks\": [\(list)], \"total\": 11, \"next_cursor\": \"4\"}")
    let note = try #require(proposal.notes.first { $0.part == "id" })
    #expect(note.choice == path && note.isSure == isSure, "\(note)")
  }

  @Test(
    "an empty list is no record",
    arguments: [
      (#"{"items": [], "total": 0}"#, "$.items"), (#"{"meta": {"total": 0}, "books": []}"#, "$.books"), ("[]", "$"),
      (#"{"data": [], "requestId": "a"}"#, "$.data"),
    ])
  func empty(_ body: String, _ path: String) throws {
    let error = try #require(throws: ParsingError.self) { try propose(body) }
    #expect(error.path == path && error.found == "an empty list", "\(error)")
    #expect(error.hint?.contains("at least one record") == true)
    #expect(try propose(#"{"id": 1, "items": [], "tags": []}"#).proposal.records == 1)
  }

  @Test("HTML is kept, and said to be HTML")
  func markup() throws {
    let (proposal, definition) = try propose("[\(record(1))]")
    #expect(proposal.text.contains(#""html": "text? $.html""#))
    #expect(!definition.collections[0].table.contains("html"))
    #expect(proposal.notes.contains { $0.part == "field" && $0.choice == "html" && !$0.isSure })
  }

  @Test(
    "a column with HTML is not in the table, also where no tag is closed", arguments: ["<b>N</b>", "a N<br>b", "<p>N"])
  func markupInTables(text: String) throws {
    let list = (0..<6).map {
      #"{"id": \#($0), "title": "\#(text.replacing("N", with: "\($0)"))", "score": \#($0), "seen": "a < b"}"#
    }
    let (proposal, definition) = try propose("[\(list.joined(separator: ","))]")
    #expect(definition.collections[0].table == ["score"], "\(proposal.text)")
    #expect(proposal.notes.filter { $0.part == "field" }.map(\.choice) == ["title"])
  }

  @Test(
    "a map of records is read by the names of its members",
    arguments: [
      (#"{"bitcoin": {"usd": 1, "after": "x"}, "ether": {"usd": 2}}"#, "$.*", 2, "items"),
      (
        #"{"data": {"1027": {"id": 1027, "name": "E"}, "1": {"id": 1, "name": "B"}}, "ok": true}"#, "$.data.*", 2,
        "items"
      ),
      (
        #"{"query": {"pages": {"7": {"pageid": 7, "title": "A"}, "8": {"pageid": 8, "title": "B"}}}}"#,
        "$.query.pages.*", 2, "pages"
      ),
      // Parts of one record, an envelope, and a list beside an object that is none.
      (
        #"{"id": 1, "box": {"min": {"x": 1, "y": 2}, "max": {"x": 3, "y": 4}}, "name": "n", "a": 1, "b": 2, "c": 3}"#,
        "$", 1, "items"
      ),
      (#"{"user": {"id": 1, "name": "n"}, "meta": {"took": 3}}"#, "$", 1, "items"),
      (#"{"items": [{"id": 1}, {"id": 2}], "rates": {"a": {"x": 1}, "b": {"x": 2}}}"#, "$.items", 2, "items"),
    ])
  func maps(_ body: String, _ path: String, _ count: Int, _ name: String) throws {
    let (proposal, definition) = try propose(body)
    let collection = definition.collections[0]
    #expect(definition.follows[0].request.selections[0].records.description == path, "\(proposal.text)")
    #expect(proposal.records == count && proposal.rejected == 0)
    #expect(collection.name.rawValue == name && definition.follows[0].request.paging == nil)
    guard path.hasSuffix(".*") else { return }
    #expect(collection.mapping.id == [.path(try ValuePath("#"))])
    #expect(proposal.notes.first { $0.part == "records" }?.isSure == false)
  }

  @Test(
    "parameters and envelopes of well-known APIs",
    arguments: [
      (
        #"{"total": 5, "issues": [R, S]}"#, "?startAt=0&maxResults=2", "?startAt={offset}&maxResults={size}", "$.issues"
      ),
      (
        #"{"data": [R, S], "meta": {"total": 5}}"#, "?page[number]=1&page[size]=2",
        "?page[number]={page}&page[size]={size}", "$.data"
      ),
      (
        #"{"href": "h", "items": [{"at": 1}], "limit": 2, "next": null, "offset": 0, "previous": null, "total": 5}"#,
        "?offset=0&limit=1", "?offset={offset}&limit={size}", "$.items"
      ),
      (#"{"id": 7, "buyer": "b", "paid": true, "items": [{"at": 1}], "total": 5, "at": "x"}"#, "", "", "$"),
    ])
  func envelopes(_ body: String, _ query: String, _ address: String, _ path: String) throws {
    let (_, definition) = try propose(body.replacing("R", with: record(1)).replacing("S", with: record(2)), query)
    let request = definition.follows[0].request
    #expect(request.address.description == "/v1/items\(address)" && request.selections[0].records.description == path)
  }

  @Test("the number of pages ends the list")
  func pages() throws {
    let (_, definition) = try propose(#"{"data": [\#(record(1))], "total_pages": 7}"#, "?page=1")
    #expect(try definition.follows[0].request.paging?.pages == .path(ValuePath("$.total_pages")))
    #expect(definition.follows[0].request.complete == .always)
  }

  @Test("the header field Link, a name that is taken, one record, and what is not a list")
  func others() throws {
    let link: HTTPHeaders = ["Link": #"<https://api.shop.example/v1/items?page=2>; rel="next""#]
    let (_, paged) = try propose("[\(record(1))]", headers: link, taken: [CollectionName(rawValue: "items")])
    #expect(paged.follows[0].request.paging?.style == .link("next"))
    #expect(paged.collections.map(\.name.rawValue) == ["shop-items"])
    let (proposal, one) = try propose(record(1))
    #expect(one.follows[0].request.selections[0].records == ValuePath(.record))
    #expect(proposal.records == 1)
    #expect(throws: ParsingError.self) { try propose("3") }
    #expect(throws: ParsingError.self) { try propose("<html>") }
  }
}

@Suite("Definitions: the schema for editors")
struct DefinitionSchemaTests {
  private func members(_ name: String) throws -> [String] {
    let schema = try JSONText.value(of: JSONDefinitionFormat().schema).object
    let definition = schema?["$defs"]?.object?[name]?.object
    return definition?["properties"]?.object?.keys ?? []
  }

  @Test("the reader knows the members that the schema has, and says so where it does not know one")
  func members() throws {
    let text = DefinitionTexts.shop
    let places = [
      ("source", text.replacing(#""almanac": 1"#, with: #""xyzzy": 1, "almanac": 1"#)),
      ("collection", text.replacing(#""id": "$.sku""#, with: #""xyzzy": 1, "id": "$.sku""#)),
      ("follow", text.replacing(#""get": "#, with: #""xyzzy": 1, "get": "#)),
      ("pages", text.replacing(#""size": 50"#, with: #""size": 50, "xyzzy": 1"#)),
      ("take", text.replacing(#""into": "items""#, with: #""xyzzy": 1, "into": "items""#)),
      ("since", text.replacing(#""form": "text""#, with: #""form": "text", "xyzzy": 1"#)),
    ]
    for (name, changed) in places {
      do throws(SettingsProblems) {
        _ = try JSONDefinitionFormat().read(Array(changed.utf8), named: nil)
        Issue.record("\(name) takes any member")
      } catch {
        let message = try #require(error.problems.first { $0.message.contains("xyzzy") }?.message)
        let allowed = message.split(separator: "\"").enumerated().filter { $0.offset % 2 == 1 }.map {
          String($0.element)
        }
        #expect(Set(allowed.dropFirst().map(\.exact)) == Set(try members(name).map(\.exact)), "\(name)")
      }
    }
  }
}
