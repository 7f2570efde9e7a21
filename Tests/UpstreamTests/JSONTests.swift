import Testing

@testable import UpstreamKit

@Suite struct JSONTests {
  @Test(arguments: [
    "{}", "[]", "null", "-0.5e+3", "[1,2,[3]]", #"{"a":{"b":[true,false,null]},"c":""}"#, #""é\n\"\\/""#,
  ])
  func comesBackAsItWas(text: String) throws {
    #expect(try JSONValue(parsing: Array(text.utf8)).text == text)
  }

  @Test func readsEscapes() throws {
    let value = try JSONValue(parsing: Array(#" "\u00e9\ud83d\ude00\t\b\f\r\/" "#.utf8))
    #expect(value.string == "é😀\t\u{8}\u{C}\r/")
  }

  @Test(arguments: [
    "", "{", "[1,]", "{\"a\":}", "{a:1}", "01", "1.", "+1", "tru", "\"\t\"", #""\x""#, #""\ud83d""#, "1 2", "nul",
    "[1 2]", "{\"a\" 1}", "-", "\"abc",
  ])
  func refuses(text: String) {
    #expect(throws: JSONValue.Failure.self) { try JSONValue(parsing: Array(text.utf8)) }
  }

  @Test func refusesBytesThatAreNoTextAndDepthWithoutEnd() {
    #expect(throws: JSONValue.Failure.self) { try JSONValue(parsing: [0x22, 0xFF, 0x22]) }
    #expect(throws: JSONValue.Failure.self) {
      try JSONValue(parsing: Array(repeating: UInt8(ascii: "["), count: 100_000))
    }
  }

  @Test func spellsAsFlickrDoes() {
    let bytes = JSONText.object(.flickr) {
      $0.field("url", "http://é/😀")
      $0.null("n")
      $0.array("a") { list in
        list.number(1)
        list.object { _ in }
      }
      $0.field("t", 5, asString: true)
    }
    let expected = #"{"url":"http:\/\/\u00e9\/\ud83d\ude00","n":null,"a":[1,{}],"t":"5"}"#
    #expect(String(decoding: bytes, as: UTF8.self) == expected)
  }

  @Test func writesMoments() {
    let moment = Instant(seconds: 951_782_400 + 3661)
    #expect(moment.zulu == "2000-02-29T01:01:01Z")
    #expect(moment.californian == "2000-02-28T18:01:01-07:00")
    #expect(moment.http == "Tue, 29 Feb 2000 01:01:01 GMT")
    #expect(moment.long == "February 29, 2000")
    #expect(Instant(seconds: -1).dateAndTime == "1969-12-31 23:59:59")
    #expect(Instant.start.date == "2026-03-02")
  }

  @Test(arguments: [
    ("/people", "/people", true), ("/people", "/people2", false), ("/user/*", "/user/ada", true),
    ("/*/rss/*", "/us/rss/top/json", true), ("*x*y*", "axbyc", true), ("*x*y*", "aybxc", false), ("a*a", "a", false),
    ("*", "", true),
  ])
  func matchesGlobs(pattern: String, text: String, isMatch: Bool) {
    #expect(FaultRule.glob(pattern, text) == isMatch)
  }
}
