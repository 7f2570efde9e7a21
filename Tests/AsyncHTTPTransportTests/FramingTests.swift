import AlmanacTesting
import AsyncHTTPTransport
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
        [false, true].map {
          Case(name: "\(name) cut after \(count)", bytes: Array(bytes.prefix(count)), resets: $0)
        }
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
    ("no length at all", "", body), ("no length, kept alive", "Connection: keep-alive\r\n", body),
    ("identity coding", "Transfer-Encoding: identity\r\n", body), ("gzip coding", "Transfer-Encoding: gzip\r\n", body),
    ("chunked twice", "Transfer-Encoding: chunked, chunked\r\n", chunked(body, size: 8)),
    ("chunked, then gzip", "Transfer-Encoding: chunked, gzip\r\n", chunked(body, size: 8)),
    ("odd chunked", "Transfer-Encoding: xchunked\r\n", chunked(body, size: 8)),
    ("chunk size with a sign", "Transfer-Encoding: chunked\r\n", Array("+5\r\nhello\r\n0\r\n\r\n".utf8)),
    ("chunk size without digits", "Transfer-Encoding: chunked\r\n", Array("\r\nhello\r\n0\r\n\r\n".utf8)),
    (
      "chunk size that overflows", "Transfer-Encoding: chunked\r\n",
      Array("10000000000000005\r\nhello\r\n0\r\n\r\n".utf8)
    ),
    ("chunk longer than its size", "Transfer-Encoding: chunked\r\n", Array("3\r\nhello\r\n0\r\n\r\n".utf8)),
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
    ),
    ("brotli", "Content-Encoding: br\r\nContent-Length: \(body.count)\r\n", body),
    (
      "gzip twice", "Content-Encoding: gzip, gzip\r\nTransfer-Encoding: chunked\r\n",
      chunked(Gzip.compress(Gzip.compress(body)), size: 500)
    ),
    ("space before the colon", "Content-Length : \(body.count)\r\n", body),
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
          } catch {
            return nil
          }
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
