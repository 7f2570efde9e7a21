import Models
import Ports
import Testing

@testable import Parsing

@Suite("Answers that are not JSON")
struct AnswerFormatTests {
  private static func json(_ text: String, _ format: String) throws(ParsingError) -> String {
    guard let format = SourceDefinition.Format(format) else { return "no format" }
    return String(decoding: try JSONAnswerReaderCompiler().json(Array(text.utf8), format), as: UTF8.self)
  }

  @Test(
    "XML, tables and lines as JSON",
    arguments: [
      ("xml", "<a>  t &amp; u </a>", #"{"a":"t & u"}"#), ("xml", "<a/>", #"{"a":""}"#),
      (
        "xml", #"<?xml version="1.0"?><rss version="2.0"><item><t>1</t></item><x:e xmlns:x="u"/><item/></rss>"#,
        #"{"rss":{"@version":"2.0","item":[{"t":"1"},""],"x:e":""}}"#
      ),
      ("xml", #"<a k="v">text<b><![CDATA[<i>]]></b> more</a>"#, ##"{"a":{"@k":"v","b":"<i>","#text":"text more"}}"##),
      ("csv", "id,name\r\n1,\"A \"\"B\"\", C\"\r\n\r\n2,\n", #"[{"id":"1","name":"A \"B\", C"},{"id":"2","name":""}]"#),
      ("csv", "\u{FEFF}id,n\n1,\"two\nlines\"", #"[{"id":"1","n":"two\nlines"}]"#),
      ("csv;", "id;n\n1;2,5\n2", #"[{"id":"1","n":"2,5"},{"id":"2"}]"#), ("csv", "id\n", "[]"), ("csv", "", "[]"),
      ("lines", "{\"id\":1}\n\n{\"id\":2}\n", "[{\"id\":1},\n{\"id\":2}]"),
    ])
  func formats(format: String, text: String, json: String) throws {
    #expect(try Self.json(text, format) == json)
  }

  @Test(
    "what has another form is an error",
    arguments: [
      ("xml", "{}"), ("xml", "<a><b></a>"), ("xml", "<!DOCTYPE a [<!ENTITY e \"x\">]><a>&e;</a>"),
      ("csv", "id\n1,2"), ("csv", "id\n\"1"), ("xml", String(repeating: "<a>", count: 100)),
    ])
  func mistakes(format: String, text: String) {
    #expect(throws: ParsingError.self) { try Self.json(text, format) }
  }

  @Test("a mistake in a table names its line", arguments: [("id\n1\n1,2\n", 3, 1), ("id,n\na,b\n1,\"x", 3, 3)])
  func place(text: String, line: Int, column: Int) throws {
    let error = #expect(throws: ParsingError.self) { try Self.json(text, "csv") }
    #expect(error?.line == line && error?.column == column)
  }
}
