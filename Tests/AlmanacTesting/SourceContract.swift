public import Models
public import Ports

/// The requirements for every adapter of `Source`, checked for the fakes and for the real ones.
///
/// A violated requirement is thrown as a `ContractViolation`.
public struct SourceContract: Sendable {
  /// The source.
  public var source: any Source
  /// A valid follow.
  public var follow: Follow
  /// Invalid follows.
  public var badFollows: [Follow]
  /// Responses to the first pull of the follow, in order; the last one repeats.
  public var answers: [HTTPResponse]
  /// Responses to the second pull, in order; the last one repeats. Empty if the first page is the only one.
  public var furtherAnswers: [HTTPResponse]
  /// A store, which is empty or contains the records that the follow needs.
  public var store: any RecordStore

  /// Creates a suite for one source.
  public init(
    source: any Source, follow: Follow, badFollows: [Follow], answers: [HTTPResponse],
    furtherAnswers: [HTTPResponse] = [], store: any RecordStore
  ) {
    self.source = source
    self.follow = follow
    self.badFollows = badFollows
    self.answers = answers
    self.furtherAnswers = furtherAnswers
    self.store = store
  }

  /// Runs every check.
  ///
  /// - Throws: `ContractViolation` for the first violated requirement.
  public func verify() async throws {
    try checkFollows()
    try await checkRepeatable()
    try await checkFurtherPage()
    try await checkStatuses()
    try await checkTransportErrors()
    try await checkGarbage()
  }

  private func context(_ transport: any HTTPTransport, after page: PullPage? = nil) throws -> PullContext {
    PullContext(
      transport: transport, snapshot: try store.snapshot(), cursor: page?.next, memory: page?.memory ?? [:],
      now: Timestamp(secondsSinceEpoch: 1_780_000_000), run: "run")
  }

  /// The source's name begins all forms. Valid follows have a canonical form, and errors of invalid ones name the
  /// allowed values.
  private func checkFollows() throws {
    let forms = source.descriptor.forms.map(\.text)
    try expect(
      forms.allSatisfy { $0 == source.name.rawValue || $0.hasPrefix("\(source.name)/") } && !forms.isEmpty,
      "every form begins with the source's name")
    for collection in source.descriptor.collections {
      let names = collection.leaves.map(\.name)
      try expect(names.first == "id", "the fields of \(collection.name) begin with the id")
      for name in collection.columns + collection.media {
        // A table shows an array of objects as a whole.
        try expect(
          names.contains(name) || collection.fields.contains { $0.name == name },
          "\(name) is a field of \(collection.name)")
      }
    }
    do throws(FollowError) {
      try source.check(follow)
    } catch {
      throw ContractViolation(description: "\(follow.path) is taken: \(error)")
    }
    let canonical = try source.canonical(follow)
    try expect(canonical.source == source.name, "the usual spelling of \(follow.path) is of the same source")
    try expectEqual(try source.canonical(canonical), canonical)
    for bad in badFollows {
      do throws(FollowError) {
        _ = try source.canonical(bad)
      } catch {
        try expect(error.follow == bad.path, "the error names the follow \(bad.path), not \(error.follow)")
      }
      do throws(FollowError) {
        try source.check(bad)
      } catch {
        try expect(error.follow == bad.path, "the error names the follow \(bad.path), not \(error.follow)")
        try expect(!error.message.isEmpty && !error.allowed.isEmpty, "\(bad.path): the error says what is allowed")
        continue
      }
      throw ContractViolation(description: "\(bad) must not be taken")
    }
  }

  /// A pull rejects an invalid follow before it sends a request. The same context and responses give the same page, with
  /// records of declared collections. The store does not change.
  private func checkRepeatable() async throws {
    for bad in badFollows.prefix(1) {
      let transport = ScriptedTransport(answers)
      guard case .follow? = try await error(of: bad, transport) else {
        throw ContractViolation(description: "a pull of \(bad.path) throws follow")
      }
      try expect(transport.requests.isEmpty, "nothing is sent for a follow that is not taken")
    }
    _ = try await repeatedPull(answers, after: nil)
  }

  /// A list that goes on continues at the cursor of the page before, with another request, and does not stay there.
  private func checkFurtherPage() async throws {
    let (first, requests) = try await repeatedPull(answers, after: nil)
    guard let cursor = first.next else {
      return try expect(furtherAnswers.isEmpty, "the first page has a cursor of the second one")
    }
    try expect(!furtherAnswers.isEmpty, "the first page has a cursor: the suite needs answers to the second page")
    let (second, further) = try await repeatedPull(furtherAnswers, after: first)
    try expect(further.allSatisfy { !requests.contains($0) }, "the second page is not the first one again")
    try expect(second.next != cursor, "the cursor moves with the second page")
  }

  /// Pulls a page twice, and compares what comes.
  private func repeatedPull(
    _ answers: [HTTPResponse], after page: PullPage?
  ) async throws -> (page: PullPage, requests: [HTTPRequest]) {
    let before = try store.snapshot().sequence
    let (first, second) = (ScriptedTransport(answers), ScriptedTransport(answers))
    let one = try await source.pull(follow, context(first, after: page))
    let two = try await source.pull(follow, context(second, after: page))
    try expect(one.changes == two.changes, "the same context and answers give the same changes")
    try expect(one.rejects == two.rejects && one.next == two.next && one.memory == two.memory, "and the same page")
    try expectEqual(first.requests, second.requests)
    try expect(!first.requests.isEmpty, "a pull asks the server")
    try expectEqual(try store.snapshot().sequence, before)
    let declared = source.descriptor.writtenCollections
    for change in one.changes {
      try expect(
        declared.contains(change.collection),
        "the source declares the collection \(change.collection) of \(change.id)")
    }
    for change in one.changes where change.rule != .remove {
      try expect(
        change.fields.members.first?.key == "id" && change.fields["id"] == .string(change.id),
        "the record \(change.collection)/\(change.id) begins with its id")
      try expect(!change.fields.members.contains { $0.value == .null }, "absent fields are left out, never null")
    }
    return (one, first.requests)
  }

  /// Every error status is reported with that status.
  private func checkStatuses() async throws {
    for status in [400, 401, 403, 404, 410, 418, 429, 500, 502, 503, 599] {
      let transport = ScriptedTransport([
        HTTPResponse(status: status, headers: ["Retry-After": "17"], body: [], url: "http://answer.test/")
      ])
      guard case .http(let found, _, let url, let retryAfter)? = try await error(of: follow, transport) else {
        throw ContractViolation(description: "the status \(status) throws http")
      }
      try expectEqual(found, status)
      try expect(!url.isEmpty, "the error names the address")
      try expectEqual(retryAfter, 17)
    }
  }

  /// Errors of the transport are passed on unchanged, including cancellation.
  private func checkTransportErrors() async throws {
    for code in [TransportError.Code.cannotConnect, .timeout, .cancelled] {
      let thrown = TransportError(code, "broken", mayHaveArrived: true)
      let transport = ScriptedTransport { _, _ throws(TransportError) in throw thrown }
      try expectEqual(try await error(of: follow, transport), .transport(thrown))
    }
  }

  /// A response of a completely different kind causes an error with its URL.
  private func checkGarbage() async throws {
    for body in ["", "<html><body>Down</body></html>", "{", "[1,"] {
      let transport = ScriptedTransport([HTTPResponse(status: 200, body: Array(body.utf8), url: "http://answer.test/")])
      guard case .parsing(let problem)? = try await error(of: follow, transport) else {
        throw ContractViolation(description: "'\(body)' throws parsing")
      }
      try expect(problem.source?.isEmpty == false, "the error names the address")
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
