import Ports
import Synchronization
import UpstreamKit

extension HTTPTransportContract {
  static let endings: [Check] = [
    Check("a task that is cancelled already sends nothing") { transport in
      try await serving { _ in
        .json("{}")
      } _: { server in
        let url = server.url
        let task = Task {
          while !Task.isCancelled { await Task.yield() }
          return try await transport.send(HTTPRequest(.get, url + "/"))
        }
        task.cancel()
        try await expectTransportError([.cancelled], mayHaveArrived: false) { try await task.value }
        try expectEqual(server.requestCount, 0)
      }
    },
    Check("cancelling ends the wait for an answer, and for the rest of one") { transport in
      for reply in [Reply.hang, .script([.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), .hang])] {
        try await serving { _ in
          reply
        } _: { server in
          let url = server.url
          let task = Task { try await transport.send(HTTPRequest(.get, url + "/")) }
          await server.waitForRequests(1)
          task.cancel()
          try await expectTransportError([.cancelled], mayHaveArrived: true) { try await task.value }
        }
      }
    },
    Check("cancelling closes the connection", unless: [.abandonsOnCancel]) { transport in
      try await serving { _ in
        .hang
      } _: { server in
        let url = server.url
        let tasks = (0..<8).map { number in
          Task { try await transport.send(HTTPRequest(.get, url + "/\(number)")) }
        }
        await server.waitForRequests(8)
        for task in tasks { task.cancel() }
        for task in tasks { _ = try? await task.value }
        await server.waitForNoConnections()
      }
    },
    Check("after errors the next request is as good as new") { transport in
      let count = Mutex(0)
      try await serving { _ in
        let number = count.withLock {
          $0 += 1
          return $0
        }
        return [Reply.reset, .closed, Reply(body: [1, 2]).truncated(afterBodyBytes: 1), .text("fine")][
          min(number, 4) - 1]
      } _: { server in
        for _ in 0..<3 { _ = try? await transport.send(HTTPRequest(.get, server.url + "/")) }
        let response = try await transport.send(HTTPRequest(.get, server.url + "/"))
        try expectEqual(response.body, Array("fine".utf8))
      }
    },
  ]
}
