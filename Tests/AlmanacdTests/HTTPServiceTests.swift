import AlmanacTesting
import CLibrary
import Foundation
import Models
import Testing

@testable import almanacd

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
  }

  @Test("a connection of HTTP/1.0 ends after the answer, unless the client asks to keep it")
  func oldProtocol() async throws {
    let daemon = try await Daemon(follows: [])
    for (kept, headers) in [(false, [:]), (true, ["Connection": "keep-alive"])] {
      let request = daemon.client.request("GET", "/healthz", headers, nil).replacing("HTTP/1.1", with: "HTTP/1.0")
      let answer = String(
        decoding: try await daemon.client.exchange(request) { kept && $0.count > 100 }, as: UTF8.self)
      #expect(answer.contains(" 200 ") && answer.lowercased().contains("connection: close") != kept, "\(answer)")
    }
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

/// The date in the head of every answer.
@Suite struct HTTPDateTests {
  @Test(
    "as RFC 9110 writes it",
    arguments: [
      (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
      (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
      (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
    ])
  func written(second: Int, text: String) {
    let date = HTTPDate()
    #expect(date.text(Timestamp(secondsSinceEpoch: second)) == text)
    #expect(date.text(Timestamp(secondsSinceEpoch: second)) == text)
    #expect(date.text(Timestamp(secondsSinceEpoch: second + 1)) != text)
  }
}

/// Where the daemon listens, and whose name it answers to.
@Suite struct ListenAddressTests {
  @Test(
    "addresses",
    arguments: [
      ("127.0.0.1:7423", "127.0.0.1", 7423), ("[::1]:0", "::1", 0), (":80", "127.0.0.1", 80),
      ("Localhost:65535", "localhost", 65535),
    ])
  func reading(text: String, host: String, port: Int) throws {
    #expect(try ListenAddress(text) == ListenAddress(host: host, port: port))
  }

  @Test("what is none", arguments: ["", "7423", "host", "host:", "host:65536", "host:x", "::1:80", "a:-1"])
  func refused(text: String) {
    #expect(throws: Failure.self) { try ListenAddress(text) }
  }

  @Test(
    "a loopback listener answers to loopback names with its port alone",
    arguments: [
      ("127.0.0.1:7423", true), ("localhost:7423", true), ("LOCALHOST:7423", true), ("[::1]:7423", true),
      ("127.0.0.1", false), ("127.0.0.1:7424", false), ("evil.example:7423", false),
      ("127.0.0.1.evil.example:7423", false),
      ("localhost.:7423", false), ("user@localhost:7423", false), ("192.168.1.2:7423", false), ("", false),
    ])
  func loopback(authority: String, isOurs: Bool) {
    #expect(ListenAddress(host: "127.0.0.1", port: 7423).isOurs(authority) == isOurs)
  }

  @Test(
    "a listener for every address answers to addresses, never to foreign names",
    arguments: [
      ("192.168.1.2:80", true), ("[fd00::1]:80", true), ("rebound.example:80", false), ("1.2.3.4.5:80", false),
    ])
  func everywhere(authority: String, isOurs: Bool) {
    #expect(ListenAddress(host: "0.0.0.0", port: 80).isOurs(authority) == isOurs)
  }

  @Test("a configured name is one of ours")
  func configured() {
    #expect(ListenAddress(host: "almanac.lan", port: 7423).isOurs("almanac.lan:7423"))
    #expect(!ListenAddress(host: "almanac.lan", port: 7423).isOurs("other.lan:7423"))
  }
}
