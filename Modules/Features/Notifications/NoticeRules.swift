import Models
import Ports

/// Finds what to notify of: compares a state of the store with what receivers were notified of already.
///
/// Only changed records are read from the change feed. Charts, edits and follows are compared by their state, so that
/// nothing is left out if changes are not kept any more.
struct NoticeRules {
  let targets: [NotificationTarget]
  let snapshot: any StoreSnapshot
  let coder: any RecordCoder
  let now: Timestamp
  let suggestions: Suggestions
  let catalog: CollectionCatalog
  private(set) var mark: Watermark
  /// What to notify of, by the name of the target.
  private(set) var notices: [(target: String, notice: Notice)] = []

  /// Begins with what receivers were notified of already, or with the present state.
  init(
    targets: [NotificationTarget], snapshot: any StoreSnapshot, coder: any RecordCoder, now: Timestamp,
    mark: Watermark?, suggestions: Suggestions, catalog: CollectionCatalog, status: () throws(Failure) -> [FollowStatus]
  ) throws(Failure) {
    (self.suggestions, self.catalog) = (suggestions, catalog)
    (self.targets, self.snapshot, self.coder, self.now) = (targets, snapshot, coder, now)
    self.mark = mark ?? Watermark()
    guard mark == nil else { return }
    self.mark.cursor = snapshot.end
    let troubled = try Failure.reading(troubledEdits())
    for entry in troubled { self.mark.edits[entry.$id] = entry.state.rawValue }
    self.mark.stale = Set(try status().filter(Self.isStale).map(\.follow.exact))
  }

  private mutating func notify(_ notice: Notice, _ isWanted: (NotificationRules) -> Bool) {
    for target in targets where isWanted(target.rules) { notices.append((target.name, notice)) }
  }

  // MARK: Edits

  /// Notifies of edits that came into conflict or were refused.
  mutating func edits() throws(StoreError) {
    var seen: [ExactString: String] = [:]
    for entry in try troubledEdits() {
      seen[entry.$id] = entry.state.rawValue
      guard mark.edits[entry.$id] != entry.state.rawValue else { continue }
      notify(.edit(entry, named: try name(of: entry), at: now, suggestions)) { $0.conflicts }
    }
    mark.edits = seen
  }

  /// The name of the record that an edit changes; `nil` if it has none, or is not there any more.
  private func name(of entry: OutboxEntry) throws(StoreError) -> String? {
    guard let field = catalog[entry.targetCollection]?.nameField else { return nil }
    return try snapshot.object(entry.targetCollection, entry.targetID, coder)?[field]?.string
  }

  private func troubledEdits() throws(StoreError) -> [OutboxEntry] {
    try snapshot.all(OutboxEntry.self, coder) { $0.state == .pending ? nil : $0 }
  }

  // MARK: Follows

  /// Notifies of follows that became stale, and of those that are not any more.
  mutating func follows(_ statuses: [FollowStatus]) {
    var stale: Set<ExactString> = []
    for status in statuses {
      let path = status.follow.exact
      let isStale = Self.isStale(status)
      // Nothing is expected of a follow that is paused. Whether it is up to date shows when it goes on.
      if isStale || status.isPaused && mark.stale.contains(path) { stale.insert(path) }
      guard stale.contains(path) != mark.stale.contains(path) else { continue }
      notify(.follow(status.follow, isStale: isStale, since: status.lastSuccess, error: status.error, at: now)) {
        $0.stale
      }
    }
    mark.stale = stale
  }

  /// Whether a follow is reported as stale. A follow that was never synced is not, unless a sync has failed.
  private static func isStale(_ status: FollowStatus) -> Bool {
    status.isStale && (status.lastSuccess != nil || status.error != nil)
  }

  // MARK: Charts

  /// Notifies of the apps that entered and left the tops of charts since the last snapshot that was looked at.
  mutating func charts() throws(StoreError) {
    let rules = targets.flatMap(\.rules.charts)
    for series in Set(rules.map { Self.series($0.path).exact }).sorted() {
      let last = mark.charts[series]
      var previous: ChartSnapshot? = try last.flatMap { (id) throws(StoreError) in
        try snapshot.record(ChartSnapshot.self, id, coder)
      }
      // Without an earlier snapshot, or after it was removed, the first one is only remembered.
      let range = ScanRange(prefix: series.text + "/", after: previous == nil ? nil : last)
      var newer: [ChartSnapshot] = []
      try snapshot.scan(ChartSnapshot.self, range, coder) { (chart) throws(StoreError) -> ScanStep in
        // Charts of genres have the same beginning.
        if chart.seriesID.exact == series { newer.append(chart) }
        if previous == nil, newer.count > 1 { newer.removeFirst() }
        return .next
      }
      for chart in newer {
        if let previous { try compare(chart, previous, series) }
        previous = chart
        mark.charts[series] = chart.id
      }
    }
    let watched = Set(rules.map { Self.series($0.path).exact })
    mark.charts = mark.charts.filter { watched.contains($0.key) }
  }

  private mutating func compare(
    _ chart: ChartSnapshot, _ previous: ChartSnapshot, _ series: ExactString
  ) throws(StoreError) {
    let ranks = Self.ranks(chart)
    let before = Self.ranks(previous)
    func mover(_ id: String) throws(StoreError) -> Notice.Mover {
      let key = "\(chart.storefront)/\(id)"
      let app = try snapshot.object(.apps, key, coder)
      return Notice.Mover(id: key, name: app?["name"]?.string ?? id, rank: ranks[id.exact], was: before[id.exact])
    }
    for target in targets {
      for rule in target.rules.charts where Self.series(rule.path).exact == series {
        let (top, topBefore) = (chart.ranks.prefix(rule.top), previous.ranks.prefix(rule.top))
        let (known, kept) = (Set(topBefore.map(\.exact)), Set(top.map(\.exact)))
        var (entered, left): ([Notice.Mover], [Notice.Mover]) = ([], [])
        for id in top where !known.contains(id.exact) { entered.append(try mover(id)) }
        for id in topBefore where !kept.contains(id.exact) { left.append(try mover(id)) }
        if entered.isEmpty && left.isEmpty { continue }
        notices.append((target.name, .chart(rule, entered: entered, left: left, observedAt: chart.observedAt, at: now)))
      }
    }
  }

  private static func ranks(_ chart: ChartSnapshot) -> [ExactString: Int] {
    Dictionary(chart.ranks.enumerated().map { ($1.exact, $0 + 1) }) { first, _ in first }
  }

  /// The beginning of the ids of a chart's snapshots: the path without the source.
  private static func series(_ path: String) -> String {
    path.firstIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  // MARK: Birthdays

  /// Notifies of birthdays, of each once a day. Days on which the program did not run are made up for, as long as the birthday
  /// is not over, and so are people who were stored after the last look.
  mutating func birthdays(today: CivilDate, _ people: any PeopleService) throws(Failure) {
    if let day = mark.day, day > today { return }
    let known = mark.birthdays
    let first = mark.day.map { max(known == nil ? $0.adding(days: 1) : $0, today.adding(days: -31)) } ?? today
    var notified: Set<ExactString> = []
    let offsets = Set(targets.flatMap(\.rules.birthdays))
    if let most = offsets.max() {
      // A birthday whose notice was due on a day since `first`, and which is not over.
      let upcoming = try people.birthdays(from: today, days: most, leapDay: .feb28)
      for birthday in upcoming {
        // Several wanted days that were missed make one notice.
        var due: Set<Int> = []
        for offset in offsets {
          let day = birthday.date.adding(days: -offset)
          let earlier = "\(birthday.date) \(offset) \(birthday.person.id)"
          // A digest: the date stays for a day, also when the person is forgotten.
          let key = StableHash.digest([earlier]).exact
          if day == today { notified.insert(key) }
          let isKnown = known.map { $0.contains(key) || $0.contains(earlier.exact) } ?? false
          if day >= first, day <= today, !isKnown { due.insert(offset) }
        }
        let days = birthday.date.daysSinceEpoch - today.daysSinceEpoch
        notify(.birthday((birthday.person, birthday.date, birthday.age), in: days, at: now)) {
          !due.isDisjoint(with: $0.birthdays)
        }
      }
    }
    mark.day = today
    mark.birthdays = notified
  }

  // MARK: Records

  static let mostChanges = 100

  /// Notifies of changed records; the feed was read up to the last one.
  mutating func changes(_ changes: [StoreChange]) throws(StoreError) {
    var told: [StoreChange] = []
    for change in changes {
      // A record that got the id of its server comes under that one.
      if change.record == nil, try snapshot.hasState(.moved(change.collection, change.id)) { continue }
      told.append(change)
    }
    for target in targets where !target.rules.changes.isEmpty {
      let wanted = Set(target.rules.changes)
      var rest = told.filter { wanted.contains($0.collection) }[...]
      while !rest.isEmpty {
        var next: [JSONObject] = []
        for change in rest.prefix(Self.mostChanges) { next.append(try fields(of: change)) }
        notices.append((target.name, .changes(next, at: now)))
        rest = rest.dropFirst(next.count)
      }
    }
    if let last = changes.last { mark.cursor = last.cursor }
  }

  /// Goes to the end of the feed: the changes after the cursor are not kept any more.
  mutating func skipChanges() { mark.cursor = snapshot.end }

  /// Leaves the stored place in the feed as it is.
  mutating func keepCursor(_ cursor: ChangeCursor?) { mark.cursor = cursor }

  private func fields(of change: StoreChange) throws(StoreError) -> JSONObject {
    var fields: JSONObject = [
      "op": change.record == nil ? "delete" : "put", "collection": .string(change.collection.rawValue),
      "id": .string(change.id), "at": .string(change.at.description),
    ]
    if let record = change.record {
      let slice = record[...]
      let record = try coder.object(slice.span.bytes, of: change.collection)
      fields.append("name", catalog[change.collection]?.nameField.flatMap { record[$0]?.string })
      fields["record"] = .object(record)
    }
    return fields
  }
}
