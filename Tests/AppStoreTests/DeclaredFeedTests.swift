import AlmanacTesting
import AppStore
import Declared
import Models
import Parsing
import Ports
import Testing

/// The legacy feed as a definition gives the same apps as the compiled source.
struct DeclaredFeedTests {
  private static let definition = """
    {
      "almanac": 1,
      "source": "store",
      "url": "https://itunes.apple.com",
      "collections": {
        "apps": {
          "id": ["{storefront}", "$.id.attributes['im:id']"],
          "fields": {
            "storefront": "text {storefront}", "appID": "text $.id.attributes['im:id']",
            "bundleID": "text? $.id.attributes['im:bundleId']", "name": "text $['im:name'].label",
            "artist": "text $['im:artist'].label", "summary": "text? $.summary.label",
            "thumbnailURL": "url $['im:image'][0].label", "artworkURL": "url $['im:image'][-1].label",
            "price": {
              "amount": "decimal? $['im:price'].attributes.amount", "currency": "text? $['im:price'].attributes.currency"
            },
            "category": "text? $.category.attributes.label", "releaseDate": "time? $['im:releaseDate'].label",
            "url": "url? $.link[0].attributes.href | $.link.attributes.href"
          }
        }
      },
      "follows": {
        "{storefront}/top-free": {
          "get": "/{storefront}/rss/topfreeapplications/limit={limit}/json",
          "take": {"records": "$.feed.entry", "into": "apps"}, "limit": {"default": 10, "most": 200}
        }
      }
    }
    """

  private func apps(_ source: any Source, _ path: String, _ body: [UInt8]) async throws -> [JSONObject] {
    let page = try await source.pull(Follow(path: path), over: ScriptedTransport([Feed.answer(body)]))
    #expect(page.rejects.isEmpty)
    return page.changes.filter { $0.collection == .apps }.map(\.fields)
  }

  @Test func theSameApps() async throws {
    var full = Feed.entry("4", summary: true)
    full.append("category", ["attributes": ["im:id": "6014", "label": "Games"]])
    full.append("im:releaseDate", ["label": "2026-01-02T03:04:05-07:00", "attributes": ["label": "January 2, 2026"]])
    full.append("link", [["attributes": ["rel": "alternate", "href": "https://apps.apple.com/us/app/id4"]], [:]])
    var single = Feed.entry("5", summary: false)
    single.append("link", ["attributes": ["rel": "alternate", "href": "https://apps.apple.com/us/app/id5"]])
    let body = Feed.legacy(["1", "2", "3"], extra: [.object(full), .object(single)])
    let declared = DeclaredSource(
      try JSONDefinitionFormat().read(Array(Self.definition.utf8), named: nil),
      compiler: JSONAnswerReaderCompiler(), coder: JSONRecordCoder())
    let compiled = AppStoreSource(parser: AppStoreFeedParser(), coder: JSONRecordCoder(), settings: nil)
    let ours = try await apps(declared, "store/us/top-free", body)
    #expect(ours.count == 5)
    #expect(ours == (try await apps(compiled, "app-store/us/top-free", body)))
    // Its records are apps: they can be read as such, and are written in the same way.
    for fields in ours { #expect(try App(fields: fields).fields == fields) }
  }
}
