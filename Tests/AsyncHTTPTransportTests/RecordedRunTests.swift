import AlmanacTesting
import AsyncHTTPTransport
import Models
import Networking
import Parsing
import Ports
import Synchronization
import Testing
import UpstreamKit

/// A run against a server with faults, recorded, and played back with no server.
@Suite struct RecordedRunTests {
  /// A textual log of all responses and errors of a run.
  static func run(_ transport: any HTTPTransport, _ url: String) async -> [String] {
    var report: [String] = []
    for request in [
      HTTPRequest(.get, url + "/flaky?api_key=verysecret"), HTTPRequest(.get, url + "/moved"),
      HTTPRequest(.get, url + "/cut"), HTTPRequest(.get, url + "/page?b=2&a=1"),
      HTTPRequest(.post, url + "/people", body: Array(#"{"firstName":"A"}"#.utf8)),
      HTTPRequest(.post, url + "/people", body: Array(#"{"firstName":"B"}"#.utf8)),
      HTTPRequest(.get, url + "/slow-down"), HTTPRequest(.get, url + "/gone"), HTTPRequest(.get, url + "/flaky"),
      HTTPRequest(.get, url + "/page?a=1&b=2", validator: HTTPValidator(etag: "\"p\"")),
      HTTPRequest(.get, url + "/picture"),
    ] {
      do {
        let answer = try await transport.send(request)
        report.append(
          "\(answer.status) \(answer.requests) \(answer.headers["ETag"] ?? "-") \(answer.body.count) "
            + String(decoding: answer.body.prefix(200), as: UTF8.self))
      } catch {
        report.append("\(error.code) \(error.requests) \(error.mayHaveArrived) \(error.description)")
      }
    }
    return report
  }

  @Test(.timeLimit(.minutes(10))) func givesTheSameReport() async throws {
    let counts = Mutex<[String: Int]>([:])
    let server = try LocalServer { request in
      let count = counts.withLock { counts in
        counts[request.path, default: 0] += 1
        return counts[request.path] ?? 0
      }
      switch request.path {
      case "/flaky": return count < 3 ? .reset : .json(#"{"echo":"\#(request.query("api_key") ?? "none")"}"#)
      case "/moved": return .redirect(to: "/page?a=1&b=2")
      case "/cut": return Reply(body: Array("0123456789".utf8)).truncated(afterBodyBytes: count)
      case "/page":
        return request.headers["if-none-match"] == "\"p\""
          ? Reply(status: 304) : Reply(headers: ["ETag": "\"p\""], body: Array("page".utf8), coding: .gzip)
      case "/people": return .json(request.text, status: count == 1 ? 201 : 409)
      case "/slow-down": return .json("{}", status: 429, headers: ["Retry-After": count == 1 ? "2" : "90"])
      case "/picture": return Reply(headers: ["Content-Type": "image/png"], body: [0x89, 0x50, 0xFF, 0x00])
      default: return .html("<h1>no</h1>", status: 404)
      }
    }
    let network = AsyncHTTPTransportTests.transport()
    let coder = JSONRecordCoder()
    let recorder = HARRecorder(
      creator: .init(name: "almanac", version: "test"), coder: coder, time: ManualTime())
    var stack = StandardStack(time: ManualTime(), random: SeededRandom())
    stack.recorder = recorder
    let recorded = await Self.run(stack.transport(over: network), server.url)
    await network.shutdown()
    server.stop()

    let recording = recorder.recording()
    #expect(!String(decoding: recording, as: UTF8.self).contains("verysecret"))
    let replay = try HARTransport([HARFile(name: "run.har", bytes: recording)], coder: coder, time: ManualTime())
    stack.recorder = nil
    stack.time = ManualTime()
    stack.random = SeededRandom()
    let replayed = await Self.run(stack.transport(over: replay), server.url)
    #expect(replayed.count == 11)
    for (one, other) in zip(recorded, replayed) {
      // Keys that the server repeated are masked by as many letters.
      #expect(one.replacing("verysecret", with: "xxxxxxxxxx") == other)
    }
  }
}
