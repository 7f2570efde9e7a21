import Testing
import UpstreamKit

@Suite struct LocalServerTests {
  @Test func answersAndRecords() throws {
    let server = try LocalServer { .json("{\"path\": \"\($0.path)\"}") }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    let response = try client.call("POST", "/a?b=c%20d+e&f", headers: ["X-One": "1"], body: "hello")
    #expect(response.status == 200)
    #expect(response.text == #"{"path": "/a"}"#)
    #expect(response["content-type"] == "application/json; charset=utf-8")
    let request = try #require(server.requests.first)
    #expect(request.method == "POST")
    #expect(request.target == "/a?b=c%20d+e&f")
    #expect(request.headers["x-one"] == "1")
    #expect(request.text == "hello")
    #expect(request.query("b") == "c d e")
    #expect(request.query("f") == "")
    #expect(request.query("g") == nil)
  }

  @Test func keepsConnectionsAlive() throws {
    let server = try LocalServer { .text("\($0.connection)/\($0.number)") }
    defer { server.stop() }
    let one = try RawClient(port: server.port)
    #expect(try one.call("GET", "/").text == "1/1")
    #expect(try one.call("GET", "/").text == "1/2")
    let two = try RawClient(port: server.port)
    #expect(try two.call("GET", "/").text == "2/3")
    #expect(try one.call("GET", "/").text == "1/4")
    #expect(server.connectionCount == 2)
    #expect(server.requestCount == 4)
  }

  @Test func answersPipelinedRequestsInOrder() throws {
    let server = try LocalServer { .text($0.target) }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try client.send("GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\nGET /3 HTTP/1.1\r\nConnection: close\r\n\r\n")
    #expect(try client.response().text == "/1")
    #expect(try client.response().text == "/2")
    let last = try client.response()
    #expect(last.text == "/3")
    #expect(last["connection"] == "close")
    #expect(client.readAll().ending == .closed)
  }

  @Test func readsAChunkedBodyThatComesInPieces() throws {
    let server = try LocalServer { .text($0.text) }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    for piece in [
      "PUT / HTT", "P/1.1\r\nTransfer-Encoding: chun", "ked\r", "\n\r\n3\r\nabc\r\n1", "0;x=y\r\n0123456789",
    ] { try client.send(piece) }
    try client.send("abcdef\r\n0\r\nTrailer: 1\r\n\r\n")
    #expect(try client.response().text == "abc0123456789abcdef")
  }

  @Test func saysContinue() throws {
    let server = try LocalServer { .text($0.text) }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try client.send("PUT / HTTP/1.1\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
    #expect(try client.response(toHead: true).status == 100)
    try client.send("ok")
    #expect(try client.response().text == "ok")
  }

  @Test(arguments: [
    ("nonsense\r\n\r\n", 400),
    ("GET / HTTP/2.0\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nno colon\r\n\r\n", 400),
    ("PUT / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
    ("PUT / HTTP/1.1\r\nContent-Length: 1001\r\n\r\n", 413),
    ("PUT / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
    ("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
    ("GET /" + String(repeating: "x", count: 3000), 431),
  ])
  func refusesBadRequests(text: String, status: Int) throws {
    let server = try LocalServer(limits: .init(head: 2000, body: 1000)) { _ in .text("no") }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try client.send(text)
    #expect(try client.response().status == status)
    #expect(client.readAll().ending == .closed)
    #expect(server.requestCount == 0)
  }

  @Test(arguments: [Reply.Framing.contentLength, .chunked(7), .close], [Reply.Coding.identity, .gzip, .deflate])
  func framesAndCodes(framing: Reply.Framing, coding: Reply.Coding) throws {
    let body = Array(String(repeating: "abc, ", count: 100).utf8)
    let server = try LocalServer { _ in Reply(body: body, framing: framing, coding: coding) }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    let response = try client.call("GET", "/")
    switch coding {
    case .identity: #expect(response.body == body)
    case .gzip: #expect(try inflate(response.body, as: "gzip") == body)
    case .deflate: #expect(try inflate(response.body, as: "deflate") == body)
    }
    #expect((response["connection"] == "close") == (framing == .close))
  }

  @Test func sendsNoBodyWhereThereIsNone() throws {
    let server = try LocalServer { request in request.path == "/304" ? Reply(status: 304, body: [1]) : .text("body") }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    let head = try client.call("HEAD", "/")
    #expect(head["content-length"] == "4")
    #expect(try client.call("GET", "/304").status == 304)
    #expect(try client.call("GET", "/").text == "body")
  }

  @Test func servesAUnixSocket() throws {
    let path = "/tmp/upstream-\(UInt64.random(in: 0...UInt64.max)).sock"
    let server = try LocalServer(socketPath: path) { .text($0.path) }
    #expect(try RawClient(path: path).call("GET", "/unix").text == "/unix")
    #expect(throws: SocketError.self) { try LocalServer(socketPath: path) { _ in .closed } }
    server.stop()
    #expect(throws: RawClient.Failure.self) { try RawClient(path: path) }
  }

  @Test func stopsWhileConnectionsHangAndWait() async throws {
    let server = try LocalServer { request in
      request.path == "/hang" ? .hang : .text("late").delayed(milliseconds: 600_000)
    }
    let clients = try (0..<50).map { index in
      let client = try RawClient(port: server.port)
      try client.send("GET \(index % 2 == 0 ? "/hang" : "/late") HTTP/1.1\r\n\r\n")
      return client
    }
    let idle = try RawClient(port: server.port)
    await server.waitForRequests(50)
    let start = ContinuousClock.now
    server.stop()
    server.stop()
    #expect(ContinuousClock.now - start < .seconds(300))
    for client in clients { #expect(client.readAll().bytes.isEmpty) }
    #expect(idle.readAll().bytes.isEmpty)
    #expect(throws: RawClient.Failure.self) { try RawClient(port: server.port) }
  }

  @Test func noticesThatClientsLeave() async throws {
    let server = try LocalServer { _ in .hang }
    defer { server.stop() }
    do {
      let clients = try (0..<20).map { _ in try RawClient(port: server.port) }
      for client in clients { try client.send("GET / HTTP/1.1\r\n\r\n") }
      await server.waitForRequests(20)
      #expect(server.openConnectionCount == 20)
    }
    await server.waitForNoConnections()
    #expect(server.openConnectionCount == 0)
  }

  @Test func keepsAsManyRequestsAsItIsTold() throws {
    let server = try LocalServer(limits: .init(recorded: 8)) { _ in .text("") }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    for index in 0..<20 { _ = try client.call("GET", "/\(index)") }
    #expect(server.requests.count <= 8)
    #expect(server.requests.last?.target == "/19")
    #expect(server.requestCount == 20)
    server.forgetRequests()
    #expect(server.requests.isEmpty)
  }
}
