public import Models
public import Ports

/// Follows the chart feeds of the App Store: the legacy RSS feeds (`/us/rss/topfreeapplications/limit=100/json`) and the
/// marketing feeds (https://rss.marketingtools.apple.com).
///
/// A pull is one request. An app that is in several feeds of a storefront keeps the fields that one of them lacks. A price
/// that differs from the stored one becomes a `PriceChange`. The chart becomes a new snapshot if its ranks changed;
/// otherwise the `lastObservedAt` of the latest snapshot is updated. A feed without entries is a chart without ranks. The
/// entries beside rejected ones keep their order.
public struct AppStoreSource: Source {
  private let parser: any ResponseParser<AppStoreFeed>
  let coder: any RecordCoder
  private let settings: Settings.Server?

  /// A feed of 200 apps is one megabyte. A much larger response is refused while it is read.
  private static let largestFeed = 16 << 20

  /// A source that reads answers with `parser`, and asks the server of the settings where they name one.
  public init(parser: any ResponseParser<AppStoreFeed>, coder: any RecordCoder, settings: Settings.Server?) {
    (self.parser, self.coder, self.settings) = (parser, coder, settings)
  }

  public var abilities: SourceAbilities { SourceAbilities(purge: self) }
  public var descriptor: SourceDescriptor { Self.descriptor }
  public static let descriptor = SourceDescriptor(
    name: .appStore, summary: "charts of the App Store",
    forms: [
      .init(
        "app-store/{storefront}/{chart}", "top-free, top-paid, top-grossing, new", limit: ChartRequest.limit,
        choices: storefrontChoices + chartChoices),
      .init(
        "app-store/{storefront}/{chart}/{genre}", "the chart of a genre: games or 6014", limit: ChartRequest.limit,
        choices: storefrontChoices + chartChoices + genres.map { .init("genre", $0.id, $0.title) }),
    ],
    pathNote: "for example app-store/us/top-free or app-store/us/top-free/games",
    options: [
      .init(
        ChartRequest.genreOption, .label, help: "A chart's genre: short for /GENRE at the end of its path.",
        becomesPath: true),
      .init(ChartRequest.feed, allowed: ["marketing"], help: "Apple's newer feed, without genres: marketing."),
    ],
    collections: [
      .init(
        App.self,
        columns: ["id", "name", "artist", "price.amount", "price.currency", "category", "releaseDate"],
        media: ["thumbnailURL"]),
      .init(
        ChartSnapshot.self, columns: ["storefront", "chart", "genre", "observedAt", "lastObservedAt", "ranks"]
      ).withoutHistory,
      .init(
        PriceChange.self,
        columns: ["id", "name", "observedAt", "previous.amount", "price.amount", "price.currency"]
      ).withoutHistory,
    ],
    defaultURL: "https://itunes.apple.com")

  private static let storefrontChoices: [FollowForm.Choice] = Storefront.names.sorted { $0.name < $1.name }.map {
    .init("storefront", $0.code, $0.name)
  }

  private static let chartChoices: [FollowForm.Choice] = Chart.allCases.map { .init("chart", $0.rawValue, $0.title) }

  /// The genres that `app-store/STOREFRONT/CHART/GENRE` takes by name; a number need not be among them.
  public static var genres: [ChartGenre] { Genre.all }

  /// The storefront in small letters and the genre's number as a part of the path, however they are given.
  public func canonical(_ follow: CheckedFollow) throws(FollowError) -> CheckedFollow {
    let request = try ChartRequest(follow)
    var canonical = follow
    canonical.follow.path = request.path
    canonical.follow.options[ChartRequest.genreOption] = nil
    canonical.match.form = descriptor.forms[request.genre == nil ? 0 : 1]
    canonical.match.parameters = [request.storefront, request.chart.rawValue] + [request.genre].compactMap(\.self)
    return canonical
  }

  /// What a follow of this source asks for; `nil` if it is not valid.
  func request(of follow: Follow) -> ChartRequest? { try? ChartRequest(check(follow)) }

  /// Pulls the chart, with one request. A validator is sent only as long as the chart's snapshot is here.
  public func pull(_ follow: CheckedFollow, _ context: PullContext) async throws(SourceError) -> PullPage {
    let request: ChartRequest
    do throws(FollowError) { request = try ChartRequest(follow) } catch { throw .follow(error) }
    var (changes, newest) = try SourceError.from { () throws(StoreError) in
      (
        try AppTakeover(reader: context.snapshot, coder: coder).changes(),
        try ChartSeries(id: request.seriesID, reader: context.snapshot, coder: coder).latest(at: context.now)
      )
    }
    let client = try SourceClient(descriptor, settings, transport: context.transport)
    let url = request.url(settings?.url)
    // Without the snapshot a 304 would leave the chart empty.
    let validator = newest == nil ? nil : StoredValidator(context.sourceState, url: url).validator
    guard let answer = try await client.get(url, parser, validator: validator, bodyLimit: Self.largestFeed) else {
      return .notModified(url: url, changes: changes + (newest.map { [seenAgain($0, at: context.now)] } ?? []))
    }
    let parsed = answer.parsed
    let apps = parsed.value.apps
    for var app in apps {
      app.storefront = request.storefront
      changes.append(PulledChange(app, .merge))
      let prices = StoredPrices(reader: context.snapshot, coder: coder)
      let change = try SourceError.reading(prices.change(to: app, at: context.now))
      if let change { changes.append(PulledChange(change, .insert)) }
    }
    // A feed of which nothing could be read says nothing about the ranks.
    if !apps.isEmpty || parsed.rejects.isEmpty { changes.append(chart(apps, request, newest, at: context.now)) }
    return PullPage(
      changes: changes, rejects: parsed.rejects, url: url,
      sourceState: StoredValidator(url: url, answer.validator).fields,
      progress: .init(done: apps.count, total: apps.count))
  }

  private func chart(
    _ apps: [App], _ request: ChartRequest, _ newest: ChartSnapshot?, at now: Timestamp
  ) -> PulledChange {
    var seen: Set<ExactString> = []
    let ranks = apps.map(\.appID).filter { seen.insert($0.exact).inserted }
    if let newest, newest.ranks == ranks { return seenAgain(newest, at: now) }
    return PulledChange(
      ChartSnapshot(
        storefront: request.storefront, chart: request.chart.rawValue, genre: request.genre, observedAt: now,
        lastObservedAt: now, ranks: ranks))
  }

  private func seenAgain(_ snapshot: ChartSnapshot, at now: Timestamp) -> PulledChange {
    var snapshot = snapshot
    // A time of the future was written by a clock that was wrong, and does not count.
    let last = snapshot.lastObservedAt <= now ? snapshot.lastObservedAt : snapshot.observedAt
    snapshot.lastObservedAt = max(last, now)
    return PulledChange(snapshot, .updateMetadata)
  }
}

/// Moves the apps of stores of earlier versions, whose ids are the App Store's alone, to the storefronts.
///
/// Such a record goes to every storefront in whose charts the app was seen, and to the one of its page where it was
/// seen in none. It stays where neither is known. What a storefront knows of the app already stays as it is.
struct AppTakeover {
  let reader: any RecordReader
  let coder: any RecordCoder

  /// The changes that move them; none where all have a storefront, which takes one lookup. O(number of apps without
  /// one and of chart snapshots).
  func changes() throws(StoreError) -> [PulledChange] {
    let records = try bareRecords()
    guard !records.isEmpty else { return [] }
    let seen = try storefronts(of: Set(records.map(\.id.exact)))
    var changes: [PulledChange] = []
    for (id, fields) in records {
      var storefronts = seen[id.exact] ?? []
      if storefronts.isEmpty, let page = fields["url"]?.string.flatMap(Storefront.ofPage) { storefronts = [page.exact] }
      guard !storefronts.isEmpty else { continue }
      changes += storefronts.sorted().map(\.text).map { storefront in
        var moved: JSONObject = [
          "id": .string(App.id(storefront: storefront, appID: id)), "storefront": .string(storefront),
          "appID": .string(id),
        ]
        moved.members += fields.members.filter { moved[$0.key] == nil }
        return PulledChange(collection: .apps, id: App.id(storefront: storefront, appID: id), fields: moved, .insert)
      }
      changes.append(PulledChange(collection: .apps, id: id, fields: [:], .remove))
    }
    return changes
  }

  /// The records whose ids are digits, which sort before every storefront.
  private func bareRecords() throws(StoreError) -> [(id: String, fields: JSONObject)] {
    var records: [(id: String, fields: JSONObject)] = []
    try reader.scan(.apps, .all) { (bytes: RawSpan) throws(StoreError) -> ScanStep in
      let fields = try coder.object(bytes, of: .apps)
      guard let id = fields["id"]?.string, let first = id.utf8.first, first <= 0x39 else { return .stop }
      if id.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { records.append((id, fields)) }
      return .next
    }
    return records
  }

  /// In which storefronts' charts the apps were seen.
  private func storefronts(of apps: Set<ExactString>) throws(StoreError) -> [ExactString: Set<ExactString>] {
    var seen: [ExactString: Set<ExactString>] = [:]
    try reader.scan(ChartSnapshot.self, .all, coder) { (snapshot) throws(StoreError) in
      for id in snapshot.ranks where apps.contains(id.exact) {
        seen[id.exact, default: []].insert(snapshot.storefront.exact)
      }
      return .next
    }
    return seen
  }
}

extension Storefront {
  /// The storefront of an app's page, `https://apps.apple.com/fr/app/…`.
  static func ofPage(_ url: String) -> String? {
    let parts = url.split(separator: "/")
    guard parts.count > 2, isKnown(String(parts[2])) else { return nil }
    return String(parts[2])
  }
}
