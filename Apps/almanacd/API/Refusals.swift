import Hummingbird
import Logging
import Metrics

/// Counts and logs requests that were refused, in one line each: fail2ban bans by it who tries tokens.
struct Refusals: Sendable {
  /// Where it logs.
  let logger: Logger
  /// Where it counts.
  let factory: PrometheusFactory
  /// Whether a proxy is before us.
  let door: Door

  /// Notes a refusal.
  ///
  /// - Parameter why: the problem's code, such as `bad-token`.
  func note(_ request: Request, _ context: APIContext, _ status: Status, why: String) {
    Counter(
      label: "almanac_requests_refused_total", dimensions: [("status", "\(status.code)"), ("why", why)],
      factory: factory
    ).increment()
    logger.warning(
      "refused",
      metadata: [
        "client": "\(client(request, context))", "method": "\(request.method.rawValue.prefix(16))",
        "path": "\(request.uri.path.prefix(200))", "status": "\(status.code)", "why": "\(why)",
      ])
  }

  /// The address of who asked. A proxy on this machine says whose request it passes on, in the last place, where the config
  /// says that there is one; what stands before that place anybody may have written.
  private func client(_ request: Request, _ context: APIContext) -> String {
    let peer = context.peer
    guard door.publicURL != nil, peer == nil || peer == "::1" || peer?.hasPrefix("127.") ?? false,
      let list = request.headers[values: .init("X-Forwarded-For")!].last
    else { return peer ?? "local" }
    let last = list.split(separator: ",").last.map { $0.filter { $0 != " " } } ?? ""
    let isAddress = !last.isEmpty && last.count <= 45 && last.allSatisfy { $0.isHexDigit || $0 == "." || $0 == ":" }
    return isAddress ? last : peer ?? "local"
  }
}
