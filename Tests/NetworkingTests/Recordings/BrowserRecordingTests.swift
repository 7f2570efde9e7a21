import AlmanacTesting
import Models
import Networking
import Parsing
import Ports
import Testing

@Suite(.enabled(if: Fixtures.folder != nil, Comment(rawValue: Fixtures.reason)))
struct BrowserRecordingTests {
  @Test(arguments: Fixtures.names("har").filter { $0.hasSuffix(".har") })
  func answersEveryRecordedRequest(_ name: String) async throws {
    let bytes = try Fixtures.bytes("har/\(name)")
    let transport = try HARTransport([HARFile(name: name, bytes: bytes)], coder: JSONRecordCoder(), time: ManualTime())
    let log = try JSONRecordCoder().decode(bytes)["log"]?.object
    let entries = try #require(log?["entries"]?.array)
    var answered = 0
    for entry in entries {
      guard let request = entry.object?["request"]?.object, let response = entry.object?["response"]?.object,
        let url = request["url"]?.string, url.hasPrefix("http"), let status = response["status"]?.int, status >= 200,
        let method = request["method"]?.string.flatMap(HTTPRequest.Method.init)
      else { continue }
      let body = request["postData"]?.object?["text"]?.string.map { Array($0.utf8) }
      do {
        // Responses to equal requests are replayed in order, so each entry is used once.
        let answer = try await transport.send(HTTPRequest(method, url, body: body))
        #expect(answer.status.code == status)
        #expect(answer.headers["Content-Encoding"] == nil && answer.headers["Content-Length"] == nil)
      } catch {
        // Browsers may omit contents. Replay reports that instead of returning an empty body.
        #expect(error.message.contains("not the body"), "\(error)")
      }
      answered += 1
    }
    #expect(answered > 0)
  }
}
