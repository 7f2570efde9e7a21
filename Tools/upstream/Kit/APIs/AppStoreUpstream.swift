/// Simulates the App Store's feeds: the legacy RSS feed as JSON, and the marketing feed v2.
struct AppStoreUpstream {
  private let options: UpstreamOptions
  private let apps: [App]
  private var orders: [String: ChartOrder] = [:]
  /// The number of responses of each chart, which determines the day if charts rotate.
  private var answers: [String: Int] = [:]

  static let legacyFeeds = [
    "topfreeapplications": "Top Free Applications", "toppaidapplications": "Top Paid Applications",
    "topgrossingapplications": "Top Grossing Applications", "newapplications": "New Applications",
  ]

  private static let currencies = [
    "us": ("USD", "$"), "gb": ("GBP", "£"), "fr": ("EUR", "€"), "de": ("EUR", "€"), "it": ("EUR", "€"),
    "es": ("EUR", "€"), "nl": ("EUR", "€"), "jp": ("JPY", "¥"), "se": ("SEK", "kr "), "ch": ("CHF", "CHF "),
  ]

  init(options: UpstreamOptions) {
    self.options = options
    apps = (0..<max(1, options.apps)).map { App(seed: options.seed, number: $0, drift: options.drift) }
  }

  /// `/{storefront}/rss/{feed}/limit={n}[/genre={id}]/json`
  mutating func legacy(_ parts: [String], day: Int, base: String) -> Content {
    guard parts.count >= 4, parts.last == "json", AppStoreUpstream.isStorefront(parts[0]),
      let title = AppStoreUpstream.legacyFeeds[parts[2]]
    else { return .notFound("No such feed") }
    var limit = 10
    var genre: Int?
    for part in parts[3...].dropLast() {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, let number = Int(pair[1]), number > 0 else { return .badRequest("Bad parameter \(part)") }
      switch pair[0] {
      case "limit": limit = number
      case "genre": genre = number
      default: return .badRequest("Bad parameter \(part)")
      }
    }
    let chart = AppStoreUpstream.chart(of: parts[2])
    let (ranked, day) = ranks(storefront: parts[0], chart: chart, genre: genre, limit: min(limit, 200), day: day)
    let (currency, symbol) = AppStoreUpstream.currencies[parts[0]] ?? ("USD", "$")
    let url = "https://itunes.apple.com/" + parts.joined(separator: "/")
    let updated = Instant(seconds: Instant.start.seconds + day * 86_400 + 8 * 3600)
    let bytes = JSONText.object { text in
      text.object("feed") { feed in
        feed.object("author") {
          $0.object("name", ["label": "iTunes Store"])
          $0.object("uri", ["label": "http://www.apple.com/\(parts[0])/itunes/"])
        }
        // As in the real feed, a chart with one entry is an object, and an empty one has no entry at all.
        if ranked.count == 1, options.drift {
          feed.object("entry") { entry(ranked[0], parts[0], currency, symbol, base, &$0) }
        } else if !ranked.isEmpty || !options.drift {
          feed.array("entry") { list in
            for app in ranked { list.object { entry(app, parts[0], currency, symbol, base, &$0) } }
          }
        }
        feed.object("updated", ["label": updated.californian])
        feed.object("rights", ["label": "Copyright 2008 Apple Inc."])
        feed.object("title", ["label": "iTunes Store: \(title)"])
        feed.object("icon", ["label": "http://itunes.apple.com/favicon.ico"])
        feed.array("link") { links in
          for (relation, target) in [("alternate", "https://apps.apple.com/\(parts[0])/charts"), ("self", url)] {
            links.object {
              $0.object("attributes") {
                $0.field("rel", relation)
                if relation == "alternate" { $0.field("type", "text/html") }
                $0.field("href", target)
              }
            }
          }
        }
        feed.object("id", ["label": url])
      }
    }
    return Content(
      body: bytes, type: "text/javascript; charset=UTF-8", modified: updated, validated: options.validators != .none)
  }

  /// `/api/v2/{storefront}/apps/{chart}/{n}/apps.json`
  mutating func marketing(_ parts: [String], day: Int, base: String) -> Content {
    guard parts.count == 7, parts[3] == "apps", parts[6] == "apps.json", AppStoreUpstream.isStorefront(parts[2]),
      ["top-free", "top-paid"].contains(parts[4]), let limit = Int(parts[5]), (1...100).contains(limit)
    else { return .notFound("No such feed") }
    let (ranked, day) = ranks(storefront: parts[2], chart: parts[4], genre: nil, limit: limit, day: day)
    let url = "https://rss.marketingtools.apple.com/" + parts.joined(separator: "/")
    let updated = Instant(seconds: Instant.start.seconds + day * 86_400 + 8 * 3600)
    let bytes = JSONText.object { text in
      text.object("feed") { feed in
        feed.field("title", parts[4] == "top-free" ? "Top Free Apps" : "Top Paid Apps")
        feed.field("id", url)
        feed.object("author", ["name": "Apple", "url": "https://www.apple.com/"])
        feed.array("links") { $0.object { $0.field("self", url) } }
        feed.field("copyright", "Copyright © 2026 Apple Inc. All rights reserved.")
        feed.field("country", parts[2])
        feed.field("icon", "https://www.apple.com/favicon.ico")
        feed.field("updated", updated.rfc822)
        feed.array("results") { list in
          for app in ranked { list.object { result(app, parts[2], base, &$0) } }
        }
      }
    }
    return Content(body: bytes, type: "application/json", modified: updated, validated: options.validators != .none)
  }

  private func entry(
    _ app: App, _ storefront: String, _ currency: String, _ symbol: String, _ base: String, _ text: inout JSONText
  ) {
    let page = "https://apps.apple.com/\(storefront)/app/\(Words.slug(app.name))/id\(app.id)?uo=2"
    let isBroken = options.isBroken(app.number)
    if !isBroken { text.object("im:name", ["label": app.name]) }
    text.array("im:image") { images in
      for height in app.imageHeights {
        images.object {
          $0.field("label", image(app, height, base))
          $0.object("attributes", ["height": String(height)])
        }
      }
    }
    if let summary = app.summary { text.object("summary", ["label": summary]) }
    text.object("im:price") {
      $0.field("label", app.priceLabel(symbol))
      $0.object("attributes", ["amount": app.amount, "currency": currency])
    }
    text.object("im:contentType") { $0.object("attributes", ["term": "Application", "label": "Application"]) }
    if app.hasRights { text.object("rights", ["label": "© \(app.artist)"]) }
    if !isBroken { text.object("title", ["label": "\(app.name) - \(app.artist)"]) }
    text.object("link") { $0.object("attributes", ["rel": "alternate", "type": "text/html", "href": page]) }
    text.object("id") {
      $0.field("label", page)
      $0.object("attributes") {
        $0.field("im:id", String(app.id))
        if let bundle = app.bundleID { $0.field("im:bundleId", bundle) }
      }
    }
    text.object("im:artist") {
      $0.field("label", app.artist)
      if app.hasArtistLink { $0.object("attributes", ["href": developer(app, storefront) + "?uo=2"]) }
    }
    let genre = "https://apps.apple.com/\(storefront)/genre/ios-\(Words.slug(app.genre.label))/id\(app.genre.id)?uo=2"
    text.object("category") {
      $0.object(
        "attributes",
        ["im:id": String(app.genre.id), "term": app.genre.label, "scheme": genre, "label": app.genre.label])
    }
    text.object("im:releaseDate") {
      $0.field("label", app.released.californian)
      $0.object("attributes", ["label": app.released.long])
    }
  }

  private func result(_ app: App, _ storefront: String, _ base: String, _ text: inout JSONText) {
    text.field("artistName", app.artist)
    text.field("id", String(app.id))
    if options.isBroken(app.number) { text.null("name") } else { text.field("name", app.name) }
    text.field("releaseDate", app.released.date)
    text.field("kind", "apps")
    if app.hasArtistLink && !options.drift {
      text.field("artistId", String(900_000_000 + app.studio))
      text.field("artistUrl", developer(app, storefront))
    }
    text.field("artworkUrl100", image(app, 100, base))
    let genre = "https://itunes.apple.com/\(storefront)/genre/id\(app.genre.id)"
    text.array("genres") { genres in
      if options.drift { return }
      genres.object { $0.fields(["genreId": String(app.genre.id), "name": app.genre.label, "url": genre]) }
    }
    text.field("url", "https://apps.apple.com/\(storefront)/app/\(Words.slug(app.name))/id\(app.id)")
  }

  private func developer(_ app: App, _ storefront: String) -> String {
    "https://apps.apple.com/\(storefront)/developer/\(Words.slug(app.artist))/id\(900_000_000 + app.studio)"
  }

  private func image(_ app: App, _ height: Int, _ base: String) -> String {
    "\(base)/image/thumb/Purple/v4/\(app.icon)/AppIcon.png/\(height)x\(height)bb.png"
  }

  private mutating func ranks(
    storefront: String, chart: String, genre: Int?, limit: Int, day: Int
  ) -> (apps: [App], day: Int) {
    let key = "\(storefront)/\(chart)/\(genre.map(String.init) ?? "")"
    let day = day + (options.rotateEvery > 0 ? answers[key, default: 0] / options.rotateEvery : 0)
    answers[key, default: 0] += 1
    var order: ChartOrder
    if let known = orders[key], known.day <= day {
      order = known
    } else {
      let numbers = apps.indices.filter { number in
        let app = apps[number]
        if let genre, app.genre.id != genre { return false }
        return chart == "top-free" ? app.price == 0 : chart == "top-paid" ? app.price > 0 : true
      }
      order = ChartOrder(seed: options.seed, chart: key, numbers: numbers, shown: options.chartSize)
    }
    order.advance(to: day)
    orders[key] = order
    return (order.numbers.prefix(min(limit, options.chartSize)).map { apps[$0] }, day)
  }

  private static func chart(of feed: String) -> String {
    switch feed {
    case "topfreeapplications": "top-free"
    case "toppaidapplications": "top-paid"
    case "topgrossingapplications": "top-grossing"
    default: "new"
    }
  }

  /// Whether the text has two letters.
  static func isStorefront(_ text: String) -> Bool {
    text.utf8.count == 2 && text.utf8.allSatisfy { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") }
  }
}
