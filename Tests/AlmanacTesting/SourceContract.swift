public import Models
public import Ports

/// The requirements for every adapter of `Source`, checked for the fakes and for the real ones.
///
/// A violated requirement is thrown as a `ContractViolation`.
public struct SourceContract: Sendable {
  public var source: any Source
  public var follow: Follow
  public var badFollows: [Follow]
  /// Responses to the requests of the first page of the follow, in order; the last one repeats.
  public var answers: [HTTPResponse]
  /// Responses to the requests of the second page, in order; the last one repeats. Empty if the first page is the only one.
  public var furtherAnswers: [HTTPResponse]
  /// A later pull of what changed; `nil` for a source that reads everything each time.
  public var later: Later?
  /// A store, which is empty or contains the records that the follow needs.
  public var store: any RecordStore

  public init(
    source: any Source, follow: Follow, badFollows: [Follow], answers: [HTTPResponse],
    furtherAnswers: [HTTPResponse] = [], later: Later? = nil, store: any RecordStore
  ) {
    (self.source, self.follow, self.badFollows) = (source, follow, badFollows)
    (self.answers, self.furtherAnswers, self.later, self.store) = (answers, furtherAnswers, later, store)
  }

  /// Runs every check.
  ///
  /// - Throws: `ContractViolation` for the first violated requirement.
  public func verify() async throws {
    try checkFollows()
    try await checkRepeatable()
    try await checkFurtherPage()
    try await checkListing()
    try await checkNextPull()
    try await checkLater()
    try await checkStatuses()
    try await checkTransportErrors()
    try await checkAbilities()
    try await checkGarbage()
    try await checkOtherShapes()
    try await checkRejects()
    try await checkNotModified()
    try await checkUnchangedFirstPage()
  }

  func context(_ transport: any HTTPTransport, after page: PullPage? = nil) throws -> PullContext {
    PullContext(
      transport: transport, snapshot: try store.snapshot(), cursor: page?.next, sourceState: page?.sourceState ?? [:],
      now: Timestamp(secondsSinceEpoch: 1_780_000_000), run: "run")
  }

  /// The source's name begins all forms. Valid follows have a canonical form, and errors of invalid ones name the
  /// allowed values.
  private func checkFollows() throws {
    let forms = source.descriptor.forms.map(\.text)
    try expect(!forms.isEmpty, "expected at least one form of paths in the descriptor, found none")
    for form in forms {
      try expect(
        form == source.name.rawValue || form.hasPrefix("\(source.name)/"),
        "expected a form that begins with the source's name, \(source.name), found '\(form)'")
    }
    // A collection without fields has no fixed schema.
    for collection in source.descriptor.collections where !collection.fields.isEmpty {
      let names = collection.leaves.map(\.name)
      try expect(
        names.first == "id",
        "expected 'id' as the first field of the collection \(collection.name), found '\(names.first ?? "")'")
      for name in collection.columns + collection.media {
        // A table shows an array of objects as a whole.
        try expect(
          names.contains(name) || collection.fields.contains { $0.name == name },
          "expected a field of \(collection.name) in its columns and media, found '\(name)'; the fields are "
            + names.joined(separator: ", "))
      }
    }
    do throws(FollowError) { try source.check(follow) } catch {
      throw ContractViolation("expected that check accepts '\(follow.path)', found the error '\(error.message)'")
    }
    let checked = try source.check(follow)
    var canonical = checked.follow
    try expect(
      canonical.source == source.name,
      "expected that the canonical form of '\(follow.path)' begins with \(source.name), found '\(canonical.path)'")
    try expect(
      try checked.match == source.descriptor.match(canonical),
      "expected the form and the parameters of the canonical form '\(canonical.path)', found \(checked.match)")
    // As if it was read from a file.
    canonical.match = nil
    let again = try source.check(canonical)
    try expect(
      again == checked,
      "expected that the canonical form '\(canonical.path)' is its own canonical form, found '\(again.follow.path)'")
    for bad in badFollows {
      do throws(FollowError) { try source.check(bad) } catch {
        try expect(error.follow == bad.path, "expected that the error names '\(bad.path)', found '\(error.follow)'")
        try expect(
          !error.message.isEmpty && !error.allowed.isEmpty,
          "expected that the error for '\(bad.path)' has a message and says what is allowed, found "
            + "'\(error.message)' and '\(error.allowed)'")
        continue
      }
      throw ContractViolation("expected a FollowError of check for '\(bad.path)', found none")
    }
  }

  /// The same context and responses give the same page, with records of declared collections. The store does not change.
  private func checkRepeatable() async throws { _ = try await repeatedPull(answers, after: nil) }

  /// A list that goes on continues at the cursor of the page before, with another request, and does not stay there.
  private func checkFurtherPage() async throws {
    let (first, requests) = try await repeatedPull(answers, after: nil)
    guard let cursor = first.next else {
      return try expect(
        furtherAnswers.isEmpty,
        "expected that the first page has a cursor, because furtherAnswers has responses to the second one; found none")
    }
    try expect(
      !furtherAnswers.isEmpty,
      "expected responses to the second page in furtherAnswers, because the first page has the cursor "
        + "\(Self.text(cursor)); found none")
    let (second, further) = try await repeatedPull(furtherAnswers, after: first)
    for request in further {
      try expect(
        !requests.contains(request),
        "expected another request for the second page than for the first one, found \(request.url) for both")
    }
    try expect(
      second.next != cursor,
      "expected another cursor after the second page than after the first one, found \(Self.text(cursor)) after both")
  }

  /// What a listing is compared with does not come from the memory, which is empty after `--full`: what had left the list
  /// would never be removed.
  private func checkListing() async throws {
    let first = try await source.pull(follow, context(ScriptedTransport(answers)))
    var later = try context(ScriptedTransport(answers))
    later.sourceState = first.sourceState ?? [:]
    let second = try await source.pull(follow, later)
    guard case .whole(let known, _, _) = second.coverage else { return }
    var others: [RecordName] = []
    if case .whole(let before, _, _) = first.coverage { others = before }
    let lost = Set(known).subtracting(others).map(\.$id).sorted().first
    try expect(
      lost == nil,
      "expected the same ids in 'before' of a whole list with an empty memory, found none of \(lost?.text ?? ""); say "
        + "what each page has, which the engine remembers")
  }

  /// Pulls a page twice, and compares what comes.
  private func repeatedPull(
    _ answers: [HTTPResponse], after page: PullPage?
  ) async throws -> (page: PullPage, requests: [HTTPRequest]) {
    let before = try store.snapshot().sequence
    let (first, second) = (ScriptedTransport(answers), ScriptedTransport(answers))
    let one = try await source.pull(follow, context(first, after: page))
    let two = try await source.pull(follow, context(second, after: page))
    let context = "the same context and the same responses"
    try expect(
      one.changes == two.changes,
      "expected the same changes from \(context), found \(Self.difference(one.changes, two.changes))")
    try expect(
      one.rejects == two.rejects,
      "expected the same rejected records from \(context), found \(one.rejects.total) and \(two.rejects.total)")
    try expect(
      one.next == two.next,
      "expected the same cursor from \(context), found \(Self.text(one.next)) and \(Self.text(two.next))")
    try expect(
      one.sourceState == two.sourceState,
      "expected the same memory from \(context), found \(Self.text(one.sourceState)) and \(Self.text(two.sourceState))")
    try expect(
      first.requests == second.requests,
      "expected the same requests from \(context), found \(first.requests.map(\.url)) and \(second.requests.map(\.url))"
    )
    try expect(!first.requests.isEmpty, "expected at least one request of a pull, found none")
    let after = try store.snapshot().sequence
    try expect(after == before, "expected that a pull does not write to the store, found \(after - before) commits")
    try checkChanges(one.changes)
    return (one, first.requests)
  }

  /// Changes are those of declared collections. The id in the fields, where there is one, is that of the change.
  private func checkChanges(_ changes: [PulledChange]) throws {
    let declared = source.descriptor.writtenCollections
    for change in changes {
      try expect(
        declared.contains(change.collection),
        "expected a collection that the descriptor declares (\(declared.map(\.rawValue).joined(separator: ", "))), found "
          + "\(change.collection), of the record \(change.id)")
      guard change.rule != .remove, let id = change.fields["id"] else { continue }
      let isSame =
        switch id {
        case .string(let text), .number(let text): text.exact == change.$id
        default: false
        }
      try expect(isSame, "expected the id '\(change.id)' in the fields of its record, found \(Self.text(id))")
    }
  }

  private static func text(_ object: JSONObject?) -> String { object.map { text(.object($0)) } ?? "nothing" }

  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let flag): "\(flag)"
    case .number(let digits): digits
    case .string(let text): "\"\(text)\""
    case .array(let values): "[\(values.map(text).joined(separator: ", "))]"
    case .object(let object): "{\(object.members.map { "\"\($0.key)\": \(text($0.value))" }.joined(separator: ", "))}"
    }
  }

  private static func difference(_ one: [PulledChange], _ two: [PulledChange]) -> String {
    guard one.count == two.count else { return "\(one.count) and \(two.count)" }
    guard let (left, right) = zip(one, two).first(where: { $0 != $1 }) else { return "the same" }
    return
      "\(left.collection)/\(left.id) \(text(left.fields)) and \(right.collection)/\(right.id) \(text(right.fields))"
  }

  /// Every error status is reported with that status.
  private func checkStatuses() async throws {
    for status in [400, 401, 403, 404, 410, 418, 429, 500, 502, 503, 599] {
      let transport = ScriptedTransport([
        HTTPResponse(status: status, headers: ["Retry-After": "17"], body: [], url: "http://answer.test/")
      ])
      let thrown = try await error(of: follow, transport)
      guard case .answered(let found, _, let url, let retryAfter)? = thrown else {
        throw ContractViolation("expected SourceError.answered for the status \(status), found \(Self.name(thrown))")
      }
      try expect(found.code == status, "expected the status \(status) in the error, found \(found)")
      try expect(!url.isEmpty, "expected the address in the error for the status \(status), found none")
      try expect(
        retryAfter == 17,
        "expected 17 of Retry-After in the error for the status \(status), found \(retryAfter.map(String.init) ?? "nothing")"
      )
    }
  }

  private static func name(_ error: SourceError?) -> String { error.map { "the error \($0)" } ?? "no error" }

  /// Errors of the transport are passed on unchanged, including cancellation.
  private func checkTransportErrors() async throws {
    for code in [TransportError.Code.cannotConnect, .timeout, .cancelled] {
      let thrown = TransportError(code, "broken", mayHaveArrived: true)
      let transport = ScriptedTransport { _, _ throws(TransportError) in throw thrown }
      let found = try await error(of: follow, transport)
      try expect(
        found == .transport(thrown),
        "expected that the transport's error \(code) is thrown as SourceError.transport, found \(Self.name(found))")
    }
  }

  /// Every ability reports the error of a server that cannot be reached, and `Sources` redacts it.
  private func checkAbilities() async throws {
    struct Censor: Redactor {
      func error(_ error: SourceError) -> SourceError { .refused(message: "censored") }
      func page(_ page: PullPage) -> PullPage { page }
    }
    /// Reads what a change would be made of.
    struct Reader: ChangeSender {
      func send(
        _ entry: OutboxEntry, _ context: PushContext, to remote: any UpdatableRemote
      ) async throws(SourceError) -> PushOutcome { .accepted(try await remote.read(entry.targetID)) }
    }
    let transport = ScriptedTransport([])
    let censored = Sources([source], redactor: Censor())
    guard let source = censored[source.name] else {
      throw ContractViolation("expected a source of the name \(source.name), found none")
    }
    let context = try context(transport)
    try await expectCensored("pull") { _ = try await source.open(source.check(follow)).page(context) }
    for collection in source.editableCollections {
      let entry = OutboxEntry(
        id: "1", target: "\(collection)/1", kind: .put, edit: ["name": "a"], base: [:], outcomeUnknown: true,
        createdAt: context.now)
      let push = PushContext(
        transport: transport, record: ["id": "1", "name": "a"], snapshot: context.snapshot, now: context.now,
        changes: Reader())
      try await expectCensored("push") { _ = try await source.push(entry, push) }
    }
    let account = SourceAccount(name: "a", url: "http://account.test", user: "a", password: .given("b", from: "a test"))
    if self.source.abilities.accounts != nil {
      try await expectCensored("offers") { _ = try await source.offers(of: account, over: transport) }
    }
    if self.source.abilities.key != nil {
      try await expectCensored("proveKey") { _ = try await source.proveKey(over: transport) }
    }
  }

  private func expectCensored(_ ability: String, _ body: () async throws -> Void) async throws {
    do { try await body() } catch {
      let message = (error as? SourceError)?.failure.message ?? (error as? Failure)?.message
      return try expect(message == "censored", "expected a redacted error of \(ability), found \(error)")
    }
    throw ContractViolation("expected an error of \(ability) without a server, found none")
  }

  /// A response of a completely different kind causes an error with its URL.
  private func checkGarbage() async throws {
    for body in ["", "<html><body>Down</body></html>", "{", "[1,"] {
      let transport = ScriptedTransport([HTTPResponse(status: 200, body: Array(body.utf8), url: "http://answer.test/")])
      let thrown = try await error(of: follow, transport)
      guard case .parsing(let problem)? = thrown else {
        throw ContractViolation("expected SourceError.parsing for the response '\(body)', found \(Self.name(thrown))")
      }
      try expect(
        problem.source?.isEmpty == false,
        "expected the address in the error for the response '\(body)', found none")
    }
  }

  /// JSON of another shape is an error, or its records are rejected. A page without records would say that the remote has
  /// none.
  private func checkOtherShapes() async throws {
    let shapes = ["null", "true", "42", "\"text\"", "{}", #"{"other": [{"of": "another"}]}"#, #"[{"other": "shape"}]"#]
    for body in shapes {
      let transport = ScriptedTransport([HTTPResponse(status: 200, body: Array(body.utf8), url: "http://answer.test/")])
      let context = try context(transport)
      let page: PullPage
      do throws(SourceError) { page = try await source.pull(follow, context) } catch { continue }
      try expect(
        page.rejects.total > 0,
        "expected an error or a rejected record for the response '\(body)', found a page with \(page.changes.count) "
          + "records and none rejected")
    }
  }

  /// 304 to a conditional request is a page that is not modified, which removes nothing. To any other request it is an
  /// error, unless the source takes it for such a page.
  private func checkNotModified() async throws {
    let tagged = Self.tagged(answers)
    var context = try context(ScriptedTransport(tagged))
    let first = try await source.pull(follow, context)
    let transport = ScriptedTransport { request, index throws(TransportError) in
      guard request.validator == nil else { return HTTPResponse(status: 304, url: request.url) }
      return tagged[min(index, tagged.count - 1)]
    }
    context.transport = transport
    context.sourceState = first.sourceState ?? [:]
    let again = try await source.pull(follow, context)
    if transport.requests.allSatisfy({ $0.validator != nil }) {
      try checkUnchanged(again, "the response 304 to a conditional request")
    }
    context.transport = ScriptedTransport([HTTPResponse(status: 304, url: "http://answer.test/")])
    context.sourceState = [:]
    let page: PullPage
    do throws(SourceError) { page = try await source.pull(follow, context) } catch { return }
    try checkUnchanged(page, "the response 304 to a request without a condition")
  }

  /// The page says that nothing has changed, and no record of the page before is removed by it.
  private func checkUnchanged(_ page: PullPage, _ occasion: String) throws {
    try expect(page.coverage == .unchanged, "expected a page with unchanged coverage for \(occasion), found another")
    if let change = page.changes.first(where: { $0.rule == .remove }) {
      throw ContractViolation(
        "expected that \(occasion) removes nothing, found the removal of \(change.collection)/\(change.id)"
      )
    }
  }

  /// The error of a pull; `nil` if it succeeds.
  private func error(of follow: Follow, _ transport: ScriptedTransport) async throws -> SourceError? {
    let context = try context(transport)
    do throws(SourceError) {
      _ = try await source.pull(follow, context)
      return nil
    } catch {
      return error
    }
  }
}
