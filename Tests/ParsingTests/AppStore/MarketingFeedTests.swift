import Models
import Parsing
import Ports
import Testing

/// The feeds v1 and v2, and bodies that are not feeds.
@Suite("App Store, marketing feeds and other bodies")
struct MarketingFeedTests {
  let parser = AppStoreFeedParser()

  @Test("a result becomes an app; the shape is recognised from the data")
  func result() throws {
    let parsed = try parser.parse(FeedSamples.marketing("[\(FeedSamples.result)]"))
    #expect(parsed.rejects.isEmpty)
    #expect(parsed.value.updatedAt == Timestamp(rfc3339: "2024-03-01T17:00:00Z"))
    #expect(
      parsed.value.apps == [
        App(
          appID: "42", name: "Orbit Golf", artist: "Small Moon", thumbnailURL: "https://img.example/100.png",
          artworkURL: "https://img.example/100.png", releaseDate: "2024-02-29", url: "https://apps.example/app/id42")
      ])
  }

  @Test("numbers for ids, genres, several sizes, absent dates, v1's clock")
  func drifts() throws {
    let body = FeedSamples.marketing(
      #"{"artistName":"A","id":42,"name":"N","artworkUrl60":"s","artworkUrl512":"l","artworkUrl100":"m","artworkUrlX":"x","genres":[{"genreId":"6014","name":"Games"},{"name":"Fun"}]}"#,
      updated: "2024-03-01T10:00:00.000-07:00")
    let parsed = try parser.parse(body)
    let app = try #require(parsed.value.apps.first)
    #expect(app.id == "42")
    #expect(app.thumbnailURL == "s")
    #expect(app.artworkURL == "l")
    #expect(app.category == "Games")
    #expect(app.releaseDate == nil)
    #expect(parsed.value.updatedAt == Timestamp(rfc3339: "2024-03-01T17:00:00Z"))
  }

  @Test("a bad result is set aside")
  func reject() throws {
    let parsed = try parser.parse(FeedSamples.marketing("[\(FeedSamples.result),{\"id\":\"x1\"}]"))
    #expect(parsed.value.apps.count == 1)
    #expect(parsed.rejects.kept.map(\.path) == ["$.feed.results[1].id"])
    #expect(parsed.rejects.kept.first?.expected == "digits")
  }

  @Test(
    "dates of mail headers",
    arguments: [
      ("Thu, 5 Oct 2023 19:57:28 +0000", "2023-10-05T19:57:28Z"), ("5 Oct 23 19:57 GMT", "2023-10-05T19:57:00Z"),
      ("Sat, 01 Jan 2000 00:30:00 +0100", "1999-12-31T23:30:00Z"),
    ])
  func mailDates(text: String, time: String) throws {
    #expect(try parser.parse(FeedSamples.marketing("[]", updated: text)).value.updatedAt?.description == time)
  }

  @Test(
    "other JSON is a wrong shape",
    arguments: [
      ("[]", "$"), ("{}", "$.feed"), (#"{"feed":[]}"#, "$.feed"), (#"{"resultCount":1,"results":[]}"#, "$.feed"),
      ("null", "$"),
    ])
  func shapes(text: String, path: String) throws {
    let error = try #require(throws: ParsingError.self) { try parser.parse(Array(text.utf8)) }
    #expect(error.code == .shape)
    #expect(error.path == path)
  }

  @Test(
    "errors of bodies in another format name the format and a remedy",
    arguments: [
      ("", "an empty body"), (" \n", "an empty body"),
      ("<!DOCTYPE html><html><head><title>502 Bad\n Gateway</title>", "an HTML page titled '502 Bad Gateway'"),
      ("<HTML>", "an HTML page"), ("<?xml version=\"1.0\"?><feed/>", "an XML document"),
      ("upstream connect error", "text that begins with \"upstream connect error\""),
    ])
  func foreign(text: String, found: String) throws {
    let error = try #require(throws: ParsingError.self) { try parser.parse(Array(text.utf8)) }
    #expect(error.code == .foreign)
    #expect(error.found.hasPrefix(found))
    #expect(error.hint != nil)
    #expect(error.failure.hint?.description == error.hint)
  }

  @Test("gzip that was not announced differs from JSON with a syntax error")
  func notForeign() throws {
    let gzip = try #require(throws: ParsingError.self) { try parser.parse([0x1F, 0x8B, 8, 0, 1]) }
    #expect(gzip.found == "gzip data")
    let raw = Array("{\"feed\":{\"entry\":[{\"a\":\"x\u{1}y\"}]}}".utf8)
    let mistake = try #require(throws: ParsingError.self) { try parser.parse(raw) }
    #expect(mistake.code == .syntax)
    #expect(mistake.offset == 25)
    #expect(mistake.path == "$.feed.entry[0].a")
    #expect(mistake.found == "the raw control character 0x01")
    let cut = try #require(throws: ParsingError.self) { try parser.parse(Array(raw[..<12])) }
    #expect(cut.code == .truncated)
  }
}
