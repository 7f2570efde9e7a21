import Hummingbird
import Models
import Ports

/// Why the daemon is not ready. `/readyz` needs no token, so that it has no path, no address and no message of a server.
struct Unreadiness {
  static let text = "text/plain; charset=utf-8"
  static let notRunning = Unreadiness(part: "daemon", why: "it starts or stops", code: nil, wait: 1)

  /// What is not ready.
  let part: String
  let why: String
  let code: String?
  /// After how many seconds to ask again.
  let wait: Int

  private init(part: String, why: String, code: String?, wait: Int) {
    (self.part, self.why, self.code, self.wait) = (part, why, code, wait)
  }

  init(store failure: Failure) {
    let why =
      switch failure.code {
      case .store(.moved): "it is not at its path: it was moved, deleted or replaced"
      case .store(.unreachable): "its server does not answer"
      case .store(.denied): "its server refuses the user or the password, or refuses to write"
      case .store(.full): "its disk is full, or the quota is used up"
      case .store(.cannotWrite): "it cannot be written"
      case .store(.cannotRead): "it cannot be read"
      case .store(.damaged): "it is damaged"
      case .store(.newerFormat): "it has the format of a newer version"
      case .store(.notFound): "it does not exist"
      default: "it cannot be used"
      }
    self.init(part: "store", why: why, code: failure.code?.text, wait: 5)
  }

  private var line: String { "\(part): \(why)" + (code.map { " (\($0))" } ?? "") }

  var problem: Problem {
    Problem(
      .serviceUnavailable, line, hint: part == "store" ? "run \(command: "doctor")" : nil, code: code,
      headers: [.retryAfter: "\(wait)"])
  }

  var response: Response {
    Response(
      .serviceUnavailable, type: Self.text, Array("not ready\n\(line)\n".utf8), headers: [.retryAfter: "\(wait)"])
  }
}

extension API {
  /// Health, metrics, description, and the status.
  var system: [Operation] {
    [
      Operation(
        .get, "/healthz", "health", "Alive", access: .open, answers: [.json("Health")], mayWait: false
      ) { call in
        Response(json: ["status": "ok"], call.services.coder)
      },
      // Of a server it is known without asking.
      Operation(
        .get, "/readyz", "readiness", "At work", access: .open, answers: [.jsonOrText(OpenAPI.ref("Health"))],
        refusals: [503], mayWait: !parts.role.isShared
      ) { [parts] call in
        let reason: Unreadiness? =
          parts.health.isRunning ? parts.health.check(call.services).map { Unreadiness(store: $0) } : .notRunning
        let wantsJSON = call.request.headers[.accept]?.contains("json") ?? false
        guard let reason else {
          return wantsJSON
            ? Response(json: ["status": "ready"], call.services.coder)
            : Response(type: Unreadiness.text, Array("ready\n".utf8))
        }
        return wantsJSON ? Response(problem: reason.problem, call.services.coder) : reason.response
      },
      Operation(
        .get, "/metrics", "metrics", "Metrics as Prometheus reads them", access: .metrics,
        query: [Parameter("follows", "0 leaves out the series of each follow", in: 0...1, standard: 1)],
        answers: [.media("text/plain")]
      ) { [parts] call in
        let text = await parts.metrics.text(hasFollows: try call.number("follows") != 0)
        return Response(type: "text/plain; version=0.0.4; charset=utf-8", Array(text.utf8))
      },
      Operation(
        .get, "/openapi.json", "description", "This document", answers: [.schema(.ok, ["type": "object"])]
      ) { call in
        let document = OpenAPI.document(operations, base: parts.endpoint.basePath, call.services.catalog)
        return Response(json: document, call.services.coder)
      },
      Operation(
        .get, "/api/v1/status", "status", "The status of follows, store and outbox", answers: [.json("Status")]
      ) { [parts] call in
        Response(type: "application/json", try Self.status(call.services, parts))
      },
    ]
  }

  /// The same object as `almanac status --format json`; while the store cannot be read, what is known without it.
  static func status(_ services: DaemonServices, _ parts: Parts) throws(Failure) -> [UInt8] {
    // Of a server it is known without asking whether it answers.
    let known = parts.role.isShared ? parts.health.check(services) : nil
    if let known, known.code == .store(.unreachable) { return services.coder.encode(outage(known, parts)) }
    do throws(Failure) { return try read(services, parts) } catch {
      guard error.kind == .store else { throw error }
      parts.health.note(error)
      return services.coder.encode(outage(parts.health.check(services) ?? error, parts))
    }
  }

  private static func outage(_ failure: Failure, _ parts: Parts) -> JSONObject {
    let problems = parts.health.problems
    let isKnown = problems.contains { $0.part == .store }
    return common(isKnown ? problems : [Health.Problem(.store, failure)] + problems, parts)
  }

  /// What is known without the store.
  private static func common(_ problems: [Health.Problem], _ parts: Parts) -> JSONObject {
    var fields: JSONObject = [
      "config": .object(parts.health.config.fields), "version": .string(DaemonVersion.current),
    ]
    fields.append("daemon", parts.role.fields.map { .object($0) })
    if !problems.isEmpty {
      fields.append(
        "problems",
        .array(
          problems.map { problem in
            var fields: JSONObject = ["part": .string(problem.part.rawValue)]
            fields.append("message", problem.failure.message)
            fields.append("hint", problem.failure.hint?.description)
            fields.append("code", problem.failure.code?.text)
            fields.append("since", problem.since?.description)
            return .object(fields)
          }))
    }
    return fields
  }

  private static func read(_ services: DaemonServices, _ parts: Parts) throws(Failure) -> [UInt8] {
    // An answer with a problem, or with a role that may change, is not kept.
    let isKept = parts.health.problems.isEmpty && !parts.role.isShared
    if isKept, let known = try services.statusCache.answer(services) { return known }
    let reading = try services.statusCache.read(services)
    let status = explained(reading.status, services, parts)
    var fields: JSONObject = [
      "follows": .array(status.follows.map { .object($0.fields) }),
      "store": [
        "records": .int(reading.statistics.records), "bytes": .int(reading.statistics.bytes),
        "behind": .array(reading.behind.map { .string($0.rawValue) }),
      ],
      "outbox": .object(status.outbox.fields),
    ]
    for member in common(parts.health.problems(status.outbox), parts).members { fields[member.key] = member.value }
    let bytes = services.coder.encode(fields)
    if isKept { services.statusCache.keep(bytes, of: reading) }
    return bytes
  }

  /// The state of the follows, with the daemons that pull them, and with the commands of hints completed.
  static func explained(_ status: SyncStatus, _ services: DaemonServices, _ parts: Parts) -> SyncStatus {
    var status = status
    let wording = parts.wording
    let leases = (try? services.scheduling.leases?.states(of: status.follows.map(\.follow))) ?? []
    let holders = Dictionary(leases.map { ($0.$follow, $0.holder) }) { first, _ in first }
    for index in status.follows.indices {
      status.follows[index].pulledBy = holders[status.follows[index].follow.exact] ?? nil
      status.follows[index].error = status.follows[index].error.map { wording($0) }
      status.follows[index].pause = status.follows[index].pause.map { wording($0) }
    }
    return status
  }
}
