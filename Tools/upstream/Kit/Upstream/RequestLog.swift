/// What was asked and answered, as the log's address shows it.
public struct LogEntry: Sendable, Equatable {
  /// The number of the request.
  public let number: Int
  /// The connection it came on.
  public let connection: Int
  /// The method.
  public let method: String
  /// The target; a key in it is masked.
  public let target: String
  /// The status of the answer, or 0 where there was none.
  public let status: Int
  /// The fault that it met.
  public let fault: String?
  /// The request's `Idempotency-Key`.
  public let idempotencyKey: String?
}

/// The last requests and the count of all.
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
      text.object("byRoute") { for (name, count) in byRoute.sorted(by: { $0.key < $1.key }) { $0.field(name, count) } }
      text.object("byStatus") {
        for (name, count) in byStatus.sorted(by: { $0.key < $1.key }) { $0.field(name, count) }
      }
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

  /// A target without its key.
  static func masked(_ target: String) -> String {
    guard let start = target.firstRange(of: "api_key=")?.upperBound else { return target }
    let end = target[start...].firstIndex(of: "&") ?? target.endIndex
    return target[..<start] + "***" + target[end...]
  }
}
