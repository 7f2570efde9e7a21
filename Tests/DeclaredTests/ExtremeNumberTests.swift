import AlmanacTesting
import Models
import Ports
import Testing

@Suite("Numbers at the ends of their range: lists of declared sources")
struct ExtremeNumberTests {
  /// How lists continue and what they remember. The server has every number in every place.
  @Test(
    arguments: [
      #""get": "/items?size=1{&page}", "pages": {"page": 0, "pages": "$.n", "count": "$.n"}, "complete": true"#,
      #""get": "/items?size=1{&page}", "pages": {"page": 9007199254740992, "pages": "$.n"}, "complete": true"#,
      #""get": "/items?size=1{&offset}", "pages": {"offset": 9007199254740992, "count": "$.n"}, "complete": true"#,
      #""get": "/items?size=1{&offset}", "pages": {"offset": 0, "count": "$.n"}, "complete": true"#,
      #""get": "/items?size=1{&c}", "pages": {"cursor": {"c": "$.n"}}"#,
      #""get": "/items", "pages": {"count": "$.n"}, "complete": true"#,
      #""get": "/items{?since}", "since": {"field": "raw", "form": "epoch"}"#,
      #""get": "/items{?since}", "since": {"field": "raw", "form": "epochms"}"#,
      #""get": "/items{?since}", "since": {"field": "at", "form": "date", "overlap": "100y"}"#,
      #""get": "/items{?since}", "since": {"token": "$.n"}"#,
    ])
  func lists(follow: String) async throws {
    for json in ExtremeNumbers.json {
      let bench = try DeclaredBench(
        Shop.definition("\(follow), \(Shop.take)", fields: #""raw": "int? $.at", "at": "time(epoch)? $.at""#))
      let server = AnsweringServer(bench, following: "shop/all") { request in
        let isFirst =
          !request.url.contains("&") || request.url.hasSuffix("=0") || request.url.hasSuffix("=9007199254740992")
        return (200, #"{"n": \#(json), "items": [\#(isFirst ? #"{"id": 1, "at": \#(json)}"# : "")]}"#)
      }
      for run in ["a", "b"] { try await server.sync(run) }
      #expect(server.sent.count < 10, "\(follow) \(json)")
    }
  }
}
