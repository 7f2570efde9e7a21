import Models
import Ports
import Testing

@testable import Parsing

/// The grammar, and what its errors tell.
@Suite("JSON reader")
struct ReaderTests {
  /// A text, and the code, path, place (offset, line and column), expected and found value of its error.
  @Test(
    "an error has a code, path, position, and the expected and the found value",
    arguments: [
      ("", .truncated, "$", [0, 1, 1], "a value", "nothing"),
      ("{\"a\": [1, 2,\n  {\"b\": tru}]}", .syntax, "$.a[2].b", [24, 2, 12], "true, false or null", "'}'"),
      ("[1 2]", .syntax, "$", [3, 1, 4], "',' or ']'", "'2'"),
      ("{\"im:id\" 1}", .syntax, "$['im:id']", [9, 1, 10], "':'", "'1'"),
      ("{\"a\":1,}", .syntax, "$", [7, 1, 8], "a member name in double quotes", "'}' after a comma"),
      ("{'a':1}", .syntax, "$", [1, 1, 2], "a member name in double quotes, or '}'", "\"'\""),
      ("[1,]", .syntax, "$[1]", [3, 1, 4], "a value", "']' after a comma"),
      (
        "[\"a\nb\"]", .syntax, "$[0]", [3, 1, 4], "control characters written as escapes",
        "the raw control character 0x0A"
      ),
      ("[\"\\x\"]", .syntax, "$[0]", [3, 1, 4], "one of \" \\ / b f n r t u after the backslash", "'x'"),
      ("[\"\\u12G4\"]", .syntax, "$[0]", [6, 1, 7], "four hexadecimal digits", "'G'"),
      (
        "[\"long enough to be cut", .truncated, "$[0]", [23, 1, 24], "the string's closing quote", "the end of the text"
      ),
      ("-", .truncated, "$", [1, 1, 2], "a digit", "the end of the text"),
      ("[1.]", .syntax, "$[0]", [3, 1, 4], "a digit", "']'"),
      ("01", .syntax, "$", [1, 1, 2], "the end of the text", "'1'"),
      ("{} x", .syntax, "$", [3, 1, 4], "the end of the text", "'x'"),
      ("[[1],[2,[", .truncated, "$[1][1][0]", [9, 1, 10], "a value", "the end of the text"),
    ] as [(String, ParsingError.Code, String, [Int], String, String)])
  func errors(
    _ text: String, _ code: ParsingError.Code, _ path: String, _ place: [Int], _ expected: String, _ found: String
  ) throws {
    let error = try #require(ReaderTests.refusal(Array(text.utf8)))
    #expect(error.code == code && [error.offset, error.line, error.column] == place)
    #expect([error.path, error.expected, error.found] == [path, expected, found])
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
