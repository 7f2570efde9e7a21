import Hummingbird
import Models
import Ports

extension API {
  /// Health, metrics, description, and how everything stands.
  var system: [Route] {
    [
      Route(.get, "/healthz", .open) { call in
        Response(json: ["status": "ok"], call.services.coder)
      },
      Route(.get, "/readyz", .open) { [parts] call in
        guard parts.readiness.isReady, (try? call.services.store.snapshot()) != nil else {
          throw Problem(.serviceUnavailable, "not ready yet", headers: [.retryAfter: "1"])
        }
        return Response(json: ["status": "ready"], call.services.coder)
      },
      Route(.get, "/metrics", .metrics) { [parts] _ in
        Response(type: "text/plain; version=0.0.4; charset=utf-8", Array(parts.metrics.text().utf8))
      },
      Route(.get, "/openapi.json") { call in
        Response(json: OpenAPI.document, call.services.coder)
      },
      Route(.get, "/api/v1/status") { [parts] call in
        Response(type: "application/json", try await Self.status(call.services, parts.scheduler))
      },
    ]
  }

  /// The same object as `almanac status --format json`; `next` is when the scheduler will really begin.
  static func status(_ services: DaemonServices, _ scheduler: Scheduler) async throws(Failure) -> [UInt8] {
    let revision = await scheduler.revision
    if let known = try services.standing.answer(services, revision: revision) { return known }
    let reading = try services.standing.read(services)
    let status = await timed(reading.status, scheduler)
    let fields: JSONObject = [
      "follows": .array(status.follows.map { .object($0.fields) }),
      "store": ["records": .int(reading.statistics.records), "bytes": .int(reading.statistics.bytes)],
      "outbox": .object(status.outbox.fields),
    ]
    let bytes = services.coder.encode(fields)
    services.standing.keep(bytes, of: reading, revision: revision)
    return bytes
  }

  /// How the follows stand, with the scheduler's times.
  static func timed(_ status: SyncStatus, _ scheduler: Scheduler) async -> SyncStatus {
    var status = status
    let due = await scheduler.dueTimes
    for index in status.follows.indices {
      if let next = due[status.follows[index].follow] { status.follows[index].next = next }
    }
    return status
  }
}
