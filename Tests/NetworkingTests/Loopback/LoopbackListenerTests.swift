import AlmanacTesting
import CLibrary
import Models
import Networking
import Ports
import Testing
import URLSessionTransport

@Suite struct LoopbackListenerTests {
  /// A connection on which nothing is sent, as browsers open them in advance.
  private func silent(_ address: String) throws -> Int32 {
    let digits = address.split(separator: ":").last?.prefix { $0 != "/" } ?? ""
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = try #require(UInt16(digits)).bigEndian
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let descriptor = socket(AF_INET, SocketType.stream, 0)
    let status = withUnsafePointer(to: &name) { name in
      name.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(status == 0)
    return descriptor
  }

  @Test("the request that is meant ends the wait; others, and connections that say nothing, do not")
  func query() async throws {
    let listener = try LoopbackListener(time: SystemTimeSource())
    #expect(listener.address.hasPrefix("http://127.0.0.1:") && listener.address.hasSuffix("/callback"))
    var descriptors: [Int32] = []
    for _ in 0..<20 { descriptors.append(try silent(listener.address)) }
    defer { for descriptor in descriptors { close(descriptor) } }
    async let found = listener.query { $0.hasSuffix("state=right") }
    let browser = URLSessionTransport()
    var statuses: [Int] = []
    for target in ["", "?code=1&state=wrong", "x?state=right", "?code=1&state=right"] {
      statuses.append(try await browser.send(HTTPRequest(.get, listener.address + target)).status.code)
    }
    #expect(statuses == [404, 404, 404, 200])
    #expect(try await found == "code=1&state=right")
  }

  @Test("without a request the wait ends, and a port in use is an error")
  func nothing() async throws {
    let listener = try LoopbackListener(time: ManualTime())
    let late = await #expect(throws: Failure.self) { try await listener.query { _ in true } }
    #expect(late?.reason == .tryLater)
    let port = try #require(UInt16(listener.address.split(separator: ":").last?.prefix { $0 != "/" } ?? ""))
    let used = #expect(throws: Failure.self) { try LoopbackListener(port: port, time: ManualTime()) }
    #expect(used?.code == .own(.cannotListen))
  }
}
