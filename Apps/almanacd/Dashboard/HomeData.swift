import Models
import Ports

/// What the first page shows: what needs a person, what changed, and what comes next.
struct HomeData: Sendable {
  /// What a source brought since the last visit, or what was changed here.
  struct News: Sendable {
    let title: String
    let icon: Icon
    /// In people's words, with the address of the page that shows it.
    fileprivate(set) var lines: [(text: String, rest: String, address: String)] = []
    /// How many records it is about: the largest comes first.
    fileprivate var size = 0
    var pictures: [Photo] = []

    fileprivate init(_ title: String, _ icon: Icon) { (self.title, self.icon) = (title, icon) }

    fileprivate init(_ source: SourceName) { self.init(Shown.heading(source.rawValue), Icon(of: source)) }
  }

  /// The lines of what was changed here.
  private static let mostOwn = 5

  /// Charts that are compared for the first page.
  private static let chartsCompared = 12
  /// With more photos than this, none is shown as new: to find the newest would read them all.
  static let mostSorted = 20_000

  let visit: Visit
  let today: CivilDate
  let problems: [Health.Problem]
  let name: @Sendable (String) -> FollowName
  /// What this daemon does, where several share the store.
  let role: String?
  let status: Result<SyncStatus, Failure>
  /// The follows that are being synced, or are about to be.
  let busy: Set<ExactString>
  let statistics: StoreStatistics?
  let outbox: Result<[OutboxItem], Failure>
  /// Until when edits wait for their servers.
  let waiting: HTML?
  let birthdays: Result<[UpcomingBirthday], Failure>
  let news: Result<[News], Failure>

  /// Reads it all. What cannot be read is an error in its section, and the others are shown.
  init(_ services: DaemonServices, _ parts: API.Parts, _ visit: Visit) async {
    self.visit = visit
    busy = await parts.scheduler.awaited
    role = parts.role.sentence
    name = { FollowName($0, services) }
    today = services.time.now.date
    let today = today
    let reading = Self.read { () throws(Failure) in try services.statusCache.read(services) }
    status = reading.map { API.explained($0.status, services, parts) }
    statistics = (try? reading.get())?.statistics
    outbox = Self.read { () throws(Failure) in
      try OutboxItem.proposed(services) + OutboxItem.all(services) { $0.state != .pending }
    }
    waiting = OutboxItem.waiting(services)
    birthdays = Self.read { () throws(Failure) in
      try services.people.birthdays(from: today, days: 60, leapDay: .feb28)
    }
    news = Self.read { () throws(Failure) in try Self.news(services, since: visit.since) }
    for case .failure(let failure) in [
      status.map { _ in }, outbox.map { _ in }, birthdays.map { _ in }, news.map { _ in },
    ] { parts.health.note(failure) }
    parts.health.check(services)
    problems = parts.health.problems
  }

  static func read<Value>(_ body: () throws(Failure) -> Value) -> Result<Value, Failure> {
    do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
  }

  // MARK: What changed

  private static func news(_ services: DaemonServices, since: Timestamp) throws(Failure) -> [News] {
    var sources: [SourceName: [CollectionName: SyncCounts]] = [:]
    try RunLine.each(services) { run in
      guard run.startedAt >= since else { return .stop }
      for (collection, change) in run.collections {
        sources[run.source, default: [:]][collection, default: SyncCounts()] += change
      }
      return .next
    }
    let back = try takeDifferences(&sources, services, since: since)
    var news: [News] = []
    let charts = try chartNews(services, since: since)
    if !charts.lines.isEmpty { news.append(charts) }
    news.indices.forEach { news[$0].size = news[$0].lines.count }
    let own = try OwnChanges(services, since: since, isDifference: true)
    if !own.actions.isEmpty {
      var here = News("Changed here", .edit)
      here.lines = own.actions.sorted { $0.size > $1.size }.prefix(mostOwn).map { own.line($0) }
      here.size = own.actions.reduce(0) { $0 + $1.size }
      let rest = own.actions.count - here.lines.count
      let address = ChangesPage.address(by: ChangesPage.here, since: since.description)
      if rest > 0 { here.lines.append(("\(grouped(rest)) more", "", address)) }
      news.append(here)
    }
    for (source, collections) in sources.sorted(by: { $0.key < $1.key }) {
      var one = News(source)
      for (collection, change) in collections.sorted(by: { $0.key < $1.key }) {
        let text = words(collection, change, of: source, back: min(back[collection] ?? 0, change.added))
        guard let text else { continue }
        let isKept = services.catalog[collection].map { $0.history.keep != .none } ?? false
        let place =
          isKept
          ? ChangesPage.address(by: source.rawValue, in: collection, since: since.description)
          : "/collections/\(percentEncoded(collection.rawValue))"
        one.lines.append((text, "", place))
        one.size += change.size
        if collection == .photos, change.added > 0 { one.pictures = try newPhotos(services, change.added) }
      }
      if !one.lines.isEmpty { news.append(one) }
    }
    // Sorting keeps the order of equals.
    return news.sorted { $0.size > $1.size }
  }

  /// Leaves out of what runs brought what was taken back since: nothing is said of a record that came and went.
  ///
  /// - Returns: how many of the records that are there now, and were not then, had been there before.
  private static func takeDifferences(
    _ sources: inout [SourceName: [CollectionName: SyncCounts]], _ services: DaemonServices, since: Timestamp
  ) throws(Failure) -> [CollectionName: Int] {
    var back: [CollectionName: Int] = [:]
    // Charts have their own news.
    sources[.appStore] = nil
    guard sources.values.flatMap(\.values).reduce(0, { $0 + $1.size }) <= mostSorted else { return back }
    for name in Set(sources.values.flatMap(\.keys)) {
      guard services.catalog[name].map({ $0.history.keep != .none }) ?? false else { continue }
      var (whole, added) = (SyncCounts(), [HistoryEntry]())
      let isKnown = try services.differences(in: [name], since: since) { entry in
        whole.count(entry)
        if entry.kind == "added", added.count < mostAsked { added.append(entry) }
      }
      guard isKnown else { continue }
      for (source, collections) in sources { sources[source]?[name] = collections[name]?.atMost(whole) }
      let first = try? services.history().beginning(since.description)
      back[name] = first.map { first in added.count { services.isBack($0, since: first) } }
    }
    return back
  }

  /// The most records that are asked whether they were there before.
  private static let mostAsked = 50

  /// `12 new photos`, `3 new people, 1 changed`, `2 people back`.
  ///
  /// - Parameter back: how many of those that were added had been there before.
  static func words(
    _ collection: CollectionName, _ counts: SyncCounts, of source: SourceName? = nil, back: Int = 0
  ) -> String? {
    let parts = [
      (counts.added - back, "new"), (counts.updated, "changed"), (counts.removed, "gone"), (back, "back"),
    ].filter { $0.0 > 0 }
    guard let first = parts.first else { return nil }
    let things = Shown.things(first.0, collection, of: source)
    let words = parts.map { "\(grouped($0.0)) \($0.1)" }
    let lead = back == 0 || parts.count > 1 ? "\(words[0]) \(things)" : "\(grouped(back)) \(things) back"
    return ([lead] + words.dropFirst()).joined(separator: ", ")
  }

  private static func newPhotos(_ services: DaemonServices, _ count: Int) throws(Failure) -> [Photo] {
    guard try services.library.count(.photos) <= mostSorted else { return [] }
    return try services.photos.photos(PhotoQuery(limit: min(count, 6))).map(\.photo)
  }

  /// Which apps entered the top 10 of a chart, which rose the most, and which prices fell.
  private static func chartNews(_ services: DaemonServices, since: Timestamp) throws(Failure) -> News {
    var news = News(.appStore)
    let span = Interval(seconds: max(60, services.time.now - since))
    for follow in services.settings.follows.filter({ $0.source == .appStore }).prefix(chartsCompared) {
      let chart = FollowName(follow.path, services).title
      let address = Shown.place("charts", follow.path)
      let movers: [ChartMover]
      do throws(Failure) { movers = try services.charts.movers(follow.path, since: span).movers } catch
        where
        error.reason == .notFound || error.reason == .usage
      { continue }
      let entered = movers.filter { ($0.to ?? 11) <= 10 && ($0.from ?? 11) > 10 }
      if !entered.isEmpty {
        let names = entered.prefix(2).map { Shown.short($0.name, 40) }.joined(separator: " and ")
        let text =
          entered.count > 2 ? "\(entered.count) apps entered the top 10" : "\(names) entered the top 10"
        news.lines.append(("\(text) of \(chart)", "", address))
      }
      let climb = { (mover: ChartMover) in (mover.from ?? 0) - (mover.to ?? 0) }
      if let best = movers.filter({ $0.change == .up }).max(by: { climb($0) < climb($1) }), climb(best) > 1 {
        news.lines.append(
          (
            "\(Shown.short(best.name, 40)) rose \(climb(best).counted("place")) to number \(best.to ?? 0) of \(chart)",
            "",
            address
          ))
      }
    }
    for change in try services.charts.priceChanges(since: since, drops: true, limit: 3) {
      news.lines.append(
        (
          "\(Shown.short(change.name, 40)) is \(Shown.price(change.price)) now, was \(Shown.price(change.previous))",
          "",
          Shown.place("apps", "\(change.storefront)/\(change.appID)")
        ))
    }
    return news
  }
}

/// When a browser was here before. Its cookie holds the time of the visit before this one, and the newest of this one.
struct Visit: Sendable {
  /// What changed after this is new.
  let since: Timestamp
  /// Whether the browser was here before.
  let isKnown: Bool
  /// What the browser keeps.
  let cookie: String

  private static let name = "almanac_seen"
  /// After so many seconds without a request, a visit is another one.
  private static let pause = 1800

  init(_ call: APIRequest, _ endpoint: Endpoint) {
    let now = call.services.time.now
    let times = (call.request.cookie(Self.name) ?? "").split(separator: ".").compactMap {
      Int($0).flatMap(Timestamp.init(exactly:))
    }
    .filter { $0 <= now }
    isKnown = times.count == 2
    let isNew = isKnown && now - times[1] > Self.pause
    since = isKnown ? times[isNew ? 1 : 0] : now + -86_400
    cookie = API.cookie(
      "\(since.secondsSinceEpoch).\(now.secondsSinceEpoch)", named: Self.name, seconds: 365 * 86_400, endpoint)
  }
}

/// What one run of the past did to one follow.
struct RunLine: Sendable {
  let run: String
  let follow: String
  let startedAt: Timestamp
  /// How long the run took, in seconds.
  let seconds: Int
  let requests: Int
  let bytes: Int
  let added: Int
  let updated: Int
  let removed: Int
  let rejected: Int
  let collections: [(CollectionName, SyncCounts)]
  let error: Failure?

  var source: SourceName { SourceName(rawValue: follow.firstPart) }

  init?(_ run: JSONObject, _ follow: JSONObject) {
    guard let started = run["startedAt"]?.timestamp else { return nil }
    let finished = run["finishedAt"]?.timestamp ?? started
    (self.run, self.follow) = (run["id"]?.string ?? "", follow["follow"]?.string ?? "")
    (startedAt, seconds) = (started, finished - started)
    let number = { (name: String) in follow[name]?.int ?? 0 }
    (requests, bytes, added) = (number("requests"), number("bytes"), number("added"))
    (updated, removed, rejected) = (number("updated"), number("removed"), number("rejected"))
    collections = (follow["collections"]?.object?.members ?? []).map { member in
      var counts = SyncCounts()
      counts.added = member.value.object?["added"]?.int ?? 0
      counts.updated = member.value.object?["updated"]?.int ?? 0
      counts.removed = member.value.object?["removed"]?.int ?? 0
      return (CollectionName(rawValue: member.key), counts)
    }
    error = follow["error"]?.object.flatMap(Failure.init(stored:))
  }

  /// Calls `body` with what the runs that are kept did to each follow, the newest run first.
  static func each(_ services: DaemonServices, _ body: (RunLine) -> ScanStep) throws(Failure) {
    let coder = services.coder
    try services.library.list(.runs, LibraryQuery(descending: true, limit: .max)) {
      (bytes: RawSpan) throws(Failure) -> ScanStep in
      let run = try Failure.from { () throws(StoreError) in try coder.object(bytes, of: .runs) }
      for follow in (run["follows"]?.array ?? []).compactMap(\.object) {
        if let line = RunLine(run, follow), body(line) == .stop { return .stop }
      }
      return .next
    }
  }
}
