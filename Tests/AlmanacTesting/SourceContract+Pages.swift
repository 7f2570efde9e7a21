import Foundation
import Models
import Ports

/// The checks of what a source must not lose: later pages of a list, and rejected records.
extension SourceContract {
  /// The response 304 to the first of several pages does not end the pull: what changed on later pages would never come.
  func checkUnchangedFirstPage() async throws {
    // The pull ends, so that the memory is that of the whole list.
    let (pages, sourceState) = try await wholePull(isTagged: true)
    guard pages[0].next != nil else { return }
    let (tagged, further) = (Self.tagged(answers), Self.tagged(furtherAnswers))
    let transport = ScriptedTransport { request, index throws(TransportError) in
      guard request.validator == nil else { return HTTPResponse(status: 304, url: request.url) }
      return index < tagged.count ? tagged[index] : further[min(index - tagged.count, further.count - 1)]
    }
    var again = try context(transport)
    again.sourceState = sourceState
    let page = try await source.pull(follow, again)
    let (asked, known) = (transport.requests, Set(try await urls(of: tagged)))
    // Without a condition there was no such response, and a source may ask for the later pages in the same pull.
    guard page.coverage == .unchanged, asked.allSatisfy({ known.contains($0.url.exact) }) else { return }
    guard let cursor = page.next else {
      throw ContractViolation(
        "expected the cursor of the second page after the response 304 to the first of several, found none: "
          + "what changed on later pages would be lost")
    }
    let (second, _) = try await requests(further, cursor: cursor, sourceState: page.sourceState ?? sourceState)
    try expect(
      second.contains { !known.contains($0.url.exact) },
      "expected a request for the second page after the response 304 to the first of several, found "
        + "\(second.map(\.url))")
  }

  /// The pages of a pull to its end, or to the last of the responses, and what the follow remembers then.
  func wholePull(isTagged: Bool = false) async throws -> (pages: [PullPage], sourceState: JSONObject) {
    var (pages, sourceState): ([PullPage], JSONObject) = ([], [:])
    for answers in [answers] + furtherAnswers.indices.map({ Array(furtherAnswers[$0...]) }) {
      var context = try context(ScriptedTransport(isTagged ? Self.tagged(answers) : answers), after: pages.last)
      context.sourceState = sourceState
      let page = try await source.pull(follow, context)
      sourceState = page.sourceState ?? sourceState
      pages.append(page)
      guard page.next == nil else { continue }
      let hasDoubt = pages.contains { page in
        if case .page(let list) = page.coverage { return !list.doubts.isEmpty }
        return false
      }
      if !hasDoubt, let judged = page.judgedSourceState { sourceState = judged }
      break
    }
    return (pages, sourceState)
  }

  /// The next pull after a whole one gives the same responses the same meaning: what the follow remembers removes nothing and
  /// changes no record that came before. A whole list has every record that the pages of its pull have.
  func checkNextPull() async throws {
    let (pages, sourceState) = try await wholePull()
    let came = Dictionary(
      pages.flatMap(\.changes).filter { $0.rule != .remove }.map { (RecordName($0.collection, $0.id), $0) }
    ) { $1 }
    let whole = pages.compactMap(Self.listed).reduce(nil as Set<RecordName>?) { ($0 ?? []).union($1) }
    if let whole {
      let collections = Set(whole.map(\.collection))
      for record in came.keys where collections.contains(record.collection) && !whole.contains(record) {
        throw ContractViolation(
          "expected \(record.collection)/\(record.id), which the pull brought, in 'now' of its whole list, found "
            + "\(whole.count.counted("other record")): it would be removed")
      }
    }
    var context = try context(ScriptedTransport(answers))
    context.sourceState = sourceState
    let next = try await source.pull(follow, context)
    for change in next.changes {
      let name = RecordName(change.collection, change.id)
      guard let known = came[name] else { continue }
      try expect(
        change.rule != .remove,
        "expected that the next pull removes nothing that the same responses brought, found the removal of "
          + "\(name.collection)/\(name.id)")
      try expect(
        change.fields == known.fields,
        "expected the same record from the same responses in the next pull, found another \(name.collection)/\(name.id)"
      )
    }
    guard let whole, let now = Self.listed(next), next.next == nil, let lost = whole.subtracting(now).first else {
      return
    }
    throw ContractViolation(
      "expected \(lost.collection)/\(lost.id) in the whole list of the next pull, which has the same responses, found "
        + "none: it would be removed")
  }

  /// The records of a whole list that has no doubt.
  private static func listed(_ page: PullPage) -> Set<RecordName>? {
    guard case .whole(_, let now, nil) = page.coverage else { return nil }
    return Set(now)
  }

  static func tagged(_ answers: [HTTPResponse]) -> [HTTPResponse] {
    answers.map { answer in
      var answer = answer
      if answer.validator == nil { answer.headers["ETag"] = "\"contract\"" }
      return answer
    }
  }

  private func urls(of answers: [HTTPResponse]) async throws -> [ExactString] {
    try await requests(answers, cursor: nil, sourceState: [:]).requests.map(\.url.exact)
  }

  private func requests(
    _ answers: [HTTPResponse], cursor: JSONObject?, sourceState: JSONObject
  ) async throws -> (requests: [HTTPRequest], page: PullPage) {
    let transport = ScriptedTransport(answers)
    var context = try context(transport)
    (context.cursor, context.sourceState) = (cursor, sourceState)
    let page = try await source.pull(follow, context)
    return (transport.requests, page)
  }

  /// A record of a list that cannot be read is rejected, or the response is an error; it is not left out in silence. A field
  /// that decides which records count may leave its record out, the others may not.
  func checkRejects() async throws {
    let whole = try await source.pull(follow, context(ScriptedTransport(answers)))
    let ids = Self.ids(whole)
    for (index, answer) in answers.enumerated() {
      guard let value = try? JSONSerialization.jsonObject(with: Data(answer.body)) else { continue }
      for element in Self.elements(value) {
        var isReported = false
        var lost: (field: String, id: String)?
        for leaf in Self.leaves(value, at: element).prefix(64) {
          var broken = answers
          broken[index].body = Array(try JSONSerialization.data(withJSONObject: Self.breaking(value, at: leaf)))
          let context = try context(ScriptedTransport(broken))
          let page: PullPage
          do throws(SourceError) { page = try await source.pull(follow, context) } catch {
            isReported = true
            continue
          }
          if page.rejects.total > whole.rejects.total { isReported = true }
          guard let id = ids.subtracting(Self.ids(page)).first else { continue }
          guard page.rejects.total <= whole.rejects.total else {
            try checkAccount(of: id, page, leaf)
            continue
          }
          lost = lost ?? (leaf.map(\.text).joined(), "\(id.collection)/\(id.id)")
        }
        guard let lost, !isReported else { continue }
        throw ContractViolation(
          "expected an error or a rejected record where a field of a record has another kind, found neither: "
            + "\(lost.id) is missing because of $\(lost.field)")
      }
    }
  }

  /// A rejected record is one that the list still has: the page names it, or doubts the list.
  private func checkAccount(of record: RecordName, _ page: PullPage, _ leaf: [Step]) throws {
    guard page.countsRejects else { return }
    let isKept =
      switch page.coverage {
      case .unknown, .unchanged: true
      case .page(let list): list.keepsDeparted || !list.doubts.isEmpty || list.records.contains(record)
      case .whole(_, let now, let doubt): doubt != nil || now.contains(record)
      }
    try expect(
      isKept,
      "expected \(record.collection)/\(record.id) in the list of a page that counts rejects, or a doubt, found neither: "
        + "the record would be removed because of $\(leaf.map(\.text).joined())")
  }

  private static func ids(_ page: PullPage) -> Set<RecordName> {
    Set(page.changes.filter { $0.rule != .remove }.map { RecordName($0.collection, $0.id) })
  }

  private enum Step {
    case member(String)
    case element(Int)

    var text: String {
      switch self {
      case .member(let name): ".\(name)"
      case .element(let index): "[\(index)]"
      }
    }
  }

  /// The first element of each outermost list of objects.
  private static func elements(_ value: Any) -> [[Step]] {
    if let list = value as? [Any] { return list.first is [String: Any] ? [[.element(0)]] : [] }
    guard let object = value as? [String: Any] else { return [] }
    return object.sorted { $0.key < $1.key }.flatMap { name, member in
      elements(member).map { [.member(name)] + $0 }
    }
  }

  /// The texts, numbers and flags below a place.
  private static func leaves(_ value: Any, at place: [Step]) -> [[Step]] {
    var found = value
    for step in place {
      switch step {
      case .member(let name): found = (found as? [String: Any])?[name] ?? NSNull()
      case .element(let index): found = (found as? [Any])?[index] ?? NSNull()
      }
    }
    switch found {
    case let object as [String: Any]: return object.keys.sorted().flatMap { leaves(value, at: place + [.member($0)]) }
    case let list as [Any]: return list.indices.prefix(1).flatMap { leaves(value, at: place + [.element($0)]) }
    case is NSNull: return []
    default: return [place]
    }
  }

  /// The value with an object of another kind at a place.
  private static func breaking(_ value: Any, at place: [Step]) -> Any {
    guard let step = place.first else { return ["another": "kind"] }
    let rest = Array(place.dropFirst())
    switch step {
    case .member(let name):
      var object = value as? [String: Any] ?? [:]
      object[name] = breaking(object[name] ?? NSNull(), at: rest)
      return object
    case .element(let index):
      var list = value as? [Any] ?? []
      if list.indices.contains(index) { list[index] = breaking(list[index], at: rest) }
      return list
    }
  }
}
