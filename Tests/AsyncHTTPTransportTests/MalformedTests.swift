import AlmanacTesting
import AsyncHTTPTransport
import Foundation
import Ports
import Testing
import UpstreamKit

/// Responses that a generator has corrupted must not cause a crash, a hang or unbounded memory.
@Suite struct MalformedTests {
  /// A valid response with a few bytes changed, removed, duplicated or inserted.
  static func answer(_ number: Int) -> [UInt8] {
    let random = SeededRandom(seed: UInt64(number) &* 0x9E37_79B9)
    func pick(_ count: Int) -> Int { Int(random.next() % UInt64(max(1, count))) }
    let body = Array(#"{"data":[{"id":1,"name":"é"}]}"#.utf8)
    let gzip = Gzip.compress(body)
    let shapes: [[UInt8]] = [
      FramingTests.message("Content-Length: \(body.count)\r\n", body),
      FramingTests.message("Transfer-Encoding: chunked\r\n", FramingTests.chunked(body, size: 1 + pick(40))),
      FramingTests.message("Content-Encoding: gzip\r\nContent-Length: \(gzip.count)\r\n", gzip),
      FramingTests.message(
        "Content-Encoding: deflate\r\nTransfer-Encoding: chunked\r\n",
        FramingTests.chunked(gzip, size: 1 + pick(20))),
      FramingTests.message("Location: http://[::\r\nContent-Length: 0\r\n", []),
      Array("HTTP/1.1 100 Continue\r\n\r\n".utf8) + FramingTests.message("Content-Length: 2\r\n", Array("{}".utf8)),
    ]
    var bytes = shapes[pick(shapes.count)]
    for _ in 0...pick(8) {
      let place = pick(bytes.count)
      switch pick(6) {
      case 0: bytes[place] = UInt8(pick(256))
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(UInt8(pick(256)), at: place)
      case 3: bytes.insert(contentsOf: Array("\r\n".utf8), at: place)
      case 4: bytes.insert(contentsOf: bytes[place...].prefix(pick(30)), at: place)
      default: bytes.insert(contentsOf: Array(repeating: 0x39, count: pick(30)), at: place)
      }
      if bytes.isEmpty { bytes = [0] }
    }
    return bytes
  }

  /// The number of responses.
  static var count: Int { ProcessInfo.processInfo.environment["ALMANAC_MALFORMED"].flatMap(Int.init) ?? 600 }

  /// Requests each response, 16 at a time; returns how many were accepted, and the longest time.
  static func ask(_ numbers: Range<Int>) async throws -> (answered: Int, slowest: Duration) {
    let server = try LocalServer(limits: .init(recorded: 0)) { request in
      .script([.write(Self.answer(Int(request.path.dropFirst()) ?? 0)), .close])
    }
    let transport = AsyncHTTPTransportTests.transport { $0.callTimeout = .seconds(20) }
    let clock = ContinuousClock()
    let result = await withTaskGroup(of: (Int, Duration).self) { group in
      for worker in 0..<16 {
        group.addTask {
          var answered = 0
          var slowest = Duration.zero
          for number in stride(from: numbers.lowerBound + worker, to: numbers.upperBound, by: 16) {
            let start = clock.now
            if (try? await transport.send(HTTPRequest(.get, server.url + "/\(number)"))) != nil { answered += 1 }
            slowest = max(slowest, clock.now - start)
          }
          return (answered, slowest)
        }
      }
      return await group.reduce((0, Duration.zero)) { ($0.0 + $1.0, max($0.1, $1.1)) }
    }
    await server.waitForNoConnections()
    await transport.shutdown()
    server.stop()
    return result
  }

  @Test(.timeLimit(.minutes(10))) func neverCrashesOrHangs() async throws {
    let (answered, slowest) = try await Self.ask(0..<Self.count)
    print("malformed: \(Self.count) answers, \(answered) taken, slowest \(slowest)")
    #expect(answered > 0 && slowest < .seconds(25))
  }

  /// Runs in its own process, so that memory and files of other tests do not count.
  @Test(.timeLimit(.minutes(10))) func leavesNoMemoryAndNoFileBehind() async {
    await #expect(processExitsWith: .success) {
      // The first ones bring what comes once: threads, pools, arenas.
      _ = try await MalformedTests.ask(0..<200)
      let before = ProcessUse()
      _ = try await MalformedTests.ask(200..<200 + MalformedTests.count)
      let after = ProcessUse()
      print("malformed: \(MalformedTests.count) answers, before \(before), after \(after)")
      try #require(after.residentKilobytes - before.residentKilobytes < 16 << 10, "\(before), then \(after)")
      try #require(after.files <= before.files, "\(before), then \(after)")
    }
  }
}
