import Models
import Ports

// The requests that records make.

extension DeclaredPull {
  /// The requests that records make, each once in a run, and the lists that the records have: also those that are not asked
  /// for, because they are known.
  func waiting(
    for records: [DeclaredRecord], _ sourceState: DeclaredState, _ cursor: inout DeclaredCursor
  ) throws(SourceError) -> (waiting: [DeclaredCursor.Waiting], lists: [ListPage.Sublist]) {
    var waiting: [DeclaredCursor.Waiting] = []
    var lists: [ListPage.Sublist] = []
    let failed = Set(sourceState.failed.map { sublist($0) })
    for (index, child) in request.children.enumerated() {
      var (seen, asked): (Set<JSONObject>, Set<JSONObject>) = ([], [])
      for record in records where !record.isGone {
        var isWanted = cursor.isFull || child.occasion != .changed
        if !isWanted { isWanted = try isChanged(record) }
        for values in Self.combinations(child.variables.map(\.name), record.children[index]) {
          let job = DeclaredCursor.Waiting(child: index, variables: values)
          if seen.insert(values).inserted {
            let name = sublist(job)
            if failed.contains(name) { cursor.demanded.insert(name) }
            lists.append(.init(name.text, reading: .partial, isListed: true))
          }
          guard isWanted, asked.insert(values).inserted else { continue }
          if child.occasion == .new, !cursor.isFull, try isKnown(values, child) { continue }
          waiting.append(job)
        }
      }
    }
    return (waiting, lists)
  }

  /// What the names of the lists of each child request begin with: with another address, the values are those of other lists.
  private func kind(_ child: Int) -> String {
    var hash = StableHash()
    hash.combine(request.children[child].request.address.description)
    return hash.hex
  }

  /// The kinds of all child requests.
  var sublistKinds: Set<ExactString> { Set(request.children.indices.map { kind($0).exact }) }

  /// The name of the list that a request asks for.
  func sublist(_ job: DeclaredCursor.Waiting) -> ExactString {
    guard request.children.indices.contains(job.child) else { return "" }
    return "\(kind(job.child)) \(job.text)".exact
  }

  /// How often what is not found is asked for again, where the list is never complete.
  private static let mostMisses = 5

  /// Every combination of the values of several variables.
  private static func combinations(_ names: [String], _ values: [[String]]) -> [JSONObject] {
    var all: [JSONObject] = [[:]]
    for (name, values) in zip(names, values) {
      all = all.flatMap { object in
        values.map { value in
          var object = object
          object.append(name, value)
          return object
        }
      }
    }
    return all
  }

  private func isKnown(_ values: JSONObject, _ child: SourceDefinition.Child) throws(SourceError) -> Bool {
    guard let id = values.members.first?.value.string, !id.isEmpty, id.utf8.count <= 1024,
      let collection = child.request.selections.lazy.compactMap(\.collection).first
    else { return false }
    return try SourceError.from { () throws(StoreError) in try context.snapshot.record(collection, id) != nil }
  }

  /// Whether a record says something else than the stored one.
  func isChanged(_ record: DeclaredRecord) throws(SourceError) -> Bool {
    guard let id = record.id else { return true }
    return try SourceError.from { () throws(StoreError) in
      guard let stored = try context.snapshot.object(id.collection, id.text, source.coder) else { return true }
      return record.fields.members.contains { stored[$0.key] != $0.value }
    }
  }

  func pullChildren(
    _ given: DeclaredCursor, _ kept: DeclaredState
  ) async throws(SourceError) -> PullPage {
    var (cursor, sourceState) = (given, kept)
    let jobs = Array(cursor.waiting.prefix(context.jobs))
    cursor.waiting.removeFirst(jobs.count)
    let outcomes = await jobs.concurrentMap { await outcome(of: $0) }
    var page = PullPage(url: client.server.base)
    page.repeatsRecords = true
    var list = ListPage([], doubts: cursor.isComplete ? [] : [.part])
    list.sublistKinds = sublistKinds
    var further: [DeclaredCursor.Waiting] = []
    // Before the list is read, what failed in earlier pulls is tried again.
    let isRetry = cursor.place == DeclaredCursor.Place() && cursor.pages == 0
    for (job, outcome) in zip(jobs, outcomes) {
      let answer = try outcome.get()
      page.url = answer.url
      page.changes += answer.changes
      page.rejects.append(contentsOf: answer.rejects)
      if let note = answer.missingList.map(Self.note(missing:)), !page.notes.contains(note) { page.notes.append(note) }
      guard answer.isAsked else { continue }
      list.gone += answer.gone
      list.sublists.append(.init(sublist(job).text, answer.records, reading: answer.isWhole ? .ended : .partial))
      sourceState.failed.removeAll { sublist($0) == sublist(job) }
      if let error = answer.failure {
        guard sourceState.failed.count < RejectedRecords.limit else { throw error }
        var again = DeclaredCursor.Waiting(child: job.child, variables: job.variables)
        again.misses = error.isNotFound ? job.misses + 1 : 0
        // Only a complete list says that no record makes the request any more.
        if compiled.definition.complete == nil, again.misses > Self.mostMisses { continue }
        sourceState.failed.append(again)
        if !isRetry { cursor.demanded.insert(sublist(job)) }
      } else {
        page.answered.append(answer.url)
      }
      if let next = answer.next { further.append(next) }
    }
    cursor.waiting = further + cursor.waiting
    page.coverage = .page(list)
    page.next = cursor.next
    if page.next == nil { finish(&page, cursor, &sourceState) }
    if sourceState != DeclaredState(fields: context.sourceState) { page.sourceState = sourceState.fields }
    return page
  }

  /// What a request of a record brought.
  private struct ChildAnswer: Sendable {
    var url: String
    /// Whether it was asked for; each value is, once in a run.
    var isAsked = true
    var changes: [PulledChange] = []
    var rejects: RejectedRecords = []
    /// The records of the answer, rejected ones included.
    var records: [PullPage.ListedRecord] = []
    var gone: [PullPage.ListedRecord] = []
    /// Whether the list was read to its end.
    var isWhole = false
    var missingList: String?
    var failure: SourceError?
    var next: DeclaredCursor.Waiting?
  }

  private func outcome(of job: DeclaredCursor.Waiting) async -> Result<ChildAnswer, SourceError> {
    do throws(SourceError) { return .success(try await pullChild(job)) } catch { return .failure(error) }
  }

  private func pullChild(_ job: DeclaredCursor.Waiting) async throws(SourceError) -> ChildAnswer {
    // Another definition may have fewer requests.
    guard compiled.children.indices.contains(job.child) else { return ChildAnswer(url: "", isAsked: false) }
    let child = compiled.children[job.child]
    let place = job.place ?? DeclaredCursor.Place()
    let variables = counted(self.variables.adding(job.variables), place, child.request.paging)
      .adding(place.variables)
    let url = try client.address(child.request, variables, href: place.href, after: client.server.base)
    guard place != DeclaredCursor.Place() || pages.isNew("\(job.child) \(job.text)") else {
      return ChildAnswer(url: url, isAsked: false)
    }
    var answer = ChildAnswer(url: url)
    do throws(SourceError) {
      switch try await client.send(child.request, to: url, variables, isOfMany: true) {
      case .notModified: break
      case .empty: answer.isWhole = place == DeclaredCursor.Place()
      case .gone:
        answer.isWhole = place == DeclaredCursor.Place()
        let names = compiled.definition.parameters + job.variables.keys
        answer.gone = gone(child.request, variables, names)
      case .content(let response):
        let parsed = try parse(response, child.reader, variables, url: url)
        answer.changes = changes(parsed.value.records, response.validator, url: url)
        answer.rejects = parsed.rejects
        answer.records =
          parsed.value.records.filter { !$0.isGone }.compactMap(\.id).map { .init($0.collection, $0.text) }
          + parsed.value.rejectedIDs.map { .init($0.collection, $0.text) }
        answer.missingList = parsed.value.missingList
        let order = PageOrder(child.request.paging, parsed.value, response)
        var progress = DeclaredCursor(isComplete: false)
        (progress.pages, progress.count) = (job.pages + 1, job.count + parsed.value.count)
        if var next = order.next(after: place, progress), next != place {
          next.href = try next.href.map { (href) throws(SourceError) in
            try client.address(child.request, variables, href: href, after: url)
          }
          var rest = job
          (rest.place, rest.pages, rest.count) = (next, progress.pages, progress.count)
          answer.next = rest
        }
        let isDoubtful = parsed.value.hasUnknownID || answer.missingList != nil || job.isDoubtful
        answer.next?.isDoubtful = isDoubtful
        answer.isWhole = !isDoubtful && answer.next == nil && order.doubt(progress, isPart: false) == nil
      }
    } catch {
      // One record whose request fails does not stop the others.
      guard error.isOfOneRequest else { throw error }
      answer.failure = error
      answer.rejects.append(
        RejectedRecord(request: url, expected: "an answer for \(job.text)", found: error.failure.message))
    }
    return answer
  }
}

extension SourceError {
  /// Whether the error is about what was asked for alone, so that other requests may have answers.
  fileprivate var isOfOneRequest: Bool {
    switch self {
    case .answered(let status, _, _, let retryAfter):
      ![.unauthorized, .limited].contains(status.meaning) && status != .proxyUnauthorized && retryAfter == nil
    case .meant(let meaning, _, _, _): meaning == .missing || meaning == .refused
    case .parsing: true
    case .transport, .missingKey, .configuration, .store, .follow, .refused: false
    }
  }
}
