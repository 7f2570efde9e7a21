import Foundation
import Glibc
import TestSupport
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
    #expect(each < .seconds(1))
    try await daemon.stop()
  }
}
