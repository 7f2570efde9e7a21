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
  /// A store, which is empty or contains the records that the follow needs.
  public var store: any RecordStore

  /// Creates a suite for one source.
  public init(
    source: any Source, follow: Follow, badFollows: [Follow], answers: [HTTPResponse], store: any RecordStore
  ) {
    self.source = source
    self.follow = follow
    self.badFollows = badFollows
    self.answers = answers
    self.store = store
  }

  /// Runs every check.
  ///
  /// - Throws: `ContractViolation` for the first violated requirement.
  public func verify() async throws {
    try checkFollows()
    try await checkRepeatable()
    try await checkStatuses()
    try await checkTransportErrors()
    try await checkGarbage()
  }

  private func context(_ transport: any HTTPTransport) throws -> PullContext {
    PullContext(
      transport: transport, snapshot: try store.snapshot(), now: Timestamp(secondsSinceEpoch: 1_780_000_000), run: "run"
    )
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

  /// A pull rejects an invalid follow before it sends a request. The same context and responses give the same page. The
  /// store does not change.
  private func checkRepeatable() async throws {
    for bad in badFollows.prefix(1) {
      let transport = ScriptedTransport(answers)
      guard case .follow? = try await error(of: bad, transport) else {
        throw ContractViolation(description: "a pull of \(bad.path) throws follow")
      }
      try expect(transport.requests.isEmpty, "nothing is sent for a follow that is not taken")
    }
    let before = try store.snapshot().sequence
    let (first, second) = (ScriptedTransport(answers), ScriptedTransport(answers))
    let one = try await source.pull(follow, context(first))
    let two = try await source.pull(follow, context(second))
    try expect(one.changes == two.changes, "the same context and answers give the same changes")
    try expect(one.rejects == two.rejects && one.next == two.next && one.memory == two.memory, "and the same page")
    try expectEqual(first.requests, second.requests)
    try expect(!first.requests.isEmpty, "a pull asks the server")
    try expectEqual(try store.snapshot().sequence, before)
    for change in one.changes where change.rule != .remove {
      try expect(
        change.fields.members.first?.key == "id" && change.fields["id"] == .string(change.id),
        "the record \(change.collection)/\(change.id) begins with its id")
      try expect(!change.fields.members.contains { $0.value == .null }, "absent fields are left out, never null")
    }
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
