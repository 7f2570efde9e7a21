import Models
import Parsing
import Ports
import Testing

/// The shapes of responses and their changes.
@Suite("Response shapes")
struct ShapeTests {
  let reader = JSONShapeReader()

  private func shape(_ texts: String...) -> AnswerShape { reader.shape(of: texts.map { Array($0.utf8) }) }

  @Test("fields, kinds, and whether they are always there")
  func fields() {
    let shape = shape(#"{"data":[{"id":1,"im:x":null},{"id":"2","im:x":"s","note":[]}]}"#)
    #expect(
      shape.fields == [
        AnswerShape.Field(path: "$", kinds: ["object"], always: true, objects: 1),
        AnswerShape.Field(path: "$.data", kinds: ["array"], always: true),
        AnswerShape.Field(path: "$.data[]", kinds: ["object"], always: true, objects: 2),
        AnswerShape.Field(path: "$.data[].id", kinds: ["number", "string"], always: true),
        AnswerShape.Field(path: "$.data[].note", kinds: ["array"], always: false),
        AnswerShape.Field(path: "$.data[]['im:x']", kinds: ["null", "string"], always: true),
      ])
    #expect(AnswerShape(remembered: shape.remembered) == shape)
  }

  @Test("several responses have one shape: a field that one of them lacks is optional")
  func together() {
    #expect(
      shape(#"{"person":{"id":"1","city":"a"}}"#, #"{"photos":[]}"#, #"{"person":{"id":2}}"#).fields == [
        AnswerShape.Field(path: "$", kinds: ["object"], always: true, objects: 3),
        AnswerShape.Field(path: "$.person", kinds: ["object"], always: false, objects: 2),
        AnswerShape.Field(path: "$.person.city", kinds: ["string"], always: false),
        AnswerShape.Field(path: "$.person.id", kinds: ["number", "string"], always: true),
        AnswerShape.Field(path: "$.photos", kinds: ["array"], always: false),
      ])
  }

  private func drift(_ before: String, _ now: String) -> [String] {
    reader.drift(from: shape(before), to: shape(now)).map { "\($0.change.rawValue) \($0.path)" }
  }

  @Test("what vanished, changed its kind or appeared")
  func drifts() {
    let before = #"[{"id":1,"name":"a","note":"n"},{"id":2,"name":"b"}]"#
    #expect(drift(before, before) == [])
    #expect(drift(before, #"[{"id":"1","name":"a"}]"#) == ["kind $[].id"])
    #expect(drift(before, #"[{"id":1,"extra":{"x":1}},{"id":3}]"#) == ["appeared $[].extra", "vanished $[].name"])
    #expect(drift(before, "[]") == [])
    #expect(drift("[]", before) == [])
    #expect(drift(#"{"a":null}"#, #"{"a":1}"#) == [])
    #expect(drift(#"{"a":{"b":1}}"#, #"{"a":"b"}"#) == ["kind $.a"])
    #expect(drift(#"{"a.b['c":{"x":1}}"#, #"{"a.b['c":{}}"#) == [#"vanished $['a.b[\'c'].x"#])
  }

  @Test("a field is not gone because a few records lack it, or because all of a few do")
  func evidence() {
    let before = #"[{"a":1},{"a":2},{"a":3}]"#
    #expect(drift(before, #"[{"a":1},{},{},{}]"#) == [])
    #expect(drift(before, "[{},{}]") == [])
    #expect(drift(before, "[{},{},{}]") == ["vanished $[].a"])
    #expect(drift(before, #"[{"a":null},{"a":1}]"#) == [])
    #expect(drift(before, #"[{"a":null},{},{"a":null}]"#) == ["vanished $[].a"])
    #expect(drift(#"[{"a":null},{"a":2}]"#, "[{},{}]") == [], "the field was null before")
    let many = (0..<500).map { #"{"id":\#($0)}"# }.joined(separator: ",")
    let few = (0..<AnswerShape.enough).map { _ in "{}" }.joined(separator: ",")
    #expect(drift("[\(many)]", "[\(few)]") == ["vanished $[].id"])
    let remembered = AnswerShape(remembered: shape("[\(many)]").remembered)
    #expect(reader.drift(from: remembered, to: shape("[\(few)]")).map(\.path) == ["$[].id"])
  }

  @Test("JSONP has the shape of its content; errors and bodies that are not JSON have none")
  func bodies() {
    #expect(shape(#"jsonFlickrApi({"stat":"ok"})"#) == shape(#"{"stat":"ok"}"#))
    let nothing = shape("<html>", #"{"stat":"fail","code":1}"#, #"{"error":{"code":1}}"#, #"{"a":"#)
    #expect(nothing.fields == [])
    #expect(shape(#"{"data":{},"error":{"code":1}}"#).fields.count == 4)
    #expect(shape(#"{"id":1,"error":null}"#).fields.count == 3)
  }

  @Test("objects with ids for names are maps, and nothing is without an end")
  func limit() {
    let members = (0..<5000).map { "\"k\($0)\":{\"n\":\($0)}" }.joined(separator: ",")
    #expect(shape("{\"by\":{\(members)}}").fields.map(\.path) == ["$", "$.by", "$.by.*", "$.by.*.n"])
    #expect(drift("{\(members)}", #"{"k1":{"n":1}}"#) == ["appeared $.k1"])
    let deep = (0..<60).map { a in "\"a\(a)\":{\((0..<60).map { "\"b\($0)\":1" }.joined(separator: ","))}" }
    #expect(shape("{\(deep.joined(separator: ","))}").fields.count == 500)
  }
}
