import Models
import Parsing
import Testing

@Suite("Definitions: words of earlier versions")
struct DefinitionRenewalTests {
  private func renewed(_ text: String) throws -> (text: String, places: [String]) {
    let renewed = try JSONDefinitionFormat().renewed(Array(text.utf8))
    return (String(decoding: renewed.text, as: UTF8.self), renewed.places)
  }

  private func definition(auth: String = #""bearer""#, follow: String) -> String {
    """
    {
      "almanac": 1, "source": "shop",   "url": "https://shop.example",
      "auth": \(auth),
      "collections": {"items": {"id": "$.id", "fields": {"at": "time $.at"}}},
      "follows": {"all": {\(follow), "take": {"into": "items"}}}
    }
    """
  }

  @Test(
    "a kind of key becomes its place",
    arguments: [
      (#"{"kind": "bearer"}"#, #""bearer""#),
      (#"{ "kind":"bearer", "optional":true }"#, #"{"bearer": "{key}", "optional": true}"#),
      (#"{"kind": "basic"}"#, #"{"basic": "{key}"}"#),
      (#"{"kind": "header", "name": "X-A", "prefix": "To{k} "}"#, #"{"headers": {"X-A": "To{{k}} {key}"}}"#),
      (#"{"kind": "query", "name": "k", "optional": false}"#, #"{"query": {"k": "{key}"}, "optional": false}"#),
      (
        #"{"kind": "oauth2", "token": "https://shop.example/t", "client": "body"}"#,
        #"{"oauth2": {"token": "https://shop.example/t", "client": "body"}}"#
      ),
    ])
  func keys(old: String, new: String) throws {
    let (before, after) = (definition(auth: old, follow: #""get": "/""#), definition(auth: new, follow: #""get": "/""#))
    #expect(try renewed(before) == (after, ["$.auth"]))
    let read = try [before, after].map { try JSONDefinitionFormat().read(Array($0.utf8), named: nil).auth }
    #expect(read[0]?.oauth2 == read[1]?.oauth2 && (read[0]?.oauth2 != nil || read[0] == read[1]))
    #expect(try renewed(after) == (after, []))
  }

  @Test(
    "names and forms of times move into the templates",
    arguments: [
      (
        #""get": "/a{?until,from}", "since": {"field": "at",  "send": "from", "form": "epoch", "overlap": "1h"}"#,
        #""get": "/a{?until,from=since:epoch}", "since": {"field": "at",  "overlap": "1h"}"#
      ),
      (
        #""get": "/a{&since,x=since}", "since": {"form": "date", "field": "at"}"#,
        #""get": "/a{&since=since:date,x=since:date}", "since": {"field": "at"}"#
      ),
      (
        #""post": "/{today}", "body": {"q": ["{{ {from} }}", 1]}, "since": {"field": "at", "send": "from", "first": "2020-01-01"}"#,
        #""post": "/{now:date}", "body": {"q": ["{{ {since} }}", 1]}, "since": {"field": "at", "first": "2020-01-01"}"#
      ),
      (
        #""get": "/", "each": {"for": {"x": "$.id"}, "get": "/{x}{?today,s}", "since": {"token": "$.t", "send": "s"}, "take": {"into": "items"}}"#,
        #""get": "/", "each": {"for": {"x": "$.id"}, "get": "/{x}{?today=now:date,s=since}", "since": {"token": "$.t"}, "take": {"into": "items"}}"#
      ),
      (
        #""get": "/{?since}", "since": {"field": "at", "form": "text"}"#,
        #""get": "/{?since}", "since": {"field": "at", "form": "text"}"#
      ),
    ])
  func times(old: String, new: String) throws {
    let (before, after) = (definition(follow: old), definition(follow: new))
    let found = try renewed(before)
    #expect(found.text == after)
    #expect(found.places.isEmpty == (old == new))
    for text in [before, after] { _ = try JSONDefinitionFormat().read(Array(text.utf8), named: nil) }
  }
}
