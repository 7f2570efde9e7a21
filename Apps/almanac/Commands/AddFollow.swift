import ArgumentParser
import Models
import Ports

/// `almanac follow PATH`
struct AddFollow: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "follow", abstract: "Follow something: it is checked, and kept from the next sync on.",
    discussion: """
      A path is a source with its parameters:
        app-store/STOREFRONT/CHART   charts top-free, top-paid, top-grossing, new
        flickr/person/NSID  flickr/photos/NSID  flickr/favorites/NSID
        flickr/search/TEXT  flickr/interestingness
        users/ID
        people
      Following the same path again changes its options.
      """)

  @Argument(help: "What to follow, for example app-store/fr/top-paid.") var path: String
  @Option(help: "How many records at most.") var limit: Int?
  @Option(help: "How often the daemon looks: 90s, 15m, 1h, 7d.") var every: String?
  @Option(help: "A genre's id, for charts.") var genre: String?
  @Option(help: "Which feed of the source: marketing.") var feed: String?
  @OptionGroup var global: GlobalOptions

  func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
    var interval: Interval?
    if let every {
      guard let parsed = Interval(every) else {
        throw Failure(
          .config, .usage, "'\(every)' is no interval", hint: "write 90s, 15m, 1h, 7d or 1h30m; at least 1s")
      }
      interval = parsed
    }
    let follow = Follow(path: path, limit: limit, every: interval, genre: genre, feed: feed)
    try Failure.from { () throws(FollowError) in try services.check(follow) }
    try Failure.from { () throws(SettingsFailure) in try services.settings.add(follow) }
    services.terminal.note("following \(path); 'almanac sync' fetches it")
    return .done
  }
}
