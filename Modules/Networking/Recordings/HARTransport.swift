import Models
public import Ports
import Synchronization

/// A recording in the HTTP Archive format, HAR 1.1 or 1.2.
public struct HARFile: Sendable {
  /// The name in error messages, usually the path.
  public var name: String
  public var bytes: [UInt8]

  public init(name: String, bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }
}

/// Replays recordings without opening a socket.
///
/// A repeated request gets the next recorded response; the last one repeats. Requests match by method, scheme, host,
/// path and query. The order of the query and the values of masked secrets do not matter. Writes also match by body:
/// byte for byte, or as equal JSON objects. A recorded write without a body matches any body.
public final class HARTransport: HTTPTransport {
  private struct Queue {
    var key: RequestKey
    var body: [UInt8]?
    var entries: [HAREntry]
    var next = 0
  }

  private let queues: Mutex<[RequestKey: [Queue]]>
  private let bodies: BodyMatch
  private let time: any TimeSource
  private let redaction: Redaction

  /// Loads recordings; the entries of later ones follow those of earlier ones.
  ///
  /// - Parameters:
  ///   - time: the clock for recorded delays.
  /// - Throws: `TransportError.recordingMalformed` if a file is not a recording.
  public init(
    _ recordings: [HARFile], coder: any RecordCoder, time: any TimeSource = SystemTimeSource(),
    redaction: Redaction = Redaction()
  ) throws(TransportError) {
    let bodies = BodyMatch(coder: coder)
    var queues: [RequestKey: [Queue]] = [:]
    for recording in recordings {
      for entry in try HARReader(name: recording.name, coder: coder).entries(recording.bytes) {
        guard let key = RequestKey(method: entry.method, url: entry.url, names: redaction.names) else { continue }
        let isWrite = !["GET", "HEAD", "OPTIONS"].contains(entry.method)
        let body = isWrite ? entry.body : nil
        let same = queues[key]?.firstIndex { queue in
          guard queue.key.matches(key) else { return false }
          return switch (queue.body, body) {
          case (nil, nil): true
          case (let one?, let other?): bodies.isSame(one, other)
          default: false
          }
        }
        if let same {
          queues[key]?[same].entries.append(entry)
        } else {
          queues[key, default: []].append(Queue(key: key, body: body, entries: [entry]))
        }
      }
    }
    self.queues = Mutex(queues)
    (self.bodies, self.time, self.redaction) = (bodies, time, redaction)
  }

  /// - Throws: `TransportError.recordingMissing` without a matching entry; the recorded error; `cancelled`.
  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let url = redaction.url(request.url)
    if Task.isCancelled { throw TransportError(.cancelled, "cancelled", url: url, requests: 0) }
    // A recording has masks in the place of secrets, also where no name tells them.
    guard
      let entry = take(request.url, request.body ?? [], request)
        ?? take(url, redaction.body(request.body ?? []), request)
    else { throw missing(request, url) }
    switch entry.fault {
    case .reset where !entry.hasError:
      throw TransportError(.connectionLost, "the connection was reset", url: url, mayHaveArrived: true)
    case .timeout where !entry.hasError:
      throw TransportError(.timeout, "no response within the time limit", url: url, mayHaveArrived: true)
    case .delay(let milliseconds):
      do {
        try await time.sleep(for: .milliseconds(milliseconds))
      } catch {
        throw TransportError(.cancelled, "cancelled", url: url, mayHaveArrived: true)
      }
    default: break
    }
    switch entry.outcome {
    case .failure(let error): throw error
    case .withoutBody(let status):
      throw TransportError(
        .recordingMissing,
        "the recording has the status \(status) but not the body of \(request.method.rawValue) \(url)",
        url: url, hint: "record it again, including the content of responses", requests: 0)
    case .response(let status, let headers, let body):
      if case .truncate(let count) = entry.fault, count < body.count {
        throw TransportError(
          .truncated, "the response ends after \(count) of \(body.count) bytes", url: url, mayHaveArrived: true)
      }
      return HTTPResponse(status: status, headers: headers, body: request.method == .head ? [] : body, url: request.url)
    }
  }

  private func take(_ url: String, _ sent: [UInt8], _ request: HTTPRequest) -> HAREntry? {
    guard let key = RequestKey(method: request.method.rawValue, url: url, names: redaction.names) else { return nil }
    return queues.withLock { queues in
      guard let candidates = queues[key] else { return nil }
      func first(_ matches: (Queue) -> Bool) -> Int? { candidates.firstIndex { $0.key.matches(key) && matches($0) } }
      let exact = first { queue in queue.body.map { bodies.isSame($0, sent) } ?? false }
      guard let index = exact ?? first({ $0.body == nil }) else { return nil }
      let queue = candidates[index]
      queues[key]?[index].next += 1
      return queue.entries[min(queue.next, queue.entries.count - 1)]
    }
  }

  private func missing(_ request: HTTPRequest, _ url: String) -> TransportError {
    let key = RequestKey(method: request.method.rawValue, url: request.url, names: redaction.names)
    let near = queues.withLock { queues -> HAREntry? in
      guard let key else { return nil }
      if let same = queues[key]?.first { return same.entries.first }
      return queues.first { key.isSimilar(to: $0.key) }?.value.first?.entries.first
    }
    let hint: Advice? = near.map { "the closest recorded request is \($0.method) \(redaction.url($0.url))" }
    return TransportError(
      .recordingMissing, "the recording has no response to \(request.method.rawValue) \(url)", url: url,
      hint: hint ?? "add an entry for it, or record it again", requests: 0)
  }
}

extension HAREntry {
  fileprivate var hasError: Bool { if case .failure = outcome { true } else { false } }
}
