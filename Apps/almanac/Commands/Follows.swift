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

/// `almanac unfollow PATH`
struct Unfollow: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "unfollow",
    abstract: "Stop following; what was kept stays in the store.")

  @Argument(help: "The followed path.") var path: String
  @OptionGroup var global: GlobalOptions

  func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
    let wasThere = try Failure.from { () throws(SettingsFailure) in try services.settings.remove(path: path) }
    guard wasThere else {
      throw Failure(
        .config, .notFound, "\(path) is not followed", hint: "'almanac following' lists what is", path: path)
    }
    services.terminal.note("no longer following \(path); its records stay")
    return .done
  }
}

/// `almanac following`
struct Following: ServiceCommand {
  static let configuration = CommandConfiguration(commandName: "following", abstract: "List what is followed.")

  @OptionGroup var global: GlobalOptions

  func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
    let records = try services.loadSettings().follows.map { follow in
      var fields: JSONObject = ["follow": .string(follow.path)]
      fields.append("limit", follow.limit)
      fields.append("every", follow.every?.description)
      fields.append("genre", follow.genre)
      fields.append("feed", follow.feed)
      return fields
    }
    Answer(terminal: services.terminal).list(
      records,
      columns: [.init("follow"), .init("limit", number: true), .init("every"), .init("genre"), .init("feed")],
      empty: "nothing is followed yet; try 'almanac follow app-store/us/top-free'")
    return .done
  }
}
