public import Models
public import Ports

/// Speaks the App Store's chart feeds: the legacy RSS feeds (`/us/rss/topfreeapplications/limit=100/json`) and the
/// marketing feeds (https://rss.marketingtools.apple.com).
///
/// A pull is one request. Apps are kept by storefront, so that what one feed leaves out does not erase what another
/// one told; the
/// chart becomes a new snapshot when its ranks changed, otherwise the newest snapshot's `lastObservedAt` moves. A feed
/// without entries is a chart without ranks; of entries that are set aside the others keep their order.
public struct AppStoreSource: Source {
  private let parser: any ResponseParser<AppStoreFeed>
  private let coder: any RecordCoder
  private let settings: Settings.Server?

  /// A feed of 200 apps is one megabyte: what is much larger is no feed, and need not be held to learn that.
  private static let largestFeed = 16 << 20

  /// A source that reads answers with `parser`, and asks the server of the settings where they name one.
  public init(parser: any ResponseParser<AppStoreFeed>, coder: any RecordCoder, settings: Settings.Server?) {
    self.parser = parser
    self.coder = coder
    self.settings = settings
  }

  /// `app-store`.
  public var name: SourceName { .appStore }

  /// The genres that `app-store/STOREFRONT/CHART/GENRE` takes by name; a number need not be among them.
  public static var genres: [ChartGenre] { Genre.all }

  /// `app-store/STOREFRONT/CHART`, with `/GENRE` for one genre.
  public var forms: [String] { ["app-store/STOREFRONT/CHART", "app-store/STOREFRONT/CHART/GENRE"] }

  /// 100 places.
  public var defaultLimit: Int? { ChartRequest.defaultLimit }

  /// Checks storefront, chart, genre, feed and limit.
  public func check(_ follow: Follow) throws(FollowError) {
    _ = try ChartRequest(follow)
  }

  /// The storefront in small letters and the genre's number as a part of the path, however they are given.
  public func canonical(_ follow: Follow) throws(FollowError) -> Follow {
    Follow(path: try ChartRequest(follow).path, limit: follow.limit, every: follow.every, feed: follow.feed)
  }

  /// Pulls the chart, with one request. A validator is sent only as long as the chart's snapshot is here.
  public func pull(_ follow: Follow, _ context: PullContext) async throws(SourceError) -> PullPage {
    let request: ChartRequest
    do throws(FollowError) { request = try ChartRequest(follow) } catch { throw .follow(error) }
    let newest: ChartSnapshot?
    var changes: [PulledChange]
    do throws(StoreError) {
      changes = try AppTakeover(reader: context.snapshot, coder: coder).changes()
      newest = try ChartSeries(id: request.seriesID, reader: context.snapshot, coder: coder).newest()
    } catch {
      throw .store(error)
    }
    let url = request.url(settings?.url)
    let response: HTTPResponse
    do throws(TransportError) {
      response = try await context.transport.send(
        HTTPRequest(
          .get, url, headers: ["Accept": "application/json"],
          validator: newest == nil ? nil : FeedMemory(context.memory, url: url).validator, bodyLimit: Self.largestFeed))
    } catch {
      throw .transport(error)
    }
    if response.status == 304, let newest {
      return .notModified(url: url, changes: changes + [seenAgain(newest, at: context.now)])
    }
    guard response.isSuccess else { throw .status(response, url: url) }
    let parsed: Parsed<AppStoreFeed>
    do throws(ParsingError) { parsed = try parser.parse(response.body) } catch { throw .parsing(error, url: url) }
    let apps = parsed.value.apps
    changes += apps.map { app in
      var app = app
      app.storefront = request.storefront
      return PulledChange(app, .merge)
    }
    // A feed of which nothing could be read says nothing about the ranks.
    if !apps.isEmpty || parsed.rejects.isEmpty { changes.append(chart(apps, request, newest, at: context.now)) }
    return PullPage(
      changes: changes, rejects: parsed.rejects, url: url, memory: FeedMemory(url: url, response.validator).fields,
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
    // The clock may have been set back.
    snapshot.lastObservedAt = max(snapshot.lastObservedAt, now)
    return PulledChange(snapshot, .updateMetadata)
  }
}
