import AlmanacTesting
import Declared
import Models
import Ports
import Testing

@Suite("Declared sources: what an author is told")
struct NotesTests {
  private func notes(_ follow: String, items: Int = 5, limit: Int? = nil) async throws -> [String] {
    let fields = Shop.usualFields + #", "price": "int? $.price""#
    return try await Shop(items: items, follow: follow, fields: fields).sync(
      limit: limit, options: SyncOptions(dryRun: true)
    ).notes
  }

  private static let missing = "items: none of 5 records has price"

  @Test(
    "why a list ended, and which fields no record has",
    arguments: [
      (
        #""get": "/items?size=9""#,
        #"after 1 page with 5 records: there is no "pages", so one answer is the whole list"#
      ),
      (
        #""get": "/items?size=9", "pages": {"count": "$.total"}"#,
        #"after 1 page with 5 records: "pages" names no next page, so one answer is the whole list"#
      ),
      (
        #""get": "/items?size=2", "pages": {"link": "next"}"#,
        "after 3 pages with 5 records: the answer has no header field Link with the relation next"
      ),
      (
        #""get": "/items?size=2", "pages": {"next": "$.next"}"#,
        "after 3 pages with 5 records: the answer has no address at $.next"
      ),
      (
        #""get": "/items?size=2{&cursor}", "pages": {"cursor": {"cursor": "$.cursor"}}"#,
        "after 3 pages with 5 records: the answer has no value at $.cursor"
      ),
      (
        #""get": "/items?size=2&page={page}", "pages": {"page": 1}"#,
        "after 4 pages with 5 records: the last page is empty"
      ),
      (
        #""get": "/items?size=2&page={page}", "pages": {"page": 1, "count": "$.total"}"#,
        "after 3 pages with 5 records: $.total says that there are 5 records"
      ),
      (
        #""get": "/items?size=2&page={page}", "pages": {"page": 1, "pages": "$.pages"}"#,
        "after 3 pages with 5 records: $.pages says that there are 3 pages"
      ),
      (
        #""get": "/items?size=2&page={page}", "pages": {"page": 1, "more": "$.more"}"#,
        "after 3 pages with 5 records: $.more says that there are no more"
      ),
    ])
  func ends(_ follow: String, _ end: String) async throws {
    #expect(try await notes(follow) == ["the list ended \(end)", Self.missing])
  }

  @Test("a limit of the follow or of the definition is named")
  func limits() async throws {
    let pages = #""get": "/items?size=2&page={page}", "pages": {"page": 1, "most": 2}"#
    #expect(try await notes(pages).first == #"the list ended after 2 pages with 4 records: "most" is 2 pages"#)
    #expect(
      try await notes(#""get": "/items?size=9", "limit": 3"#).first
        == "the list ended after 1 page with 5 records: the limit of 3 records is reached")
  }

  @Test("an answer without one of its lists is named, also where nothing is removed")
  func missingList() async throws {
    let take = #""take": [{"records": "$.items", "into": "items"}, {"records": "$.makers", "into": "makers"}]"#
    let shop = try Shop(items: 3, Shop.definition(#""get": "/items?size=9", \#(take)"#))
    let notes = try await shop.sync(options: SyncOptions(dryRun: true)).notes
    #expect(notes.contains("the answer has no list at $.makers"), "\(notes)")
  }

  @Test("a sync that writes has no notes")
  func none() async throws {
    let shop = try Shop(
      items: 3, Shop.definition(#""get": "/items?size=9", "take": {"records": "$.items", "into": "items"}"#))
    #expect(try await shop.sync().notes.isEmpty)
  }
}
