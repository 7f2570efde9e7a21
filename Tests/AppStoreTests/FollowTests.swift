import AppStore
import Models
import Parsing
import Ports
import Testing

@Suite struct FollowTests {
  let source = AppStoreSource(parser: AppStoreFeedParser(), coder: JSONRecordCoder(), settings: nil)

  @Test(arguments: [
    Follow(path: "app-store/fr/top-paid"), Follow(path: "app-store/us/new", limit: 1),
    Follow(path: "app-store/xk/top-free", limit: 200), Follow(path: "app-store/jp/top-grossing", genre: "6014"),
    Follow(path: "app-store/us/top-free", limit: 100, feed: "marketing"),
  ])
  func takes(follow: Follow) throws {
    try source.check(follow)
  }

  @Test(arguments: [
    (Follow(path: "app-store"), "STOREFRONT", "app-store/us/top-free"),
    (Follow(path: "app-store/us"), "STOREFRONT", "app-store/us/top-free"),
    (Follow(path: "app-store/us/top-free/6014"), "STOREFRONT", "--genre"),
    (Follow(path: "app-store//top-free"), "STOREFRONT", "app-store/us/top-free"),
    (Follow(path: "app-store/uk/top-free"), "did you mean 'gb'", "gb"),
    (Follow(path: "app-store/FR/top-free"), "did you mean 'fr'", "fr"),
    (Follow(path: "app-store/q9/top-free"), "no storefront 'q9'", "zw"),
    (Follow(path: "app-store/us/topfree"), "did you mean 'top-free'", "top-grossing"),
    (Follow(path: "app-store/us/whatever-it-is"), "no chart 'whatever-it-is'", "top-free, top-paid, top-grossing, new"),
    (Follow(path: "app-store/us/top-free", limit: 0), "limit 0", "1 to 200"),
    (Follow(path: "app-store/us/top-free", limit: 201), "limit 201", "1 to 200"),
    (Follow(path: "app-store/us/top-free", limit: 101, feed: "marketing"), "limit 101", "1 to 100"),
    (Follow(path: "app-store/us/new", feed: "marketing"), "marketing feed has no chart new", "top-free, top-paid"),
    (Follow(path: "app-store/us/top-free", genre: "6014", feed: "marketing"), "no genres", "without --feed"),
    (Follow(path: "app-store/us/top-free", genre: "games"), "'games' is no genre", "6014"),
    (Follow(path: "app-store/us/top-free", feed: "rss"), "no feed 'rss'", "marketing"),
  ])
  func refuses(follow: Follow, message: String, allowed: String) {
    let error = #expect(throws: FollowError.self) { try source.check(follow) }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    #expect(error?.allowed.contains(allowed) == true, "\(error?.allowed ?? "")")
    #expect(error?.failure.reason == .usage)
  }
}
