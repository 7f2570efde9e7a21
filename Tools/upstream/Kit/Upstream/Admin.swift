/// The URLs under `/_upstream`, which inspect and change the server.
enum Admin {
  static func answer(_ request: ReceivedRequest, _ parts: [String], _ world: inout World) -> Content {
    switch (request.method, parts.first) {
    case ("GET", "log"?): return .json(world.log.json)
    case ("GET", "state"?): return .json(state(world))
    case ("POST", "reset"?):
      world = World(options: world.options)
      return .json(state(world))
    case ("POST", "faults"?):
      do {
        world.faults.replace(try FaultScript.rules(parsing: request.body))
        return .json(state(world))
      } catch {
        return .error(400, error.description, status: 400)
      }
    case ("POST", "advance"?):
      let value = try? JSONValue(parsing: request.body)
      world.day += max(0, value?["days"]?.int ?? 1)
      return .json(state(world))
    case ("POST", "users"?) where parts.count == 2:
      guard let value = try? JSONValue(parsing: request.body) else { break }
      world.users.change(parts[1], value)
      return .json(state(world))
    case ("POST", "people"?):
      guard let value = try? JSONValue(parsing: request.body), let first = value["firstName"]?.string,
        let last = value["lastName"]?.string, let birthday = value["birthday"]
      else { break }
      world.people.add(first, last, birthday)
      return .json(state(world))
    default: return .error(404, "No such admin address", status: 404)
    }
    return .error(400, "The body is not what is expected", status: 400)
  }

  private static func state(_ world: World) -> [UInt8] {
    JSONText.object { text in
      text.field("seed", Int(truncatingIfNeeded: world.options.seed))
      text.field("day", world.day)
      text.field("requests", world.log.total)
      text.field("photos", world.options.photos)
      text.array("owners") { for id in world.flickr.ownerIDs { $0.string(id) } }
      text.array("users") { list in
        for (id, user) in world.users.users.sorted(by: { $0.key < $1.key }) {
          list.object {
            world.users.fields(id, user, &$0)
            $0.field("version", user.version)
          }
        }
      }
      text.array("people") { list in
        for person in world.people.people { list.object { world.people.fields(person, nil, &$0) } }
      }
      text.object("faults") { faults in
        faults.array("rules") { list in
          for (rule, left) in zip(world.faults.rules, world.faults.left) {
            list.object {
              $0.field("fault", rule.fault.name)
              if let left { $0.field("left", left) } else { $0.null("left") }
            }
          }
        }
        faults.object("struck", counts: world.faults.counts)
      }
    }
  }
}

/// A request and its response in the log.
public struct LogEntry: Sendable, Equatable {
  public let number: Int
  public let connection: Int
  public let method: String
  /// The target, with keys masked.
  public let target: String
  /// The status of the response; 0 if there was none.
  public let status: Int
  public let fault: String?
  /// The request's `Idempotency-Key`.
  public let idempotencyKey: String?
}

/// The latest requests and the total number.
struct RequestLog {
  private(set) var entries: [LogEntry] = []
  private(set) var total = 0
  private(set) var byRoute: [String: Int] = [:]
  private(set) var byStatus: [String: Int] = [:]
  private static let kept = 20_000

  mutating func add(_ entry: LogEntry, route: String) {
    total += 1
    byRoute[route, default: 0] += 1
    byStatus[String(entry.status), default: 0] += 1
    if entries.count >= RequestLog.kept { entries.removeFirst(RequestLog.kept / 4) }
    entries.append(entry)
  }

  var json: [UInt8] {
    JSONText.object { text in
      text.field("total", total)
      text.object("byRoute", counts: byRoute)
      text.object("byStatus", counts: byStatus)
      text.array("requests") { list in
        for entry in entries {
          list.object { item in
            item.field("number", entry.number)
            item.field("connection", entry.connection)
            item.field("method", entry.method)
            item.field("target", entry.target)
            item.field("status", entry.status)
            if let fault = entry.fault { item.field("fault", fault) }
            if let key = entry.idempotencyKey { item.field("idempotencyKey", key) }
          }
        }
      }
    }
  }

  static func masked(_ target: String) -> String {
    guard let start = target.firstRange(of: "api_key=")?.upperBound else { return target }
    let end = target[start...].firstIndex(of: "&") ?? target.endIndex
    return target[..<start] + "***" + target[end...]
  }
}
