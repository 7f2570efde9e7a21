import AlmanacTesting
import Models
import Networking
import Parsing
import Ports
import Testing

@Suite struct HARRecorderTests {
  @Test func replaysWhatItRecordedWithoutSecrets() async throws {
    let answers: [Result<HTTPResponse, TransportError>] = [
      .success(
        HTTPResponse(
          status: 200, headers: ["Set-Cookie": "sid=cookiecookie", "ETag": "\"1\""],
          body: Array(#"{"you":"sent keykeykey and tokentoken"}"#.utf8), url: "http://h/a")),
      .failure(TransportError(.cannotConnect, "no connection", url: "http://h/a", hint: "wait", mayHaveArrived: false)),
      .failure(TransportError(.truncated, "the answer ends after 3 of 5 bytes", mayHaveArrived: true)),
      .success(HTTPResponse(status: 503, headers: ["Retry-After": "1"], body: [0xFF, 0x00], url: "http://h/a")),
    ]
    let network = ScriptedTransport { (_: HTTPRequest, index: Int) throws(TransportError) in try answers[index].get() }
    let coder = JSONRecordCoder()
    let recorder = HARRecorder(creator: .init(name: "almanac", version: "1"), coder: coder, time: ManualTime())
    let stack = TransportStack(network, [recorder])
    let request = HTTPRequest(
      .get, "http://h/a?api_key=keykeykey&x=1", headers: ["Authorization": "Bearer tokentoken", "Accept": "a"])
    for _ in answers { _ = try? await stack.send(request) }

    let recording = recorder.recording()
    let text = String(decoding: recording, as: UTF8.self)
    for secret in ["keykeykey", "tokentoken", "cookiecookie"] { #expect(!text.contains(secret)) }

    let replay = try HARTransport([HARFile(name: "r", bytes: recording)], coder: coder, time: ManualTime())
    for answer in answers {
      let replayed = await Result { () async throws(TransportError) in try await replay.send(request) }
      switch (answer, replayed) {
      case (.success(let one), .success(let other)):
        #expect(one.status == other.status && one.body.count == other.body.count)
        #expect(one.headers["ETag"] == other.headers["ETag"])
      case (.failure(let one), .failure(let other)): #expect(one == other)
      default: Issue.record("\(answer) became \(replayed)")
      }
    }
  }

  /// A key may be in a path, in a parameter of any name, or in a body, and a source may add names.
  @Test(arguments: [
    HTTPRequest(.get, "http://h/botkeykeykey/me"), HTTPRequest(.get, "http://h/me?k=keykeykey"),
    HTTPRequest(.put, "http://h/me", body: Array(#"{"key":"keykeykey"}"#.utf8)),
    HTTPRequest(.put, "http://h/me", body: Array(#"{"ticket":"keykeykey","a":1}"#.utf8)),
    HTTPRequest(.post, "http://h/me", body: Array("ticket=tickettick&a=keykeykey".utf8)),
  ]) func replaysARequestWithAKeyAnywhere(request: HTTPRequest) async throws {
    let network = ScriptedTransport([
      HTTPResponse(status: 200, body: Array(#"{"ticket":"tickettick"}"#.utf8), url: "http://h/")
    ])
    let (coder, names) = (JSONRecordCoder(), SecretNames(adding: ["ticket"]))
    let recorder = HARRecorder(
      creator: .init(name: "almanac", version: "1"), coder: coder, time: ManualTime(), secrets: ["keykeykey"],
      names: names)
    _ = try await TransportStack(network, [recorder]).send(request)
    let text = String(decoding: recorder.recording(), as: UTF8.self)
    #expect(!text.contains("keykeykey") && !text.contains("tickettick"), "\(text)")
    let replay = try HARTransport(
      [HARFile(name: "r", bytes: recorder.recording())], coder: coder, time: ManualTime(),
      redaction: Redaction(secrets: ["keykeykey"], names: names))
    #expect(try await replay.send(request).status == 200)
  }

  @Test("of a request for a token, neither the request nor the answer is recorded, nor the token in later exchanges")
  func tokens() async throws {
    let token = "tok-0123456789-abcdef"
    let answers = [#"{"a": {"session": "\#(token)", "ends": 60}}"#, #"{"echo": "\#(token)", "items": []}"#]
    let network = ScriptedTransport(
      answers.map {
        HTTPResponse(status: 200, headers: ["X-Next": "\(token)-2"], body: Array($0.utf8), url: "http://h/")
      })
    let coder = JSONRecordCoder()
    let recorder = HARRecorder(creator: .init(name: "almanac", version: "1"), coder: coder, time: ManualTime())
    let stack = TransportStack(network, [recorder])
    var login = HTTPRequest(.post, "http://h/login", body: Array(#"{"user": "ada", "word": "open sesame"}"#.utf8))
    login.isPreparation = true
    _ = try await stack.send(login)
    _ = try await stack.send(HTTPRequest(.post, "http://h/items", body: Array(#"{"session": "\#(token)"}"#.utf8)))
    let text = String(decoding: recorder.recording(), as: UTF8.self)
    #expect(!text.contains(token) && !text.contains("open sesame") && !text.contains("ada"), "\(text)")
    #expect(text.contains("items") && text.contains("ends"))
    // Any token is asked for in a replay.
    let replay = try HARTransport([HARFile(name: "r", bytes: recorder.recording())], coder: coder, time: ManualTime())
    login.body = Array("other".utf8)
    #expect(try await replay.send(login).body.count == answers[0].utf8.count)
  }

  @Test func writesTheFieldsThatHARToolsNeed() async throws {
    let recorder = HARRecorder(
      creator: .init(name: "almanac", version: "1"), coder: JSONRecordCoder(), time: ManualTime())
    let network = ScriptedTransport([HTTPResponse(status: 200, body: [0x6F], url: "http://h/")])
    _ = try await TransportStack(network, [recorder]).send(
      HTTPRequest(.post, "http://h/a?x=1", headers: ["Content-Type": "t"], body: [0xFF]))
    let log = try #require(try JSONRecordCoder().decode(recorder.recording())["log"]?.object)
    #expect(log["version"]?.string == "1.2" && log["creator"]?.object?["name"] == "almanac")
    let entry = try #require(log["entries"]?.array?.first?.object)
    #expect(entry.keys == ["startedDateTime", "time", "request", "response", "cache", "timings"])
    let request = try #require(entry["request"]?.object)
    #expect(
      request.keys == [
        "method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize", "postData",
      ])
    #expect(request["postData"]?.object?["encoding"] == "base64")
    let response = try #require(entry["response"]?.object)
    #expect(
      response.keys == [
        "status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL", "headersSize",
        "bodySize",
      ])
  }
}

extension Result {
  init(_ body: () async throws(Failure) -> Success) async {
    do throws(Failure) { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
