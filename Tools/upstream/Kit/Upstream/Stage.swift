import CLibrary
import Synchronization

/// Processes a request through faults, APIs, validators and coding.
final class Stage: Sendable {
  let world: Mutex<World>
  private let options: UpstreamOptions
  private let observer: (@Sendable (LogEntry) -> Void)?

  init(_ options: UpstreamOptions, _ observer: (@Sendable (LogEntry) -> Void)?) {
    (self.options, self.observer) = (options, observer)
    world = Mutex(World(options: options))
  }

  func reply(to request: ReceivedRequest) -> Reply {
    let parts = Stage.parts(request.path)
    if parts.first == "_upstream" {
      return Stage.plain(world.withLock { Admin.answer(request, Array(parts.dropFirst()), &$0) })
    }
    let base = "http://" + (request.headers["host"] ?? "localhost")
    let (reply, entry) = world.withLock { world in
      let fault = world.faults.next(request)
      var reply: Reply
      var status = 0
      if let fault, let replacement = fault.replacement(for: request, now: Instant(seconds: time(nil))) {
        reply = replacement
        if reply.steps == nil { status = reply.status }
      } else {
        var whole = self.reply(for: world.answer(request, parts: parts, base: base), to: request)
        whole.isHead = request.method == "HEAD"
        reply = fault?.applied(to: whole) ?? whole
        status = fault == .lostReply ? 0 : whole.status
      }
      let entry = LogEntry(
        number: request.number, connection: request.connection, method: request.method,
        target: RequestLog.masked(request.target), status: status, fault: fault?.name,
        idempotencyKey: request.headers["idempotency-key"])
      world.log.add(entry, route: World.route(parts))
      return (reply, entry)
    }
    observer?(entry)
    return options.latencyMilliseconds > 0 ? reply.delayed(milliseconds: options.latencyMilliseconds) : reply
  }

  /// Adds validators and coding.
  private func reply(for content: Content, to request: ReceivedRequest) -> Reply {
    var reply = Stage.plain(content)
    if content.validated {
      let tag = content.tag ?? Validators.tag(content.body)
      reply.headers["etag"] = tag
      if let modified = content.modified { reply.headers["last-modified"] = modified.http }
      let isRead = request.method == "GET" || request.method == "HEAD"
      if isRead, content.status == 200,
        Validators.isUnchanged(request, tag: tag, modified: content.modified?.http)
      {
        reply.status = 304
        reply.body = []
      }
    }
    if options.gzip, !reply.body.isEmpty {
      reply.headers["vary"] = "accept-encoding"
      if request.headers["accept-encoding"]?.contains("gzip") == true { reply.coding = .gzip }
    }
    return reply
  }

  private static func plain(_ content: Content) -> Reply {
    var headers = content.headers
    headers["content-type"] = content.type
    return Reply(status: content.status, headers: headers, body: content.body)
  }

  /// The decoded components of a path. The host of an absolute target, which a proxy receives, is ignored.
  static func parts(_ path: String) -> [String] {
    var path = path[...]
    if path.hasPrefix("http://") {
      path = path.dropFirst(7).drop { $0 != "/" }
    }
    return path.split(separator: "/").map { percentDecoded($0) }
  }
}
