import Models
import Parsing
import Ports
import Testing

@Suite struct AccountSettingsTests {
  private static let books = SourceName(rawValue: "books")

  private func format(_ hasAccounts: Bool = true) -> JSONSettingsFormat {
    var source = SourceDescriptor(name: Self.books, summary: "", forms: [.init("books", "")], collections: [])
    source.hasAccounts = hasAccounts
    return JSONSettingsFormat(sources: KnownSources([source]))
  }

  @Test func accountsAreRead() throws {
    let settings = try format().read(
      Array(
        #"""
        {"servers": {"books": {"accounts": {
          "home": {"url": "https://dav.example/x/", "user": "ann", "password": {"command": ["pass", "dav"]}},
          "b-2": {"url": "http://localhost:1"}}}}}
        """#.utf8))
    #expect(
      settings.servers[Self.books]?.accounts == [
        .init(name: "home", url: "https://dav.example/x/", user: "ann", password: .command(["pass", "dav"])),
        .init(name: "b-2", url: "http://localhost:1"),
      ])
  }

  @Test(arguments: [
    (#"{"a/b": {"url": "http://x"}}"#, "servers.books.accounts['a/b']"),
    (#"{"a": {"user": "x"}}"#, "servers.books.accounts.a"),
    (#"{"a": {"url": "http://x", "password": "p"}}"#, "servers.books.accounts.a.password"),
    (#"{"a": {"url": "http://u:p@x"}}"#, "servers.books.accounts.a.url"),
    (#"{"a": {"url": "http://x", "key": "p"}}"#, "servers.books.accounts.a.key"), ("[]", "servers.books.accounts"),
  ])
  func mistakesAreNamed(_ accounts: String, _ path: String) {
    do {
      _ = try format().read(Array(#"{"servers": {"books": {"accounts": \#(accounts)}}}"#.utf8))
      Issue.record("accepted: \(accounts)")
    } catch {
      #expect(error.problems.map(\.path) == [path], "\(error.problems)")
      #expect(!error.problems.contains { $0.message.contains("u:p") })
    }
  }

  @Test func onlyDescribedSourcesHaveThem() {
    #expect(throws: SettingsProblems.self) {
      try format(false).read(Array(#"{"servers": {"books": {"accounts": {}}}}"#.utf8))
    }
  }
}
