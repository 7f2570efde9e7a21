import Hummingbird
import Models
import Ports

extension API {
  /// Health, metrics, description, and how everything stands.
  var system: [Route] {
    [
      Route(.get, "/healthz", .open, mayWait: false) { call in
        Response(json: ["status": "ok"], call.services.coder)
      },
      Route(.get, "/readyz", .open) { [parts] call in
        guard parts.readiness.isReady else {
          throw Problem(.serviceUnavailable, "not ready yet", headers: [.retryAfter: "1"])
        }
        // Unlike a snapshot, it reads the manifest that is on the disk now.
        do throws(StoreError) { _ = try call.services.store.statistics() } catch {
          // Without the path and the message: this address needs no token.
          throw Problem(
            .serviceUnavailable, "the store cannot be read", hint: "run 'almanac doctor'", code: error.code.rawValue,
            headers: [.retryAfter: "5"])
        }
        return Response(json: ["status": "ready"], call.services.coder)
      },
      Route(.get, "/metrics", .metrics) { [parts] _ in
        Response(type: "text/plain; version=0.0.4; charset=utf-8", Array(parts.metrics.text().utf8))
      },
      Route(.get, "/openapi.json") { [parts] call in
        Response(json: OpenAPI.document(base: parts.endpoint.basePath, call.services.catalog), call.services.coder)
      },
      Route(.get, "/api/v1/status") { [parts] call in
        Response(type: "application/json", try await Self.status(call.services, parts.scheduler))
      },
    ]
  }

  /// The same object as `almanac status --format json`; `next` is when the scheduler will really begin.
  static func status(_ services: DaemonServices, _ scheduler: Scheduler) async throws(Failure) -> [UInt8] {
    let revision = await scheduler.revision
    if let known = try services.statusCache.answer(services, revision: revision) { return known }
    let reading = try services.statusCache.read(services)
    let status = await timed(reading.status, scheduler)
    let fields: JSONObject = [
      "follows": .array(status.follows.map { .object($0.fields) }),
      "store": [
        "records": .int(reading.statistics.records), "bytes": .int(reading.statistics.bytes),
        "behind": .array(reading.behind.map { .string($0.rawValue) }),
      ],
      "outbox": .object(status.outbox.fields),
    ]
    let bytes = services.coder.encode(fields)
    services.statusCache.keep(bytes, of: reading, revision: revision)
    return bytes
  }

  /// How the follows stand, with the scheduler's times.
  static func timed(_ status: SyncStatus, _ scheduler: Scheduler) async -> SyncStatus {
    var status = status
    let due = await scheduler.dueTimes
    for index in status.follows.indices {
      if let next = due[status.follows[index].follow.exact] { status.follows[index].next = next }
    }
    return status
  }
}
