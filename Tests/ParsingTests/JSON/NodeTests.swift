import Models
import Parsing
import Ports
import Testing

/// Navigation without a tree.
@Suite("JSON nodes")
struct NodeTests {
  @Test("members, elements, kinds and values")
  func navigation() throws {
    let text = #"{"n":null,"t":true,"f":false,"i":-12,"d":2.5e1,"s":"a\"b","a":[1,[2],{"x":3}],"o":{}}"#
    try JSONDocument.read(Array(text.utf8)) { root in
      #expect(root.kind == .object)
      #expect(root.elementCount == 8)
      #expect(root["n"]?.isNull == true)
      #expect(root["t"]?.bool == true)
      #expect(root["f"]?.bool == false)
      #expect(root["i"]?.int == -12)
      #expect(root["d"]?.int == nil)
      #expect(root["d"]?.double == 25)
      #expect(root["d"]?.digits == "2.5e1")
      #expect(root["s"]?.string == "a\"b")
      #expect(root["a"]?[1]?[0]?.int == 2)
      #expect(root["a"]?[2]?["x"]?.int == 3)
      #expect(root["a"]?[3] == nil)
      #expect(root["o"]?.elementCount == 0)
      #expect(root["missing"] == nil)
      #expect(root.member("a")?.kind == .array)
      #expect(root["a"]?["x"] == nil)
    }
  }

  @Test(
    "escapes",
    arguments: [
      (#""\b\f\n\r\t\"\\\/""#, "\u{8}\u{C}\n\r\t\"\\/"), (#""\u0041\u00e9\u20AC""#, "Aé€"), (#""\ud83d\ude00!""#, "😀!"),
      (#""\u0000x""#, "\u{0}x"), (#""\ud83dx""#, "\u{FFFD}x"), (#""\ude00\ud83d""#, "\u{FFFD}\u{FFFD}"),
      (#""\ud83d\u0041""#, "\u{FFFD}A"), (#""""#, ""),
    ])
  func escapes(text: String, value: String) throws {
    #expect(try JSONDocument.read(Array(text.utf8)) { $0.string } == value)
  }

  @Test("a name that comes twice counts with its last value, everywhere")
  func duplicates() throws {
    let many = (0..<40).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
    for text in [
      #"{"a":1,"b":2,"a":3}"#, #"{"\u0061":1,"b":2,"a":3}"#, #"{"a":1,"b":2,"\u0061":3}"#,
      #"{"a":{"a":1,"a":9},"b":2,"a":{"a":8},"a":3}"#, "{\"a\":1,\(many),\"b\":2,\"a\":3}",
    ] {
      let bytes = Array(text.utf8)
      try JSONDocument.read(bytes) { root in
        #expect(root["a"]?.int == 3, "\(text)")
        #expect(root.member("a")?.int == 3)
        var cursor = JSONNode.Cursor(root)
        #expect(cursor("a")?.int == 3)
        var values: [Int?] = []
        root.forEachMember { name, value in if name == "a" { values.append(value.int) } }
        #expect(values == [3])
        #expect(root.fields.members.filter { $0.key == "a" }.count == 1)
        #expect(root.elementCount == root.fields.members.count)
        #expect(root.replacedMembers.map(\.name) == Array(repeating: "a", count: text.contains("9}") ? 2 : 1))
      }
      #expect(try JSONRecordCoder().decode(bytes)["a"] == .number("3"))
    }
  }

  @Test("names that only look alike are different")
  func lookalikes() throws {
    let text = "{\"e\u{301}\":1,\"\u{E9}\":2,\"aaaaaaaab\":3,\"aaaaaaaac\":4}"
    #expect(try JSONDocument.read(Array(text.utf8)) { $0.elementCount } == 4)
  }

  @Test("a cursor finds members in any order")
  func cursor() throws {
    try JSONDocument.read(Array(#"{"a":1,"b":{"x":[]},"c":3}"#.utf8)) { root in
      var member = JSONNode.Cursor(root)
      #expect(member("b")?.kind == .object)
      #expect(member("c")?.int == 3)
      #expect(member("a")?.int == 1)
      #expect(member("d") == nil)
      #expect(member("c")?.int == 3)
    }
  }

  @Test("whole numbers fit or are nil, and no digit is lost")
  func numbers() throws {
    let text =
      "[9223372036854775807,-9223372036854775808,9223372036854775808,1.0,1e2,123456789012345678901234567890,-0]"
    try JSONDocument.read(Array(text.utf8)) { root in
      #expect(root[0]?.int == .max)
      #expect(root[1]?.int == .min)
      #expect(root[2]?.int == nil)
      #expect(root[3]?.int == nil)
      #expect(root[4]?.int == nil)
      #expect(root[5]?.digits == "123456789012345678901234567890")
      #expect(root[6]?.int == 0)
      #expect(root[6]?.double?.sign == .minus)
    }
  }

  @Test("numbers are rounded as the standard library rounds them")
  func doubles() throws {
    var state: UInt64 = 42
    for _ in 0..<2000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let digits = String(state >> (state & 63))
      let point = Int(state >> 58) % (digits.count + 1)
      let fraction = digits.dropFirst(point)
      let text = (point == 0 ? "0" : String(Int(digits.prefix(point)) ?? 0)) + (fraction.isEmpty ? "" : ".\(fraction)")
      #expect(try JSONDocument.read(Array(text.utf8)) { $0.double } == Double(text), "\(text)")
    }
  }

  @Test("every value knows its place, its path and its bytes")
  func places() throws {
    let text = "{\n  \"feed\": {\"entry\": [\n    {\"im:id\": \"é\"}, 7]}}"
    try JSONDocument.read(Array(text.utf8)) { (root) throws(ParsingError) in
      let entry = try present(root["feed"]?["entry"])
      #expect(entry.path.description == "$.feed.entry")
      let id = try present(entry[0]?["im:id"])
      #expect(id.path.description == "$.feed.entry[0]['im:id']")
      #expect(id.place == TextPlace(line: 3, column: 15))
      #expect(id.rawText() == "\"é\"")
      #expect(entry[1]?.path.description == "$.feed.entry[1]")
      #expect(entry.rawText() == "[\n    {\"im:id\": \"é\"}, 7]")
      #expect(root.path.description == "$")
      // Cut at the end of a character.
      #expect(id.rawText(limit: 2) == "\"")
      let error = entry.error(expected: "a name", missing: "it's")
      #expect(error.path == "$.feed.entry['it\\'s']")
      #expect(error.found == "nothing")
    }
  }

  @Test("what a node shows of itself is short")
  func shown() throws {
    let long = String(repeating: "x", count: 200)
    try JSONDocument.read(Array("[\"\(long)\",[],{},[1],{\"a\":1},null,true,\"a\\\"\"]".utf8)) { root in
      var shown: [String] = []
      root.forEachElement { _, node in shown.append(node.summary) }
      #expect(shown[0].utf8.count < 80)
      #expect(
        shown.dropFirst() == [
          "an empty array", "an empty object", "an array of 1", "an object", "null", "true", "string \"a\\\"\"",
        ])
    }
  }
}

/// `#require` for closures that throw parsing errors only.
func present<Value>(_ value: Value?) throws(ParsingError) -> Value {
  guard let value else { throw ParsingError(.shape, expected: "a value", found: "nothing") }
  return value
}
