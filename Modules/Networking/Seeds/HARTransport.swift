public import Ports
import Synchronization

/// A recording that requests are answered from.
public struct Seed: Sendable {
  /// What it is called in errors; a file name.
  public var name: String
  /// The file's bytes: HAR 1.1 or 1.2.
  public var bytes: [UInt8]

  /// Makes a seed.
  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

/// Answers every request from recordings, with no socket opened.
///
/// The same request asked again gets the next recorded answer; the last one repeats. Requests match by method, scheme,
/// host, path and query, the order of the query and secrets in it aside, and writes by their body too: byte for byte,
/// or as equal JSON objects; a recorded write that does not tell its body matches any.
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

  /// Loads the recordings; their entries follow one another.
  ///
  /// - Throws: `TransportError.seedMalformed` where one is no recording.
  public init(
    _ seeds: [Seed], coder: any RecordCoder, time: any TimeSource, redaction: Redaction = Redaction()
  ) throws(TransportError) {
    let bodies = BodyMatch(coder: coder)
    var queues: [RequestKey: [Queue]] = [:]
    for seed in seeds {
      for entry in try HARReader(name: seed.name, coder: coder).entries(seed.bytes) {
        guard let key = RequestKey(method: entry.method, url: entry.url) else { continue }
        let isWrite = !["GET", "HEAD", "OPTIONS"].contains(entry.method)
        let body = isWrite ? entry.body : nil
        let same = queues[key]?.firstIndex { queue in
          guard queue.key.isAnswer(to: key) else { return false }
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
    self.bodies = bodies
    self.time = time
    self.redaction = redaction
  }

  /// Answers from the recordings.
  ///
  /// - Throws: `TransportError.seedMissing` naming the request where there is no answer to it; the recorded fault;
  ///   `cancelled`.
  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let url = redaction.url(request.url)
    if Task.isCancelled { throw TransportError(.cancelled, "cancelled", url: url, requests: 0) }
    guard let key = RequestKey(method: request.method.rawValue, url: request.url), let entry = take(key, request) else {
      throw missing(request, url)
    }
    switch entry.fault {
    case .reset where entry.isPlain:
      throw TransportError(.connectionLost, "the connection was reset", url: url, mayHaveArrived: true)
    case .timeout where entry.isPlain:
      throw TransportError(.timeout, "no answer within the time limit", url: url, mayHaveArrived: true)
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
        .seedMissing, "the recording has the status \(status) but not the body of \(request.method.rawValue) \(url)",
        url: url, hint: "record it again, with content", requests: 0)
    case .response(let status, let headers, let body):
      if case .truncate(let count) = entry.fault, count < body.count {
        throw TransportError(
          .truncated, "the answer ends after \(count) of \(body.count) bytes", url: url, mayHaveArrived: true)
      }
      return HTTPResponse(
        status: status, headers: headers, body: request.method == .head ? [] : body, url: request.url)
    }
  }

  private func take(_ key: RequestKey, _ request: HTTPRequest) -> HAREntry? {
    queues.withLock { queues in
      guard let candidates = queues[key] else { return nil }
      let sent = request.body ?? []
      func first(_ matches: (Queue) -> Bool) -> Int? {
        candidates.firstIndex { $0.key.isAnswer(to: key) && matches($0) }
      }
      let exact = first { queue in queue.body.map { bodies.isSame($0, sent) } ?? false }
      guard let index = exact ?? first({ $0.body == nil }) else { return nil }
      let queue = candidates[index]
      queues[key]?[index].next += 1
      return queue.entries[min(queue.next, queue.entries.count - 1)]
    }
  }

  private func missing(_ request: HTTPRequest, _ url: String) -> TransportError {
    let key = RequestKey(method: request.method.rawValue, url: request.url)
    let near = queues.withLock { queues -> HAREntry? in
      guard let key else { return nil }
      if let same = queues[key]?.first { return same.entries.first }
      return queues.first { key.isNear($0.key) }?.value.first?.entries.first
    }
    let hint = near.map { "nearest in the recording: \($0.method) \(redaction.url($0.url))" }
    return TransportError(
      .seedMissing, "the recording has no answer to \(request.method.rawValue) \(url)", url: url,
      hint: hint ?? "add an entry for it, or record again with --record", requests: 0)
  }
}

extension HAREntry {
  /// Whether the fault alone says what happens, without a recorded error.
  fileprivate var isPlain: Bool {
    if case .failure = outcome { false } else { true }
  }
}
