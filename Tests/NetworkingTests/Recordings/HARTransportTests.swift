import AlmanacTesting
import Models
import Networking
import Parsing
import Ports
import Testing

@Suite struct HARTransportTests {
  /// A recording of the given entries, which are JSON texts.
  static func transport(_ entries: [String]..., time: any TimeSource = ManualTime()) throws -> HARTransport {
    try HARTransport(
      entries.enumerated().map { index, entries in
        HARFile(
          name: "seed\(index).har",
          bytes: Array(#"{"log":{"version":"1.2","entries":["#.utf8) + Array(entries.joined(separator: ",").utf8)
            + Array("]}}".utf8))
      }, coder: JSONRecordCoder(), time: time)
  }

  static func entry(
    _ method: String, _ url: String, post: String? = nil, status: Int = 200, text: String? = "ok",
    headers: String = "[]", extra: String = ""
  ) -> String {
    let post =
      post.map { #","postData":{"mimeType":"application/json","text":\#(JSONText.compact(.string($0)))}"# } ?? ""
    let text = text.map { #","text":\#(JSONText.compact(.string($0)))"# } ?? ""
    return #"{"request":{"method":"\#(method)","url":"\#(url)","headers":[]\#(post)},"#
      + #""response":{"status":\#(status),"headers":\#(headers),"content":{"size":-1\#(text)}}\#(extra)}"#
  }

  func text(_ transport: HARTransport, _ request: HTTPRequest) async throws -> String {
    String(decoding: try await transport.send(request).body, as: UTF8.self)
  }

  @Test func givesAnswersInOrderAndRepeatsTheLast() async throws {
    let transport = try Self.transport(
      [Self.entry("GET", "http://h/a", text: "1"), Self.entry("GET", "http://h/b", text: "b")],
      [Self.entry("GET", "http://h/a", text: "2")])
    var answers: [String] = []
    for _ in 0..<4 { answers.append(try await text(transport, HTTPRequest(.get, "http://h/a"))) }
    #expect(answers == ["1", "2", "2", "2"])
    #expect(try await text(transport, HTTPRequest(.get, "http://H:80/b#x")) == "b")
  }

  @Test(arguments: [
    ("http://h/a?x=1&y=2", true), ("http://h/a?y=2&x=1", true), ("http://h/a?y=2&x=1&api_key=k", true),
    ("http://h/a?x=%31&y=2", true), ("http://h/a?x=1", false), ("http://h/a?x=1&y=2&y=2", false),
    ("http://h/a?x=2&y=1", false), ("https://h/a?x=1&y=2", false), ("http://h:81/a?x=1&y=2", false),
    ("http://g/a?x=1&y=2", false), ("http://h/A?x=1&y=2", false), ("http://h/a/?x=1&y=2", false),
  ]) func matchesByAddress(_ url: String, _ matches: Bool) async throws {
    let transport = try Self.transport([Self.entry("GET", "http://h/a?x=1&y=2&api_key=REDACTED")])
    let answer = try? await transport.send(HTTPRequest(.get, url))
    #expect((answer != nil) == matches)
  }

  @Test func matchesWritesByBody() async throws {
    let transport = try Self.transport([
      Self.entry("POST", "http://h/p", post: #"{"a":1,"b":[2]}"#, text: "one"),
      Self.entry("POST", "http://h/p", post: #"{"a":2}"#, text: "two"),
      Self.entry("PUT", "http://h/p", text: "any"),
    ])
    func post(_ body: String) -> HTTPRequest { HTTPRequest(.post, "http://h/p", body: Array(body.utf8)) }
    #expect(try await text(transport, post(#"{"a":2}"#)) == "two")
    #expect(try await text(transport, post(#"{"b": [2], "a": 1}"#)) == "one")
    await #expect(throws: TransportError.self) { try await transport.send(post(#"{"a":3}"#)) }
    #expect(try await text(transport, HTTPRequest(.put, "http://h/p", body: [1])) == "any")
  }

  @Test func tellsSecretsApartUnlessTheyAreMasked() async throws {
    let transport = try Self.transport([
      Self.entry("GET", "http://h/a?token=one", text: "1"), Self.entry("GET", "http://h/a?token=two", text: "2"),
      Self.entry("GET", "http://h/b?token=REDACTED&x=1", text: "any"),
    ])
    #expect(try await text(transport, HTTPRequest(.get, "http://h/a?token=two")) == "2")
    #expect(try await text(transport, HTTPRequest(.get, "http://h/a?token=one")) == "1")
    #expect(try await text(transport, HTTPRequest(.get, "http://h/b?x=1&token=three")) == "any")
    for url in ["http://h/a?token=three", "http://h/a", "http://h/b?x=1", "http://h/b?x=2&token=a"] {
      await #expect(throws: TransportError.self) { try await transport.send(HTTPRequest(.get, url)) }
    }
  }

  @Test("a stack masks its own secret names in the error of a recording that does not know them")
  func masksTheStacksNames() async throws {
    var stack = StandardStack(time: ManualTime(), random: SeededRandom())
    stack.secretNames = SecretNames(adding: ["ticket"])
    let transport = stack.transport(over: try Self.transport([]))
    let error = try await #require(throws: TransportError.self) {
      try await transport.send(HTTPRequest(.get, "http://h/a?ticket=abc123"))
    }
    #expect(error.code == .recordingMissing && error.message.contains("ticket=REDACTED"), "\(error)")
    #expect(!"\(error)".contains("abc123"), "\(error)")
  }

  @Test func namesWhatIsMissing() async throws {
    let transport = try Self.transport([Self.entry("GET", "http://h/a?x=1")])
    let error = try await #require(throws: TransportError.self) {
      try await transport.send(HTTPRequest(.get, "http://h/a?x=2&api_key=topsecret"))
    }
    #expect(error.code == .recordingMissing && error.failure.kind == .recording)
    #expect(error.message.contains("GET http://h/a?x=2&api_key=REDACTED"))
    #expect(error.hint?.contains("http://h/a?x=1") == true)
  }

  @Test func playsFaults() async throws {
    let time = ManualTime()
    let transport = try Self.transport(
      [
        Self.entry("GET", "http://h/a", extra: #","_fault":"reset""#),
        Self.entry("GET", "http://h/a", extra: #","_fault":"timeout""#),
        Self.entry("GET", "http://h/a", text: "0123456789", extra: #","_fault":"truncate:4""#),
        Self.entry("GET", "http://h/a", text: "late", extra: #","_fault":"delay:1500""#),
        #"{"request":{"method":"GET","url":"http://h/b"},"_fault":"reset"}"#,
      ], time: time)
    var codes: [TransportError.Code] = []
    for _ in 0..<3 {
      do { _ = try await transport.send(HTTPRequest(.get, "http://h/a")) } catch {
        codes.append(error.code)
        #expect(error.mayHaveArrived)
      }
    }
    #expect(codes == [.connectionLost, .timeout, .truncated])
    #expect(time.uptime == .zero)
    #expect(try await text(transport, HTTPRequest(.get, "http://h/a")) == "late")
    #expect(time.uptime == .milliseconds(1500))
    await #expect(throws: TransportError.self) { try await transport.send(HTTPRequest(.get, "http://h/b")) }
  }

  @Test func leavesOutHowTheBodyTravelled() async throws {
    let transport = try Self.transport([
      Self.entry(
        "GET", "http://h/a", text: "b2s=",
        headers: #"[{"name":"content-encoding","value":"br"},{"name":"Content-Length","value":"999"},"#
          + #"{"name":":status","value":"200"},{"name":"set-cookie","value":"a=1\nb=2"}]"#
      ).replacing(#""size":-1"#, with: #""size":2,"encoding":"base64""#)
    ])
    let stack = TransportStack(transport, [ExchangeRules()])
    let response = try await stack.send(HTTPRequest(.get, "http://h/a"))
    #expect(response.body == Array("ok".utf8))
    #expect(response.headers.fields.map(\.name) == ["set-cookie", "set-cookie"])
  }

  @Test func passesOverEntriesWithoutAnAnswer() async throws {
    let transport = try Self.transport([
      Self.entry("GET", "http://h/a", status: 0, text: nil), Self.entry("GET", "http://h/a", text: "there"),
    ])
    #expect(try await text(transport, HTTPRequest(.get, "http://h/a")) == "there")
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"log":{}}"#, #"{"log":{"entries":[{}]}}"#, "<html>",
    #"{"log":{"entries":[{"request":{"method":"GET","url":"http://h/"},"_fault":"explode"}]}}"#,
    #"{"log":{"entries":[{"request":{"method":"GET","url":"http://h/"},"_fault":"delay:-1"}]}}"#,
    #"{"log":{"entries":[{"request":{"method":"GET","url":"http://h/"},"response":{"status":200,"content":{"text":"*","encoding":"base64"}}}]}}"#,
  ]) func refusesWhatIsNoRecording(_ text: String) throws {
    let error = try #require(throws: TransportError.self) {
      try HARTransport([HARFile(name: "x.har", bytes: Array(text.utf8))], coder: JSONRecordCoder(), time: ManualTime())
    }
    #expect(error.code == .recordingMalformed && error.message.contains("x.har"))
    #expect(error.failure.reason == .unparsable)
  }
}
