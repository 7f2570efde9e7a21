import AppStore
import Models
import Parsing
import Ports
import Testing

@Suite struct FollowTests {
  let source = AppStoreSource(parser: AppStoreFeedParser(), coder: JSONRecordCoder(), settings: nil)

  @Test(arguments: [
    Follow(path: "app-store/fr/top-paid"), Follow(path: "app-store/us/new", limit: 1),
    Follow(path: "app-store/xk/top-free", limit: 200),
    Follow(path: "app-store/jp/top-grossing", options: ["genre": "6014"]),
    Follow(path: "app-store/us/top-free", limit: 100, options: ["feed": "marketing"]),
    Follow(path: "app-store/us/top-free/6014"),
    Follow(path: "app-store/us/top-free/games"), Follow(path: "app-store/US/top-free"),
    Follow(path: "app-store/us/top-free", options: ["genre": "games"]),
    Follow(path: "app-store/us/top-free/games", options: ["genre": "6014"]),
  ])
  func takes(follow: Follow) throws {
    let canonical = try source.check(follow).follow
    #expect(try source.check(canonical).follow == canonical)
    #expect(
      canonical.limit == follow.limit && canonical.options["feed"] == follow.options["feed"]
        && canonical.options["genre"] == nil)
  }

  @Test(arguments: [
    (Follow(path: "app-store/fr/new"), "app-store/fr/new"), (Follow(path: "app-store/FR/new"), "app-store/fr/new"),
    (Follow(path: "app-store/us/new/Games"), "app-store/us/new/6014"),
    (Follow(path: "app-store/Us/new", options: ["genre": "photo-video"]), "app-store/us/new/6008"),
    (Follow(path: "app-store/us/new/6016"), "app-store/us/new/6016"),
    (Follow(path: "app-store/us/new/9999"), "app-store/us/new/9999"),
    (Follow(path: "app-store/us/new/06014"), "app-store/us/new/6014"),
  ])
  func hasOneSpelling(follow: Follow, path: String) throws {
    #expect(try source.check(follow).follow.path == path)
  }

  @Test func everyGenreIsTakenByItsNameAndItsNumber() throws {
    for genre in AppStoreSource.genres {
      for text in [genre.id, genre.name] {
        #expect(
          try source.check(Follow(path: "app-store/us/top-free/\(text)")).follow.path
            == "app-store/us/top-free/\(genre.id)")
      }
    }
    #expect(Set(AppStoreSource.genres.map(\.id)).count == AppStoreSource.genres.count)
    #expect(Set(AppStoreSource.genres.map(\.name)).count == AppStoreSource.genres.count)
  }

  @Test(arguments: [
    (Follow(path: "app-store"), "does not match", "app-store/us/top-free"),
    (Follow(path: "app-store/us"), "does not match", "app-store/us/top-free"),
    (Follow(path: "app-store/us/top-free/6014/7"), "does not match", "STOREFRONT/CHART/GENRE"),
    (Follow(path: "app-store/us/top-free/"), "does not match", "app-store/us/top-free"),
    (
      Follow(path: "app-store/us/top-free/gmaes"), "'gmaes' is not a genre; did you mean 'games'?",
      "the name of a genre: business, weather"
    ),
    (
      Follow(path: "app-store/us/top-free/games", options: ["genre": "6016"]), "6014, and the option the genre 6016",
      "one genre"
    ),
    (Follow(path: "app-store/us/top-free/games", options: ["feed": "marketing"]), "no genres", "leave out"),
    (Follow(path: "app-store//top-free"), "does not match", "app-store/us/top-free"),
    (Follow(path: "app-store/uk/top-free"), "did you mean 'gb'", "a two-letter code"),
    (Follow(path: "app-store/q9/top-free"), "no storefront 'q9'", "such as us, fr or jp"),
    (Follow(path: "app-store/us/topfree"), "did you mean 'top-free'", "top-grossing"),
    (Follow(path: "app-store/us/whatever-it-is"), "no chart 'whatever-it-is'", "top-free, top-paid, top-grossing, new"),
    (Follow(path: "app-store/us/top-free", limit: 0), "limit 0", "1 to 200"),
    (Follow(path: "app-store/us/top-free", limit: 201), "limit 201", "1 to 200"),
    (Follow(path: "app-store/us/top-free", limit: 101, options: ["feed": "marketing"]), "limit 101", "1 to 100"),
    (
      Follow(path: "app-store/us/new", options: ["feed": "marketing"]), "marketing feed has no chart new",
      "top-free, top-paid"
    ),
    (Follow(path: "app-store/us/top-free", options: ["genre": "6014", "feed": "marketing"]), "no genres", "leave out"),
    (
      Follow(path: "app-store/us/top-free", options: ["genre": "no-such"]), "'no-such' is not a genre",
      "the name of a genre"
    ),
    (Follow(path: "app-store/us/top-free/0"), "'0' is not a genre", "the name of a genre: business, weather"),
    (
      Follow(path: "app-store/us/top-free", options: ["gnre": "6014"]), "unknown option 'gnre'", "did you mean 'genre'?"
    ),
    (Follow(path: "app-store/us/top-free", options: ["x": "6014"]), "unknown option 'x'", "options genre and feed"),
    (Follow(path: "app-store/us/top-free", options: ["feed": .bool(true)]), "feed cannot be boolean", "marketing"),
    (Follow(path: "app-store/us/top-free", options: ["feed": "rss"]), "feed cannot be 'rss'", "expected \"marketing\""),
  ])
  func refuses(follow: Follow, message: String, allowed: String) {
    let error = #expect(throws: FollowError.self) { try source.check(follow) }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    #expect(error?.allowed.contains(allowed) == true, "\(error?.allowed ?? "")")
    #expect(error?.failure.reason == .usage)
  }
}
