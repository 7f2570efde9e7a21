import Models
import Ports

// The requests that records make.

extension DeclaredPull {
  /// The requests that records make, each once in a run.
  func waiting(for records: [DeclaredRecord]) throws(SourceError) -> [DeclaredCursor.Waiting] {
    var waiting: [DeclaredCursor.Waiting] = []
    for (index, child) in request.children.enumerated() {
      var seen: Set<JSONObject> = []
      for record in records where !record.isGone {
        if child.occasion == .changed, try !isChanged(record) { continue }
        for values in Self.combinations(child.variables.map(\.name), record.children[index])
        where seen.insert(values).inserted {
          if child.occasion == .new, try isKnown(values, child) { continue }
          waiting.append(.init(child: index, variables: values))
        }
      }
    }
    return waiting
  }

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
    do throws(StoreError) {
      return try context.snapshot.record(collection, id) != nil
    } catch {
      throw .store(error)
    }
  }

  /// Whether a record says something else than the stored one.
  func isChanged(_ record: DeclaredRecord) throws(SourceError) -> Bool {
    guard let id = record.id else { return true }
    do throws(StoreError) {
      guard let stored = try context.snapshot.object(id.collection, id.text, source.coder) else { return true }
      return record.fields.members.contains { stored[$0.key] != $0.value }
    } catch {
      throw .store(error)
    }
  }

  func pullChildren(
    _ given: DeclaredCursor, _ kept: DeclaredMemory
  ) async throws(SourceError) -> PullPage {
    var (cursor, memory) = (given, kept)
    let jobs = Array(cursor.waiting.prefix(context.jobs))
    cursor.waiting.removeFirst(jobs.count)
    let outcomes = await jobs.concurrentMap { await outcome(of: $0) }
    var page = PullPage(url: client.server.base)
    page.repeatsRecords = true
    var further: [DeclaredCursor.Waiting] = []
    for outcome in outcomes {
      let answer = try outcome.get()
      page.url = answer.url
      page.changes += answer.changes
      page.rejects.append(contentsOf: answer.rejects)
      if let next = answer.next { further.append(next) }
    }
    cursor.waiting = further + cursor.waiting
    page.inventory = cursor.isComplete ? [] : nil
    page.next = cursor.next
    if page.next == nil { finish(&page, cursor, &memory) }
    if memory != DeclaredMemory(fields: context.memory) { page.memory = memory.fields }
    return page
  }

  /// What a request of a record brought.
  private struct ChildAnswer: Sendable {
    var url: String
    var changes: [PulledChange] = []
    var rejects: RejectedRecords = []
    var next: DeclaredCursor.Waiting?
  }

  private func outcome(of job: DeclaredCursor.Waiting) async -> Result<ChildAnswer, SourceError> {
    do throws(SourceError) { return .success(try await pullChild(job)) } catch { return .failure(error) }
  }

  private func pullChild(_ job: DeclaredCursor.Waiting) async throws(SourceError) -> ChildAnswer {
    let child = compiled.children[job.child]
    let place = job.place ?? DeclaredCursor.Place()
    let variables = counted(self.variables.adding(job.variables), place, child.request.paging)
      .adding(place.variables)
    let url = try client.address(child.request, variables, href: place.href, after: client.server.base)
    let name = job.variables.members.map { "\($0.key)=\($0.value.string ?? "")" }.joined(separator: " ")
    guard
      place != DeclaredCursor.Place()
        || source.asked.isNew("\(job.child) \(name)", run: context.run, follow: follow.path)
    else { return ChildAnswer(url: url) }
    var answer = ChildAnswer(url: url)
    do throws(SourceError) {
      switch try await client.send(child.request, to: url, variables) {
      case .notModified, .empty: break
      case .gone:
        if let collection = child.request.selections.lazy.compactMap(\.collection).first,
          let id = job.variables.members.first?.value.string
        {
          answer.changes = [PulledChange(collection: collection, id: id, fields: [:], .remove)]
        }
      case .content(let response):
        let parsed = try parse(response, child.reader, variables, url: url)
        answer.changes = changes(parsed.value.records, response.validator, url: url)
        answer.rejects = parsed.rejects
        let order = PageOrder(child.request.paging, parsed.value, response)
        var progress = DeclaredCursor(isComplete: false)
        progress.count = parsed.value.count
        if var next = order.next(after: place, progress), next != place {
          next.href = try next.href.map { (href) throws(SourceError) in
            try client.address(child.request, variables, href: href, after: url)
          }
          answer.next = .init(child: job.child, variables: job.variables, place: next)
        }
      }
    } catch {
      // A record whose page is missing, or something else, does not stop the others.
      guard error.isNotFound || error.isOfAnotherShape else { throw error }
      answer.rejects.append(
        RejectedRecord(
          index: 0, path: "$", expected: "an answer for \(name)", found: error.failure.message, raw: url))
    }
    return answer
  }
}

extension SourceError {
  /// Whether an answer is JSON without the list of records.
  fileprivate var isOfAnotherShape: Bool { if case .parsing(let error) = self { error.code == .shape } else { false } }
}
