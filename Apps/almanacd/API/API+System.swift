import Hummingbird
import Models
import Ports

extension API {
  /// Health, metrics, description, and the status.
  var system: [Route] {
    [
      Route(.get, "/healthz", .open, mayWait: false) { call in
        Response(json: ["status": "ok"], call.services.coder)
      },
      // Of a server it is known without asking.
      Route(.get, "/readyz", .open, mayWait: !parts.role.isShared) { [parts] call in
        guard parts.health.isRunning else {
          throw Problem(.serviceUnavailable, "not ready yet", headers: [.retryAfter: "1"])
        }
        if let problem = parts.health.check(call.services) {
          // Without the path and the message: this address needs no token.
          throw Problem(
            .serviceUnavailable, "the store cannot be used", hint: "run 'almanac doctor'", code: problem.code,
            headers: [.retryAfter: "5"])
        }
        return Response(json: ["status": "ready"], call.services.coder)
      },
      Route(.get, "/metrics", .metrics) { [parts] _ in
        Response(type: "text/plain; version=0.0.4; charset=utf-8", Array(await parts.metrics.text().utf8))
      },
      Route(.get, "/openapi.json") { [parts] call in
        Response(json: OpenAPI.document(base: parts.endpoint.basePath, call.services.catalog), call.services.coder)
      },
      Route(.get, "/api/v1/status") { [parts] call in
        Response(type: "application/json", try await Self.status(call.services, parts))
      },
    ]
  }

  /// The same object as `almanac status --format json`; `next` is when the scheduler will really begin.
  static func status(_ services: DaemonServices, _ parts: Parts) async throws(Failure) -> [UInt8] {
    let scheduler = parts.scheduler
    let problems = parts.health.problems
    // An answer with a problem, or with a role that may change, is not kept.
    let revision = problems.isEmpty && !parts.role.isShared ? await scheduler.revision : -1
    if let known = try services.statusCache.answer(services, revision: revision) { return known }
    let reading = try services.statusCache.read(services)
    let status = await timed(reading.status, parts.role.works ? scheduler : nil, parts.commands)
    var fields: JSONObject = [
      "follows": .array(status.follows.map { .object($0.fields) }),
      "store": [
        "records": .int(reading.statistics.records), "bytes": .int(reading.statistics.bytes),
        "behind": .array(reading.behind.map { .string($0.rawValue) }),
      ],
      "outbox": .object(status.outbox.fields), "config": .object(parts.health.config.fields),
    ]
    fields.append("daemon", parts.role.fields.map { .object($0) })
    if !problems.isEmpty {
      fields.append(
        "problems",
        .array(
          problems.map { problem in
            var fields: JSONObject = ["part": .string(problem.part.rawValue)]
            fields.append("message", problem.failure.message)
            fields.append("hint", problem.failure.hint)
            fields.append("code", problem.failure.code)
            return .object(fields)
          }))
    }
    let bytes = services.coder.encode(fields)
    if revision >= 0 { services.statusCache.keep(bytes, of: reading, revision: revision) }
    return bytes
  }

  /// The state of the follows, with the times of the scheduler, if it works here, and with the commands of hints completed.
  static func timed(_ status: SyncStatus, _ scheduler: Scheduler?, _ commands: CommandNames) async -> SyncStatus {
    var status = status
    let due = await scheduler?.dueTimes ?? [:]
    for index in status.follows.indices {
      if let next = due[status.follows[index].follow.exact] { status.follows[index].next = next }
      status.follows[index].error = status.follows[index].error.map { commands.naming($0) }
      status.follows[index].pause = status.follows[index].pause.map { commands.naming($0) }
    }
    return status
  }
}
