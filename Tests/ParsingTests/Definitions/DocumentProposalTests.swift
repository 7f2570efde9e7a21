import AlmanacTesting
import Models
import Parsing
import Ports
import Testing

@Suite("Definitions: proposals from documents")
struct DocumentProposalTests {
  private func propose(_ text: String) throws -> (ProposedDefinition, SourceDefinition) {
    let proposal = try JSONDefinitionFormat(collections: [CollectionName(rawValue: "people")])
      .proposal(from: Array(text.utf8), named: SourceName(rawValue: "shop"))
    do throws(SettingsProblems) {
      return (proposal, try JSONDefinitionFormat().read(Array(proposal.text.utf8), named: nil))
    } catch {
      throw ProposalError(text: "\(error.problems) \(proposal.text)")
    }
  }

  private struct ProposalError: Error { let text: String }

  @Test("an OpenAPI document gives a follow for each list, with fields, parameters, pages and the key")
  func openAPI() throws {
    let (proposal, definition) = try propose(
      """
      {
        "openapi": "3.0.3", "info": {"title": "The shop", "version": "1"},
        "servers": [{"url": "https://shop.example/api/"}],
        "security": [{"token": []}],
        "components": {
          "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
          "parameters": {"Size": {"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": 50}}},
          "schemas": {
            "Named": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}},
            "Item": {
              "allOf": [
                {"$ref": "#/components/schemas/Named"},
                {
                  "type": "object", "required": ["id", "made_at", "price"],
                  "properties": {
                    "id": {"type": "integer"}, "made_at": {"type": "string", "format": "date-time"},
                    "price": {"type": "number", "nullable": true}, "tags": {"type": "array", "items": {"type": "string"}},
                    "maker": {"type": "object", "properties": {"url": {"type": "string", "format": "uri"}}},
                    "is_new": {"type": "boolean"}, "parts": {"type": "array", "items": {"type": "object"}}
                  }
                }
              ]
            }
          }
        },
        "paths": {
          "/shelves/{shelf-id}/items": {
            "parameters": [{"name": "shelf-id", "in": "path", "required": true, "schema": {"type": "string"}}],
            "get": {
              "summary": "The items of a shelf",
              "parameters": [
                {"$ref": "#/components/parameters/Size"}, {"name": "cursor", "in": "query", "schema": {"type": "string"}}
              ],
              "responses": {"200": {"content": {"application/json": {"schema": {
                "type": "object",
                "properties": {
                  "next_cursor": {"type": "string"},
                  "data": {"type": "array", "items": {"$ref": "#/components/schemas/Item"}}
                }
              }}}}}
            }
          },
          "/people": {
            "get": {
              "parameters": [{"name": "page", "in": "query"}, {"name": "since", "in": "query", "required": true}],
              "responses": {"200": {"content": {"application/json": {"schema": {
                "type": "array", "items": {"$ref": "#/components/schemas/Named"}}}}}}
            }
          },
          "/items/{id}": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {
            "$ref": "#/components/schemas/Item"}}}}}}}
        }
      }
      """)
    #expect(definition.url == "https://shop.example/api")
    #expect(definition.auth == .bearer())
    #expect(definition.auth?.isOptional == false)
    #expect(definition.follows.map(\.form.text) == ["shop/shelves/SHELFID/items", "shop/people/SINCE"])
    let items = definition.follows[0].request
    #expect(items.address.description == "/shelves/{shelfid}/items?limit={size}{&cursor}")
    #expect(items.paging?.size == 50)
    #expect(items.selections[0].records.description == "$.data")
    #expect(definition.follows[1].request.address.description == "/people?page={page}&since={since}")
    #expect(definition.collections.map(\.name.rawValue) == ["items", "shop-people"])
    #expect(
      definition.descriptor.collections[0].leaves == [
        .init("id"), .init("name"), .init("madeAt", .time), .optional("price", .decimal), .optional("tags", .texts),
        .optional("makerURL"), .optional("isNew", .flag),
      ])
    #expect(proposal.notes.contains { $0.part == "pages" && !$0.isSure })
  }

  @Test(
    "the id of an OpenAPI document is chosen as that of an answer",
    arguments: [
      (["name", "petId"], "$.petId", true), (["name", "url"], "$.url", true),
      (["name", "shopCode"], "$.shopCode", true),
      (["parts", "tags", "title"], "$.title", false), (["id", "name"], "$.id", true),
    ])
  func openAPIID(_ names: [String], _ path: String, _ isNamed: Bool) throws {
    let properties = names.map { name in
      name == "parts" || name == "tags"
        ? #""\#(name)": {"type": "array", "items": {"type": "object"}}"# : #""\#(name)": {"type": "string"}"#
    }
    let (proposal, definition) = try propose(
      """
      {
        "openapi": "3.0.3", "paths": {"/pets": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {
          "type": "array", "items": {"type": "object", "properties": {\(properties.joined(separator: ", "))}}}}}}}}}}
      }
      """)
    #expect(definition.collections[0].mapping.id == [.path(try ValuePath(path))])
    let note = try #require(proposal.notes.first { $0.part == "id" })
    #expect(note.isSure == (path == "$.id") && note.reason.contains("has a name of ids") == true, "\(note)")
    #expect(note.reason.hasPrefix("no property") != isNamed)
    if isNamed {
      let values = (0..<3).map { row in
        "{" + names.map { #""\#($0)": "\#($0)\#(row)""# }.joined(separator: ",") + "}"
      }
      let answer = HTTPResponse(
        status: 200, body: Array("[\(values.joined(separator: ","))]".utf8), url: "https://shop.example/pets")
      let other = try JSONDefinitionFormat().proposal(for: answer, to: answer.url, named: SourceName(rawValue: "shop"))
      #expect(other.notes.first { $0.part == "id" }?.choice == path)
    }
  }

  @Test("a recording gives a follow for each list of the main server")
  func recording() throws {
    func entry(_ url: String, _ body: String, method: String = "GET") -> String {
      let text = body.replacing("\"", with: "\\\"")
      return """
        {"request": {"method": "\(method)", "url": "\(url)"},
         "response": {"status": 200, "headers": [], "content": {"mimeType": "application/json", "text": "\(text)"}}}
        """
    }
    let items = (1...6).map { #"{"id": \#($0), "title": "Item \#($0)"}"# }.joined(separator: ", ")
    let entries = [
      entry("https://shop.example/app.js", "let x = 1"),
      entry("https://shop.example/api/makers", #"[{"login": "ada"}, {"login": "eve"}]"#),
      entry("https://shop.example/api/items?page=1&per_page=6", #"{"items": [\#(items)]}"#),
      entry("https://shop.example/api/items?page=2&per_page=6", #"{"items": [\#(items)]}"#),
      entry("https://ads.example/list", #"[{"id": 1}, {"id": 2}]"#),
      entry("https://shop.example/api/login", #"{"token": "s"}"#, method: "POST"),
    ]
    let (proposal, definition) = try propose(#"{"log": {"entries": [\#(entries.joined(separator: ", "))]}}"#)
    #expect(definition.url == "https://shop.example")
    #expect(Set(definition.follows.map(\.form.text)) == ["shop/items", "shop/makers"])
    #expect(proposal.records == 6)
    #expect(proposal.notes.last?.choice.contains("https://ads.example/list") == true)
  }

  @Test(
    "the key of a recorded request becomes \"auth\", without its value",
    arguments: [
      ("Authorization", "REDACTED", SourceDefinition.Authentication.bearer()),
      ("authorization", "Basic eA==", .basic()), ("X-Shop", "REDACTED", .header("X-Shop")),
    ])
  func key(_ name: String, _ value: String, _ auth: SourceDefinition.Authentication) throws {
    let (proposal, definition) = try propose(
      """
      {"log": {"entries": [{
        "request": {"method": "GET", "url": "https://shop.example/items?limit=2", "headers": [
          {"name": "Accept", "value": "*/*"}, {"name": "Cookie", "value": "REDACTED"},
          {"name": "\(name)", "value": "\(value)"}]},
        "response": {"status": 200, "headers": [], "content": {"text": "[{\\"id\\": 1}]"}}}]}}
      """)
    #expect(definition.auth == auth)
    #expect(!proposal.text.contains("REDACTED") && !proposal.text.contains("eA=="))
    #expect(proposal.notes.contains { $0.part == "auth" })
  }

  @Test("the version of the API in a recorded request is kept, and a recording of POST requests alone says so")
  func versionsAndPosts() throws {
    func text(_ method: String) -> String {
      """
      {"log": {"entries": [{
        "request": {"method": "\(method)", "url": "https://shop.example/items?limit=2", "headers": [
          {"name": "Shop-Version", "value": "2022-06-28"}, {"name": "Sec-CH-UA-Full-Version", "value": "1"}]},
        "response": {"status": 200, "headers": [], "content": {"text": "[{\\"id\\": 1}]"}}}]}}
      """
    }
    let (proposal, definition) = try propose(text("GET"))
    #expect(definition.headers == [.init("Shop-Version", "2022-06-28")])
    #expect(proposal.notes.contains { $0.part == "headers" && $0.choice == "Shop-Version" })
    let error = #expect(throws: ParsingError.self) { try propose(text("POST")) }
    #expect(error?.hint?.contains("a POST request to https://shop.example/items,") == true, "\(error?.hint ?? "")")
  }

  @Test(
    "what is neither says so",
    arguments: [
      (#"{"a": 1}"#, "a recording (HAR) or an OpenAPI document in JSON"),
      (#"{"log": {"entries": []}}"#, "a GET request"),
      (#"{"openapi": "3.1.0", "paths": {}}"#, "a GET request that answers with a list of objects"),
      ("openapi: 3.0", "a value"),
    ])
  func nothing(_ text: String, _ expected: String) {
    let error = #expect(throws: ParsingError.self) { try propose(text) }
    #expect(error?.expected.contains(expected.split(separator: " ").last ?? "") == true || text.hasPrefix("openapi"))
  }
}
