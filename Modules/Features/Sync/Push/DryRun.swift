import Models
import Ports
import Synchronization

/// Plans a flush: sends the outbox of a planning store through sources whose modifying requests are recorded instead of
/// sent. Reading requests reach the server.
struct DryRun {
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
      store: store, base: store, senders: engine.senders,
      transport: { entry in
        PlanTransport(inner: transport) { request in
          // Requests that only prepare others are not part of the plan; the inner transport decides about them.
          if request.isPreparation { return nil }
          let planned = PlannedRequest(
            id: entry.id, method: request.method.rawValue, target: entry.target, edit: entry.edit,
            url: String(request.url.prefix { $0 != "?" }), body: request.body.flatMap { try? engine.coder.decode($0) })
          log.withLock { $0.append(planned) }
          return HTTPResponse(status: HTTPStatus.noContent.code, url: request.url)
        }
      }, coder: engine.coder, time: engine.time, events: NoEvents(), process: engine.process, pauses: TargetPauses(),
      gate: TurnGate(), timeout: .zero, random: engine.random, asksEarly: true)
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
    try Failure.from { () throws(StoreError) in
      let queue = try OutboxQueue(in: store.snapshot(), engine.coder)
      return queue.targets.flatMap { queue.byTarget[$0.exact] ?? [] }.filter { $0.state == .pending }
    }
  }
}

/// Sends reading requests (RFC 9110 section 9.2.1), so that a plan changes nothing at a server. The others are answered here.
struct PlanTransport: HTTPTransport {
  let inner: any HTTPTransport
  /// The answer to a request that is not sent; `nil` to send it nevertheless.
  let answer: @Sendable (HTTPRequest) throws(TransportError) -> HTTPResponse?

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    if !request.method.isSafe, let answer = try answer(request) { return answer }
    return try await inner.send(request)
  }
}

/// Discards events, because nothing happens in a dry run.
private struct NoEvents: EventSink {
  func report(_ event: Event) {}
}

extension OutboxEntry.Kind {
  fileprivate var method: String { rawValue.uppercased() }
}
