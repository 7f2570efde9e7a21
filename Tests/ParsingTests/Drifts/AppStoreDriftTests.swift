import Models
import Parsing
import Ports
import Testing

/// Feeds of the App Store as other clients have met them, in words of our own: what each becomes.
@Suite("Drifts: App Store")
struct AppStoreDriftTests {
  /// `id name artist thumbnail artwork` of each app, then each reject's path; or the error.
  private func apps(_ body: String) -> [String] {
    do throws(ParsingError) {
      let parsed = try AppStoreFeedParser().parse(Array(body.utf8))
      return parsed.value.apps.map { "\($0.id) \($0.name) \($0.artist) \($0.thumbnailURL) \($0.artworkURL)" }
        + parsed.rejects.kept.map { "reject \($0.path)" }
    } catch {
      return ["\(error.code) \(error.path)"]
    }
  }

  private func entry(_ more: String, id: String = #"{"attributes":{"im:id":"5"}}"#) -> String {
    #"{"im:name":{"label":"N"},"im:artist":{"label":"A"},"im:image":[{"label":"s","attributes":{"height":"53"}},{"label":"l","attributes":{"height":"100"}}],"id":\#(id)\#(more)}"#
  }

  private func feed(_ entry: String) -> [String] { apps(#"{"feed":{"entry":\#(entry)}}"#) }

  private let line = "5 N A s l"

  @Test("no list, one entry, many, and holes in it")
  func lists() {
    #expect(apps(#"{"feed":{}}"#) == [])
    for empty in ["null", "[]"] { #expect(feed(empty) == []) }
    #expect(feed(entry("")) == [line])
    #expect(feed("[\(entry("")),null,\(entry(""))]") == [line, line, "reject $.feed.entry[1]"])
    #expect(apps("\u{FEFF}\r\n{\"feed\":{\"entry\":\(entry(""))}}\r\n") == [line])
    for results in ["null", "[]"] { #expect(apps(#"{"feed":{"results":\#(results)}}"#) == []) }
  }

  @Test(
    "the id in attributes, in the address, as a number",
    arguments: [
      #"{"label":"https://apps.example/app/x/id5?mt=8","attributes":{"im:id":"5"}}"#,
      #"{"label":"https://apps.example/app/x/id5?mt=8","attributes":{"im:id":5}}"#,
      #"{"label":"https://apps.example/app/x/id5?mt=8&uo=2"}"#,
      #"{"label":"https://apps.example/app/id5","attributes":null}"#,
      #""https://apps.example/app/x/id5""#, "5", #""5""#, #"{"label":5}"#,
    ])
  func ids(id: String) {
    #expect(feed(entry("", id: id)) == [line])
  }

  @Test(
    "what may be missing, null, one or many",
    arguments: [
      #","summary":null,"rights":null,"im:price":null,"category":null,"link":null,"im:releaseDate":null"#,
      #","link":[]"#, #","link":{"attributes":{"rel":"alternate","href":"u"}}"#, #","category":[]"#,
      #","im:price":{"label":"Gratuit"}"#, #","im:price":{"attributes":{"amount":0,"currency":"EUR"}}"#,
      #","im:price":{"attributes":{"amount":"14.99000","currency":null}}"#,
      #","im:releaseDate":{"label":"2008-07-10T23:00:00-07:00","attributes":{"label":"10 juillet 2008"}}"#,
      #","im:releaseDate":{"label":"10 juillet 2008"}"#, #","im:releaseDate":"2008-07-10""#, #","unknown":{"a":[[1]]}"#,
    ])
  func optionals(more: String) {
    #expect(feed(entry(more)) == [line])
  }

  @Test("pictures in any order, without heights, empty, one alone")
  func images() {
    func pictures(_ text: String) -> String {
      feed(#"{"im:name":"N","im:artist":"A","id":"5","im:image":\#(text)}"#).joined()
    }
    #expect(
      pictures(#"[{"label":"l","attributes":{"height":100}},{"label":"s","attributes":{"height":"53"}}]"#) == line)
    #expect(pictures(#"["s","l"]"#) == line)
    #expect(pictures(#"[{"label":"s"},{"label":"l","attributes":null}]"#) == line)
    #expect(pictures(#"{"label":"s","attributes":{"height":""}}"#) == "5 N A s s")
    #expect(pictures(#"[{"label":""},{"label":"s"}]"#) == "5 N A s s")
    for nothing in ["[]", "null", #"[{"label":""}]"#] { #expect(pictures(nothing).hasPrefix("reject "), "\(nothing)") }
  }

  @Test("the marketing feeds of both versions")
  func marketing() {
    func result(_ more: String) -> [String] {
      apps(#"{"feed":{"results":[{"name":"N","artistName":"A","artworkUrl100":"l","artworkUrl60":"s",\#(more)}]}}"#)
    }
    for more in [
      #""id":"5""#, #""id":5,"genres":[],"releaseDate":null"#, #""id":"5","genres":null,"artistId":null"#,
      #""id":"5","genres":["Games"],"artworkUrl512":null"#,
      #""id":"5","genres":[{"name":"Games","url":""}],"kind":"apps""#,
      #""id":"5","contentAdvisoryRating":"Explict","releaseDate":"2016-07-06""#,
    ] {
      #expect(result(more) == [line], "\(more)")
    }
    #expect(result(#""ident":"5""#) == ["reject $.feed.results[0].id"])
  }
}
