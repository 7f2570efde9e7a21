import Models
import Ports
import Testing

@testable import Parsing

/// The grammar, and what its errors tell.
@Suite("JSON reader")
struct ReaderTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var text: String
    var code: ParsingError.Code
    var path: String
    var offset: Int
    var line: Int
    var column: Int
    var expected: String
    var found: String
    var testDescription: String { text.debugDescription }
  }

  @Test(
    "an error has a code, path, position, and the expected and the found value",
    arguments: [
      Case(text: "", code: .truncated, path: "$", offset: 0, line: 1, column: 1, expected: "a value", found: "nothing"),
      Case(
        text: "{\"a\": [1, 2,\n  {\"b\": tru}]}", code: .syntax, path: "$.a[2].b", offset: 24, line: 2, column: 12,
        expected: "true, false or null", found: "'}'"),
      Case(
        text: "[1 2]", code: .syntax, path: "$", offset: 3, line: 1, column: 4, expected: "',' or ']'", found: "'2'"),
      Case(
        text: "{\"im:id\" 1}", code: .syntax, path: "$['im:id']", offset: 9, line: 1, column: 10, expected: "':'",
        found: "'1'"),
      Case(
        text: "{\"a\":1,}", code: .syntax, path: "$", offset: 7, line: 1, column: 8,
        expected: "a member name in double quotes", found: "'}' after a comma"),
      Case(
        text: "{'a':1}", code: .syntax, path: "$", offset: 1, line: 1, column: 2,
        expected: "a member name in double quotes, or '}'", found: "\"'\""),
      Case(
        text: "[1,]", code: .syntax, path: "$[1]", offset: 3, line: 1, column: 4, expected: "a value",
        found: "']' after a comma"),
      Case(
        text: "[\"a\nb\"]", code: .syntax, path: "$[0]", offset: 3, line: 1, column: 4,
        expected: "control characters written as escapes", found: "the raw control character 0x0A"),
      Case(
        text: "[\"\\x\"]", code: .syntax, path: "$[0]", offset: 3, line: 1, column: 4,
        expected: "one of \" \\ / b f n r t u after the backslash", found: "'x'"),
      Case(
        text: "[\"\\u12G4\"]", code: .syntax, path: "$[0]", offset: 6, line: 1, column: 7,
        expected: "four hexadecimal digits", found: "'G'"),
      Case(
        text: "[\"long enough to be cut", code: .truncated, path: "$[0]", offset: 23, line: 1, column: 24,
        expected: "the string's closing quote", found: "the end of the text"),
      Case(
        text: "-", code: .truncated, path: "$", offset: 1, line: 1, column: 2, expected: "a digit",
        found: "the end of the text"),
      Case(text: "[1.]", code: .syntax, path: "$[0]", offset: 3, line: 1, column: 4, expected: "a digit", found: "']'"),
      Case(
        text: "01", code: .syntax, path: "$", offset: 1, line: 1, column: 2, expected: "the end of the text",
        found: "'1'"),
      Case(
        text: "{} x", code: .syntax, path: "$", offset: 3, line: 1, column: 4, expected: "the end of the text",
        found: "'x'"),
      Case(
        text: "[[1],[2,[", code: .truncated, path: "$[1][1][0]", offset: 9, line: 1, column: 10, expected: "a value",
        found: "the end of the text"),
    ])
  func errors(_ sample: Case) throws {
    let error = try #require(ReaderTests.refusal(Array(sample.text.utf8)))
    #expect(error.code == sample.code)
    #expect(error.path == sample.path)
    #expect(error.offset == sample.offset)
    #expect(error.line == sample.line)
    #expect(error.column == sample.column)
    #expect(error.expected == sample.expected)
    #expect(error.found == sample.found)
  }

  @Test(
    "invalid UTF-8 is refused with its offset",
    arguments: [
      [0x80], [0xC0, 0xAF], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF],
      [0xF0, 0x9F, 0x98],
    ] as [[UInt8]])
  func invalidUTF8(_ bytes: [UInt8]) throws {
    let error = try #require(ReaderTests.refusal([0x22, 0x61] + bytes + [0x22]))
    #expect(error.code == .syntax)
    #expect(error.offset == 2)
    #expect(error.expected == "UTF-8")
  }

  @Test("a byte order mark is ignored at the beginning only")
  func byteOrderMark() throws {
    #expect(try JSONDocument.read([0xEF, 0xBB, 0xBF] + Array("{\"a\":1}".utf8)) { $0["a"]?.int } == 1)
    #expect(ReaderTests.refusal([0x5B, 0xEF, 0xBB, 0xBF, 0x5D]) != nil)
  }

  @Test("nesting is limited, and a bomb costs no stack")
  func depth() throws {
    let limit = JSONDocument.depthLimit
    let nested = { (depth: Int) in Array(repeating: UInt8(0x5B), count: depth) + Array(repeating: 0x5D, count: depth) }
    #expect(ReaderTests.refusal(nested(limit)) == nil)
    let error = try #require(ReaderTests.refusal(nested(limit + 1)))
    #expect(error.code == .limit)
    #expect(error.offset == limit)
    #expect(error.path.hasPrefix("$[0][0]") && error.path.utf8.count < 50, "\(error.path)")
    #expect(try #require(ReaderTests.refusal(Array(repeating: 0x5B, count: 1_000_000))).code == .limit)
  }

  @Test("every shortening of a text is refused, and none is read beyond its end")
  func shortenings() throws {
    let text = Array(#"{"a":[1,-2.5e+3,"x\u00e9\n",true,false,null],"é":{"😀":""}}"#.utf8)
    for length in 0..<text.count {
      // A copy of exactly that size lets a sanitizer see a read too far.
      let error = ReaderTests.refusal(Array(text[..<length]))
      #expect(error?.code == .truncated || error?.code == .syntax, "\(length)")
    }
    #expect(ReaderTests.refusal(text) == nil)
  }

  /// The error, or `nil` where the text is read.
  static func refusal(_ bytes: [UInt8]) -> ParsingError? {
    do {
      try JSONDocument.check(bytes)
      return nil
    } catch {
      return error
    }
  }
}

/// The quick way to read a time says what the thorough one says.
@Suite("Times in records")
struct ISOTimeTests {
  private func quick(_ text: String, isLocal: Bool = false) -> Timestamp? {
    Array(text.utf8).withUnsafeBufferPointer { ISOTime.read($0, isLocal: isLocal) }
  }

  @Test("every day of four centuries' edges, both ways")
  func days() {
    for day in [-719_162, -1, 0, 59, 11_016, 11_017, 19_782, 19_783, 2_932_896]
      + stride(from: -700_000, to: 2_900_000, by: 4999)
    {
      for second in [0, 1, 59, 3599, 43_200, 86_399] {
        let time = Timestamp(secondsSinceEpoch: day * 86_400 + second)
        let text = time.description
        #expect(text.utf8.count == 20)
        #expect(Timestamp(rfc3339: text) == time)
        #expect(quick(text) == time)
        #expect(quick(text.replacing("T", with: " ").replacing("Z", with: "+05:30")) == time + -19_800)
        #expect(quick(String(text.dropLast()), isLocal: true) == time)
      }
    }
  }

  @Test("what it takes, the thorough way takes as the same; the rest is left to it")
  func agreement() {
    var chance = Chance(seed: 3)
    let alphabet = Array("0123456789-:T Z+.t")
    for _ in 0..<20_000 {
      var text = Array(chance.next(2) == 0 ? "2024-02-29T23:59:58-07:00" : "2023-12-31 00:00:60Z")
      for _ in 0..<chance.next(3) { text[chance.next(text.count)] = chance.pick(alphabet) }
      if let time = quick(String(text)) { #expect(Timestamp(rfc3339: String(text)) == time, "\(String(text))") }
    }
    for text in [
      "", "2024-02-30T00:00:00Z", "2024-02-29T24:00:00Z", "2024-02-29T00:60:00Z", "2024-02-29T00:00:00",
      "2024-02-29T00:00:00*07:00",
    ] {
      #expect(quick(text) == nil)
    }
  }
}
