import Models
import Ports
import Synchronization

/// Plans a flush: sends the outbox of a planning store through sources whose modifying requests are recorded instead of
/// sent. Reading requests reach the server.
struct Rehearsal {
  let engine: SyncEngine
  /// The store of the plan, in which edits leave the outbox as if they had been sent.
  let store: PlanningStore
  let transport: any HTTPTransport

  /// The requests that would be sent, ordered by target.
  ///
  /// An edit that would be merged first, or whose server did not respond, is included without a URL.
  /// - Throws: `Failure` if the outbox cannot be read, or if the task was cancelled.
  func requests() async throws(Failure) -> [PlannedRequest] {
    let waiting = try pending()
    guard !waiting.isEmpty else { return [] }
    let log = Mutex<[PlannedRequest]>([])
    let sender = OutboxSender(
      store: store,
      senders: EditSenders(
        engine.sources.mapValues { source in
          guard let source = source as? any EditableSource else { return source }
          return RehearsedSource(base: source, coder: engine.coder) { request in
            log.withLock { $0.append(request) }
          }
        }), transport: transport, coder: engine.coder, time: engine.time, events: NoEvents(),
      process: engine.process, pauses: TargetPauses(), patience: .zero, random: engine.random)
    _ = try await sender.flush(only: nil)
    let planned = log.withLock { $0 }
    let left = Set(try pending().map(\.$id))
    return waiting.flatMap { entry in
      let requests = planned.filter { $0.id.exact == entry.$id }
      if !requests.isEmpty || !left.contains(entry.$id) { return requests }
      return [PlannedRequest(id: entry.id, method: entry.kind.method, target: entry.target, edit: entry.edit)]
    }
  }

  private func pending() throws(Failure) -> [OutboxEntry] {
    do throws(StoreError) {
      let queue = try OutboxQueue(in: store.snapshot(), engine.coder)
      return queue.targets.flatMap { queue.byTarget[$0.exact] ?? [] }.filter { $0.state == .pending }
    } catch {
      throw error.failure
    }
  }
}

/// A source whose modifying requests are recorded instead of sent.
private struct RehearsedSource: EditableSource {
  let base: any EditableSource
  let coder: any RecordCoder
  let note: @Sendable (PlannedRequest) -> Void

  var descriptor: SourceDescriptor { base.descriptor }
  var fingerprint: String? { base.fingerprint }
  var editableCollections: [CollectionName] { base.editableCollections }

  func canonical(_ follow: Follow) throws(FollowError) -> Follow { try base.canonical(follow) }

  func pull(_ follow: Follow, _ context: PullContext) async throws(SourceError) -> PullPage {
    try await base.pull(follow, context)
  }

  func push(_ entry: OutboxEntry, _ context: PushContext) async throws(SourceError) -> PushOutcome {
    var context = context
    context.transport = RehearsalTransport(inner: context.transport) { request in
      note(
        PlannedRequest(
          id: entry.id, method: request.method.rawValue, target: entry.target, edit: entry.edit,
          url: String(request.url.prefix { $0 != "?" }),
          body: request.body.flatMap { try? coder.decode($0) }))
    }
    return try await base.push(entry, context)
  }
}

/// Sends reading requests, and records modifying ones, for which it returns 204 (No Content). Requests that only prepare
/// others are not part of the plan; `inner` decides about them.
private struct RehearsalTransport: HTTPTransport {
  let inner: any HTTPTransport
  let note: @Sendable (HTTPRequest) -> Void

  var limitations: Set<TransportLimitation> { inner.limitations }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    if request.method.isSafe || request.isPreparation { return try await inner.send(request) }
    note(request)
    return HTTPResponse(status: HTTPStatus.noContent.code, url: request.url)
  }
}

/// Refuses every request with a method that is not safe (RFC 9110 section 9.2.1), so that a plan changes nothing at a server.
struct ReadOnlyTransport: HTTPTransport {
  let inner: any HTTPTransport
  /// What to do about a request that was not sent.
  let hint: String

  var limitations: Set<TransportLimitation> { inner.limitations }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    if request.method.isSafe { return try await inner.send(request) }
    let purpose = request.isPreparation ? ", which asks for an access token," : ""
    throw TransportError(
      .notPlanned, "a plan sends only requests that read: a \(request.method.rawValue)\(purpose) was not sent",
      url: String(request.url.prefix { $0 != "?" }), hint: hint, requests: 0)
  }
}

/// Discards events, because nothing happens in a rehearsal.
private struct NoEvents: EventSink {
  func report(_ event: Event) {}
}

extension OutboxEntry.Kind {
  fileprivate var method: String { rawValue.uppercased() }
}
