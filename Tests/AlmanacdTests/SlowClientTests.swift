import AlmanacTesting
import Foundation
import Glibc
import Testing

/// Clients that take their time.
@Suite struct SlowClientTests {
  /// `ALMANAC_SLOW_CLIENTS=1000` asks for as many as the goal names.
  static let count = ProcessInfo.processInfo.environment["ALMANAC_SLOW_CLIENTS"].flatMap { Int($0) } ?? 300

  @Test("however many clients dawdle over a head or a body, a call is answered within a second")
  func slow() async throws {
    let daemon = try await Daemon(follows: [])
    let head = daemon.client.request("GET", "/api/v1/status", [:], nil).dropLast(2)
    let body = daemon.client.request(
      "POST", "/api/v1/sync", ["Content-Type": "application/json", "Content-Length": "100000"], nil)
    var open: [Int32] = []
    defer { for descriptor in open { close(descriptor) } }
    for number in 0..<Self.count {
      let descriptor = try WebClient.connect(daemon.client.place)
      open.append(descriptor)
      let bytes = Array((number % 2 == 0 ? String(head) : body + "{").utf8)
      #expect(send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
    }
    let begun = ContinuousClock.now
    for _ in 0..<10 { #expect(try await daemon.client.get("/api/v1/status").status == 200) }
    let each = (ContinuousClock.now - begun) / 10
    print("slow clients: \(Self.count) open, a call takes \(each)")
    #expect(each < PromisedTime.bound(.seconds(1)))
    try await daemon.stop()
  }

  @Test("a client that asks and asks and never reads is let go")
  func unread() async throws {
    let daemon = try await Daemon(follows: [], arguments: ["--write-deadline", "1"])
    let descriptor = try WebClient.connect(daemon.client.place)
    defer { close(descriptor) }
    let request = Array(daemon.client.request("GET", "/openapi.json", [:], nil).utf8)
    // Until neither side takes more: what the daemon wrote waits here, what it did not read waits there.
    var sent = 0
    while sent < 20_000, send(descriptor, request, request.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) > 0 { sent += 1 }
    #expect(sent > 10)
    let isClosed = try await Self.waitForEnd(descriptor, seconds: 15)
    #expect(isClosed, "\(sent) requests were sent")
    #expect(try await daemon.client.get("/openapi.json").status == 200)
    try await daemon.stop()
  }

  /// Waits on a thread of its own until the other side has closed or reset the connection; nothing is read.
  private static func waitForEnd(_ descriptor: Int32, seconds: Int32) async throws -> Bool {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        // POLLRDHUP of poll(2), which the module Glibc leaves out.
        var wanted = pollfd(fd: descriptor, events: 0x2000, revents: 0)
        let count = poll(&wanted, 1, seconds * 1000)
        continuation.resume(returning: count == 1)
      }
    }
  }
}
