// Fetches an address with retries, records the exchange, and replays it without the network.
import Networking
import Parsing
import Ports
import URLSessionTransport

@main
struct RecordedClient {
  static func main() async throws {
    let request = HTTPRequest(.get, CommandLine.arguments.dropFirst().first ?? "https://example.com/")
    let recorder = HARRecorder(creator: .init(name: "example", version: "1.0"), coder: JSONRecordCoder())
    var stack = StandardStack()
    stack.userAgent = "example/1.0"
    stack.retry = RetryPolicy(attempts: 5)
    stack.recorder = recorder
    let response = try await stack.transport(over: URLSessionTransport()).send(request)
    print("received \(response.body.count) bytes, status \(response.status), requests \(response.requests)")

    let recording = HARFile(name: "example.har", bytes: recorder.recording())
    let replay = try HARTransport([recording], coder: JSONRecordCoder())
    let replayed = try await StandardStack().transport(over: replay).send(request)
    print(replayed.body == response.body ? "the replay is the same" : "the replay differs")
  }
}
