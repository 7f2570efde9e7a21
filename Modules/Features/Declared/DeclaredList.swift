import Models
import Ports

/// A list that a request asks for, and what earlier pulls left behind of it.
struct DeclaredList: Sendable {
  let compiled: DeclaredSource.CompiledRequest
  /// The variables of the follow, and of the records around the list.
  let known: Variables
  let state: DeclaredState.ListState
  let now: Timestamp

  var request: SourceDefinition.Request { compiled.request }
  private var since: SourceDefinition.Since? { request.since }
  var limit: Int? { known["limit"].flatMap { Int($0) } }

  /// Whether a page needs no reading whose bytes are known: neither requests nor a point follow from its records.
  var mayBeKnown: Bool { since == nil && request.children.isEmpty && request.body == nil }

  /// Whether this pull is to read the list as a whole. The list of a record that sends no point is, each time.
  var isDue: Bool {
    switch request.complete {
    case nil: compiled.child != nil && since == nil
    case .always: true
    case .every(let interval):
      state.completedAt.map { now < $0 || now - $0 >= interval.seconds } ?? true
    }
  }

  func variables(_ progress: ListProgress) -> Variables {
    let place = progress.place ?? .init()
    var variables = known
    variables["now"] = now.description
    if let size = request.paging?.size { variables["size"] = String(min(size, max(1, limit ?? size))) }
    switch request.paging?.style {
    case .page(let first)?: variables["page"] = String(place.number ?? first)
    case .offset(let first)?: variables["offset"] = String(place.number ?? first)
    default: break
    }
    if let since, variables["since"] == nil {
      let start = place.window?.description ?? start(progress)
      variables["since"] = start.map { since.isText ? $0 : Timestamp(timeOrDay: $0)?.description ?? $0 }
      variables["until"] = end(of: progress).description
    }
    return variables.adding(place.variables)
  }

  // MARK: Spans of time

  /// Where the whole span ends.
  private var last: Timestamp { since?.last.flatMap { SourceDefinition.Since.moment($0, now: now) } ?? now }

  /// Where the span of the next page begins; `nil` where no point is sent.
  private func windowStart(_ progress: ListProgress) -> Timestamp? {
    progress.place?.window ?? start(progress).flatMap { Timestamp(timeOrDay: $0) }
  }

  /// The end of the span of the next page: one unit of the form that it is sent in before the next span begins.
  private func end(of progress: ListProgress) -> Timestamp {
    guard let step = since?.step, let start = windowStart(progress), start + step.seconds < last else { return last }
    return start + step.seconds + -(forms(of: "until").map(\.unit).max() ?? 1)
  }

  /// The forms in which a time is sent.
  private func forms(of variable: String) -> [SourceDefinition.TimeForm] {
    request.templates.flatMap(\.terms).filter { $0.name == .variable(variable) }.compactMap(\.form)
  }

  /// Where the span after that of the page begins; `nil` if it is the last one.
  func nextWindow(_ progress: ListProgress) -> Timestamp? {
    guard let step = since?.step, progress.cut == nil, !progress.isContradicted,
      let next = windowStart(progress).map({ $0 + step.seconds })
    else { return nil }
    return next < last ? next : nil
  }

  // MARK: Points

  /// The point from which the list is read; `nil` if there is none yet.
  private func start(_ progress: ListProgress) -> String? {
    guard !progress.isComplete, let point else {
      return since?.first.map { SourceDefinition.Since.moment($0, now: now)?.description ?? $0 }
    }
    return earlier(point)
  }

  /// A point as far before as lists are read again.
  private func earlier(_ point: String) -> String {
    guard let overlap = since?.overlap, let time = Timestamp(timeOrDay: point) else { return point }
    let earlier = time + -overlap.seconds
    return CivilDate(point) == nil ? earlier.description : earlier.date.description
  }

  /// Notes the next point. Returns whether a list that has its newest records first has come to the point before: some
  /// lists have old records before them, so that it ends with a page of which all are known.
  func note(
    _ records: [DeclaredRecord], _ answer: DeclaredAnswer, _ response: HTTPResponse, _ progress: inout ListProgress,
    isChanged: (DeclaredRecord) throws(SourceError) -> Bool
  ) throws(SourceError) -> Bool {
    guard let since else { return false }
    switch since.point {
    case .token(.header(let name)): progress.point = response.headers[name] ?? progress.point
    case .span: break
    case .token(.path): progress.point = answer.point.flatMap(Self.text) ?? progress.point
    case .field(let field):
      let values = records.compactMap { $0.fields[field].flatMap(Self.text) }
      for value in values { progress.order.add(value, highest: &progress.point, isBefore: Self.isBefore) }
      guard since.isNewestFirst, !progress.isComplete, let point else { return false }
      let end = earlier(point)
      for record in records {
        guard let value = record.fields[field].flatMap(Self.text), !Self.isBefore(value, end) else { continue }
        // What is newer than the point may be stored by a pull that did not come to its end.
        if Self.isBefore(point, value) { return false }
        if try isChanged(record) { return false }
      }
      return !values.isEmpty
    }
    return false
  }

  /// Whether only what changed since a point is asked for.
  func isPart(_ progress: ListProgress) -> Bool {
    !progress.isComplete && since != nil && variables(progress)["since"] != nil
  }

  /// The stored point. One in the future, which a record with a wrong time left behind, counts as now.
  private var point: String? { state.point.map { latest($0, now) } }

  /// A point that is not later than a moment. A token is what the server says.
  private func latest(_ point: String, _ moment: Timestamp) -> String {
    guard let since, case .field = since.point else { return point }
    // A number as the API has it, in the form in which it is sent.
    if let number = Int(point) {
      let forms = forms(of: "since")
      if forms.contains(.epoch) { return String(min(number, moment.secondsSinceEpoch)) }
      if forms.contains(.epochMilliseconds) { return String(min(number, moment.secondsSinceEpoch * 1000 + 999)) }
      return point
    }
    if let instant = Timestamp(rfc3339: point), moment < instant { return moment.description }
    if let date = CivilDate(point), moment.date < date { return moment.date.description }
    return point
  }

  /// The point after a pull that came to its end.
  ///
  /// It is not later than the beginning of the pull: what changed since then may be on a page that was read before, and a
  /// time in the future would keep everything else from being asked for. Where a limit ended the list, it moves only as far
  /// as everything before it is known: in a list in ascending order up to the highest value but one, because others with the
  /// highest may follow; in a list with the newest records first only in the first pull, which is not meant to read
  /// what is older.
  func reached(_ page: inout PullPage, _ progress: ListProgress, begun: Timestamp?) -> String? {
    guard let since, let highest = progress.point, !progress.isContradicted else { return point }
    // What is behind the point is not asked for again, so that the text of each rejected record must be kept.
    if progress.rejected > RejectedRecords.limit {
      page.warnings.append(
        "\(progress.rejected.counted("record")) were rejected, more than are kept: the next sync asks for them again")
      return point
    }
    var reached: String? = highest
    if let cut = progress.cut {
      let order = progress.order
      let isField = if case .field = since.point { true } else { false }
      let isNewestFirst = since.isNewestFirst || (isField && order.isDescending && !order.isAscending)
      if point != nil || !isNewestFirst {
        reached = isField && order.isAscending && !since.isNewestFirst ? order.secondHighest : nil
        if reached == nil {
          let raise = cut == "limit" ? "--limit" : "\"most\""
          page.warnings.append(
            isNewestFirst
              ? "records between \(point ?? "the first") and \(order.lowest ?? "the last") are missing: raise \(raise)"
              : "the list is not in ascending order, so that what comes behind the limit is never read: raise \(raise)")
        }
      }
    }
    guard let reached else { return point }
    let latest = latest(reached, begun ?? now)
    if latest.exact != reached.exact, begun == now {
      page.notes.append("a record has the time \(reached), which is later than now: the next sync asks from \(latest)")
    }
    return point.map { Self.isBefore(latest, $0) ? $0 : latest } ?? latest
  }

  /// Whether a point comes before another: numbers by their value, everything else by its bytes.
  private static func isBefore(_ one: String, _ other: String) -> Bool {
    if let left = Int(one), let right = Int(other) { return left < right }
    return one.exact < other.exact
  }

  private static func text(_ value: JSONValue) -> String? {
    if case .number(let digits) = value { digits } else { value.string.flatMap { $0.isEmpty ? nil : $0 } }
  }
}
