import AlmanacTesting
import Foundation
import Models
import Parsing
import Ports
import Testing
import YAMLDocuments

/// Manifests of low-code connectors become definitions.
@Suite("Manifests") struct ManifestTests {
  private static let name = SourceName(rawValue: "shop")

  private func imported(
    _ text: String, streams: [String] = [], defaults: [(name: String, value: String)] = [],
    taken: [CollectionName] = []
  ) throws -> ImportedDefinition {
    try JSONDefinitionFormat(collections: taken).imported(
      try YAMLDocumentReader().read(Array(text.utf8)), named: Self.name, streams: streams, defaults: defaults)
  }

  private func definition(_ imported: ImportedDefinition) throws -> SourceDefinition {
    try JSONDefinitionFormat().read(Array(imported.text.utf8), named: Self.name)
  }

  private func follow(_ imported: ImportedDefinition, _ name: String) throws -> JSONObject {
    let object = try JSONRecordCoder().decode(Array(imported.text.utf8))
    return try #require(object["follows"]?.object?[name]?.object)
  }

  private static let shop = """
    version: 6.1.0
    type: DeclarativeSource
    definitions:
      requester:
        type: HttpRequester
        url_base: "https://{{ config['region'] }}.shop.example/v1/"
        http_method: GET
        authenticator:
          type: ApiKeyAuthenticator
          api_token: "Token {{ config['token'] }}"
          inject_into: {type: RequestOption, inject_into: header, field_name: X-Auth}
      paginator:
        type: DefaultPaginator
        page_token_option: {type: RequestOption, inject_into: request_parameter, field_name: after}
        page_size_option: {type: RequestOption, inject_into: request_parameter, field_name: per_page}
        pagination_strategy:
          type: CursorPagination
          page_size: 50
          cursor_value: "{{ response.meta.next }}"
          stop_condition: "{{ not response.meta.has_more }}"
      shelves:
        type: DeclarativeStream
        name: shelves
        primary_key: id
        retriever:
          type: SimpleRetriever
          requester: {$ref: "#/definitions/requester", path: shelves}
          record_selector: {type: RecordSelector, extractor: {type: DpathExtractor, field_path: [data]}}
          paginator: {$ref: "#/definitions/paginator"}
        schema_loader:
          type: InlineSchemaLoader
          schema:
            type: object
            properties:
              id: {type: integer}
              display_name: {type: [string, "null"]}
              open: {type: boolean}
              tags: {type: array}
    streams:
      - $ref: "#/definitions/shelves"
      - type: DeclarativeStream
        name: ShelfItems
        primary_key: [sku]
        incremental_sync:
          type: DatetimeBasedCursor
          cursor_field: updated_at
          datetime_format: "%s"
          start_datetime: {type: MinMaxDatetime, datetime: "{{ config['start_date'] }}", datetime_format: "%Y-%m-%d"}
          start_time_option: {type: RequestOption, inject_into: request_parameter, field_name: "updated[gte]"}
        transformations:
          - type: AddFields
            fields: [{path: [shelf_id], value: "{{ stream_partition.shelf }}"}]
        retriever:
          type: SimpleRetriever
          requester:
            $ref: "#/definitions/requester"
            path: "shelves/{{ stream_partition.shelf }}/items"
            request_parameters: {sort: "{{ config.get('sort', 'name') }}"}
            error_handler:
              type: DefaultErrorHandler
              response_filters: [{http_codes: [404], action: IGNORE}]
              backoff_strategies: [{type: ConstantBackoffStrategy, backoff_time_in_seconds: 30}]
          record_selector:
            type: RecordSelector
            extractor: {type: DpathExtractor, field_path: [items, "*"]}
            record_filter: {type: RecordFilter, condition: "{{ record.state != 'gone' }}"}
          partition_router:
            type: SubstreamPartitionRouter
            parent_stream_configs: [{stream: {$ref: "#/definitions/shelves"}, parent_key: id, partition_field: shelf}]
        schema_loader:
          type: InlineSchemaLoader
          schema: {type: object, properties: {sku: {type: string}, price: {type: number}, updated_at: {type: integer}}}
      - type: DeclarativeStream
        name: reports
        retriever:
          type: SimpleRetriever
          requester: {$ref: "#/definitions/requester", path: reports}
          record_selector: {type: RecordSelector, extractor: {type: CustomRecordExtractor, class_name: shop.Extractor}}
    spec:
      connection_specification:
        type: object
        required: [token, region, start_date]
        properties:
          token: {type: string, airbyte_secret: true}
          region: {type: string, enum: [eu, us], title: Where the shop is}
          start_date: {type: string}
          sort: {type: string}
    """

  @Test("requests, pages, points, parents, fields, settings and the key; program code is refused with its line")
  func whole() throws {
    let imported = try imported(Self.shop)
    #expect(imported.streams == ["shelves", "ShelfItems"])
    let line = try #require(
      Self.shop.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.contains("name: reports") })
    #expect(
      imported.refused.map(\.stream) == ["reports"] && imported.refused[0].reason == "the program code shop.Extractor")
    #expect(abs(imported.refused[0].line - line) <= 1, "\(imported.refused)")
    let definition = try definition(imported)
    #expect(definition.url == "https://{region}.shop.example")
    #expect(definition.auth == .header("X-Auth", prefix: "Token "))
    #expect(definition.settings.map(\.name).sorted() == ["region", "sort", "start_date"])
    #expect(definition.settings.first { $0.name == "region" }?.choices.map(\.sent) == ["eu", "us"])
    #expect(definition.settings.first { $0.name == "sort" }?.standard == "name")
    let shelves = try follow(imported, "shelves")
    #expect(shelves["get"] == "/v1/shelves?per_page={size}{&after=cursor}" && shelves["complete"] == true)
    #expect(shelves["pages"] == ["cursor": ["cursor": "$.meta.next"], "size": 50, "more": "$.meta.has_more"])
    #expect(shelves["take"] == ["records": "$.data", "into": "shelves"])
    let items = try #require(try follow(imported, "shelf-items")["each"]?.object)
    #expect(items["for"] == ["shelf": "$.id"] && items["when"] == "always")
    #expect(items["get"] == "/v1/shelves/{shelf}/items?sort={sort}&updated[gte]={since:epoch}")
    #expect(items["since"] == ["field": "updatedAt", "first": "{start_date}"])
    #expect(items["take"] == ["records": "$.items[*]", "only": ["$.state": ["not": "gone"]], "into": "shelf-items"])
    #expect(items["errors"]?.array?.first == ["status": [404], "means": "empty"])
    let collections = try #require(try JSONRecordCoder().decode(Array(imported.text.utf8))["collections"]?.object)
    #expect(
      collections["shelves"]
        == [
          "id": "$.id",
          "fields": ["displayName": "text? $.display_name", "open": "bool? $.open", "tags": "json? $.tags"],
        ])
    #expect(
      collections["shelf-items"]
        == [
          "id": "$.sku",
          "fields": [
            "sku": "text? $.sku", "price": "decimal? $.price", "updatedAt": "time(epoch)? $.updated_at",
            "shelfId": "text? {shelf}",
          ],
        ])
  }

  @Test("streams are chosen, defaults set, and a collection of another source gets the source's name")
  func choices() throws {
    let one = try imported(
      Self.shop, streams: ["shelves"], defaults: [("region", "us")], taken: [CollectionName(rawValue: "shelves")])
    #expect(one.streams == ["shelves"] && one.refused.isEmpty)
    let definition = try definition(one)
    #expect(definition.settings.map(\.standard) == ["us"])
    #expect(definition.collections.map(\.name.rawValue) == ["shop-shelves"])
    let unknown = try imported(Self.shop, defaults: [("region", "us"), ("regon", "x")])
    #expect(unknown.unknown == ["regon"] && unknown.settings.contains("region"))
    #expect(throws: ParsingError.self) { try imported("a: b") }
  }

  @Test("a member that is misspelled is named with its line and the one that was meant; others are not")
  func misspelled() throws {
    #expect(try imported(Self.shop).notes.allSatisfy { !$0.reason.contains("did you mean") })
    let text = Self.shop.replacing("request_parameters:", with: "request_paramters:")
      .replacing("record_filter:", with: "record_fiter:").replacing("\nspec:", with: "\nspecs:")
    let notes = try imported(text).notes.filter { $0.reason.contains("did you mean") }
    #expect(
      Set(notes.map(\.reason)) == [
        "'request_paramters' has no meaning; did you mean 'request_parameters'?",
        "'record_fiter' has no meaning; did you mean 'record_filter'?",
        "'specs' has no meaning; did you mean 'spec'?",
      ], "\(notes)")
    #expect(notes.allSatisfy { $0.line > 0 })
  }

  @Test("a member of a body that is called auth is no key, and a parameter that is called as a part of the key is none")
  func bodyWithAuth() throws {
    func stream(_ name: String, _ authenticator: String) -> String {
      """
        - type: DeclarativeStream
          name: \(name)
          retriever:
            requester:
              {url_base: 'https://x.example', path: /\(name), http_method: POST, authenticator: \(authenticator),
               request_body_json: {auth: {scope: all}}}
            record_selector: {extractor: {field_path: []}}

      """
    }
    let api =
      "{type: ApiKeyAuthenticator, api_token: \"{{ config['token'] }}\", inject_into: {inject_into: request_parameter, field_name: secret}}"
    let imported = try imported(
      "streams:\n" + stream("a", "{type: BearerAuthenticator, api_token: \"{{ config['token'] }}\"}") + stream("b", api)
        + "spec: {connection_specification: {properties: {token: {type: string, airbyte_secret: true}}}}\n")
    #expect(imported.refused.isEmpty && imported.streams == ["a", "b"], "\(imported)")
    for name in ["a", "b"] { #expect(try follow(imported, name)["body"] == ["auth": ["scope": "all"]]) }
    #expect(try definition(imported).auths.map(\.parts) == [["set_token"], ["set_token"]], "\(imported.text)")
  }

  @Test("a stream that the language does not take is refused with its line")
  func lineOfRefused() throws {
    let text = "streams:\n\n\n  - name: things\n    retriever: {requester: {url_base: 'http://10.0.0.1', path: /x}}\n"
    #expect(try imported(text).refused.map(\.line) == [4])
  }

  private func stream(
    _ requester: String, retriever: String = "", stream: String = "",
    spec: String = "token: {type: string, airbyte_secret: true}"
  ) throws -> (imported: ImportedDefinition, follow: JSONObject) {
    func indented(_ text: String, _ count: Int) -> String {
      text.split(separator: "\n").map { String(repeating: " ", count: count) + $0 }.joined(separator: "\n")
    }
    let imported = try imported(
      """
      streams:
        - type: DeclarativeStream
          name: things
      \(indented(stream, 4))
          retriever:
            type: SimpleRetriever
            record_selector: {extractor: {type: DpathExtractor, field_path: []}}
      \(indented(retriever, 6))
            requester:
              type: HttpRequester
      \(requester.contains("url_base") ? "" : "        url_base: https://x.example")
      \(indented(requester, 8))
      spec:
        connection_specification:
          properties:
      \(indented(spec, 6))
      """)
    #expect(imported.refused.isEmpty, "\(imported.refused)")
    return (imported, try follow(imported, "things"))
  }

  @Test(
    "keys go where the manifest puts them",
    arguments: [
      ("{type: BearerAuthenticator, api_token: \"{{ config['token'] }}\"}", #""bearer""#),
      (
        "{type: BasicHttpAuthenticator, username: \"{{ config['user'] }}\", password: \"{{ config['token'] }}\"}",
        #"{"basic":"{user}:{key}"}"#
      ),
      (
        "{type: ApiKeyAuthenticator, api_token: \"{{ config.token }}\", inject_into: {inject_into: request_parameter, field_name: k}}",
        #"{"query":{"k":"{key}"}}"#
      ),
      (
        "{type: OAuthAuthenticator, token_refresh_endpoint: 'https://x.example/t', client_id: \"{{ config.id }}\", client_secret: \"{{ config.token }}\", refresh_token: \"{{ config.refresh }}\", scopes: [a, b]}",
        #"{"oauth2":{"grant":"refresh","token":"https://x.example/t","scope":"a b","client":"body"}}"#
      ),
      (
        "{type: OAuthAuthenticator, grant_type: client_credentials, token_refresh_endpoint: 'https://x.example/t', client_id: \"{{ config.id }}\", client_secret: \"{{ config.token }}\", refresh_request_body: {redirect_uri: \"{{ config.redirect_uri }}\"}}",
        #"{"oauth2":{"grant":"client","token":"https://x.example/t","send":{"redirect_uri":"{redirect_uri}"},"client":"body"}}"#
      ),
      (
        "{type: SessionTokenAuthenticator, login_requester: {type: HttpRequester, url_base: 'https://x.example', path: /login, http_method: POST, request_body_json: {name: me, password: \"{{ config.token }}\"}}, session_token_path: [data, id], expiration_duration: PT2H, request_authentication: {type: Bearer}}",
        #"{"login":{"post":"https://x.example/login","body":{"name":"me","password":"{key}"},"take":"$.data.id","lasts":"7200s"},"bearer":"{token}"}"#
      ),
    ])
  func keys(authenticator: String, expected: String) throws {
    let secrets = ["token", "redirect_uri"].map { "\($0): {type: string, airbyte_secret: true}" }
    let (imported, _) = try stream("path: /a\nauthenticator: \(authenticator)", spec: secrets.joined(separator: "\n"))
    let auth = try #require(try JSONRecordCoder().decode(Array(imported.text.utf8))["auth"])
    #expect(
      String(decoding: JSONRecordCoder().encode(["a": auth] as JSONObject), as: UTF8.self) == #"{"a":\#(expected)}"#)
  }

  @Test(
    "expressions become templates, and their choices settings",
    arguments: [
      (#"{{ config['q'] or 'all' }}"#, "/a?p={q}"), (#"{{ config.get('q') }}"#, "/a{?p=q}"),
      (#"{{ config['q'] or config['r'] or 'all' }}"#, "/a?p={q}"),
      (#"{{ 'x' if config['q'] == 'one' else 'y' }}"#, "/a?p={q}"), (#"a{{ 1 + 2 }}b"#, "/a?p=a3b"),
      (#"{{ now_utc().strftime('%Y-%m-%d') }}"#, "/a?p={now:date}"),
      (#"{{ day_delta(-7, format='%Y%m%d') }}"#, "/a?p={now-7d:YYYYMMDD}"),
      (#"{{ (now_utc() - duration('P2D')).strftime('%Y-%m-%d') }}"#, "/a?p={now-2d:date}"),
      (#"{{ ','.join(config['list']) }}"#, "/a{?p=list}"), (#"{% set x = 'b c' %}{{ x }}"#, "/a?p=b%20c"),
      (#"{{ config['q'][1:] ~ 'x' }}"#, "/a?p={p}"),
      // What an expression gives is read as a literal once more.
      (#"'[1,{{ config['q'] or 'all' }}]'"#, "/a?p=[1,{q}]"), (#"['a', 'b c']"#, "/a?p=a&p=b%20c"),
      (#"'a ' 'b={{ config['q'] or 'all' }}'"#, "/a?p=a%20b={q}"), (#"[{{ config['q'] or 'all' }}]"#, "/a?p=[{q}]"),
      (#"{'a': 1}"#, "/a?p=%7B'a':%201%7D"), (#"(v:X)"#, "/a?p=(v:X)"), (#"'a"#, "/a?p='a"), (#"50"#, "/a?p=50"),
    ])
  func expressions(text: String, address: String) throws {
    let (_, follow) = try stream(#"path: a"# + "\nrequest_parameters: {p: \"\(text)\"}", spec: "q: {type: string}")
    #expect(follow["get"]?.string == address)
  }

  @Test("a token that is an object goes into the body, member by member")
  func objectToken() throws {
    let (_, follow) = try stream(
      """
      path: a
      http_method: POST
      request_body_json: {query: q}
      """,
      retriever: """
        paginator:
          type: DefaultPaginator
          page_token_option: {type: RequestOption, inject_into: body_json, field_name: variables}
          pagination_strategy:
            type: CursorPagination
            cursor_value: '{{ "{\\"after\\": \\"" + response.info.end + "\\"}" if response.info.end else "" }}'
        """)
    #expect(follow["body"] == ["query": "q", "variables": ["after": "{cursor_after}"]], "\(follow)")
    #expect(follow["pages"] == ["cursor": ["cursor_after": "$.info.end"]])
  }

  @Test("the month of a span is a part of an address, and a blank in the name of a parameter is encoded")
  func spans() throws {
    let imported = try imported(
      #"""
      streams:
        - name: things
          primary_key: id
          incremental_sync:
            type: DatetimeBasedCursor
            cursor_field: at
            datetime_format: "%Y-%m-%dT%H:%M:%S"
            start_datetime: "2024-01-01T00:00:00Z"
            step: P1M
            end_time_option: {type: RequestOption, inject_into: request_parameter, field_name: "to	"}
          retriever:
            requester:
              url_base: https://x.example
              path: "/{{ stream_slice['start_time'].split('-')[0] | int }}/{{ stream_slice['start_time'].split('-')[1] | int }}.json"
            record_selector: {extractor: {field_path: []}}
      """#)
    #expect(imported.refused.isEmpty, "\(imported.refused)")
    #expect(
      try follow(imported, "things")["get"]?.string == "/{since:YYYY}/{since:M}.json?to%09={until:YYYY-MM-DDThh:mm:ss}")
    _ = try definition(imported)
  }

  @Test("literals in a body of JSON are what they stand for")
  func literals() throws {
    let (_, follow) = try stream(
      #"""
      path: a
      http_method: POST
      request_body_json:
        sort: "{'by': 'at', 'size': {{ 5 }}, 'desc': True, 'none': None}"
        ids: "[{{ config['q'] or 'all' }}, \"x\", 'it\\'s',]"
        size: "50"
        day: "2024-01-01"
        text: "'7'"
        json: '{"a": true}'
      """#, spec: "q: {type: string}")
    #expect(
      follow["body"] == [
        "sort": ["by": "at", "size": 5, "desc": true], "ids": ["{q}", "x", "it's"], "size": 50, "day": "2024-01-01",
        "text": "7", "json": #"{{"a": true}}"#,
      ], "\(follow)")
    let (_, data) = try stream(
      #"""
      path: a
      http_method: POST
      request_body_data: |-
        [{"at": {"from": {{ config['q'] or 'all' }}, "to": "{{ config['q'] or 'all' }}!"}, "all": true}]
      """#, spec: "q: {type: string}")
    #expect(data["body"] == [["at": ["from": "{q}", "to": "{q}!"], "all": true]], "\(data)")
  }

  @Test("members beside a $ref take the place of those that it leads to, as a whole")
  func siblings() throws {
    let imported = try imported(
      """
      base: {url_base: 'https://x.example', path: /a, request_parameters: {a: '1', b: '2'}}
      streams:
        - name: things
          retriever:
            requester: {$ref: '#/base', request_parameters: {b: '3'}}
            record_selector: {extractor: {field_path: []}}
      """)
    #expect(try follow(imported, "things")["get"] == "/a?b=3")
  }

  @Test("a variable of a request has neither the name of a setting nor one of the language's own")
  func variables() throws {
    for (field, variable) in [("q", "q_"), ("page", "page_"), ("kind", "kind")] {
      let (imported, follow) = try stream(
        "path: \"a/{{ config['q'] }}/{{ stream_partition['\(field)'] }}\"",
        retriever: "partition_router: {type: ListPartitionRouter, cursor_field: \(field), values: [x, y]}",
        spec: "q: {type: string}")
      #expect(follow["get"]?.string == "/a/{q}/{\(variable)}", "\(follow)")
      #expect(follow["for"] == .object(JSONObject(members: [.init(key: variable, value: ["x", "y"])])))
      #expect(try definition(imported).settings.map(\.name) == ["q"])
    }
  }

  @Test(
    "times are written as the manifest says, with words of their own",
    arguments: [
      ("%Y-%m-%dT%H:%M:%SZ", "time"), ("%Y%m%d", "YYYYMMDD"), ("%d/%m/%Y %H:%M", "DD/MM/YYYY hh:mm"),
      ("modified_on:gt:%Y-%m-%dT%H:%M:%S%z", "'modified_on:gt:'YYYY-MM-DDThh:mm:ss+0000"),
      ("%Y-%m-%dT%H:%M:%S.%_msZ", "YYYY-MM-DDThh:mm:ss.000Z"),
    ])
  func times(format: String, form: String) throws {
    let (_, follow) = try stream(
      "path: \"a/{{ stream_slice['start_time'] }}\"",
      stream:
        "incremental_sync: {type: DatetimeBasedCursor, cursor_field: at, datetime_format: \"\(format)\", start_datetime: '2024-01-01'}"
    )
    #expect(follow["get"]?.string == "/a/{since:\(form)}", "\(follow)")
  }

  @Test("an added field has the kind that the schema says, or any value; a key of a parent is a path")
  func addedFields() throws {
    let imported = try imported(
      """
      streams:
        - name: things
          retriever:
            requester: {url_base: 'https://x.example', path: "/a/{{ stream_partition.b }}"}
            record_selector: {extractor: {field_path: []}}
            partition_router:
              type: SubstreamPartitionRouter
              parent_stream_configs:
                - parent_key: owner/id
                  partition_field: b
                  stream:
                    name: owners
                    retriever:
                      requester: {url_base: 'https://x.example', path: /owners}
                      record_selector: {extractor: {field_path: []}}
          transformations:
            - type: AddFields
              fields:
                - {path: [whole], value: '{{ record }}'}
                - {path: [size], value: '{{ record.box.size }}'}
                - {path: [tags], value: '{{ record.tags }}'}
                - {path: [other], value: "{{ record.other or 'x' }}"}
                - {path: [owner], value: '{{ stream_partition.b }}'}
          schema_loader:
            schema:
              properties:
                box: {type: object, properties: {size: {type: integer}}}
                other: {type: string}
                tags: {type: array}
      """)
    #expect(try follow(imported, "things")["each"]?.object?["for"] == ["b": "$.owner.id"])
    let collections = try JSONRecordCoder().decode(Array(imported.text.utf8))["collections"]
    #expect(
      collections?.object?["things"]?.object?["fields"]
        == [
          "box": "json? $.box", "other": "text? $.other", "owner": "text? {b}", "size": "int? $.box.size",
          "tags": "json? $.tags", "whole": "json? $",
        ], "\(imported.text)")
  }

  @Test("of two parents of which one is the parent of the other, a record is combined with its own")
  func parents() throws {
    func stream(_ name: String, _ path: String, _ router: String = "") -> String {
      """
      {name: \(name), retriever: {requester: {url_base: 'https://x.example', path: "\(path)"}, \
      record_selector: {extractor: {field_path: []}}\(router.isEmpty ? "" : ", partition_router: \(router)")}}
      """
    }
    func router(_ parent: String, _ field: String, key: String = "id") -> String {
      "{type: SubstreamPartitionRouter, parent_stream_configs: [{stream: \(parent), parent_key: \(key), partition_field: \(field)}]}"
    }
    let projects = stream("projects", "/p")
    let people = stream("people", "/p/{{ stream_partition.p }}/people", router(projects, "p"))
    let path = "/p/{{ stream_partition.p }}/people/{{ stream_partition.q }}"
    for routers in [[router(projects, "p"), router(people, "q")], [router(people, "q"), router(projects, "p")]] {
      let imported = try imported("streams: [\(stream("notes", path, "[\(routers.joined(separator: ", "))]"))]")
      let outer = try follow(imported, "notes")
      let middle = try #require(outer["each"]?.object)
      let inner = try #require(middle["each"]?.object)
      #expect(outer["get"] == "/p" && middle["get"] == "/p/{p}/people", "\(imported)")
      #expect(inner["get"] == "/p/{p}/people/{q}" && inner["for"] == ["q": "$.id"] && inner["each"] == nil)
    }
    let both = router(people, "p", key: "project")
    let places = try imported("streams: [\(stream("notes", path, "[\(router(people, "q")), \(both)]"))]")
    #expect(
      try follow(places, "notes")["each"]?.object?["each"]?.object?["for"] == ["q": "$.id", "p_": "$.project"],
      "\(places)")
    // Each currency with each one.
    let pairs = try imported(
      "streams: [\(stream("rates", path, "[\(router(projects, "p")), \(router(projects, "q"))]"))]")
    #expect(try follow(pairs, "rates")["each"]?.object?["each"]?.object?["for"] == ["q": "$.id"])
  }

  @Test("a stream with the name of a collection of another source, or of one of Almanac's own, has another one")
  func names() throws {
    let stream =
      "retriever: {requester: {url_base: 'https://x.example', path: /a}, record_selector: {extractor: {field_path: []}}}"
    let imported = try imported(
      "streams:\n" + ["cards", "state", "items"].map { "  - name: \($0)\n    \(stream)\n" }.joined(),
      taken: [CollectionName(rawValue: "items")])
    #expect(imported.refused.isEmpty)
    #expect(try definition(imported).collections.map(\.name.rawValue) == ["shop-cards", "shop-state", "shop-items"])
  }

  @Test(
    "pages of every kind",
    arguments: [
      (
        "{type: PageIncrement, start_from_page: 1, page_size: 20}",
        "{inject_into: request_parameter, field_name: page}",
        "/a{?page}", ""
      ),
      (
        "{type: OffsetIncrement, page_size: 20}", "{inject_into: request_parameter, field_name: start}",
        "/a?start={offset}", #"{"offset":0,"size":20}"#
      ),
      (
        "{type: CursorPagination, cursor_value: '{{ response.next }}'}", "{type: RequestPath}", "/a",
        #"{"next":"$.next"}"#
      ),
      (
        "{type: CursorPagination, cursor_value: \"{{ headers['link']['next']['url'] }}\"}", "{type: RequestPath}", "/a",
        #"{"link":"next"}"#
      ),
      (
        "{type: CursorPagination, cursor_value: '{{ last_record.id }}', stop_condition: '{{ response.done }}'}",
        "{inject_into: request_parameter, field_name: from}", "/a{?from=cursor}",
        #"{"last":{"cursor":"$.id"},"more":{"$.done":false}}"#
      ),
      (
        "{type: CursorPagination, cursor_value: '{{ last_record.id if last_record else None }}'}",
        "{inject_into: request_parameter, field_name: from}", "/a{?from=cursor}", #"{"last":{"cursor":"$.id"}}"#
      ),
      (
        "{type: CursorPagination, cursor_value: '{{ headers.get(\"Link\", {}).split(\";\")[0][1:-1] }}'}",
        "{type: RequestPath}", "/a", #"{"link":"next"}"#
      ),
      (
        "{type: CursorPagination, cursor_value: \"{{ response.get('links', []) | selectattr('rel', 'equalto', 'next') | map(attribute='href') | first }}\"}",
        "{type: RequestPath}", "/a", #"{"next":"$.links[rel='next'].href"}"#
      ),
    ])
  func pages(strategy: String, token: String, address: String, pages: String) throws {
    let (_, follow) = try stream(
      "path: a",
      retriever: "paginator: {type: DefaultPaginator, page_token_option: \(token), pagination_strategy: \(strategy)}")
    if pages.isEmpty {
      #expect(follow["get"] == "/a?page={page}" && follow["pages"] == ["page": 1, "size": 20])
    } else {
      #expect(follow["get"]?.string == address)
      #expect(
        String(decoding: JSONRecordCoder().encode(follow["pages"]?.object ?? JSONObject()), as: UTF8.self) == pages)
    }
  }

  @Test(
    "what definitions cannot say is refused with the reason",
    arguments: [
      ("retriever: {type: AsyncRetriever}", "an export job"),
      (
        "retriever: {type: SimpleRetriever, requester: {type: CustomRequester, class_name: a.B}}",
        "the program code a.B"
      ),
      (
        "retriever: {type: SimpleRetriever, requester: {url_base: 'https://x.example', path: '/{{ record.x.y[0:3] }}'}}",
        "the address: a part of a text"
      ),
      ("retriever: {$ref: '#/nowhere'}", "no retriever"),
      ("retriever: {requester: {url_base: 'https://x.example', http_method: PATCH}}", "the method PATCH"),
      (
        "retriever: {requester: {url_base: 'http://169.254.169.254', path: /latest}}",
        "url: expected https: without encryption, only this machine is asked (localhost, 127.0.0.1, [::1])"
      ),
    ])
  func refused(part: String, reason: String) throws {
    let imported = try imported("streams:\n  - name: things\n    \(part)\n")
    #expect(imported.streams.isEmpty && imported.text.isEmpty)
    #expect(imported.refused.map(\.reason) == [reason])
  }

  @Test("references that lead to themselves, and endless expressions, end with a reason")
  func bombs() throws {
    let loop = try imported("a: {$ref: '#/b'}\nb: {$ref: '#/a'}\nstreams:\n  - $ref: '#/a'\n")
    #expect(loop.refused.count == 1)
    let deep = String(repeating: "(", count: 400) + "1" + String(repeating: ")", count: 400)
    let bomb = try imported("streams:\n  - name: a\n    retriever: {requester: {url_base: '{{ \(deep) }}', path: x}}\n")
    #expect(bomb.refused.first?.reason.contains("nested") == true, "\(bomb.refused)")
    let long = String(repeating: "a + ", count: 5000)
    let large = try imported(
      "streams:\n  - name: a\n    retriever: {requester: {url_base: '{{ \(long) a }}', path: x}}\n")
    #expect(large.refused.first?.reason.contains("bytes") == true, "\(large.refused)")
  }

  /// Only that it ends is asked: a crash or an endless loop would fail the run. `ALMANAC_HISTORIES` is the number of
  /// manifests, `ALMANAC_MANIFESTS` a folder with others than ours.
  @Test("manifests with bytes changed, removed and repeated are translated or refused")
  func mutations() throws {
    let environment = ProcessInfo.processInfo.environment
    let random = SeededRandom(seed: 7)
    var originals = [Array(Self.shop.utf8)]
    if let folder = environment["ALMANAC_MANIFESTS"] {
      let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }.sorted()
      originals = try files.map { Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)"))) }
    }
    var outcomes = [0, 0]
    for number in 0..<(environment["ALMANAC_HISTORIES"].flatMap { Int($0) } ?? 1500) {
      let original = originals[number % originals.count]
      var bytes = original
      for _ in 0...Int(random.next() % 4) {
        let place = Int(random.next() % UInt64(bytes.count))
        let end = min(bytes.count, place + Int(random.next() % 40))
        switch random.next() % 4 {
        case 0: bytes[place] = UInt8(random.next() % 128)
        case 1: bytes.removeSubrange(place..<end)
        case 2: bytes.insert(contentsOf: bytes[place..<end], at: Int(random.next() % UInt64(bytes.count)))
        default: bytes.insert(contentsOf: Array("{{ x[0:2] | y(1) if z }}".utf8), at: place)
        }
      }
      do throws(ParsingError) {
        let manifest = try YAMLDocumentReader().read(bytes)
        _ = try JSONDefinitionFormat().imported(manifest, named: Self.name)
        outcomes[0] += 1
      } catch {
        outcomes[1] += 1
      }
    }
    #expect(outcomes.allSatisfy { $0 > 100 }, "\(outcomes)")
  }

  /// Only that it ends is asked, and that what is translated is a definition. `ALMANAC_HISTORIES` is the number of texts.
  @Test("expressions of random words are translated or refused")
  func expressions() throws {
    let words = [
      "config['token']", "config.region", "record.a", "record['b']", "response.next", "last_record.id", "'text'", "1",
      "(", ")",
      "[", "]", "|", "if", "else", "or", "and", "not", "==", "!=", "+", "-", "*", ",", ".", ":", "default('x')",
      "now_utc()",
      "format_datetime(x, '%Y')", "~", "{", "}", "stream_partition.id", "next_page_token", "{{", "}}", "{%", "%}",
      "is none", "in",
      "\"", "\\",
    ]
    let random = SeededRandom(seed: 11)
    var outcomes = [0, 0]
    let count = ProcessInfo.processInfo.environment["ALMANAC_HISTORIES"].flatMap { Int($0) } ?? 1500
    for _ in 0..<count {
      let length = 1 + Int(random.next() % 5)
      let inside = (0..<length).map { _ in words[Int(random.next() % UInt64(words.count))] }.joined(separator: " ")
      let text = LocatedValue(.text("a/{{ \(inside) }}"), line: 3)
      func map(_ members: [(String, LocatedValue)]) -> LocatedValue {
        .init(.map(members.map { .init($0, $1) }), line: 1)
      }
      let requester = map([
        ("url_base", .init(.text("https://x.example"), line: 1)), ("path", text),
        ("request_parameters", map([("a", text)])),
      ])
      let selector = map([("extractor", map([("field_path", .init(.list([]), line: 1))]))])
      let stream = map([
        ("name", .init(.text("a"), line: 1)),
        ("retriever", map([("requester", requester), ("record_selector", selector)])),
      ])
      let imported = try JSONDefinitionFormat().imported(
        map([("streams", .init(.list([stream]), line: 1))]), named: Self.name)
      if imported.streams.isEmpty {
        #expect(imported.refused.first?.reason.isEmpty == false, "\(inside)")
        outcomes[1] += 1
      } else {
        #expect(throws: Never.self, "\(inside)") { try definition(imported) }
        outcomes[0] += 1
      }
    }
    #expect(outcomes.allSatisfy { $0 > 20 }, "\(outcomes)")
  }
}
