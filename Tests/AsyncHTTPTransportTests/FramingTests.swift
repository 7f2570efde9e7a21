import AlmanacTesting
import AsyncHTTPTransport
import Foundation
import Models
import Parsing
import Ports
import Testing
import UpstreamKit

/// Responses that are truncated or wrongly framed in many ways must not pass as complete.
@Suite struct FramingTests {
  struct Case: Sendable {
    var name: String
    var bytes: [UInt8]
    var resets = false
  }

  static let body = Array(#"[{"firstName":"Ada","lastName":"Lovelace","birthday":"1815-12-10"}]"#.utf8)

  static func message(_ headers: String, _ body: [UInt8], version: String = "1.1") -> [UInt8] {
    Array("HTTP/\(version) 200 OK\r\nContent-Type: application/json\r\n\(headers)\r\n".utf8) + body
  }

  static func chunked(_ body: [UInt8], size: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: body.count, by: size) {
      let chunk = body[start..<min(start + size, body.count)]
      bytes += Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8)
    }
    return bytes + Array("0\r\n\r\n".utf8)
  }

  /// Truncates a valid response at all offsets: in and after the head, in the body, in the size of a chunk.
  static let cuts: [Case] = {
    let gzip = Gzip.compress(body)
    let answers: [(String, [UInt8])] = [
      ("length", message("Content-Length: \(body.count)\r\n", body)),
      ("chunked", message("Transfer-Encoding: chunked\r\n", chunked(body, size: 16))),
      ("gzip", message("Content-Encoding: gzip\r\nContent-Length: \(gzip.count)\r\n", gzip)),
      ("gzip, chunked", message("Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", chunked(gzip, size: 9))),
      ("length, 1.0", message("Content-Length: \(body.count)\r\n", body, version: "1.0")),
    ]
    return answers.flatMap { name, bytes in
      stride(from: 1, to: bytes.count, by: 5).flatMap { count in
        [false, true].map { Case(name: "\(name) cut after \(count)", bytes: Array(bytes.prefix(count)), resets: $0) }
      }
    }
  }()

  /// Heads that contradict themselves or the body.
  static let contradictions: [Case] = [
    ("too long a length", "Content-Length: \(body.count + 1)\r\n", body),
    ("two lengths", "Content-Length: \(body.count)\r\nContent-Length: \(body.count - 1)\r\n", body),
    ("a list of lengths", "Content-Length: \(body.count), \(body.count - 1)\r\n", body),
    ("length and chunks", "Content-Length: \(body.count)\r\nTransfer-Encoding: chunked\r\n", chunked(body, size: 8)),
    ("chunks and length", "Transfer-Encoding: chunked\r\nContent-Length: \(body.count)\r\n", chunked(body, size: 8)),
    ("negative length", "Content-Length: -1\r\n", body), ("signed length", "Content-Length: +\(body.count)\r\n", body),
    ("hexadecimal length", "Content-Length: 0x10\r\n", body), ("empty length", "Content-Length:\r\n", body),
    ("huge length", "Content-Length: 18446744073709551617\r\n", body),
    ("no length, kept alive", "Connection: keep-alive\r\n", body),
    ("identity coding", "Transfer-Encoding: identity\r\n", body), ("gzip coding", "Transfer-Encoding: gzip\r\n", body),
    ("chunked twice", "Transfer-Encoding: chunked, chunked\r\n", chunked(body, size: 8)),
    ("chunked, then gzip", "Transfer-Encoding: chunked, gzip\r\n", chunked(body, size: 8)),
    ("odd chunked", "Transfer-Encoding: xchunked\r\n", chunked(body, size: 8)),
    ("chunk size with a sign", "Transfer-Encoding: chunked\r\n", Array("+5\r\nhello\r\n0\r\n\r\n".utf8)),
    ("chunk size without digits", "Transfer-Encoding: chunked\r\n", Array("\r\nhello\r\n0\r\n\r\n".utf8)),
    (
      "chunk size that overflows", "Transfer-Encoding: chunked\r\n",
      Array("10000000000000005\r\nhello\r\n0\r\n\r\n".utf8)
    ), ("chunk longer than its size", "Transfer-Encoding: chunked\r\n", Array("3\r\nhello\r\n0\r\n\r\n".utf8)),
    ("chunks without an end", "Transfer-Encoding: chunked\r\n", Array("5\r\nhello\r\n".utf8)),
    ("invalid gzip", "Content-Encoding: gzip\r\nContent-Length: \(body.count)\r\n", body),
    (
      "gzip with a wrong checksum", "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n",
      {
        var gzip = Gzip.compress(body)
        gzip[gzip.count - 6] ^= 0xFF
        return chunked(gzip, size: 500)
      }()
    ),
    (
      "gzip with a wrong size", "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n",
      {
        var gzip = Gzip.compress(body)
        gzip[gzip.count - 1] ^= 0xFF
        return chunked(gzip, size: 500)
      }()
    ), ("brotli", "Content-Encoding: br\r\nContent-Length: \(body.count)\r\n", body),
    (
      "gzip twice", "Content-Encoding: gzip, gzip\r\nTransfer-Encoding: chunked\r\n",
      chunked(Gzip.compress(Gzip.compress(body)), size: 500)
    ), ("space before the colon", "Content-Length : \(body.count)\r\n", body),
    ("a header without a colon", "Nonsense\r\nContent-Length: \(body.count)\r\n", body),
    ("NUL in a header", "X: a\0b\r\nContent-Length: \(body.count)\r\n", body),
  ].map { Case(name: $0.0, bytes: message($0.1, $0.2)) }

  @Test(.timeLimit(.minutes(10))) func takesNoPartForTheWhole() async throws {
    let cases = Self.cuts + Self.contradictions
    let server = try LocalServer { request in
      let testCase = cases[Int(request.path.dropFirst()) ?? 0]
      return .script([.write(testCase.bytes), testCase.resets ? .reset : .close])
    }
    let transport = AsyncHTTPTransportTests.transport()
    let taken = await withTaskGroup(of: String?.self) { group in
      for (index, testCase) in cases.enumerated() {
        group.addTask {
          do {
            let response = try await transport.send(HTTPRequest(.get, server.url + "/\(index)"))
            return "\(testCase.name): \(response.body.count) bytes"
          } catch { return nil }
        }
      }
      var taken: [String] = []
      for await name in group { if let name { taken.append(name) } }
      return taken
    }
    await transport.shutdown()
    server.stop()
    print("framing: \(cases.count) cases, \(taken.count) accepted")
    #expect(taken.isEmpty && cases.count >= 100)
  }
}

/// Responses whose end is that of their connection.
@Suite struct EndOfConnectionTests {
  @Test("a response without a length ends with its connection, and a cut JSON text is told by the parser")
  func endsWithConnection() async throws {
    let whole = FramingTests.body
    let server = try LocalServer { request in
      let count = Int(request.path.split(separator: "/").last ?? "") ?? 0
      let version = request.path.hasPrefix("/old") ? "1.0" : "1.1"
      return .script([.write(FramingTests.message("", Array(whole.prefix(count)), version: version)), .close])
    }
    let transport = AsyncHTTPTransportTests.transport()
    for version in ["old", "new"] {
      for count in 0...whole.count {
        let response = try await transport.send(HTTPRequest(.get, "\(server.url)/\(version)/\(count)"))
        #expect(response.body == Array(whole.prefix(count)))
        guard count < whole.count, count > 0 else { continue }
        #expect("\(count)") { _ = try PeopleListParser().parse(response.body) } throws: {
          ($0 as? ParsingError)?.code == .truncated
        }
      }
    }
    await transport.shutdown()
    server.stop()
  }
}

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
        "Content-Encoding: deflate\r\nTransfer-Encoding: chunked\r\n", FramingTests.chunked(gzip, size: 1 + pick(20))),
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

  static var count: Int { ProcessInfo.processInfo.environment["ALMANAC_MALFORMED"].flatMap(Int.init) ?? 600 }

  /// Requests each response, 16 at a time; returns how many were accepted, and the longest time.
  static func ask(_ numbers: Range<Int>) async throws -> (answered: Int, slowest: Duration) {
    let server = try LocalServer(limits: .init(recorded: 0)) { request in
      .script([.write(Self.answer(Int(request.path.dropFirst()) ?? 0)), .close])
    }
    let transport = AsyncHTTPTransportTests.transport { $0.callTimeout = .seconds(120) }
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

  /// Runs in its own process, so that memory and files of other tests do not count.
  @Test(.timeLimit(.minutes(10))) func neverCrashesOrHangsOrLeavesAnythingBehind() async {
    await #expect(processExitsWith: .success) {
      // The first ones bring what comes once: threads, pools, arenas.
      _ = try await MalformedTests.ask(0..<200)
      let before = ProcessUse()
      let (answered, slowest) = try await MalformedTests.ask(200..<200 + MalformedTests.count)
      let after = ProcessUse()
      print(
        "malformed: \(MalformedTests.count), \(answered) taken, slowest \(slowest), before \(before), after \(after)")
      try #require(answered > 0 && slowest < .seconds(150))
      try #require(after.residentKilobytes - before.residentKilobytes < 16 << 10, "\(before), then \(after)")
      try #require(after.files <= before.files, "\(before), then \(after)")
    }
  }
}
