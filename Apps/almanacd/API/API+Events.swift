import Hummingbird
import Models
import Ports
import ServiceLifecycle

extension API {
  /// Server-sent events (WHATWG HTML, section 9.2).
  var stream: [Operation] {
    [
      Operation(
        .get, "/api/v1/events", "events",
        "Server-sent events named `progress`, `commit`, and `reset` where some are missing",
        query: [Parameter("lastEventID", "the same, for clients that cannot set headers")],
        headers: [Parameter("Last-Event-ID", "the id of the last event that was seen")],
        answers: [.media("text/event-stream")]
      ) { [parts] call in
        guard call.request.method == .get else {
          return Response(status: .ok, headers: [.contentType: "text/event-stream"])
        }
        let start = try await Self.start(call, parts)
        guard let listening = parts.feed.listen() else {
          throw Problem(.serviceUnavailable, "too many listen already", headers: [.retryAfter: "30"])
        }
        let (feed, request) = (parts.feed, call.request)
        let body = ResponseBody { writer in
          // A listener that went away is noticed at once, not when the next sign of life cannot be sent.
          try await request.body.consumeWithInboundCloseHandler { _ in
            try await writer.write(ByteBuffer(bytes: start.bytes))
            var last = start.last
            for await _ in listening.signals.cancelOnGracefulShutdown() {
              // Who asked may have lost the access since.
              guard parts.access.caller(of: request) != nil else { break }
              let (bytes, newest) = Self.news(after: last, feed)
              last = newest
              try await writer.write(ByteBuffer(bytes: bytes))
            }
          } onInboundClosed: {
            listening.leave()
          }
          try await writer.finish(nil)
        }
        return Response(
          status: .ok, headers: [.contentType: "text/event-stream", .init("X-Accel-Buffering")!: "no"], body: body)
      }
    ]
  }

  /// What goes out first: everything since the event that the listener saw last.
  private static func start(_ call: APIRequest, _ parts: Parts) async throws -> (bytes: [UInt8], last: Int) {
    let feed = parts.feed
    try await Failure.from { () async throws(StoreError) in try await parts.reader.catchUp() }
    var bytes = Array("retry: 2000\n\n".utf8)
    let now = feed.last
    guard let text = call.request.headers[.init("Last-Event-ID")!] ?? call.query("lastEventID"), !text.isEmpty else {
      return (bytes + [UInt8](": from here on\nid: \(feed.id(now, feed.cursor))\n\n".utf8), now)
    }
    let sides = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    let place = sides[0].split(separator: "-")
    if place.count == 2, place[0] == feed.boot, let number = Int(place[1]), number <= now {
      let news = Self.news(after: number, feed)
      return (bytes + news.bytes, news.last)
    }
    // An earlier process said that: commits are known by the store's cursor; progress is lost.
    guard sides.count == 2, let changes = await parts.reader.changes(since: ChangeCursor(String(sides[1]))) else {
      return (bytes + reset(feed, now), now)
    }
    for (data, cursor) in CommitReader.events(changes, call.services.coder) {
      bytes += frame("commit", feed.id(now, cursor), data)
    }
    return (bytes, now)
  }

  /// The events after a number; a sign of life where there are none.
  private static func news(after number: Int, _ feed: EventFeed) -> (bytes: [UInt8], last: Int) {
    guard let items = feed.items(after: number) else {
      let now = feed.last
      return (reset(feed, now), now)
    }
    guard let last = items.last else { return ([UInt8](": alive\n\n".utf8), number) }
    var bytes: [UInt8] = []
    for item in items { bytes += frame(item.name, feed.id(item.number, item.cursor), item.data) }
    return (bytes, last.number)
  }

  /// Events are missing: clients that keep a copy must read everything again.
  private static func reset(_ feed: EventFeed, _ number: Int) -> [UInt8] {
    frame("reset", feed.id(number, feed.cursor), Array(#"{"reason":"events before this one are not kept"}"#.utf8))
  }

  private static func frame(_ name: String, _ id: String, _ data: [UInt8]) -> [UInt8] {
    Array("id: \(id)\nevent: \(name)\ndata: ".utf8) + data + [0x0A, 0x0A]
  }
}
