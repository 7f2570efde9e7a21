import Models
import Ports

/// Everything that the first page shows.
struct DashboardData: Sendable {
  struct Chart: Sendable {
    /// `app-store/fr/top-paid`, with the genre where there is one.
    var path: String
    /// The first places.
    var entries: Result<[ChartEntry], Failure>
  }

  /// How many places of a chart are shown on the first page.
  static let places = 10
  static let photosShown = 12
  /// With more photos than this, the first by id are shown in place of the newest: finding those would read them all.
  static let mostSorted = 20_000

  /// Follows and store at one moment.
  struct Summary: Sendable {
    /// The follows, with the scheduler's times, and the outbox.
    var status: SyncStatus
    var statistics: StoreStatistics
  }

  /// The newest photos, and how many there are.
  struct Photos: Sendable {
    /// Those that are shown.
    var listings: [PhotoListing]
    var count: Int
  }

  /// Some rejected records, and how many there are.
  struct Rejects: Sendable {
    /// Those that are shown.
    var records: [Reject]
    var count: Int
  }

  static let followsShown = 100
  /// Charts on the first page.
  static let chartsShown = 6
  /// Edits on the first page.
  static let editsShown = 20

  struct FollowQuery: Sendable {
    var search = ""
    /// How many come before.
    var start = 0

    init(_ call: APIRequest) {
      search = call.query("follow")?.trimmed ?? ""
      start = max(0, min(1_000_000, call.query("from").flatMap { Int($0) } ?? 0))
    }

    /// The address of another page of the same search.
    func address(from start: Int) -> String {
      let values = [search.isEmpty ? nil : "follow=\(percentEncoded(search))", start == 0 ? nil : "from=\(start)"]
      let query = values.compactMap(\.self).joined(separator: "&")
      return "/\(query.isEmpty ? "" : "?\(query)")#follows"
    }

    /// The follows that are meant, those that need attention first.
    func matches(in follows: [FollowStatus]) -> [FollowStatus] {
      let words = search.lowercased()
      let found = words.isEmpty ? follows : follows.filter { $0.follow.lowercased().contains(words) }
      return found.filter { $0.error != nil || $0.isStale } + found.filter { $0.error == nil && !$0.isStale }
    }
  }

  let query: FollowQuery
  /// What is followed, by path.
  let follows: [ExactString: Follow]
  let keepsFollows: Bool
  /// How many charts are followed.
  let chartCount: Int
  let pictures: PictureFetch
  let configReadAt: Timestamp
  let problems: [Health.Problem]
  /// What this daemon does, where several share the store.
  let role: String?
  let summary: Result<Summary, Failure>
  let charts: [Chart]
  let photos: Result<Photos, Failure>
  let birthdays: Result<[UpcomingBirthday], Failure>
  let today: CivilDate
  let outbox: Result<[OutboxEntry], Failure>
  /// Writes the states of edits for which decisions are made.
  let coder: any RecordCoder
  /// The fields of conflicts that follow others, by the ids of the edits.
  let following: [ExactString: [ExactString: [String]]]
  let receivers: Result<[ReceiverState], Failure>
  /// What edits wait for, by their records.
  let holds: [ExactString: EditHold]
  let rejects: Result<Rejects, Failure>

  /// Reads it all. What cannot be read is an error in its section, and the others are shown.
  init(_ services: DaemonServices, _ parts: API.Parts, _ query: FollowQuery) async {
    self.query = query
    coder = services.coder
    pictures = await API.pictures(services, parts)
    role = parts.role.sentence
    configReadAt = parts.health.config.readAt
    let store = Self.read { () throws(Failure) in try services.statusCache.read(services) }
    switch store {
    case .success(let reading):
      let status = API.explained(reading.status, services, parts)
      summary = .success(Summary(status: status, statistics: reading.statistics))
    case .failure(let failure): summary = .failure(failure)
    }
    keepsFollows = services.settings.storeFollows != nil
    follows = Dictionary(services.settings.follows.map { ($0.$path, $0) }) { first, _ in first }
    let followed = services.settings.follows.filter { $0.source == .appStore }
    chartCount = followed.count
    charts = followed.prefix(Self.chartsShown).map { Self.chart($0, services) }
    photos = Self.read { () throws(Failure) in
      let count = try services.library.count(.photos)
      return Photos(listings: try Self.photos(services, count: count), count: count)
    }
    let today = services.time.now.date
    self.today = today
    birthdays = Self.read { () throws(Failure) in
      try services.people.birthdays(from: today, days: 60, leapDay: .feb28)
    }
    let outbox = Self.read { () throws(Failure) in try services.outbox.entries() }
    self.outbox = outbox
    receivers = Self.read { () throws(Failure) in try services.notifications.states() }
    holds = (try? services.outbox.holds()) ?? [:]
    let conflicts = ((try? outbox.get()) ?? []).filter { $0.state == .conflict }.prefix(Self.editsShown)
    following = Dictionary(
      conflicts.map { ($0.$id, (try? services.outbox.followingFields(of: $0)) ?? [:]) }, uniquingKeysWith: { $1 })
    rejects = Self.read { () throws(Failure) in
      Rejects(
        records: try Self.records(Reject.self, LibraryQuery(limit: 20), services),
        count: try services.library.count(.rejects))
    }
    for case .failure(let failure) in [
      summary.map { _ in }, photos.map { _ in }, birthdays.map { _ in }, outbox.map { _ in }, rejects.map { _ in },
    ] + charts.map({ $0.entries.map { _ in } }) { parts.health.note(failure) }
    parts.health.check(services)
    problems = parts.health.problems
  }

  private static func read<Value>(_ body: () throws(Failure) -> Value) -> Result<Value, Failure> {
    do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
  }

  private static func chart(_ follow: Follow, _ services: DaemonServices) -> Chart {
    return Chart(
      path: follow.path,
      entries: read { () throws(Failure) in
        do throws(Failure) {
          return try services.charts.top(follow.path, limit: places)
        } catch  where error.reason == .notFound || error.reason == .usage {
          // It was never synced: then there is nothing to show yet.
          return []
        }
      })
  }

  private static func photos(_ services: DaemonServices, count: Int) throws(Failure) -> [PhotoListing] {
    if count <= mostSorted { return try services.photos.photos(PhotoQuery(limit: photosShown)) }
    var listings: [PhotoListing] = []
    for photo in try records(Photo.self, LibraryQuery(limit: photosShown), services) {
      let owner = try records(Owner.self, LibraryQuery(limit: 1, prefix: photo.ownerID), services).first
      let known = owner?.id.exact == photo.ownerID.exact ? owner : nil
      listings.append(PhotoListing(photo: photo, owner: known?.username ?? photo.ownerID, iconURL: known?.iconURL))
    }
    return listings
  }

  private static func records<Value: Record>(
    _ type: Value.Type, _ query: LibraryQuery, _ services: DaemonServices
  ) throws(Failure) -> [Value] {
    var values: [Value] = []
    try services.library.list(Value.collection, query) { bytes in
      if let value = try? Value(stored: bytes, services.coder) { values.append(value) }
      return .next
    }
    return values
  }
}
