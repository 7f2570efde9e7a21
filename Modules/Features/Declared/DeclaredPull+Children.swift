import Models
import Ports

// The lists of records: the requests that these make.

extension DeclaredPull {
  /// The requests that records make, each once in a run, and the lists that the records have: also those that are not asked
  /// for, because they are known.
  ///
  /// - Parameter job: the request whose records they are; `nil` for the follow's own.
  func waiting(
    for records: [DeclaredRecord], _ job: DeclaredCursor.Waiting?, _ progress: inout ListProgress,
    _ cursor: DeclaredCursor, _ sourceState: DeclaredState
  ) throws(SourceError) -> (waiting: [DeclaredCursor.Waiting], lists: [ListPage.Sublist]) {
    var waiting: [DeclaredCursor.Waiting] = []
    var lists: [ListPage.Sublist] = []
    let remembered = remembered(sourceState)
    let known = job.map { variables.adding($0.variables) } ?? variables
    for (index, number) in (job.map { compiled.children[$0.child] } ?? compiled.list).children.enumerated() {
      guard let child = compiled.children[number].child else { continue }
      var (seen, asked): (Set<JSONObject>, Set<JSONObject>) = ([], [])
      for record in records where !record.isGone {
        var isWanted = cursor.isFull || child.occasion != .changed
        if !isWanted { isWanted = try isChanged(record) }
        for values in Self.combinations(child, record.children[index], known) {
          let isFirst = seen.insert(values).inserted
          // Most records of a list make the same requests.
          guard isFirst || isWanted && !asked.contains(values) else { continue }
          var made = DeclaredCursor.Waiting(child: number, variables: job?.variables ?? [:])
          for member in values.members { made.variables[member.key] = member.value }
          if isFirst {
            let name = sublist(made)
            if remembered.contains(name) { progress.demanded.insert(name) }
            lists.append(.init(name.text, reading: .partial, isListed: true))
          }
          guard isWanted, asked.insert(values).inserted else { continue }
          if child.occasion == .new, !cursor.isFull, try isKnown(values, child) { continue }
          waiting.append(made)
        }
      }
    }
    return (waiting, lists)
  }

  /// The name of the list that a request asks for. Those of the lists around it follow, after `ListPage.around`.
  func sublist(_ job: DeclaredCursor.Waiting) -> ExactString {
    var names: [String] = []
    var number: Int? = job.child
    while let next = number, compiled.children.indices.contains(next) {
      let child = compiled.children[next]
      let values = (child.child?.variables ?? []).compactMap { variable in
        job.variables[variable.name]?.string.map { "\(variable.name)=\($0)" }
      }.joined(separator: " ")
      names.append("\(child.kind) \(values.replacing(ListPage.around, with: " "))")
      number = child.parent
    }
    return names.joined(separator: ListPage.around).exact
  }

  /// The names of the lists of records of which something is remembered, and of the lists around them.
  func remembered(_ sourceState: DeclaredState) -> Set<ExactString> {
    var names: Set<ExactString> = []
    for name in Array(sourceState.lists.keys) + sourceState.failed.map(sublist) {
      var next: ExactString? = name
      while let name = next, names.insert(name).inserted { next = ListPage.outer(of: name) }
    }
    return names
  }

  /// Forgets the lists of records that a whole list does not have any more.
  ///
  /// - Parameter list: its name; `nil` for the follow's own list.
  func forget(in list: ExactString?, except demanded: Set<ExactString>, _ sourceState: inout DeclaredState) {
    func isKept(_ name: ExactString) -> Bool {
      let outer = ListPage.outer(of: name)
      return outer == list ? demanded.contains(name) : outer.map(isKept) ?? true
    }
    sourceState.failed.removeAll { !isKept(sublist($0)) }
    sourceState.lists = sourceState.lists.filter { isKept($0.key) }
  }

  /// How often what is not found is asked for again, where the list is never complete.
  private static let mostMisses = 5

  /// Every combination of the values of several variables. Without a value, there is no request, except for a variable that
  /// the address leaves out then.
  private static func combinations(
    _ child: SourceDefinition.Child, _ found: [[String]], _ known: Variables
  ) -> [JSONObject] {
    var all: [JSONObject] = [[:]]
    var found = found[...]
    for variable in child.variables {
      let values: [String]
      switch variable.values {
      case .path: values = found.popFirst() ?? []
      case .texts(let texts): values = texts
      case .list(let name):
        values = (known[name] ?? "").split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
      }
      if values.isEmpty, child.request.mayLack(variable.name) { continue }
      all = all.flatMap { object in
        values.map { value in
          var object = object
          object.append(variable.name, value)
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

  func pullChildren(_ given: DeclaredCursor, _ kept: DeclaredState) async throws(SourceError) -> PullPage {
    var (cursor, sourceState) = (given, kept)
    let jobs = Array(cursor.waiting.prefix(context.jobs))
    cursor.waiting.removeFirst(jobs.count)
    let outcomes = await jobs.concurrentMap { await outcome(of: $0, given, kept) }
    var page = PullPage(url: client.server.base)
    page.repeatsRecords = true
    var list = listPage(doubts: cursor.list.isComplete ? [] : [.part])
    var further: [DeclaredCursor.Waiting] = []
    // Before the list is read, what failed in earlier pulls is tried again.
    let isRetry = cursor.list.place == DeclaredCursor.Place() && cursor.list.pages == 0
    for (job, outcome) in zip(jobs, outcomes) {
      let answer = try outcome.get()
      guard answer.isAsked else { continue }
      let name = sublist(job)
      page.url = answer.page.url
      page.changes += answer.page.changes
      page.rejects.append(contentsOf: answer.page.rejects)
      page.warnings += answer.page.warnings
      for note in answer.page.notes where !page.notes.contains(note) { page.notes.append(note) }
      list.gone += answer.list.gone
      list.sublists.append(.init(name.text, answer.list.records, reading: answer.reading))
      list.sublists += answer.list.sublists
      list.mayMissSublists = list.mayMissSublists || answer.list.mayMissSublists
      sourceState.failed.removeAll { sublist($0) == name }
      // What is remembered from now on is the list's, whose records ask for it.
      func demand() {
        var outermost = name
        while let outer = ListPage.outer(of: outermost) { outermost = outer }
        if !isRetry { cursor.list.demanded.insert(outermost) }
      }
      if let error = answer.failure {
        guard sourceState.failed.count < RejectedRecords.limit else { throw error }
        var again = DeclaredCursor.Waiting(child: job.child, variables: job.variables)
        again.misses = error.isNotFound ? job.misses + 1 : 0
        // Only a complete list says that no record makes the request any more.
        if compiled.list.request.complete == nil, again.misses > Self.mostMisses { continue }
        sourceState.failed.append(again)
        demand()
        continue
      }
      page.answered.append(answer.page.url)
      further += answer.waiting
      if let next = answer.next {
        further.append(next)
      } else {
        if answer.reading != .partial { forget(in: name, except: answer.demanded, &sourceState) }
        if answer.state != DeclaredState.ListState() {
          sourceState.lists[name] = answer.state
          demand()
        }
      }
    }
    cursor.waiting = further + cursor.waiting
    page.coverage = .page(list)
    return ended(page, cursor, sourceState)
  }

  private struct ChildAnswer: Sendable {
    var page: PullPage
    var list: ListPage
    /// Whether it was asked for; each value is, once in a run.
    var isAsked = true
    var reading = ListPage.Sublist.Reading.partial
    var failure: SourceError?
    /// The requests that its records make.
    var waiting: [DeclaredCursor.Waiting] = []
    var next: DeclaredCursor.Waiting?
    /// What is remembered of the list that came to its end.
    var state = DeclaredState.ListState()
    var demanded: Set<ExactString> = []
  }

  private func outcome(
    of job: DeclaredCursor.Waiting, _ cursor: DeclaredCursor, _ sourceState: DeclaredState
  ) async -> Result<ChildAnswer, SourceError> {
    do throws(SourceError) { return .success(try await pullChild(job, cursor, sourceState)) } catch {
      return .failure(error)
    }
  }

  private func pullChild(
    _ given: DeclaredCursor.Waiting, _ cursor: DeclaredCursor, _ sourceState: DeclaredState
  ) async throws(SourceError) -> ChildAnswer {
    var answer = ChildAnswer(page: PullPage(url: ""), list: listPage())
    // Another definition may have fewer requests.
    guard compiled.children.indices.contains(given.child) else {
      answer.isAsked = false
      return answer
    }
    var job = given
    let name = sublist(job)
    let list = DeclaredList(
      compiled: compiled.children[job.child], known: variables.adding(job.variables),
      state: job.list.hasRestarted ? .init() : sourceState.lists[name] ?? .init(), now: context.now)
    let place = job.list.place ?? DeclaredCursor.Place()
    let isFirst = job.list.pages == 0 && place.window == nil && !job.list.hasRestarted
    if isFirst { job.list.isComplete = list.isDue }
    let request = list.request
    let variables = list.variables(job.list)
    answer.page.url = try client.address(request, variables, href: place.href, after: client.server.base)
    guard !isFirst || pages.isNew(name.text) else {
      answer.isAsked = false
      return answer
    }
    let url = answer.page.url
    job.list.pages += 1
    do throws(SourceError) {
      switch try await client.send(request, to: url, variables, isOfMany: true) {
      case .notModified: job.list.place = nil
      case .empty:
        job.list.isDoubtful = job.list.isDoubtful || !isFirst || list.isPart(job.list)
        try advance(&job.list, of: list, to: nil, url: url)
      case .gone:
        job.list.isDoubtful = !isFirst
        job.list.place = nil
        answer.list.gone = gone(request, variables, compiled.definition.parameters + job.variables.keys)
      case .restart:
        answer.state = DeclaredState.ListState()
        try job.list.restart(isComplete: request.complete != nil || request.since == nil, url: url)
      case .content(let response):
        var progress = job.list
        let reading = try read(response, list, job, &progress, cursor, sourceState, url: url)
        (answer.page, answer.list, answer.waiting) = (reading.page, reading.list, reading.waiting)
        job.list = progress
      }
      if job.list.place != nil {
        answer.next = job
      } else {
        if !job.list.isDoubtful { answer.reading = request.complete == nil ? .ended : .complete }
        answer.state.point = list.reached(&answer.page, job.list, begun: cursor.begun)
        answer.state.completedAt = list.state.completedAt
        if case .every? = request.complete, answer.reading == .complete { answer.state.completedAt = context.now }
        answer.demanded = job.list.demanded
      }
    } catch {
      // One record whose request fails does not stop the others.
      guard error.isOfOneRequest else { throw error }
      answer.failure = error
      answer.page.rejects.append(
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
    case .meant(let meaning, _, _, _): meaning == .missing || meaning == .refused || meaning == .endless
    case .parsing: true
    case .transport, .missingKey, .configuration, .store, .follow, .refused, .made: false
    }
  }
}

extension SourceDefinition.Request {
  /// Whether the request is sent without a value of a variable, too.
  fileprivate func mayLack(_ variable: String) -> Bool {
    let uses = address.names.filter { $0.name == .variable(variable) }
    return !uses.isEmpty && uses.allSatisfy(\.kind.skipsUndefined)
      && !selections.contains { $0.mapping.variables.contains { $0.exact == variable.exact } }
  }
}
