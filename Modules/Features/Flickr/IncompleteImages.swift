import Models
import Ports

/// Images that did not come whole: the connection broke each time, or the end is missing although the answer was complete,
/// because a server or a proxy had only a part of the file.
///
/// Such an image is not kept, and is fetched again after a pause. One without an end at the last attempt is kept, because some
/// programs write such files and browsers show them. One whose connection breaks is tried again after the last pause each time.
///
/// Each image is one record of the collection `state`, `image/DIGEST-OF-URL`.
struct IncompleteImages {
  /// The pauses between the attempts, in seconds. After the last one an image is kept as it is.
  static let pauses = [3600, 86_400]

  let store: any RecordStore
  let coder: any RecordCoder
  let time: any TimeSource

  /// An attempt that did not bring a whole image.
  private struct Attempt {
    var count: Int
    var at: Timestamp
    var message: String
  }

  private static func key(_ url: String) -> StateKey { .init(.image, SHA256.digest(url.utf8)) }

  private static func attempt(_ url: String, in reader: any RecordReader, _ coder: any RecordCoder) throws(StoreError)
    -> Attempt?
  {
    guard let fields = try reader.state(key(url), coder), let count = fields["attempts"]?.count,
      let at = fields["at"]?.timestamp, let message = fields["message"]?.string
    else { return nil }
    return Attempt(count: count, at: at, message: message)
  }

  /// Why an image is not fetched now; `nil` where it may be.
  func pause(_ url: String, in reader: any RecordReader) throws(StoreError) -> Failure? {
    guard let last = try Self.attempt(url, in: reader, coder), (1...Self.pauses.count).contains(last.count) else {
      return nil
    }
    let now = time.now
    let next = last.at + Self.pauses[last.count - 1]
    // A time of the future was noted by a wrong clock.
    guard now < next, last.at <= now else { return nil }
    return Self.failure(last.message, url, next: next, now)
  }

  /// Takes note of a fetched image.
  ///
  /// - Returns: why it is not kept; `nil` where it is complete, or was fetched often enough.
  func problem(_ bytes: [UInt8], _ type: ImageType, _ url: String) async throws(StoreError) -> Failure? {
    if type.isComplete(bytes) {
      guard try store.snapshot().hasState(Self.key(url)) else { return nil }
      _ = try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) in
        try transaction.clearState(Self.key(url))
      }
      return nil
    }
    return try await note("the \(type.name) image has no end: only a part of it came", url, most: Self.pauses.count)
  }

  /// Takes note of an image that could not be fetched.
  ///
  /// - Returns: why it is missing: the failure itself, or that it is put off because the connection broke.
  func problem(_ failure: Failure, _ url: String) async throws(StoreError) -> Failure {
    guard [.transport(.connectionLost), .transport(.truncated)].contains(failure.code) else { return failure }
    return try await note("the image did not come whole: \(failure.message)", url) ?? failure
  }

  /// Takes note of an attempt.
  ///
  /// - Parameter most: after how many attempts the image is given up, and no more is remembered of it; `nil` for never.
  /// - Returns: why it is not fetched now; `nil` where it is given up.
  private func note(_ message: String, _ url: String, most: Int? = nil) async throws(StoreError) -> Failure? {
    let (coder, now) = (coder, time.now)
    let count = try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Int? in
      let count = (try Self.attempt(url, in: transaction, coder)?.count ?? 0) + 1
      if let most, count > most {
        try transaction.clearState(Self.key(url))
        return nil
      }
      let kept = min(count, Self.pauses.count)
      let fields: JSONObject = [
        "url": .string(url), "attempts": .int(kept), "at": .string(now.description), "message": .string(message),
      ]
      try transaction.setState(Self.key(url), to: fields, coder)
      return kept
    }.value
    return count.map { Self.failure(message, url, next: now + Self.pauses[$0 - 1], now) }
  }

  private static func failure(_ message: String, _ url: String, next: Timestamp, _ now: Timestamp) -> Failure {
    Failure(
      .parsing, .unparsable, message, hint: "it is fetched again from \(next.description) on", url: url,
      code: .own(.incompleteImage), retryable: true, retryAfter: next - now)
  }
}
