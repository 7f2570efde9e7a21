import Models
import Ports

/// One step of a pull: a page of the follow's list, or of the lists of its records.
struct DeclaredPull: Sendable {
  let source: DeclaredSource
  let pages: DeclaredPages
  let compiled: DeclaredSource.CompiledFollow
  let variables: Variables
  let client: DeclaredClient
  let context: PullContext

  func callAsFunction() async throws(SourceError) -> PullPage {
    let sourceState = DeclaredState(fields: context.sourceState)
    var cursor = DeclaredCursor(isComplete: list(sourceState).isDue, begun: context.now)
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

  /// The follow's own list.
  private func list(_ sourceState: DeclaredState) -> DeclaredList {
    DeclaredList(compiled: compiled.list, known: variables, state: sourceState.state, now: context.now)
  }

  // MARK: The follow's own list

  private func pullPage(_ given: DeclaredCursor, _ kept: DeclaredState) async throws(SourceError) -> PullPage {
    let list = list(kept)
    let request = list.request
    let place = given.list.place ?? DeclaredCursor.Place()
    var (cursor, sourceState) = (given, kept)
    guard request.isSent else { return try valuesPage(cursor, sourceState) }
    let variables = list.variables(cursor.list)
    let pageBefore = place.href == nil ? nil : client.server.base
    let url = try client.address(request, variables, href: place.href, after: pageBefore)
    let known = request.body == nil ? sourceState.pages.first { $0.url.exact == url.exact } : nil
    let validator = known.flatMap { StoredValidator($0.validator, url: url).validator }
    cursor.list.pages += 1
    var page = PullPage(url: url)
    switch try await client.send(request, to: url, variables, validator: validator) {
    case .notModified:
      cursor.list.demanded.formUnion(remembered(sourceState))
      cursor.list.count += known?.count ?? 0
      cursor.list.taken += known?.taken ?? 0
      page = .notModified(url: url)
      try advance(&cursor.list, of: list, to: known?.next, url: url)
    case .empty:
      page.coverage = .page(listPage(doubts: cursor.list.isComplete ? [] : [.part]))
      try advance(&cursor.list, of: list, to: nil, url: url)
    case .gone:
      // The list as a whole is gone, with what it listed; the end of one that goes on says nothing.
      var part = listPage(doubts: place == DeclaredCursor.Place() ? [] : [.part])
      part.gone = gone(request, variables, compiled.definition.parameters)
      page.coverage = .page(part)
      cursor.list.place = nil
    case .restart:
      // Nothing of what was known holds.
      sourceState = DeclaredState(fields: [:])
      try cursor.list.restart(isComplete: self.list(sourceState).isDue, url: url)
      page.notes.append(
        "the server does not know the point of the last sync any more: the list is read from the beginning")
      page.coverage = .page(listPage(doubts: cursor.list.isComplete ? [] : [.part]))
    case .content(let response):
      var (limit, progress) = (list.limit, cursor.list)
      var reading = try read(response, list, nil, &progress, cursor, sourceState, limit: limit, url: url)
      (cursor.list, cursor.waiting) = (progress, reading.waiting)
      // Cursors and links may count records, too; only what comes after a named record cannot move.
      if case .last? = request.paging?.style {
      } else {
        reading.list.mayHaveMoved = cursor.list.isComplete && cursor.list.pages > 1
      }
      page = reading.page
      if source.files != nil {
        page.notes.insert("the file \(response.url.dropFirst("file://".count)) was read", at: 0)
      }
      page.coverage = .page(reading.list)
      // A page of a complete list of several pages is read each time: without it, the set of records is incomplete.
      // One that is in doubt is read again, too.
      let isClear = !reading.list.doubts.contains { $0.isContradiction || $0 == .unreadableID }
      let next = cursor.list.place
      if request.complete == nil || place == DeclaredCursor.Place() && next == nil, request.body == nil, isClear {
        let validator = StoredValidator(url: url, response.validator).fields
        sourceState.keep(
          .init(
            url: url, validator: cursor.waiting.isEmpty ? validator : [:], next: next, count: reading.count,
            taken: reading.taken))
      }
      if let all = reading.total { limit = min(all, limit ?? all) } else { limit = nil }
      page.progress = .init(done: cursor.list.taken, total: limit)
    }
    return ended(page, cursor, sourceState)
  }

  /// A follow whose requests are made by its values alone begins with these.
  private func valuesPage(_ given: DeclaredCursor, _ sourceState: DeclaredState) throws(SourceError) -> PullPage {
    var (cursor, progress) = (given, given.list)
    var page = PullPage(url: client.server.base)
    var part = listPage(doubts: cursor.list.isComplete ? [] : [.part])
    let record = DeclaredRecord(id: nil, children: compiled.list.children.map { _ in [] })
    (cursor.waiting, part.sublists) = try waiting(for: [record], nil, &progress, cursor, sourceState)
    page.coverage = .page(part)
    progress.place = nil
    cursor.list = progress
    return ended(page, cursor, sourceState)
  }

  func listPage(doubts: [ListDoubt] = []) -> ListPage {
    var list = ListPage([], doubts: doubts)
    list.mayHaveMoved = false
    list.sublistKinds = Set(compiled.children.map(\.kind.exact))
    return list
  }

  /// The page with the cursor behind it, and with what is remembered at the end of a pull.
  func ended(_ page: PullPage, _ cursor: DeclaredCursor, _ kept: DeclaredState) -> PullPage {
    var (page, sourceState) = (page, kept)
    page.next = cursor.next
    page.countsRejects = true
    if page.next == nil {
      let list = list(sourceState)
      let reached = list.reached(&page, cursor.list, begun: cursor.begun)
      if cursor.list.isComplete {
        var judged = sourceState
        judged.state.point = reached
        // What no record of the whole list asks for any more is forgotten.
        if cursor.list.rejected == 0 { forget(in: nil, except: cursor.list.demanded, &judged) }
        if case .every? = list.request.complete { judged.state.completedAt = context.now }
        page.judgedSourceState = judged.fields
      } else {
        sourceState.state.point = reached
      }
      page.notes += pages.filled.notes(of: source.definition)
    }
    if sourceState != DeclaredState(fields: context.sourceState) { page.sourceState = sourceState.fields }
    return page
  }

  // MARK: Pages of any list

  /// How many pages without a record may follow one another: some lists have empty pages, others have no end.
  private static let mostEmptyPages = 100

  struct Reading {
    var page: PullPage
    var list: ListPage
    /// The requests that its records make.
    var waiting: [DeclaredCursor.Waiting]
    /// Its records, the number of them that counts, and the number that the whole list says to have.
    var (count, taken, total): (Int, Int, Int?)
  }

  /// Reads a page, and notes where the list goes on.
  ///
  /// - Parameter job: the request of a record; `nil` for the follow's own list.
  func read(
    _ response: HTTPResponse, _ list: DeclaredList, _ job: DeclaredCursor.Waiting?, _ progress: inout ListProgress,
    _ cursor: DeclaredCursor, _ sourceState: DeclaredState, limit: Int? = nil, url: String
  ) throws(SourceError) -> Reading {
    let variables = list.variables(progress)
    let paging = list.request.paging
    let room = limit.map { max(0, $0 - progress.taken) }
    let known = try known(response, list, job, room: room, url: url)
    let parsed =
      if let known { Parsed(known.declared) } else {
        try parse(response, list.compiled.reader, variables, url: url)
      }
    let answer = parsed.value
    var taken = Self.cut(answer.records, to: room)
    if let known { taken.counted = known.taken }
    progress.count += answer.count
    progress.empty = answer.count == 0 ? progress.empty + 1 : 0
    progress.taken += taken.counted
    progress.rejected += parsed.rejects.total
    var page = PullPage(
      changes: changes(taken.records, response.validator, url: url), rejects: parsed.rejects, url: url)
    let isOld = try list.note(taken.records, answer, response, &progress, isChanged: isChanged)
    var part = listPage()
    let waiting: [DeclaredCursor.Waiting]
    (waiting, part.sublists) = try self.waiting(for: taken.records, job, &progress, cursor, sourceState)
    part.mayMissSublists = !list.request.children.isEmpty && !answer.rejectedIDs.isEmpty

    let order = PageOrder(paging, answer, response, base: client.server.base)
    let place = progress.place ?? .init()
    var next = order.next(after: place, progress)
    if let href = next?.href {
      // Checked here, so that the error names the page that named the address.
      next?.href = try client.address(list.request, variables, href: href, after: url)
    }
    let namesItself = next?.isPage(at: place, url) ?? false
    let isSilent = next != nil && progress.empty >= Self.mostEmptyPages
    if namesItself || isSilent { next = nil }
    let isCut = taken.isCut || (limit.map { progress.taken >= $0 } ?? false && next != nil)
    var end: String?
    if isCut { end = "the limit of \((limit ?? 0).counted("record")) is reached" }
    if isOld { end = "the list came to the point of the sync before" }
    if next != nil, end == nil, let most = paging?.most, progress.pages >= most {
      end = "\"most\" is \(most.counted("page"))"
    }
    if end != nil {
      next = nil
      if !isOld { progress.cut = isCut ? "limit" : "most" }
    }
    if next == nil, job == nil {
      page.notes.append(
        "the list ended after \(progress.pages.counted("page")) with \(progress.count.counted("record")): "
          + (end
            ?? (namesItself
              ? "page \(progress.pages) names itself as the next one"
              : isSilent ? "\(progress.empty.counted("page")) without a record came" : order.end(progress)))
      )
    }
    // Also what no complete pull listed yet is known, so that one which comes later can tell what is missing.
    part.records =
      answer.records.filter { !$0.isGone }.compactMap(\.id).map { .init($0.collection, $0.text) }
      + answer.rejectedIDs.map { .init($0.collection, $0.text) }
    progress.listed += known?.count ?? part.records.count
    let isPart = list.isPart(progress)
    if end != nil {
      part.doubts.append(.limit)
    } else if isSilent || namesItself && answer.count > 0 {
      part.doubts.append(namesItself ? .samePage(progress.pages) : .more(page: progress.pages, isEmpty: true))
    } else if next == nil, let doubt = order.doubt(progress, isPart: isPart) {
      part.doubts.append(doubt)
    } else if next == nil, progress.isComplete, list.request.selections.count == 1, list.request.since?.step == nil {
      // Records that are left out are not listed.
      part.total = order.total.map { max(0, $0.minus(progress.count).plus(progress.listed)) }
    }
    if progress.isComplete {
      if answer.hasUnknownID { part.doubts.append(.unreadableID) }
      if let path = answer.missingList { part.doubts.append(.noList(path: path)) }
    } else {
      part.doubts.append(.part)
    }
    if let path = answer.missingList, job != nil || !progress.isComplete {
      page.notes.append("the answer has no list at \(path)")
    }
    progress.isContradicted = progress.isContradicted || part.doubts.contains(where: \.isContradiction)
    progress.isDoubtful = progress.isDoubtful || !part.doubts.isEmpty || isPart
    // A server that does not know the number of a page answers with the same records for ever.
    let texts = answer.records.compactMap { $0.id?.text } + parsed.rejects.kept.map(\.raw)
    let contents = known?.contents ?? (texts.isEmpty ? "" : SHA256.digest(texts.joined(separator: "\n").utf8))
    let isCounted = next?.number != nil && !contents.isEmpty
    try advance(&progress, of: list, to: next, contents: isCounted ? contents : nil, url: url)
    (page.answer, page.isKnown) = (known, known != nil)
    if known == nil, list.mayBeKnown, job == nil, !taken.isCut, answer.missingList == nil {
      page.answer = KnownAnswer(response.body, to: url, answer, taken: taken.counted, contents: contents)
    }
    return Reading(
      page: page, list: part, waiting: waiting, count: answer.count, taken: taken.counted, total: order.total)
  }

  /// Goes on to the next page, or to the next span of time.
  ///
  /// - Parameter contents: a digest of the records of a page of a list that is counted; `nil` where the next page has a name.
  /// - Throws: `SourceError.meant` for a list that does not end.
  func advance(
    _ progress: inout ListProgress, of list: DeclaredList, to next: DeclaredCursor.Place?, contents: String? = nil,
    url: String
  ) throws(SourceError) {
    if next == nil, let start = list.nextWindow(progress) { return progress.advance(toWindow: start) }
    var next = next
    next?.window = progress.place?.window
    let variables = next?.variables.members.map { "\($0.key)=\($0.value.string ?? "")" } ?? []
    guard progress.advance(to: next, name: contents ?? "\(next?.href ?? "") \(next?.number ?? 0) \(variables)") else {
      return
    }
    let reason =
      contents == nil
      ? "it names a page again that was read already"
      : "page \(progress.pages) has the records of an earlier one"
    throw .meant(.endless, said: APIFailure(.samePage, "the list does not end: \(reason)"), url: url)
  }

  /// The answer, if its bytes are known and all of its records may be taken.
  private func known(
    _ response: HTTPResponse, _ list: DeclaredList, _ job: DeclaredCursor.Waiting?, room: Int?, url: String
  ) throws(SourceError) -> KnownAnswer? {
    guard list.mayBeKnown, job == nil else { return nil }
    let known = try SourceError.from { () throws(StoreError) in try context.known(url, response.body) }
    return known.flatMap { $0.taken <= room ?? .max ? $0 : nil }
  }

  private func parse(
    _ response: HTTPResponse, _ reader: any AnswerReader, _ variables: Variables, url: String
  ) throws(SourceError) -> Parsed<DeclaredAnswer> {
    do throws(ParsingError) {
      if response.body.allSatisfy({ $0 <= 0x20 }) { throw Self.noContent(response.status) }
      return try reader.read(response.body, variables: variables.values)
    } catch {
      var error = error
      // GraphQL, and others, report errors with the status 200.
      if error.code == .shape, let said = client.message(of: response) { error.found += ", and the message '\(said)'," }
      throw .parsing(error, url: source.files == nil ? url : response.url)
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

  // MARK: Records

  /// The changes that records make. The entity tag of an answer is that of a record if the answer came from the address
  /// of this record alone.
  private func changes(_ records: [DeclaredRecord], _ validator: HTTPValidator?, url: String) -> [PulledChange] {
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
  func gone(_ request: SourceDefinition.Request, _ variables: Variables, _ names: [String]) -> [RecordName] {
    request.areas(variables, known: names).filter(\.isSingle).map { .init($0.collection, $0.start) }
  }
}

extension KnownAnswer {
  fileprivate init(_ body: [UInt8], to request: String, _ answer: DeclaredAnswer, taken: Int, contents: String) {
    let places = answer.places.map { JSONValue.array($0.map { [$0] } ?? []) }
    self.init(
      body, to: request,
      summary: [
        "count": .of(answer.count), "taken": .of(taken), "contents": .of(contents),
        "places": places.isEmpty ? nil : .array(places),
      ])
  }

  /// The answer without its records.
  fileprivate var declared: DeclaredAnswer {
    var answer = DeclaredAnswer()
    answer.count = summary["count"]?.count ?? 0
    answer.places = summary["places"]?.array?.map { $0.array?.first } ?? []
    return answer
  }

  fileprivate var taken: Int { summary["taken"]?.count ?? 0 }
  fileprivate var contents: String? { summary["contents"]?.string }
}
