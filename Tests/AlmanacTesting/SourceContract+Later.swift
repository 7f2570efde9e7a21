import Models
public import Ports

extension SourceContract {
  /// A pull after the first one, of a source that asks only for what changed since a point.
  public struct Later: Sendable {
    /// The responses to its pages, in order, one for each page. They have only what changed.
    public var answers: [HTTPResponse]
    /// The records that the responses say are gone.
    public var removals: [RecordName]
    /// What its requests have in the URL or the body, such as `since=2026-01-02`: the point up to which the first pull is
    /// known to have everything. No request of the first pull has it.
    public var point: String

    public init(answers: [HTTPResponse], removals: [RecordName], point: String) {
      (self.answers, self.removals, self.point) = (answers, removals, point)
    }
  }

  /// A pull of what changed removes what it names and nothing else, and the point moves when all pages were read.
  func checkLater() async throws {
    guard let later else { return }
    let (first, sourceState) = try await wholePull()
    let (pages, requests) = try await pull(later.answers, from: sourceState)
    guard let asked = requests.first else { throw ContractViolation("expected a request of a later pull, found none") }
    try expect(
      Self.mentions(asked, later.point),
      "expected '\(later.point)' in the first request of the pull after a whole one, found \(asked.url): what changed "
        + "before the point of that request would never come")
    try await checkPoint(after: first, [:], answers: answers)
    try await checkPoint(after: pages, sourceState, answers: later.answers)
    try checkRemovals(of: pages, after: first, later.removals)
  }

  /// A pull that begins again after its first page asks for the same as before: what its later pages have did not come.
  private func checkPoint(after pages: [PullPage], _ sourceState: JSONObject, answers: [HTTPResponse]) async throws {
    guard pages[0].next != nil, let moved = pages[0].sourceState else { return }
    let before = try await pull(answers, from: sourceState, pages: 1).requests
    let again = try await pull(answers, from: moved, pages: 1).requests
    try expect(
      before.first?.url.exact == again.first?.url.exact && before.first?.body == again.first?.body,
      "expected the same request from a pull that begins again after the first of several pages, found "
        + "\(again.first?.url ?? "none") after \(before.first?.url ?? "none"): what changed on the later pages would be "
        + "lost; keep the point in the cursor until the last page")
  }

  private func checkRemovals(of pages: [PullPage], after first: [PullPage], _ removals: [RecordName]) throws {
    let changes = pages.flatMap(\.changes)
    func names(_ changes: [PulledChange]) -> Set<RecordName> { Set(changes.map { RecordName($0.collection, $0.id) }) }
    var removed = names(changes.filter { $0.rule == .remove })
    let isPart = pages.contains { Self.isPart($0.coverage) }
    if !isPart {
      // The list counts as whole: the engine removes what it lacks.
      var listed = names(changes.filter { $0.rule != .remove })
      for page in pages {
        guard case .page(let list) = page.coverage else { continue }
        listed.formUnion(list.records + list.sublists.flatMap(\.records))
        removed.formUnion(list.gone)
      }
      for case .whole(_, let now, nil) in pages.map(\.coverage) { listed.formUnion(now) }
      let known = names(first.flatMap(\.changes).filter { $0.rule != .remove })
      removed.formUnion(known.subtracting(listed))
    }
    if let lost = removed.subtracting(removals).map(Self.text).min() {
      throw ContractViolation(
        "expected that a pull of what changed removes only what its responses name, found the removal of \(lost)"
          + (isPart ? "" : "; its list is a part: say ListDoubt.part"))
    }
    if let kept = Set(removals).subtracting(removed).map(Self.text).min() {
      throw ContractViolation(
        "expected the removal of \(kept), which the responses of the later pull say is gone, found none"
          + (isPart ? ": in a part of a list, PulledChange.Rule.remove removes a record" : ""))
    }
  }

  private static func text(_ record: RecordName) -> String { "\(record.collection)/\(record.id)" }

  /// Whether the list lacks records that the remote has, or says nothing about them.
  private static func isPart(_ coverage: PullCoverage) -> Bool {
    switch coverage {
    case .unknown, .unchanged: true
    case .page(let list): !list.doubts.isEmpty || list.keepsDeparted
    case .whole(_, _, let doubt): doubt != nil
    }
  }

  private static func mentions(_ request: HTTPRequest, _ text: String) -> Bool {
    request.url.contains(text) || String(decoding: request.body ?? [], as: UTF8.self).contains(text)
  }

  /// The pages of a pull with one response for each, and what it asked for.
  private func pull(
    _ answers: [HTTPResponse], from sourceState: JSONObject, pages limit: Int = .max
  ) async throws -> (pages: [PullPage], requests: [HTTPRequest]) {
    var (pages, requests, state): ([PullPage], [HTTPRequest], JSONObject) = ([], [], sourceState)
    for index in answers.indices.prefix(limit) {
      let transport = ScriptedTransport(Array(answers[index...]))
      var context = try context(transport, after: pages.last)
      context.sourceState = state
      let page = try await source.pull(follow, context)
      state = page.sourceState ?? state
      requests += transport.requests
      pages.append(page)
      if page.next == nil { break }
    }
    return (pages, requests)
  }
}
