import Models
import Ports

/// One step of a pull: a page of the list, or the requests that its records made.
struct DeclaredPull: Sendable {
  let source: DeclaredSource
  let follow: Follow
  let pages: DeclaredPages
  let compiled: DeclaredSource.CompiledFollow
  let variables: Variables
  let client: DeclaredClient
  let context: PullContext

  var request: SourceDefinition.Request { compiled.list.request }
  private var limit: Int? { variables["limit"].flatMap { Int($0) } }

  func callAsFunction() async throws(SourceError) -> PullPage {
    let sourceState = DeclaredState(fields: context.sourceState)
    var cursor = DeclaredCursor(isComplete: isComplete(sourceState), begun: context.now)
    if let known = context.cursor {
      cursor = DeclaredCursor(fields: known)
    } else {
      cursor.isFull = context.isFull
      // What an earlier pull owes comes first: its records are stored, and do not ask for it again.
      cursor.waiting = sourceState.failed + (context.abandoned.map { DeclaredCursor(fields: $0).waiting } ?? [])
    }
    if !cursor.waiting.isEmpty { return try await pullChildren(cursor, sourceState) }
    return try await pullPage(cursor, sourceState)
  }

  /// Whether this pull is to read the list as a whole.
  private func isComplete(_ sourceState: DeclaredState) -> Bool {
    switch compiled.definition.complete {
    case nil: false
    case .always: true
    case .every(let interval):
      sourceState.completedAt.map { context.now < $0 || context.now - $0 >= interval.seconds } ?? true
    }
  }

  // MARK: The list

  private func pullPage(_ cursor: DeclaredCursor, _ sourceState: DeclaredState) async throws(SourceError) -> PullPage {
    let place = cursor.place ?? DeclaredCursor.Place()
    let variables = pageVariables(place, sourceState, cursor)
    let pageBefore = place.href == nil ? nil : client.server.base
    let url = try client.address(request, variables, href: place.href, after: pageBefore)
    let known = request.body == nil ? sourceState.pages.first { $0.url.exact == url.exact } : nil
    let validator = known.flatMap { StoredValidator($0.validator, url: url).validator }
    var cursor = cursor
    cursor.pages += 1
    switch try await client.send(request, to: url, variables, validator: validator) {
    case .notModified:
      cursor.demanded.formUnion(sourceState.failed.map { sublist($0) })
      cursor.count += known?.count ?? 0
      cursor.taken += known?.taken ?? 0
      return try ended(.notModified(url: url), cursor, known?.next, sourceState, url: url)
    case .empty:
      var page = PullPage(url: url)
      var list = ListPage([], doubts: cursor.isComplete ? [] : [.part])
      list.sublistKinds = sublistKinds
      page.coverage = .page(list)
      return try ended(page, cursor, nil, sourceState, url: url)
    case .gone:
      var page = PullPage(url: url)
      // The list as a whole is gone, with what it listed; the end of one that goes on says nothing.
      var list = ListPage([], doubts: place == DeclaredCursor.Place() ? [] : [.part])
      list.sublistKinds = sublistKinds
      list.gone = gone(request, variables, compiled.definition.parameters)
      page.coverage = .page(list)
      return try ended(page, cursor, nil, sourceState, url: url)
    case .content(let response):
      return try read(response, place, cursor, sourceState, variables, url: url)
    }
  }

  private func pageVariables(
    _ place: DeclaredCursor.Place, _ sourceState: DeclaredState, _ cursor: DeclaredCursor
  ) -> Variables {
    var variables = counted(self.variables, place, request.paging)
    if let since = compiled.definition.since, variables[since.send] == nil {
      variables[since.send] = cursor.isComplete ? since.first.map { Self.sent($0, since) } : point(sourceState, since)
    }
    return variables.adding(place.variables)
  }

  func counted(
    _ variables: Variables, _ place: DeclaredCursor.Place, _ paging: SourceDefinition.Paging?
  ) -> Variables {
    var variables = variables
    variables["now"] = context.now.description
    variables["today"] = context.now.date.description
    if let size = paging?.size { variables["size"] = String(min(size, max(1, limit ?? size))) }
    switch paging?.style {
    case .page(let first)?: variables["page"] = String(place.number ?? first)
    case .offset(let first)?: variables["offset"] = String(place.number ?? first)
    default: break
    }
    return variables
  }

  /// The point in the form that is sent; `nil` if there is none yet.
  private func point(_ sourceState: DeclaredState, _ since: SourceDefinition.Since) -> String? {
    guard let point = known(sourceState) else { return since.first.map { Self.sent($0, since) } }
    return Self.sent(Self.earlier(point, by: since.overlap), since)
  }

  /// A point some time before.
  private static func earlier(_ point: String, by overlap: Interval?) -> String {
    guard let overlap, let time = Timestamp(rfc3339: point) else { return point }
    return (time + -overlap.seconds).description
  }

  private static func sent(_ point: String, _ since: SourceDefinition.Since) -> String {
    guard since.form != .text, let time = Timestamp(rfc3339: point) ?? CivilDate(point).map(Timestamp.init(startOf:))
    else { return point }
    switch since.form {
    case .time, .text: return time.description
    case .date: return time.date.description
    case .epoch: return String(time.secondsSinceEpoch)
    case .epochms: return String(time.secondsSinceEpoch * 1000)
    }
  }

  private func read(
    _ response: HTTPResponse, _ place: DeclaredCursor.Place, _ given: DeclaredCursor, _ kept: DeclaredState,
    _ variables: Variables, url: String
  ) throws(SourceError) -> PullPage {
    var (cursor, sourceState) = (given, kept)
    let parsed = try parse(response, compiled.list.reader, variables, url: url)
    let answer = parsed.value
    let room = limit.map { max(0, $0 - cursor.taken) }
    let taken = Self.cut(answer.records, to: room)
    cursor.count += answer.count
    cursor.taken += taken.counted
    cursor.rejected += parsed.rejects.total
    var page = PullPage(
      changes: changes(taken.records, response.validator, url: url), rejects: parsed.rejects, url: url)
    let isOld = try note(taken.records, answer, response, sourceState, &cursor)
    var list = ListPage([])
    (cursor.waiting, list.sublists) = try waiting(for: taken.records, sourceState, &cursor)
    list.sublistKinds = sublistKinds
    list.mayMissSublists = !request.children.isEmpty && !answer.rejectedIDs.isEmpty

    let order = PageOrder(request.paging, answer, response)
    var next = order.next(after: place, cursor)
    let isCut = taken.isCut || (limit.map { cursor.taken >= $0 } ?? false && next != nil)
    var end: String?
    if isCut { end = "the limit of \((limit ?? 0).counted("record")) is reached" }
    if isOld { end = "the list came to the point of the sync before" }
    if next != nil, end == nil, let most = request.paging?.most, cursor.pages >= most {
      end = "\"most\" is \(most.counted("page"))"
    }
    if end != nil {
      next = nil
      if !isOld { cursor.cut = isCut ? "limit" : "most" }
    }
    if next == nil {
      page.notes.append(
        "the list ended after \(cursor.pages.counted("page")) with \(cursor.count.counted("record")): "
          + (end ?? order.end(cursor)))
    }
    if let href = next?.href {
      // Checked here, so that the error names the page that named the address.
      next?.href = try client.address(request, variables, href: href, after: url)
    }
    // Also what no complete pull listed yet is known, so that one which comes later can tell what is missing.
    list.records =
      answer.records.filter { !$0.isGone }.compactMap(\.id).map { .init($0.collection, $0.text) }
      + answer.rejectedIDs.map { .init($0.collection, $0.text) }
    if end != nil {
      list.doubts.append(.limit)
    } else if next == nil, let doubt = order.doubt(cursor, isPart: isPart(variables, cursor)) {
      list.doubts.append(doubt)
    } else if next == nil, cursor.isComplete, request.selections.count == 1 {
      list.total = order.total
    }
    if cursor.isComplete {
      if answer.hasUnknownID { list.doubts.append(.unreadableID) }
      if let path = answer.missingList { list.doubts.append(.noList(path: path)) }
    } else {
      list.doubts.append(.part)
      if let path = answer.missingList { page.notes.append(Self.note(missing: path)) }
    }
    // Cursors and links may count records, too; only what comes after a named record cannot move.
    if case .last? = request.paging?.style {
    } else if cursor.isComplete, cursor.pages > 1 {
      list.doubts.append(.movingPages)
    }
    cursor.isContradicted = cursor.isContradicted || list.doubts.contains(where: \.isContradiction)
    page.coverage = .page(list)
    // A page of a complete list of several pages is read each time: without it, the set of records is incomplete.
    // One that is in doubt is read again, too.
    let isClear = !list.doubts.contains { $0.isContradiction || $0 == .unreadableID }
    if compiled.definition.complete == nil || place == DeclaredCursor.Place() && next == nil, request.body == nil,
      isClear
    {
      let validator = StoredValidator(url: url, response.validator).fields
      sourceState.keep(
        .init(
          url: url, validator: cursor.waiting.isEmpty ? validator : [:], next: next, count: answer.count,
          taken: taken.counted))
    }
    page.progress = .init(done: cursor.taken, total: order.total.map { min($0, limit ?? $0) })
    // A server that does not know the number of a page answers with the same records for ever.
    let contents = answer.records.compactMap { $0.id?.text } + parsed.rejects.kept.map(\.raw)
    let isCounted = next?.number != nil && !contents.isEmpty
    return try ended(
      page, cursor, next, sourceState, contents: isCounted ? contents.joined(separator: "\n") : nil, url: url)
  }

  static func note(missing path: String) -> String { "the answer has no list at \(path)" }

  func parse(
    _ response: HTTPResponse, _ reader: any AnswerReader, _ variables: Variables, url: String
  ) throws(SourceError) -> Parsed<DeclaredAnswer> {
    do throws(ParsingError) {
      if response.body.allSatisfy({ $0 <= 0x20 }) { throw Self.noContent(response.status) }
      return try reader.read(response.body, variables: variables.values)
    } catch {
      var error = error
      // GraphQL, and others, report errors with the status 200.
      if error.code == .shape, let said = client.message(of: response) { error.found += ", and the message '\(said)'," }
      throw .parsing(error, url: url)
    }
  }

  /// The error of an answer without content, which no rule explains.
  private static func noContent(_ status: HTTPStatus) -> ParsingError {
    let rule = status == .noContent ? "\"status\": 204" : "\"status\": \(status), \"if\": {\"$\": null}"
    return ParsingError(
      .foreign, expected: "JSON",
      found: status == .noContent ? "the status 204, an answer without content" : "an empty body",
      hint: "if that is an empty list, the definition says so: \"errors\": [{\(rule), \"means\": \"empty\"}]")
  }

  /// The maximum number of records of each collection.
  private static func cut(
    _ records: [DeclaredRecord], to room: Int?
  ) -> (records: [DeclaredRecord], counted: Int, isCut: Bool) {
    var counts: [CollectionName: Int] = [:]
    let kept = records.filter { record in
      guard let collection = record.id?.collection else { return true }
      counts[collection, default: 0] += 1
      return counts[collection, default: 0] <= room ?? .max
    }
    let most = counts.values.max() ?? 0
    return (kept, min(most, room ?? most), kept.count < records.count)
  }

  /// Notes the next point. Returns whether a list that has its newest records first has come to the point before: some
  /// lists have old records before them, so that it ends with a page of which all are known.
  private func note(
    _ records: [DeclaredRecord], _ answer: DeclaredAnswer, _ response: HTTPResponse, _ sourceState: DeclaredState,
    _ cursor: inout DeclaredCursor
  ) throws(SourceError) -> Bool {
    guard let since = compiled.definition.since else { return false }
    switch since.point {
    case .token(.header(let name)): cursor.point = response.headers[name] ?? cursor.point
    case .token(.path): cursor.point = answer.point.flatMap(Self.text) ?? cursor.point
    case .field(let field):
      let values = records.compactMap { $0.fields[field].flatMap(Self.text) }
      for value in values { cursor.order.add(value, highest: &cursor.point, isBefore: Self.isBefore) }
      guard since.isNewestFirst, !cursor.isComplete, let point = known(sourceState) else { return false }
      let end = Self.earlier(point, by: since.overlap)
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
  private func isPart(_ variables: Variables, _ cursor: DeclaredCursor) -> Bool {
    !cursor.isComplete && compiled.definition.since.map { variables[$0.send] != nil } ?? false
  }

  /// The stored point. One in the future, which a record with a wrong time left behind, counts as now.
  private func known(_ sourceState: DeclaredState) -> String? { sourceState.point.map { latest($0, context.now) } }

  /// A point that is not later than a moment. A token is what the server says.
  private func latest(_ point: String, _ moment: Timestamp) -> String {
    guard let since = compiled.definition.since, case .field = since.point else { return point }
    // A number as the API has it.
    if let number = Int(point) {
      switch since.form {
      case .epoch: return String(min(number, moment.secondsSinceEpoch))
      case .epochms: return String(min(number, moment.secondsSinceEpoch * 1000 + 999))
      case .time, .date, .text: return point
      }
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
  private func reached(_ page: inout PullPage, _ cursor: DeclaredCursor, _ sourceState: DeclaredState) -> String? {
    let stored = known(sourceState)
    guard let since = compiled.definition.since, let highest = cursor.point, !cursor.isContradicted else {
      return stored
    }
    // What is behind the point is not asked for again, so that the text of each rejected record must be kept.
    if cursor.rejected > RejectedRecords.limit {
      page.warnings.append(
        "\(cursor.rejected.counted("record")) were rejected, more than are kept: the next sync asks for them again")
      return stored
    }
    var reached: String? = highest
    if let cut = cursor.cut {
      let order = cursor.order
      let isField = if case .field = since.point { true } else { false }
      let isNewestFirst = since.isNewestFirst || (isField && order.isDescending && !order.isAscending)
      if stored != nil || !isNewestFirst {
        reached = isField && order.isAscending && !since.isNewestFirst ? order.secondHighest : nil
        if reached == nil {
          let raise = cut == "limit" ? "--limit" : "\"most\""
          page.warnings.append(
            isNewestFirst
              ? "records between \(stored ?? "the first") and \(order.lowest ?? "the last") are missing: raise \(raise)"
              : "the list is not in ascending order, so that what comes behind the limit is never read: raise \(raise)")
        }
      }
    }
    guard let reached else { return stored }
    let latest = latest(reached, cursor.begun ?? context.now)
    if latest.exact != reached.exact, cursor.begun == context.now {
      page.notes.append("a record has the time \(reached), which is later than now: the next sync asks from \(latest)")
    }
    return stored.map { Self.isBefore(latest, $0) ? $0 : latest } ?? latest
  }

  /// Whether a point comes before another: numbers by their value, everything else by its bytes.
  private static func isBefore(_ one: String, _ other: String) -> Bool {
    if let left = Int(one), let right = Int(other) { return left < right }
    return one.exact < other.exact
  }

  private static func text(_ value: JSONValue) -> String? {
    if case .number(let digits) = value { digits } else { value.string.flatMap { $0.isEmpty ? nil : $0 } }
  }

  /// The page with the cursor behind it, and with what is remembered at the end of a pull.
  ///
  /// - Parameter contents: the records of a page of a list that is counted; `nil` where the next page has a name.
  private func ended(
    _ page: PullPage, _ given: DeclaredCursor, _ next: DeclaredCursor.Place?, _ kept: DeclaredState,
    contents: String? = nil, url: String
  ) throws(SourceError) -> PullPage {
    var (page, cursor, sourceState) = (page, given, kept)
    let variables = next?.variables.members.map { "\($0.key)=\($0.value.string ?? "")" } ?? []
    if cursor.advance(to: next, name: contents ?? "\(next?.href ?? "") \(next?.number ?? 0) \(variables)") {
      let reason =
        contents == nil
        ? "it names a page again that was read already"
        : "page \(cursor.pages) has the records of an earlier one"
      throw .meant(
        .endless, said: APIFailure(.samePage, "the list does not end: \(reason)"),
        url: url)
    }
    page.next = cursor.next
    if page.next == nil { finish(&page, cursor, &sourceState) }
    if sourceState != DeclaredState(fields: context.sourceState) { page.sourceState = sourceState.fields }
    return page
  }

  func finish(_ page: inout PullPage, _ cursor: DeclaredCursor, _ sourceState: inout DeclaredState) {
    let stored = sourceState.point
    sourceState.point = reached(&page, cursor, sourceState)
    if cursor.isComplete {
      var judged = sourceState
      // Requests that no record of the whole list makes any more are not tried again.
      if cursor.rejected == 0 { judged.failed.removeAll { !cursor.demanded.contains(sublist($0)) } }
      if case .every? = compiled.definition.complete { judged.completedAt = context.now }
      page.judgedSourceState = judged.fields
      sourceState.point = stored
    }
    page.notes += pages.filled.notes(of: source.definition)
  }

  // MARK: Records

  /// The changes that records make. The entity tag of an answer is that of a record if the answer came from the address
  /// of this record alone.
  func changes(_ records: [DeclaredRecord], _ validator: HTTPValidator?, url: String) -> [PulledChange] {
    pages.filled.note(records)
    return records.compactMap { record in
      guard let id = record.id else { return nil }
      if record.isGone { return PulledChange(collection: id.collection, id: id.text, fields: [:], .remove) }
      let rule: PulledChange.Rule = source.merged.contains(id.collection) ? .merge : .replace
      var change = PulledChange(collection: id.collection, id: id.text, fields: record.fields, rule)
      if let edits = source.definition.edits(of: id.collection) {
        change.base = record.fields
        let remote = DeclaredRemote(source: source, edits: edits, client: client)
        if records.count == 1, let etag = validator?.etag, remote.isAddress(url, of: id.text) {
          change.sourceState = ["etag": .string(etag)]
        }
      }
      return change
    }
  }

  /// The records of a request that the API says are gone, where their ids follow from its variables.
  func gone(
    _ request: SourceDefinition.Request, _ variables: Variables, _ names: [String]
  ) -> [PullPage.ListedRecord] {
    request.areas(variables, known: names).filter(\.isSingle).map { .init($0.collection, $0.start) }
  }
}
