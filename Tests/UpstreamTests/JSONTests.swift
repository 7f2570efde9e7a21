import Testing

@testable import UpstreamKit

@Suite struct JSONTests {
  @Test func readsEveryKindOfValue() throws {
    let value = try JSONValue(parsing: Array(#"{"n": 1, "d": -0.5, "f": true, "z": null, "a": ["\u00e9"]}"#.utf8))
    #expect(value["n"] == .number("1") && value["d"]?.double == -0.5 && value["f"] == .bool(true))
    #expect(value["z"] == .null && value["a"] == .array([.string("é")]) && value["x"] == nil)
    #expect(throws: JSONValue.Failure.self) { try JSONValue(parsing: Array("{".utf8)) }
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
