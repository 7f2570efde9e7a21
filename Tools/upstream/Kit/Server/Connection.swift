/// Serves one client until either side closes the connection.
struct Connection {
  let descriptor: Int32
  let number: Int
  let core: ServerCore

  enum Ending {
    case proper
    case reset
  }

  /// Responds to one request after another. It runs on a thread of its own, which may block.
  func serve() -> Ending {
    var reader = RequestReader(descriptor: descriptor, limits: core.limits)
    while true {
      do throws(RequestReader.Failure) {
        let make = try reader.next(connection: number) {
          _ = Socket.send(descriptor, Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        }
        guard let request = core.record(make) else { return .proper }
        var reply = core.handler(request)
        reply.isHead = request.method == "HEAD"
        let keepAlive = request.wantsKeepAlive
        if let steps = reply.steps {
          guard let goesOn = perform(steps) else { return .reset }
          guard goesOn, keepAlive else { return .proper }
        } else {
          let bytes = reply.rendered(keepAlive: keepAlive).bytes
          guard Socket.send(descriptor, bytes), keepAlive, !reply.closes, reply.framing != .close else {
            return .proper
          }
        }
      } catch {
        if case .refused(let status) = error {
          _ = Socket.send(descriptor, Reply(status: status, closes: true).rendered(keepAlive: false).bytes)
        }
        return .proper
      }
    }
  }

  /// - Returns: whether the connection continues; nil for a reset.
  private func perform(_ steps: [Reply.Step]) -> Bool? {
    for step in steps {
      switch step {
      case .write(let bytes):
        guard Socket.send(descriptor, bytes) else { return false }
      case .text(let text):
        guard Socket.send(descriptor, Array(text.utf8)) else { return false }
      case .writeRepeatedly(let bytes, let times):
        guard !bytes.isEmpty else { continue }
        var done = 0
        while done != times {
          guard Socket.send(descriptor, bytes) else { return false }
          done += 1
        }
      case .drip(let bytes, let piece, let milliseconds):
        var rest = bytes[...]
        while !rest.isEmpty {
          let next = rest.prefix(max(1, piece))
          guard Socket.send(descriptor, Array(next)), !pause(milliseconds) else { return false }
          rest = rest.dropFirst(next.count)
        }
      case .pause(let milliseconds):
        if pause(milliseconds) { return false }
      case .reset: return nil
      case .close: return false
      case .hang:
        _ = Socket.waitForEnd(descriptor, milliseconds: nil, peerClose: true)
        return false
      case .keep: return true
      }
    }
    return false
  }

  /// - Returns: true if the connection has ended, including by a stop of the server.
  private func pause(_ milliseconds: Int) -> Bool {
    Socket.waitForEnd(descriptor, milliseconds: milliseconds, peerClose: false)
  }
}
