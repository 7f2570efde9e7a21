import AlmanacTesting
import Models
import Parsing
import Ports
import Testing

@Suite("Definitions: answers")
struct AnswerReaderTests {
  /// Reads an answer with a definition whose collection and selection are given.
  private func read(
    id: String = #""$.id""#, fields: String, take: String = #"{"into": "items"}"#, more: String = "",
    top: String = "", _ body: String
  ) throws -> Parsed<DeclaredAnswer> {
    let text = """
      {
        "almanac": 1, "source": "shop", "url": "https://shop.example", \(top)
        "collections": {"items": {"id": \(id), "fields": {\(fields)}}},
        "follows": {"all/{shelf}": {"get": "/items"\(more.isEmpty ? "" : ", \(more)"), "take": \(take)}}
      }
      """
    let definition = try JSONDefinitionFormat().read(Array(text.utf8), named: nil)
    let follow = definition.follows[0]
    return try JSONAnswerReaderCompiler().reader(of: follow.request)
      .read(Array(body.utf8), variables: ["shelf": "a b"])
  }

  private func lines(_ parsed: Parsed<DeclaredAnswer>) -> [String] {
    parsed.value.records.map { JSONText.compact(.object($0.fields)) }
  }

  @Test(
    "the names of the maps around a record",
    arguments: [
      ("$.*", ##"["^#", "#"]"##, #"{"1.0": [{"f": "a"}, {"f": "b"}], "2.0": [{"f": "c"}]}"#, "1.0/0 1.0/1 2.0/0"),
      ("$.x.*.*", ##"["^#", "#"]"##, #"{"x": {"a": {"k": {"f": "a"}}, "b": {"k": {"f": "b"}}}}"#, "a/k b/k"),
      ("$.*.y.*[*]", ##"["^^#", "^#", "#"]"##, #"{"a": {"y": {"k": [{"f": "a"}]}}}"#, "a/k/0"),
      ("$.*[1]", ##"["^#", "#"]"##, #"{"a": [{"f": "a"}, {"f": "b"}]}"#, "a/1"),
      ("$.*[*].z", ##"["^#", "#"]"##, #"{"a": [{"z": [{"f": "a"}]}]}"#, "0/0"),
    ])
  func outerNames(_ records: String, _ id: String, _ body: String, _ ids: String) throws {
    let parsed = try read(
      id: id, fields: #""f": "text $.f", "from": "text ^#", "where": "text at {^#}""#,
      take: #"{"records": "\#(records)", "into": "items"}"#, body)
    #expect(parsed.rejects.isEmpty, "\(parsed.rejects)")
    #expect(parsed.value.records.map { $0.id?.text ?? "" }.joined(separator: " ") == ids)
    let parts = ids.split(separator: " ").map { $0.split(separator: "/").dropLast().last ?? "" }
    #expect(parsed.value.records.map { $0.fields["from"]?.string ?? "" } == parts.map(String.init))
    #expect(parsed.value.records.map { $0.fields["where"]?.string ?? "" } == parts.map { "at \($0)" })
  }

  @Test("the element with a member, the record beside, joined texts, and texts that mean no value")
  func lookups() throws {
    let parsed = try read(
      fields: #"""
        "site": "url? $.links[rel='self'].href", "second": "text? $.links[n='2'].rel", "city": "text? $$.cities[id=$.city].name",
        "country": "text? $$.cities[id=$.city].in['country']", "tags": "text(, )? $.tags[*].name", "all": "text(/) $.id",
        "score": "decimal? $.score"
        """#,
      take: #"{"records": "$.data[kind='list'].items", "into": "items"}"#, top: #""blank": ["N/A", "-"], "#,
      """
      {"cities": [{"id": 5, "name": "Rome", "in": {"country": "Italy"}}, {"id": 6, "name": "Oslo"}],
       "data": [{"kind": "other"}, {"kind": "list", "items": [
         {"id": "a", "city": 5, "score": "N/A", "tags": [{"name": "x"}, {"name": "y"}, {}],
          "links": [{"rel": "next", "href": "https://n.example"}, {"rel": "self", "href": "https://a.example", "n": 2}]},
         {"id": "b", "city": 7, "score": "1.5", "links": [], "tags": []}]}]}
      """)
    #expect(parsed.rejects.isEmpty, "\(parsed.rejects)")
    #expect(
      lines(parsed) == [
        #"{"id":"a","site":"https://a.example","second":"self","city":"Rome","country":"Italy","tags":"x, y","all":"a"}"#,
        #"{"id":"b","all":"b","score":"1.5"}"#,
      ])
  }

  @Test(
    "an answer without the list is an error, and null in its place an empty list",
    arguments: [
      (#"{"records": "$.items", "into": "items"}"#, #"{}"#, true), (#""#, "null", true),
      (#"{"records": "$.items", "into": "items"}"#, #"{"error": "down"}"#, true),
      (#"{"records": "$.items", "into": "items"}"#, "null", true),
      (#"{"records": "$.items", "into": "items"}"#, #"{"items": null}"#, false),
      (#"{"records": "$.items", "into": "items"}"#, #"{"items": []}"#, false),
      (#"{"records": "$.items[*].x", "into": "items"}"#, #"{"items": [{}]}"#, false),
      (#"{"records": "$.items[*].x", "into": "items"}"#, #"{"items": []}"#, false),
      (#"{"records": "$.items[*].x", "into": "items"}"#, #"{"items": null}"#, false),
      (#"{"records": "$.items[*].x", "into": "items"}"#, #"{"items": 3}"#, true),
      (#"{"records": "$.*", "into": "items"}"#, "{}", false), (#"{"records": "$.*", "into": "items"}"#, "3", true),
      (#"{"records": "$.items[*].x", "into": "items"}"#, "{}", true),
      (#"{"columns": "$.items", "into": "items"}"#, "{}", true),
      (#"[{"records": "$.items", "into": "items"}, {"records": "$.more", "into": "items"}]"#, #"{"more": []}"#, false),
    ])
  func missingList(take: String, body: String, isError: Bool) throws {
    func read() throws -> Parsed<DeclaredAnswer> {
      try self.read(fields: "", take: take.isEmpty ? #"{"into": "items"}"# : take, body)
    }
    guard isError else { return #expect(try read().value.count == 0) }
    let error = try #require(throws: ParsingError.self) { try read() }
    #expect(error.code == .shape && error.expected == "the list of records", "\(error)")
    if body == "{}", take.contains("records") {
      #expect(error.path == "$.items" && error.hint?.contains(#""if": {"$.items": null}, "means": "empty""#) == true)
    }
  }

  @Test("kinds of fields")
  func kinds() throws {
    let parsed = try read(
      fields: """
        "text": "text $.t", "plain": "plain $.h", "url": "url $.u", "int": "int $.i", "decimal": "decimal $.d",
        "bool": "bool $.b", "day": "date $.day", "time": "time $.time", "epoch": "time(epoch) $.e",
        "ms": "time(epochms) $.ms", "utc": "time(utc) $.local", "mail": "time(rfc822) $.mail",
        "german": "date(DD.MM.YYYY) $.german", "json": "json $.j", "list": "list(text) $.l[*].n",
        "one": "list(text) $.t", "first": "text $.none | $.t", "made": "url https://x.example/{shelf}{+$.p}",
        "inner": {"a": "text $.t", "b": "text? $.none"}
        """,
      """
      [{"id": 7, "t": 12.50, "h": "<p>A &amp; <b>B</b>&#33;</p><script>x</script>", "u": "https://a.example/", "i": "3",
        "d": 1.20, "b": 1, "day": "2026-01-02T23:00:00+09:00", "time": "2026-01-02T03:04:05.678+02:00", "e": 1700000000.9,
        "ms": "1700000000999", "local": "2026-01-02T03:04", "mail": "Thu, 5 Oct 2023 19:57:28 +0000",
        "german": "24.12.2025", "j": {"x": [1, null]}, "l": [{"n": "p"}, {"n": 2}, {}], "p": "/y z"}]
      """)
    #expect(parsed.rejects.isEmpty, "\(parsed.rejects)")
    #expect(
      lines(parsed) == [
        """
        {"id":"7","text":"12.50","plain":"A & B !","url":"https://a.example/","int":3,"decimal":"1.20","bool":true,\
        "day":"2026-01-02","time":"2026-01-02T01:04:05Z","epoch":"2023-11-14T22:13:20Z","ms":"2023-11-14T22:13:20Z",\
        "utc":"2026-01-02T03:04:00Z","mail":"2023-10-05T19:57:28Z","german":"2025-12-24","json":{"x":[1,null]},\
        "list":["p","2"],"one":["12.50"],"first":"12.50","made":"https://x.example/a%20b/y%20z","inner":{"a":"12.50"}}
        """
      ])
  }

  @Test(
    "the named references of HTML 4 become characters, others stay",
    arguments: [
      ("S&ouml;hne &Ouml;l &szlig;", "Söhne Öl ß"), ("&ldquo;a&rdquo; &bdquo;b&lsquo;", "“a” „b‘"),
      ("a&nbsp;&ensp;b&hellip;&#8217;&#x2014;", "a b…’—"), ("&alpha;&Omega; &rarr; &ne; &euro; &hearts;", "αΩ → ≠ € ♥"),
      ("&yuml;&iexcl;&thetasym;&lang;&rang;", "ÿ¡ϑ\u{2329}\u{232A}"),
      ("&lt;b&gt; &amp;lt; &apos;&quot;", "<b> &lt; '\""),
      ("&xyzzy; &OUML; AT&T; a & b;", "&xyzzy; &OUML; AT&T; a & b;"),
    ])
  func references(_ html: String, _ text: String) throws {
    let value = JSONText.compact(.string(html))
    let parsed = try read(fields: #""plain": "plain $.h""#, "[{\"id\": 1, \"h\": \(value)}]")
    #expect(parsed.value.records.first?.fields["plain"] == .string(text), "\(lines(parsed))")
  }

  @Test(
    "a value of another kind rejects its record alone, with its path and raw text",
    arguments: [
      ("text", "{}", "$[1].v", "a string or a number"), ("int", #""x""#, "$[1].v", "a whole number"),
      ("int", "1.5", "$[1].v", "a whole number"), ("decimal", #""1,5""#, "$[1].v", "a decimal number"),
      ("bool", #""yes""#, "$[1].v", "true or false"), ("url", #""ftp://a""#, "$[1].v", "a URL that begins with"),
      ("time", #""2026-01-02T03:04:05""#, "$[1].v", "a time with its zone"),
      ("time(epoch)", "1e300", "$[1].v", "a time in seconds"),
      ("date", #""2026-02-30""#, "$[1].v", "a date"), ("list(text)", "[1, {}]", "$[1].v[1]", "a string or a number"),
      ("text", "null", "$[1].v", "a string or a number"),
    ])
  func rejects(_ kind: String, _ value: String, _ path: String, _ expected: String) throws {
    let good =
      ["bool": "true", "url": #""https://a""#, "time": #""2026-01-02T03:04:05Z""#, "date": #""2026-01-02""#][kind.exact]
      ?? "1"
    let parsed = try read(
      fields: #""v": "\#(kind) $.v""#,
      #"[{"id": 1, "v": \#(good)}, {"id": 2, "v": \#(value)}, {"id": 3, "v": \#(good)}]"#)
    #expect(parsed.value.records.map(\.id?.text) == ["1", "3"])
    let reject = try #require(parsed.rejects.kept.first)
    #expect(reject.path == path)
    #expect(reject.expected.contains(expected))
    #expect(reject.index == 1)
    #expect(reject.raw == #"{"id": 2, "v": \#(value)}"#)
    #expect(parsed.value.rejectedIDs.map(\.text) == ["2"])
    #expect(parsed.value.count == 3)
  }

  @Test("a missing field is named where it should be")
  func missing() throws {
    let parsed = try read(
      fields: #""v": "text $.a.b.c", "w": "list(text)? $.w[*]", "x": "int? $.x""#,
      #"[{"id": 1, "a": {"b": {}}}, {"id": 2, "a": {}}, {"a": {"b": {"c": 1}}}, {"id": "", "a": {"b": {"c": 1}}}, {"id": 5, "a": {"b": {"c": 1}}, "x": ""}]"#
    )
    #expect(parsed.rejects.kept.map(\.path) == ["$[0].a.b.c", "$[1].a.b", "$[2].id", "$[3].id"])
    #expect(lines(parsed) == [#"{"id":"5","v":"1"}"#])
    #expect(parsed.value.hasUnknownID)
  }

  @Test("records in maps, columns, nested lists, and what is around them")
  func places() throws {
    let map = try read(
      id: ##"["{shelf}", "#"]"##, fields: #""n": "int $.n", "of": "text $$.of""#,
      take: #"{"records": "$.items.*", "into": "items"}"#, #"{"of": "x", "items": {"p/q": {"n": 1}, "r": {"n": 2}}}"#)
    #expect(lines(map) == [#"{"id":"a b/p%2Fq","n":1,"of":"x"}"#, #"{"id":"a b/r","n":2,"of":"x"}"#])

    let columns = try read(
      id: #""$.time""#, fields: #""t": "decimal? $.t""#, take: #"{"columns": "$.hourly", "into": "items"}"#,
      #"{"hourly": {"time": ["a", "b"], "t": [1.0, null]}}"#)
    #expect(lines(columns) == [#"{"id":"a","t":"1.0"}"#, #"{"id":"b"}"#])

    let nested = try read(
      fields: ##""owner": "text ^.owner", "at": "text #""##, take: #"{"records": "$.all[*].photos", "into": "items"}"#,
      #"{"all": [{"owner": "a", "photos": [{"id": 1}, {"id": 2}]}, {"owner": "b", "photos": null}, {"owner": "c", "photos": [{"id": 3}]}]}"#
    )
    #expect(
      lines(nested) == [
        #"{"id":"1","owner":"a","at":"0"}"#, #"{"id":"2","owner":"a","at":"1"}"#, #"{"id":"3","owner":"c","at":"0"}"#,
      ])
  }

  @Test("only, gone, and the count that comes before them")
  func conditions() throws {
    let parsed = try read(
      fields: #""n": "int? $.n""#,
      take: #"{"records": "$.items", "into": "items", "only": {"$.kind": ["a", 1]}, "gone": {"$.deleted": true}}"#,
      #"{"items": [{"id": 1, "kind": "a"}, {"id": 2, "kind": "b"}, {"id": 3, "kind": 1, "deleted": "2026"}, {"id": 4, "kind": "1"}]}"#
    )
    #expect(parsed.value.records.map(\.id?.text) == ["1", "3"])
    #expect(parsed.value.records.map(\.isGone) == [false, true])
    #expect(parsed.value.count == 4)
  }

  @Test("values that say how a list goes on, and the variables of child requests")
  func pagesAndChildren() throws {
    let parsed = try read(
      fields: "",
      take: #"{"records": "$.items", "into": "items"}"#,
      more: """
        "pages": {"last": {"before": "$.at"}, "more": "$.more"}, "since": {"token": "$.token"},
        "each": {"for": {"user": "$.users[*]", "item": "$.id"}, "when": "always", "get": "/u/{user}/{item}", "take": {"into": "items"}}
        """,
      #"{"token": "t1", "more": true, "items": [{"id": 1, "at": 5, "users": ["x", 2, null]}, {"id": 2, "at": 9}]}"#)
    #expect(parsed.value.places == [.number("9"), .bool(true)])
    #expect(parsed.value.point == .string("t1"))
    #expect(parsed.value.records.map(\.children) == [[[["x", "2"], ["1"]]], [[[], ["2"]]]])
  }

  @Test("what is not JSON is an error, and one record is a list of one")
  func whole() throws {
    #expect(throws: ParsingError.self) { try read(fields: "", "<html>") }
    #expect(try lines(read(fields: "", #"{"id": "x"}"#)) == [#"{"id":"x"}"#])
    #expect(try read(fields: "", "[1, [], {}]").rejects.total == 3)
  }

  @Test("times of APIs that write UTC, and 0 for no time")
  func oddTimes() throws {
    for (kind, text, expected) in [
      ("time(utc)", #""2026-01-02 03:04:05 UTC""#, "2026-01-02T03:04:05Z"),
      ("time(utc)", #""2026-01-02T03:04:05.5 GMT""#, "2026-01-02T03:04:05Z"),
      ("time(utc)", #""2026-01-02 03:04:05""#, "2026-01-02T03:04:05Z"),
      ("time(utc)?", #""2026-01-02 03:04 UTC""#, "2026-01-02T03:04:00Z"), ("time(epoch)", "0", "1970-01-01T00:00:00Z"),
      ("time(epoch)?", "0", nil), ("time(epochms)?", #""0""#, nil), ("date(epoch)?", "0", nil),
      ("time(epoch)? $.other |", "0", nil), ("int?", "0", "0"),
    ] {
      let parsed = try read(fields: #""v": "\#(kind) $.v""#, #"[{"id": 1, "v": \#(text)}]"#)
      let found = parsed.value.records.first?.fields["v"]
      #expect(found.flatMap { $0.string ?? $0.int.map(String.init) } == expected, "\(kind) \(text)")
    }
    #expect(try read(fields: #""v": "time(utc) $.v""#, #"[{"id": 1, "v": "soon UTC"}]"#).rejects.total == 1)
  }

  @Test("thousands of rejected records take time in proportion to their number")
  func manyRejects() throws {
    let body = "[" + (0..<20_000).map { #"{"id": \#($0)}"# }.joined(separator: ",") + "]"
    let parsed = try read(fields: #""v": "text $.v""#, body)
    #expect(parsed.rejects.total == 20_000)
    #expect(parsed.rejects.kept.count == 1000)
    #expect(parsed.value.rejectedIDs.count == 20_000)
  }

  @Test("of two records with one id, the second is rejected and named, unless it is the same")
  func repeatedIDs() throws {
    let parsed = try read(
      fields: #""name": "text $.name", "size": "int? $.size""#,
      #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}, {"id": 1, "name": "c"}, {"id": 2, "name": "b"}, {"id": "1", "name": "a", "size": 3}]"#
    )
    #expect(parsed.value.records.map { $0.id?.text } == ["1", "2", "2"])
    #expect(lines(parsed)[0] == #"{"id":"1","name":"a"}"#)
    #expect(parsed.rejects.total == 2 && parsed.rejects.kept.map(\.index) == [2, 4])
    let reject = try #require(parsed.rejects.kept.first)
    #expect(reject.path == "$[2].id" && reject.expected == "an id that no other record of the answer has")
    #expect(reject.found == "the id '1' of an earlier record, which has another name")
    #expect(parsed.rejects.kept.last?.found.hasSuffix("another size") == true)
    #expect(parsed.value.rejectedIDs.map(\.text) == ["1", "1"] && parsed.value.count == 5)
  }

  @Test("an id means one record in lists of the same mapping; marks of removal and other mappings count apart")
  func repeatedIDsOfSelections() throws {
    let body = #"{"a": [{"id": 1, "name": "x"}], "b": [{"id": 1, "name": "y"}, {"id": 1, "gone": true}]}"#
    let name = #""name": "text? $.name""#
    let lists = try read(
      fields: name, take: #"[{"records": "$.a", "into": "items"}, {"records": "$.b", "into": "items"}]"#, body)
    #expect(lists.rejects.total == 2 && lists.value.records.count == 1)
    let marked = try read(
      fields: name,
      take: #"[{"records": "$.a", "into": "items"}, {"records": "$.b", "into": "items", "gone": {"$.gone": true}}]"#,
      body)
    #expect(marked.rejects.total == 1 && marked.value.records.map(\.isGone) == [false, true])
    let merged = try read(
      fields: #""name": "text? $.name", "other": "text? $.name""#,
      take:
        #"[{"records": "$.a", "into": "items", "fields": {"name": "text? $.name"}}, {"records": "$.b", "into": "items", "gone": {"$.gone": true}, "fields": {"other": "text? $.name"}}]"#,
      body)
    #expect(merged.rejects.isEmpty && merged.value.records.count == 3)
  }

  @Test("many ids, with records that come again at both ends")
  func manyIDs() throws {
    let records = (0..<3000).map { #"{"id": "item-\#($0)", "name": "n\#($0)"}"# }
    let all = records + [records[0], records[2999], #"{"id": "item-1500", "name": "other"}"#]
    let parsed = try read(fields: #""name": "text $.name""#, "[\(all.joined(separator: ","))]")
    #expect(parsed.value.records.count == 3002 && parsed.rejects.kept.map(\.index) == [3002])
  }
}
