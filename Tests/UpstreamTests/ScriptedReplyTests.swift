import Testing
import UpstreamKit

@Suite struct ScriptedReplyTests {
  private func answer(_ reply: Reply, limit: Int = .max) throws -> (bytes: [UInt8], ending: RawClient.Ending) {
    let server = try LocalServer { _ in reply }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try client.send("GET / HTTP/1.1\r\n\r\n")
    return client.readAll(limit: limit)
  }

  @Test func writesRawBytesAsTheyAre() throws {
    let odd: [UInt8] = [0, 255, 13, 10, 200]
    let raw = try answer(.raw(odd))
    #expect(raw.bytes == odd)
    #expect(raw.ending == .closed)
    #expect(String(decoding: try answer(.raw("HTP/9 ???")).bytes, as: UTF8.self) == "HTP/9 ???")
  }

  @Test func resetsAndCloses() throws {
    let reset = try answer(.reset)
    #expect(reset.bytes.isEmpty)
    #expect(reset.ending == .reset)
    #expect(try answer(.closed).ending == .closed)
  }

  @Test func truncates() throws {
    let cut = try answer(Reply.text("0123456789").truncated(afterBodyBytes: 4))
    let text = String(decoding: cut.bytes, as: UTF8.self)
    #expect(text.contains("content-length: 10\r\n"))
    #expect(text.hasSuffix("\r\n\r\n0123"))
    #expect(cut.ending == .closed)
    let reset = try answer(Reply.text("0123456789").truncated(afterBodyBytes: 4, reset: true))
    #expect(reset.ending == .reset)
  }

  @Test func dripsAndGoesOn() throws {
    let server = try LocalServer { _ in Reply.text("slow").dripped(piece: 10, milliseconds: 1) }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    #expect(try client.call("GET", "/").text == "slow")
    #expect(try client.call("GET", "/").text == "slow")
    #expect(server.connectionCount == 1)
  }

  @Test func delaysAndDoesItsSteps() throws {
    let start = ContinuousClock.now
    let server = try LocalServer { request in
      request.path == "/late"
        ? Reply.text("late").delayed(milliseconds: 30)
        : .script([.text("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"), .pause(milliseconds: 1), .text("abc"), .keep])
    }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    #expect(try client.call("GET", "/late").text == "late")
    #expect(ContinuousClock.now - start >= .milliseconds(30))
    #expect(try client.call("GET", "/").text == "abc")
  }

  @Test func repeatsForAsLongAsTheClientReads() throws {
    let some = try answer(.script([.writeRepeatedly(Array("ab".utf8), times: 3)]))
    #expect(String(decoding: some.bytes, as: UTF8.self) == "ababab")
    let endless = try answer(.endless(), limit: 5_000_000)
    #expect(endless.bytes.count >= 5_000_000)
  }

  @Test func makesBombs() throws {
    let body = Gzip.zeros(count: 10_000_000)
    #expect(body.count < 20_000)
    let inflated = try inflate(body, as: "gzip")
    #expect(inflated.count >= 10_000_000 && inflated.count < 10_000_300)
    #expect(inflated.allSatisfy { $0 == 0 })
    let server = try LocalServer { _ in .gzipBomb(inflatesTo: 1_000_000_000, layers: 2) }
    defer { server.stop() }
    let response = try RawClient(port: server.port).call("GET", "/")
    #expect(response["content-encoding"] == "gzip, gzip")
    #expect(response.body.count < 50_000)
    let endless = try answer(.endlessGzip(), limit: 1_000_000)
    #expect(endless.bytes.count >= 1_000_000)
  }
}
