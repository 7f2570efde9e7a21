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
        Response(json: try await Self.status(call.services, parts.scheduler), call.services.coder)
      },
    ]
  }

  /// The same object as `almanac status --format json`; `next` is when the scheduler will really begin.
  static func status(_ services: DaemonServices, _ scheduler: Scheduler) async throws(Failure) -> JSONObject {
    let status = try await standing(services, scheduler)
    let statistics = try Failure.from { () throws(StoreError) in try services.store.statistics() }
    return [
      "follows": .array(status.follows.map { .object($0.fields) }),
      "store": ["records": .int(statistics.records), "bytes": .int(statistics.bytes)],
      "outbox": .object(status.outbox.fields),
    ]
  }

  /// How the follows stand, with the scheduler's times.
  static func standing(_ services: DaemonServices, _ scheduler: Scheduler) async throws(Failure) -> SyncStatus {
    var status = try services.sync.status(services.settings.follows)
    let due = await scheduler.dueTimes
    for index in status.follows.indices {
      if let next = due[status.follows[index].follow] { status.follows[index].next = next }
    }
    return status
  }
}
