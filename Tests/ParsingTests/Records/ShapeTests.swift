import Models
import Parsing
import Ports
import Testing

/// The shape of answers, and what became of it.
@Suite("Answer shapes")
struct ShapeTests {
  let reader = JSONShapeReader()

  private func shape(_ text: String) throws -> AnswerShape { try reader.shape(of: Array(text.utf8)) }

  @Test("fields, kinds, and whether they are always there")
  func fields() throws {
    let shape = try shape(#"{"data":[{"id":1,"im:x":null},{"id":"2","im:x":"s","note":[]}]}"#)
    #expect(
      shape.fields == [
        AnswerShape.Field(path: "$", kinds: ["object"], always: true),
        AnswerShape.Field(path: "$.data", kinds: ["array"], always: true),
        AnswerShape.Field(path: "$.data[]", kinds: ["object"], always: true),
        AnswerShape.Field(path: "$.data[].id", kinds: ["number", "string"], always: true),
        AnswerShape.Field(path: "$.data[].note", kinds: ["array"], always: false),
        AnswerShape.Field(path: "$.data[]['im:x']", kinds: ["null", "string"], always: true),
      ])
    #expect(AnswerShape(remembered: shape.remembered) == shape)
  }

  private func drift(_ before: String, _ now: String) throws -> [String] {
    reader.drift(from: try shape(before), to: try shape(now)).map { "\($0.change.rawValue) \($0.path)" }
  }

  @Test("what vanished, changed its kind or appeared")
  func drifts() throws {
    let before = #"[{"id":1,"name":"a","note":"n"},{"id":2,"name":"b"}]"#
    #expect(try drift(before, before) == [])
    #expect(try drift(before, #"[{"id":"1","name":"a"}]"#) == ["kind $[].id"])
    #expect(try drift(before, #"[{"id":1,"extra":{"x":1}}]"#) == ["appeared $[].extra", "vanished $[].name"])
    #expect(try drift(before, "[]") == [])
    #expect(try drift("[]", before) == [])
    #expect(try drift(before, #"[{"id":1,"name":null}]"#) == [])
    #expect(try drift(#"{"a":null}"#, #"{"a":1}"#) == [])
    #expect(try drift(#"{"a":{"b":1}}"#, #"{"a":"b"}"#) == ["kind $.a"])
  }

  @Test("JSONP has the shape of what is in it; bodies that are no JSON have none")
  func bodies() throws {
    #expect(try shape(#"jsonFlickrApi({"stat":"ok"})"#) == shape(#"{"stat":"fail"}"#))
    #expect(try #require(throws: ParsingError.self) { try shape("<html>") }.code == .foreign)
  }

  @Test("objects with ids for names have an end")
  func limit() throws {
    let members = (0..<5000).map { "\"k\($0)\":1" }.joined(separator: ",")
    #expect(try shape("{\(members)}").fields.count == 2000)
  }
}
