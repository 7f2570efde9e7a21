import Models
import Ports

/// Images whose end is missing, although the answer was complete: a server or a proxy had only a part of the file.
///
/// Such an image is not kept, and is fetched again after a pause. One without an end at the last attempt is kept, because some
/// programs write such files and browsers show them.
///
/// Each image is one record of the collection `state`, `image/DIGEST-OF-URL`.
struct IncompleteImages {
  /// The pauses between the attempts, in seconds. After the last one an image is kept as it is.
  static let pauses = [3600, 86_400]

  let store: any RecordStore
  let coder: any RecordCoder
  let time: any TimeSource

  /// An attempt that brought an image without an end.
  private struct Attempt {
    var count: Int
    var at: Timestamp
    var message: String
  }

  private static func id(_ url: String) -> String { "image/\(SHA256.digest(url.utf8))" }

  private static func attempt(_ url: String, in reader: any RecordReader, _ coder: any RecordCoder) throws(StoreError)
    -> Attempt?
  {
    guard let fields = try reader.object(.state, id(url), coder), let count = fields["attempts"]?.int,
      let at = fields["at"]?.string.flatMap({ Timestamp(rfc3339: $0) }), let message = fields["message"]?.string
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
      guard try store.snapshot().record(.state, Self.id(url)) != nil else { return nil }
      _ = try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) in
        try transaction.delete(.state, Self.id(url))
      }
      return nil
    }
    let message = "the \(type.name) image has no end: only a part of it came"
    let (coder, now) = (coder, time.now)
    let count = try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Int in
      let count = (try Self.attempt(url, in: transaction, coder)?.count ?? 0) + 1
      if count > Self.pauses.count {
        try transaction.delete(.state, Self.id(url))
      } else {
        let fields: JSONObject = [
          "id": .string(Self.id(url)), "url": .string(url), "attempts": .int(count), "at": .string(now.description),
          "message": .string(message),
        ]
        try transaction.put(coder.encode(fields), id: Self.id(url), in: .state)
      }
      return count
    }.value
    return count > Self.pauses.count
      ? nil : Self.failure(message, url, next: now + Self.pauses[count - 1], now)
  }

  private static func failure(_ message: String, _ url: String, next: Timestamp, _ now: Timestamp) -> Failure {
    Failure(
      .parsing, .unparsable, message, hint: "it is fetched again from \(next.description) on", url: url,
      code: "incomplete-image", retryable: true, retryAfter: next - now)
  }
}
