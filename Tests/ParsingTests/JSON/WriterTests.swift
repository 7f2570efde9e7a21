import Models
import Parsing
import Ports
import Testing

/// What is written is stable, minimal and read back as it was.
@Suite("JSON writer")
struct WriterTests {
  static let sample: JSONValue = [
    "id": "ü/\"\\\u{8}\u{C}\n\r\t\u{1}\u{7F}", "n": .number("1.50"), "z": .null, "a": .array([.bool(true), .int(-3)]),
    "e": .array([]), "o": .object([:]), "d": ["k": .array([.array([])])],
  ]

  @Test("compact: the fewest escapes, members in their order")
  func compact() {
    #expect(
      JSONText.compact(WriterTests.sample)
        == #"{"id":"ü/\"\\\b\f\n\r\t\u0001"# + "\u{7F}"
        + #"","n":1.50,"z":null,"a":[true,-3],"e":[],"o":{},"d":{"k":[[]]}}"#)
  }

  @Test("indented by two spaces; empty containers stay closed")
  func pretty() {
    #expect(
      JSONText.pretty(["a": .array([.int(1), ["b": .null]]), "e": .array([]), "o": .object([:])]) == """
        {
          "a": [
            1,
            {
              "b": null
            }
          ],
          "e": [],
          "o": {}
        }
        """)
    #expect(JSONText.pretty("x") == "\"x\"")
  }

  @Test("strings of every length and every ASCII character come back")
  func strings() throws {
    for length in 0...70 {
      for character in [UInt8(0x22), 0x5C, 0x00, 0x1F, 0x41, 0x7F] {
        for place in stride(from: 0, to: length, by: 3) {
          var bytes = [UInt8](repeating: 0x61, count: length)
          bytes[place] = character
          let text = String(decoding: bytes, as: UTF8.self)
          #expect(try JSONText.value(of: JSONText.bytes(.string(text))) == .string(text))
        }
      }
    }
  }

  @Test("a text of escapes outgrows the first buffer")
  func growth() throws {
    let text = String(repeating: "\u{1}\"", count: 5000)
    let bytes = JSONText.bytes(.string(text))
    #expect(bytes.count == 2 + 5000 * 8)
    #expect(try JSONText.value(of: bytes) == .string(text))
  }

  @Test("records keep their bytes through the coder")
  func coder() throws {
    let line = #"{"id":"1","b":2,"a":1.0e5,"list":["x",null],"o":{"z":1,"y":"é"}}"#
    let coder = JSONRecordCoder()
    let fields = try coder.decode(Array(line.utf8))
    #expect(fields.keys == ["id", "b", "a", "list", "o"])
    #expect(String(decoding: coder.encode(fields), as: UTF8.self) == line)
    #expect(String(decoding: coder.encode(.object(fields)), as: UTF8.self) == line)
    #expect(throws: ParsingError.self) { try coder.decode(Array("[1]".utf8)) }
    #expect(throws: ParsingError.self) { try coder.decode(Array("{} {}".utf8)) }
  }

  @Test("whole samples are preserved", .enabled(if: Samples.areThere, "\(Samples.reason)"))
  func samples() throws {
    for name in try Samples.names(in: "json-suite/native-roundtrip") {
      let bytes = try Samples.bytes("json-suite/native-roundtrip/\(name)")
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(JSONText.compact(try JSONText.value(of: bytes)) == text.filter { !$0.isNewline }, "\(name)")
    }
    for name in try Samples.names(in: "json-suite/test_transform") {
      // Some are not UTF-8: the tests of the reader cover those.
      guard let value = try? JSONText.value(of: try Samples.bytes("json-suite/test_transform/\(name)")) else {
        continue
      }
      #expect(try JSONText.value(of: JSONText.bytes(value)) == value, "\(name)")
    }
  }
}
