import Testing
import UpstreamKit

@Suite struct LocalServerTests {
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
}
