import Models
import Ports

/// Everything that the first page shows.
struct DashboardData: Sendable {
  /// One followed chart.
  struct Chart: Sendable {
    /// `app-store/fr/top-paid`, with the genre where there is one.
    var path: String
    /// The first places.
    var entries: [ChartEntry]
  }

  /// How many places of a chart are shown on the first page.
  static let places = 10
  /// How many photos are shown.
  static let photos = 12
  /// With more photos than this, the first by id are shown in place of the newest: finding those would read them all.
  static let mostSorted = 20_000

  var status: SyncStatus
  var statistics: StoreStatistics
  var charts: [Chart]
  var photos: [PhotoListing]
  var photoCount: Int
  var birthdays: [UpcomingBirthday]
  var today: CivilDate
  var outbox: [OutboxEntry]
  var rejects: [Reject]
  var rejectCount: Int

  /// Reads it all.
  ///
  /// - Throws: `Failure` where the store cannot be read.
  init(_ services: DaemonServices, _ scheduler: Scheduler) async throws(Failure) {
    let reading = try services.statusCache.read(services)
    status = await API.timed(reading.status, scheduler)
    statistics = reading.statistics
    charts = []
    for follow in services.settings.follows {
      if let chart = try Self.chart(follow, services) { charts.append(chart) }
    }
    photoCount = try services.library.count(.photos)
    photos = try Self.photos(services, count: photoCount)
    today = services.time.now.date
    birthdays = try services.people.birthdays(from: today, days: 60, leapDay: .feb28)
    outbox = try services.outbox.entries()
    rejectCount = try services.library.count(.rejects)
    rejects = try Self.records(Reject.self, LibraryQuery(limit: 20), services)
  }

  private static func chart(_ follow: Follow, _ services: DaemonServices) throws(Failure) -> Chart? {
    guard follow.source == .appStore else { return nil }
    do throws(Failure) {
      return Chart(path: follow.path, entries: try services.charts.top(follow.path, limit: places))
    } catch {
      // It was never synced: then there is nothing to show yet.
      if error.reason == .notFound || error.reason == .usage { return Chart(path: follow.path, entries: []) }
      throw error
    }
  }

  private static func photos(_ services: DaemonServices, count: Int) throws(Failure) -> [PhotoListing] {
    if count <= mostSorted { return try services.photos.photos(owner: nil, limit: photos) }
    var listings: [PhotoListing] = []
    for photo in try records(Photo.self, LibraryQuery(limit: photos), services) {
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
