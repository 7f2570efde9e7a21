import Models
import Parsing
import Ports
import Testing

@Suite("Definitions: mistakes")
struct DefinitionReaderTests {
  private func problems(_ text: String, _ name: String? = nil) -> [String] {
    let format = JSONDefinitionFormat(
      sources: [SourceName(rawValue: "flickr")], collections: [CollectionName(rawValue: "photos")])
    do throws(SettingsProblems) {
      _ = try format.read(Array(text.utf8), named: name.map { SourceName(rawValue: $0) })
      return []
    } catch {
      return error.problems.map(\.description)
    }
  }

  @Test("a definition without mistakes becomes a descriptor")
  func descriptor() throws {
    let definition = try JSONDefinitionFormat().read(Array(DefinitionTexts.shop.utf8), named: nil)
    let descriptor = definition.descriptor
    #expect(descriptor.name.rawValue == "shop")
    #expect(descriptor.forms.map(\.text) == ["shop/shelf/SHELF"])
    #expect(descriptor.defaultURL == "https://shop.example/api")
    let items = try #require(descriptor.collections.first)
    #expect(items.fields == [.init("id"), .init("name"), .optional("price", .decimal), .optional("tags", .texts)])
    #expect(items.columns == ["id", "name", "price"])
    #expect(definition.fingerprint.count == 16)
  }

  /// An example is a path that can be followed as it is.
  @Test func anExampleIsAPathOfItsForm() throws {
    let text = DefinitionTexts.shop(#""shelf/{shelf}": {"#, #""shelf/{shelf}": {"example": "shelf/1", "#)
    #expect(try JSONDefinitionFormat().read(Array(text.utf8), named: nil).follows[0].form.example == "shop/shelf/1")
    let wrong = problems(text.replacing(#""shelf/1""#, with: #""shelves/1""#))
    #expect(wrong.count == 1 && wrong[0].contains("the example is not a path of this form"), "\(wrong)")
  }

  private static let edited = DefinitionTexts.shop(
    #""follows": {"#,
    #""edits": {"items": {"read": "/i/{id}", "update": {"patch": "/i/{id}", "send": {"name": "name"}}}}, "follows": {"#)

  @Test(
    "what is allowed and may be meant otherwise is a warning",
    arguments: [
      (
        #""text $.name""#, #""text fields.name""#,
        #"line 8, column 26, collections.items.fields.name: every record gets the text "fields.name": for the value"#
      ),
      (#""text $.name""#, #""text first_name""#, "write $.first_name"),
      (#""text $.name""#, #""text fullName""#, "write $.fullName"),
      (#""text $.name""#, #""text name""#, "write $.name"),
      (#""text $.name""#, #""text tags[0]""#, "write $.tags[0]"), (#""text $.name""#, #""text $.a | $.b""#, nil),
      (#""text $.name""#, #""text book""#, nil), (#""text $.name""#, #""text v1.0""#, nil),
      (#""text $.name""#, #""url https://shop.example""#, nil), (#""text $.name""#, #""text {+$.a}.b""#, nil),
      ("{&cursor,since}", "{&since}", "follows['shelf/{shelf}'].pages: the request has no {cursor}: each page"),
      ("{&cursor,since}", "{&cursor}", "no request has {since}: each sync reads the whole list"),
      (#""form": "text""#, #""form": "text", "newestFirst": true"#, nil),
      ("/shelves/{shelf}/items", "/items", "no request has {shelf}: paths that differ in it alone read the same"),
      (
        #""get": "/shelves/{shelf}/items?limit={size}{&cursor,since}""#,
        #""post": "/{shelf}", "body": {"c": "{cursor}", "filter": {"after": "{since}"}}"#,
        "the first sync sends this as {}"
      ),
      (
        #""get": "/shelves/{shelf}/items?limit={size}{&cursor,since}""#,
        #""post": "/{shelf}", "body": {"c": "{cursor}", "filter": {"kind": "a", "after": "{since}"}}"#, nil
      ),
    ] as [(String, String, String?)])
  func warnings(_ old: String, _ new: String, _ expected: String?) throws {
    try #require(DefinitionTexts.shop.contains(old))
    let definition = try JSONDefinitionFormat().read(Array(DefinitionTexts.shop(old, new).utf8), named: nil)
    let warnings = definition.warnings.map(\.description)
    #expect(warnings.count == (expected == nil ? 0 : 1), "\(warnings)")
    if let expected { #expect(warnings.first?.contains(expected) == true, "\(warnings)") }
  }

  @Test("a field that cannot be sent because its path lacks the $ is a mistake at the field")
  func constantInEdits() throws {
    _ = try JSONDefinitionFormat().read(Array(Self.edited.utf8), named: nil)
    let found = problems(Self.edited.replacing(#""text $.name""#, with: #""text name""#))
    #expect(found.count == 1 && found[0].hasPrefix("line 8, column 26, collections.items.fields.name: "), "\(found)")
    #expect(found.first?.hasSuffix("a path begins with $") == true, "\(found)")
  }

  @Test("every mistake at once, in the order of the file")
  func everyMistake() {
    #expect(
      problems(
        """
        {
          "almanac": 2,
          "source": "flickr",
          "url": "http://shop.example",
          "page": {"link": "next"},
          "collections": {
            "photos": {"id": "$.id", "fields": {"name": "txt $.name", "tags": "text $.tags[*]"}},
            "items": {"id": "$.id", "fields": {"Name": "text $.name", "at": "time $.a t"}, "table": ["nam"]}
          },
          "follows": {
            "a/{x}": {"get": "/a/{y}", "take": {"into": "item"}},
            "b": {"get": "/b{cursor}", "pages": {"cursor": {"cursor": "$.n"}}, "take": {"into": "items", "ids": 1}}
          }
        }
        """) == [
          "line 2, column 14, almanac: expected 1, the version of the language, found number 2",
          #"line 3, column 13, source: there is a source "flickr" already"#,
          "line 4, column 10, url: expected https: without encryption, only this machine is asked (localhost, 127.0.0.1, [::1])",
          #"line 5, column 3, page: unknown key "page"; did you mean "pages"?"#,
          #"line 7, column 5, collections.photos: the collection "photos" is filled by another source"#,
          #"line 7, column 50, collections.photos.fields.name: unknown kind "txt"; did you mean "text"?"#,
          #"line 7, column 77, collections.photos.fields.tags: $.tags[*] gives many values: write list(text), list(url) or list(json), or text(, ) for one text"#,
          #"line 8, column 40, collections.items.fields.Name: a field has a name in camelCase: letters and digits"#,
          #"line 8, column 78, collections.items.fields.at: expected .name, ['name'], [0], [*], .* or [name='text'] in the path"#,
          #"line 8, column 94, collections.items.table[0]: there is no field "nam"; allowed are "id", "at""#,
          "line 11, column 27, follows['a/{x}'].get: there is no variable {y}; did you mean {x}?",
          #"line 11, column 49, follows['a/{x}'].take.into: there is no collection "item" here; did you mean "items"?"#,
          "line 12, column 22, follows.b.get: {cursor} does not always have a value: write {?cursor} or {&cursor}",
          #"line 12, column 98, follows.b.take.ids: unknown key "ids"; did you mean "id"?"#,
        ])
  }

  /// Mistakes of authors: what is replaced in the definition, the line on which it is named, and a part of the message.
  @Test(
    "each mistake is named on its line",
    arguments: [
      // The head.
      (#""almanac": 1,"#, "", 1, #"line 1, column 1: "almanac" is missing"#),
      (#""almanac": 1,"#, #""almanac": 1"#, 3, #"line 3, column 3: expected ',' or '}', found '"'"#),
      (#""almanac": 1"#, #""almanac": "1""#, 2, "expected 1"),
      (#""almanac": 1"#, #""almanack": 1, "almanac": 1"#, 2, #"did you mean "almanac"?"#),
      (#""source": "shop""#, #""source": "My shop""#, 3, ", source: a source has a name of a-z, 0-9 and -"),
      (#""source": "shop""#, #""source": 7"#, 3, "expected a string"),
      (#""https://shop.example/api""#, #""shop.example""#, 4, "URL"),
      (#""https://shop.example/api""#, #""http://shop.example/api""#, 4, "expected https"),
      (#""https://shop.example/api""#, #""https://u:p@shop.example""#, 4, ", url: a URL with a user name or password"),
      // Collections.
      (#""items": {"#, #""Items": {"#, 6, "a collection has a name"),
      (#""id": "$.sku","#, "", 6, #", collections.items: "id" is missing"#),
      (#""id": "$.sku""#, #""id": ["$.sku", "{shop}"]"#, 16, #"take.into: "items" needs the variable {shop}"#),
      (#""id": "$.sku""#, #""id": "^#""#, 16, "take.into: ^# has no meaning here"),
      (#""id": "$.sku""#, #""id": "$.skus[*]""#, 7, ", collections.items.id: an id is one value"),
      (#""id": "$.sku""#, #""id": "{sku""#, 7, "{ without a }"),
      (#""id": "$.sku""#, #""id": []"#, 7, "at least one element"),
      (#""text $.name""#, #""text""#, 8, ", collections.items.fields.name: expected KIND PATH"),
      (#""text $.name""#, #""string $.name""#, 8, "unknown kind"), (#""text $.name""#, #""$.name""#, 8, "unknown kind"),
      (#""text $.name""#, #""text $name""#, 8, "expected .name"),
      (#""text $.name""#, #""text  $.na me""#, 8, ", collections.items.fields.name: expected .name, ['name']"),
      (#""text $.name""#, #""time(soon) $.name""#, 8, #"unknown form "soon"; there are utc, epoch"#),
      (#""name": "text"#, #""full name": "text"#, 8, "camelCase"),
      (#""list(text)?"#, #""text?"#, 8, "gives many values"),
      (#""table": ["name", "price"]"#, #""table": ["name", "prize"]"#, 9, #"did you mean "price"?"#),
      (#""table": ["name", "price"]"#, #""table": "name, price""#, 9, "expected a list of fields"),
      // Follows.
      (#""shelf/{shelf}""#, #""shelf/{shelf""#, 13, "a path has parts"),
      (#""shelf/{shelf}""#, #""shelf/{+shelf}/x""#, 13, "parts such as name, {parameter} and, at its end, {+rest}"),
      (#""get": "/shelves/{shelf}/items?limit={size}{&cursor,since}","#, "", 13, #"expected one of "get" and "post""#),
      (#"/shelves/{shelf}"#, #"/shelves/{shelff}"#, 14, "did you mean {shelf}?"),
      (
        "/{shelf}/items?", "/{shelf}/items?q=a b&", 14,
        "column 41, follows['shelf/{shelf}'].get: an address has no spaces"
      ),
      (#""/shelves"#, #""shelves"#, 14, "an address begins with /"),
      (#""/shelves"#, #""https://other.example/shelves"#, 14, ".get: an address begins with /, with ? or with {+x}"),
      ("{&cursor,since}", "&cursor={cursor}{&since}", 14, "does not always have a value"),
      ("{&cursor,since}", "{&cursor,$.x}", 14, "$.x is a value of a record, which there is not before the answer"),
      (
        "{&cursor,since}", "{&cursor since}", 14,
        ".get: expected {x}, {+x}, {?x,y} or {&x,y} (RFC 6570) in the template"
      ),
      ("{&cursor,since}", "{{{&cursor,since}", 14, ".get: an address has no braces but those of {x}"),
      (
        "{&cursor,since}", "{&cursr,since}", 14, "column 52, follows['shelf/{shelf}'].get: there is no variable {cursr}"
      ),
      ("{size}{", "{size{", 14, "RFC 6570"),
      (#""cursor": {"cursor": "$.next"}"#, #""curser": {"cursor": "$.next"}"#, 15, #"did you mean "cursor"?"#),
      (#""pages": {"#, #""pages": {"page": 1, "#, 15, #".pages: expected one of "link", "next", "cursor", "page","#),
      (#""size": 50"#, #""size": 50, "pages": "$.n""#, 15, #".pages.pages: "pages" needs "page" or "offset""#),
      (#""size": 50"#, #""size": "50""#, 15, "expected a whole number"),
      (#""$.next""#, #""next""#, 15, ".pages.cursor.cursor: a path begins with $, $$, ^, ^^, # or ^#"),
      (#""into": "items""#, #""into": "item""#, 16, #"did you mean "items"?"#),
      (#""records": "$.items""#, #""record": "$.items""#, 16, #"did you mean "records"?"#),
      (
        #""field": "name""#, #""field": "nam""#, 17,
        #".since.field: no record has the field "nam"; did you mean "name"?"#
      ),
      (#""form": "text""#, #""form": "unix""#, 17, "expected \"text\""),
      (#""form": "text"}"#, #""form": "text"}, "complete": "week""#, 17, "expected a time"),
      (#""form": "text"}"#, #""form": "text"}, "complete": true"#, 17, "read from where it was left is not complete"),
    ])
  func mistakes(_ old: String, _ new: String, _ line: Int, _ part: String) {
    #expect(DefinitionTexts.shop.contains(old))
    let found = problems(DefinitionTexts.shop.replacing(old, with: new, maxReplacements: 1))
    #expect(found.contains { $0.hasPrefix("line \(line), ") && $0.contains(part) }, "\(found)")
  }

  /// Members beside the name of the source, on the third line.
  @Test(
    "mistakes of keys, budgets, errors and edits",
    arguments: [
      (#""source": "shop""#, #", source: "source" is given again in the same object"#),
      (#""headers": {"Authorization": "x"}"#, ", headers.Authorization: Authorization holds a secret"),
      (#""headers": {"Cookie": "x"}"#, "holds a secret"),
      (#""auth": {"kind": "beerer"}"#, ", auth"),
      (#""auth": {"kind": "query"}"#, ", auth"),
      (
        #""auth": {"kind": "oauth2", "grant": "refersh", "token": "https://x.example"}"#,
        #", auth.oauth2.grant: "refersh" is not allowed; did you mean "refresh"?"#
      ),
      (#""budget": {"calls": 0, "per": "1 h"}"#, ", budget.calls: expected a whole number of at least 1"),
      (#""budget": {"calls": 5}"#, #""per" is missing"#),
      (#""budget": {"calls": 5, "per": "hour"}"#, "expected a time"),
      (#""errors": [{"means": "refused"}]"#, #", errors[0]: expected one of "status", "header", "if" and "text""#),
      (#""errors": [{"status": 404, "means": "gon"}]"#, #"did you mean "gone"?"#),
      (#""errors": [{"status": 99, "means": "gone"}]"#, "expected a status"),
      (#""errors": [{"if": {"^.a": 1}, "means": "empty"}]"#, "column 40, errors[0].if['^.a']: ^.a has no meaning here"),
      (#""edits": {"itms": {}}"#, #", edits.itms: there is no collection "itms" here; did you mean "items"?"#),
      (
        #""edits": {"items": {"read": "/items/{sku}", "delete": "/items/{id}"}}"#,
        ", edits.items.read: there is no variable {sku}"
      ),
      (
        #""edits": {"items": {"read": "/items/{id}"}}"#,
        #", edits.items: expected at least one of "update", "create" and "delete""#
      ),
      (
        #""edits": {"items": {"read": "/{id}", "update": {"patch": "/{id}", "send": {"n": "nam"}}}}"#,
        #", edits.items.update.send.n: items has no field "nam"; did you mean "name"?"#
      ),
      (
        #""edits": {"items": {"read": "/{id}", "update": {"put": "/{id}", "post": "/", "send": {"n": "name"}}}}"#,
        #", edits.items.update: expected one of "put", "patch" and "post""#
      ),
      (
        #""edits": {"items": {"read": "/{id}", "create": {"post": "/", "send": {"n": "name"}}}}"#,
        #", edits.items.create: expected "key", "find" or both: without them, a lost reply could create the record twice"#
      ),
      (
        #""edits": {"items": {"read": "/{id}", "create": {"post": "/", "send": {"n": "name"}, "find": {"get": "/?r={key}"}}}}"#,
        #", edits.items.create.find: "find" needs a member of "send" with the value "{key}""#
      ),
      (#""edits": {"items": {"read": "/{id}", "version": "$.v", "delete": "/{id}"}}"#, "nothing sends the version"),
      (
        #""edits": {"items": {"read": "/{id}", "headers": {"X-V": "{version}"}, "delete": "/{id}"}}"#,
        "there is no variable {version}"
      ),
      (
        #""edits": {"items": {"read": "/{id}", "update": {"patch": "/{id}", "send": {"a": "name"}, "form": {"a": "name"}}}}"#,
        "expected one of"
      ),
      (
        #""edits": {"items": {"read": "/{id}", "update": {"patch": "/{id}", "send": {"a": ["name"]}}}}"#,
        "found an array"
      ),
      (#""edits": {"items": {"read": {"get": "/{id}"}, "delete": "/{id}"}}"#, "get"),
      (#""edits": {"items": {"read": "/{id}", "delete": {"post": "/i"}}}"#, "expected one of"),
    ])
  func members(_ member: String, _ part: String) {
    let found = problems(DefinitionTexts.shop(#""source": "shop","#, #""source": "shop", \#(member),"#))
    #expect(found.contains { $0.hasPrefix("line 3, ") && $0.contains(part) }, "\(found)")
  }

  /// Members of a follow.
  @Test(
    "mistakes of requests of records",
    arguments: [
      (#""each": {"for": {"x": "$.x"}, "get": "/x/{x}"}"#, #"each: "take" is missing"#),
      (#""for": {"x": "$.x"}"#, #"for.x: expected a list of texts, or "{OPTION}""#),
      (
        #""each": {"for": {"x": "$.x"}, "get": "/{x}", "take": {}, "each": {"for": {"y": "{z}"}, "get": "/{x}/{y}", "take": {}}}"#,
        "each.each.for.y: there is no variable {z}; there are {shelf}, {x}"
      ),
      (
        #""each": {"for": {"a b": "$.x"}, "get": "/x", "take": {}}"#,
        ".for['a b']: a variable has a name of letters, digits and _"
      ),
      (
        #""each": {"for": {"page": "$.x"}, "get": "/{page}", "take": {}}"#,
        ".for.page: a variable has a name of letters, digits and _, and none of since, until, now"
      ),
    ])
  func requests(_ member: String, _ part: String) {
    let found = problems(DefinitionTexts.shop(#""into": "items"}"#, #""into": "items"}, \#(member)"#))
    #expect(found.contains { $0.contains(part) }, "\(found)")
  }

  @Test(
    "a mistake is named once, and not again where its place is used",
    arguments: [
      (#""text $.name""#, #""txt $.name""#), (#""text $.name""#, #""time(soon) $.name""#),
      (#""size": 50"#, #""size": "50""#), (#""$.next""#, #""^.next""#),
    ])
  func once(_ old: String, _ new: String) throws {
    #expect(DefinitionTexts.shop.contains(old))
    let found = problems(DefinitionTexts.shop(old, new))
    #expect(found.count == 1, "\(found)")
  }

  @Test("a default that is to be a time and is none is a mistake where it is used")
  func defaultTime() {
    for (text, count) in [("soon", 1), ("2026-01-01", 0), ("now-1d", 0)] {
      let found = problems(
        DefinitionTexts.shop(
          #""source": "shop","#, #""source": "shop", "with": {"start": {"default": "\#(text)"}},"#
        ).replacing(#""form": "text"}"#, with: #""first": "{start}"}"#))
      #expect(found.filter { $0.contains("since.first: expected a time") }.count == count, "\(found)")
    }
  }

  @Test("the name of the file is the name of the source")
  func fileName() {
    #expect(problems(DefinitionTexts.shop, "shop").isEmpty)
    #expect(
      problems(DefinitionTexts.shop, "store") == [
        #"line 3, column 13, source: expected "store", the name of the file, found string "shop""#
      ])
  }

  @Test("a text that is cut anywhere is a mistake, and never a crash")
  func truncated() {
    let bytes = Array(DefinitionTexts.shop.utf8)
    for count in bytes.indices { #expect(!problems(String(decoding: bytes[..<count], as: UTF8.self)).isEmpty) }
  }
}

@Suite("Definitions: paths and templates")
struct DefinitionLanguageTests {
  @Test(
    "paths",
    arguments: [
      ("$", .record, []), ("$$.total", .answer, [.name("total")]), ("^.kind", .parent, [.name("kind")]),
      ("#", .key, []),
      ("$.a-b['c d'][0][-1]", .record, [.name("a-b"), .name("c d"), .index(0), .index(-1)]),
      ("$.list[*].x.*", .record, [.name("list"), .all, .name("x"), .all]), (#"$['it\'s']"#, .record, [.name("it's")]),
      ("$.l[a-b='c d'].x", .record, [.name("l"), .match("a-b", .text("c d")), .name("x")]),
      ("$$.l[id=$.a[0]]", .answer, [.name("l"), .match("id", .path(try! ValuePath("$.a[0]")))]),
    ] as [(String, ValuePath.Root, [ValuePath.Step])])
  func paths(_ text: String, _ root: ValuePath.Root, _ steps: [ValuePath.Step]) throws {
    let path = try ValuePath(text)
    #expect(path.root == root)
    #expect(path.steps == steps)
    #expect(path.description == text)
  }

  @Test(
    "what is not a path",
    arguments: [
      "", "name", "$.", "$.1", "$[", "$[x]", "$['x]", "$.a b", "#.x", "$..x", "$[+1]", "$[a=]", "$[a=b]",
      "$[a='b]", "$[a=$.x[*]]", "$[='a']",
    ])
  func notPaths(_ text: String) { #expect(throws: DefinitionTextError.self) { try ValuePath(text) } }

  @Test(
    "templates, as RFC 6570 expands them",
    arguments: [
      ("/{a}", "/x%2Fy%20z"), ("/{+a}", "/x/y%20z"), ("/p{?a,none,b}", "/p?a=x%2Fy%20z&b=1%262"), ("/p{?none}", "/p"),
      ("/p?q=1{&b}", "/p?q=1&b=1%262"), ("/{a,b}", "/x%2Fy%20z,1%262"), ("{+e}", "%C3%A9%20"),
      ("/{t:epoch}", "/1767323045"), ("/{t:epochms}", "/1767323045000"), ("/{t-1d:YYYYMMDD}", "/20260101"),
      ("/{t+1h:DD.MM.YYYY hh:mm:ss}", "/02.01.2026%2004%3A04%3A05"), ("/{t:date}", "/2026-01-02"),
      ("/{b:date}", "/1%262"), ("/{t:'Days of M:'YYYY-MM}", "/Days%20of%20M%3A2026-01"),
      ("/p{?page[after]=b,x=t:date}", "/p?page[after]=1%262&x=2026-01-02"), ("/{t-1d}", "/2026-01-01T03%3A04%3A05Z"),
    ])
  func templates(_ text: String, _ expected: String) throws {
    let expanded = try URLTemplate(text).expanded { name in
      switch name.description {
      case "a": "x/y z"
      case "b": "1&2"
      case "e": "é%20"
      case "t": "2026-01-02T03:04:05Z"
      default: nil
      }
    }
    #expect(expanded == expected)
  }

  @Test("a value that is missing is named")
  func missing() throws {
    let template = try URLTemplate("/{a}/{b}")
    #expect(throws: URLTemplate.MissingValue.self) { try template.expanded { $0.description == "a" ? "1" : nil } }
  }

  @Test(
    "what is not a template",
    arguments: [
      "{", "}", "{}", "{a", "{a b}", "{#a}", "{a}}", "{?}", "{a,}", "{/a}", "{t:soon}", "{t:'YYYY'}", "{t-x}", "{a=b}",
    ])
  func notTemplates(_ text: String) { #expect(throws: DefinitionTextError.self) { try URLTemplate(text) } }

  @Test(
    "mistakes of definitions with a program",
    arguments: [
      (#""command": ["tap"]"#, #""command": "tap""#, "expected a list of the program and its arguments"),
      (#""command": ["tap"]"#, #""command": []"#, "at least one element"),
      (#""command": ["tap"]"#, #""command": [""]"#, "not empty"),
      (#""command": ["tap"]"#, #""command": ["tap"], "url": "https://a.example""#, #"unknown key "url""#),
      (#""command": ["tap"]"#, #""comand": ["tap"]"#, #"did you mean "command"?"#),
      (#""timeout": "5m""#, #""timeout": 5"#, "expected a time"),
      (#""stream": "t", "#, "", #""stream" is missing"#), (#", "into": "things""#, "", #""into" is missing"#),
      (#""all": {"#, #""all/{x}": {"#, "has no parameters"),
      (#""take": "#, #""get": "/", "take": "#, #"unknown key "get""#),
      (#""text $.n""#, #""text {x}""#, "{x}"),
    ])
  func programs(_ old: String, _ new: String, _ message: String) throws {
    let text = """
      {
        "almanac": 1, "source": "tap", "command": ["tap"], "timeout": "5m",
        "collections": {"things": {"id": "$.id", "fields": {"name": "text $.n"}}},
        "follows": {"all": {"take": {"stream": "t", "into": "things"}}}
      }
      """
    let definition = try JSONDefinitionFormat().read(Array(text.utf8), named: nil)
    #expect(definition.command == ["tap"] && definition.timeout?.seconds == 300)
    #expect(definition.follows[0].request.selections[0].stream == "t")
    #expect(definition.descriptor.isProgram && definition.descriptor.defaultURL == nil)
    try #require(text.contains(old))
    let error = #expect(throws: SettingsProblems.self) {
      try JSONDefinitionFormat().read(Array(text.replacing(old, with: new).utf8), named: nil)
    }
    #expect(error?.problems.contains { $0.message.contains(message) } == true, "\(error!)")
  }
}
