import Models
import Parsing
import Ports
import Testing

/// The JSON reader as other packages use it: everything here is public, and the first test is the example in `Parsing.md`.
@Suite("JSON reader, public")
struct DocumentExampleTests {
  struct Book: Equatable {
    var title: String
    var year: Int?
    var authors: [String]
  }

  private static func book(_ node: JSONNode) throws(ParsingError) -> Book {
    var authors: [String] = []
    try node.nonNull("author")?.forEachOfOneOrMany { (_, author) throws(ParsingError) in
      if let name = try author.text() { authors.append(name) }
    }
    return Book(title: try node.requiredText("title"), year: try node["year"]?.wholeNumber(), authors: authors)
  }

  private static func books(_ text: String) throws(ParsingError) -> Parsed<[Book]> {
    try JSONDocument.read(Array(text.utf8)) { (root) throws(ParsingError) in
      guard let list = root["books"] else { throw root.error(expected: "a list of books", missing: "books") }
      return list.records(book)
    }
  }

  @Test("tolerant reads accept the usual variants, and reject single records with their place")
  func records() throws {
    let parsed = try Self.books(
      #"""
      {"books": [
        {"title": "Notes", "year": "1843", "author": "Ada Lovelace"},
        {"title": {"_content": "Pairs"}, "year": null, "author": [{"label": "Ann"}, "Bo"]},
        {"title": 7, "year": "soon"}
      ]}
      """#)
    #expect(
      parsed.value == [
        Book(title: "Notes", year: 1843, authors: ["Ada Lovelace"]),
        Book(title: "Pairs", year: nil, authors: ["Ann", "Bo"]),
      ])
    let reject = try #require(parsed.rejects.kept.first)
    #expect(parsed.rejects.total == 1 && reject.index == 2 && reject.path == "$.books[2].year")
    #expect(reject.expected == "a whole number" && reject.found == #"string "soon""#)
    #expect(reject.raw == #"{"title": 7, "year": "soon"}"#)
  }

  @Test("an error of the shape has path, line and column")
  func shape() {
    let error = #expect(throws: ParsingError.self) { try Self.books("{\n  \"film\": []}") }
    #expect(error?.code == .shape && error?.path == "$.books" && error?.line == 1 && error?.column == 1)
  }

  @Test("an error of the syntax has path, offset, line and column")
  func syntax() {
    let error = #expect(throws: ParsingError.self) { try Self.books("{\"books\": [\n  {\"title\": tru}]}") }
    #expect(error?.code == .syntax && error?.path == "$.books[0].title" && error?.line == 2 && error?.column == 16)
  }

  @Test("nodes know their place, kind and text")
  func nodes() throws {
    try JSONDocument.read(Array("{\"a\": 1,\n \"b\": [1.50, true, {}]}".utf8)) { root in
      let list = root["b"]
      #expect(list?.kind == .array && list?.elementCount == 3 && list?.summary == "an array of 3")
      #expect(list?[0]?.digits == "1.50" && list?[0]?.double == 1.5 && list?[0]?.int == nil)
      #expect(list?[1]?.path.description == "$.b[1]" && list?[1]?.place == TextPlace(line: 2, column: 14))
      #expect(list?[2]?.rawText() == "{}" && list?.offset == 15 && list?.endOffset == 31)
      var names: [String] = []
      root.forEachMember { name, _ in names.append(name.text) }
      #expect(names == ["a", "b"] && root.member("a")?.int == 1)
      #expect(JSONText.compact(root.value) == #"{"a":1,"b":[1.50,true,{}]}"#)
    }
  }

  @Test("the limit of nesting can be set")
  func depth() throws {
    try JSONDocument.check(Array("[[1]]".utf8), depthLimit: 2)
    let error = #expect(throws: ParsingError.self) { try JSONDocument.check(Array("[[1]]".utf8), depthLimit: 1) }
    #expect(error?.code == .limit)
  }
}
