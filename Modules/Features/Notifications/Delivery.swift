import Models
import Ports

/// A notice on its way to one target, in `state` under `notify/delivery/NUMBER`. Numbers grow, so that a scan is in the
/// order of creation.
struct Delivery: Sendable {
  static let prefix = StateKey.deliveryPrefix

  let number: Int
  /// The id that the receiver gets, the same at each attempt.
  let id: String
  @ExactString private(set) var target: String
  let notice: Notice
  var attempts = 0
  /// When the next attempt is due; `nil` for now.
  var next: Timestamp?
  var error: String?
  /// Whether the receiver refused this message for its contents, and may accept others.
  var isRefused = false
  /// The digest of the address at which the last attempt failed; `nil` where an earlier version noted it.
  private var failedAt: String?

  /// A delivery that was not attempted yet.
  init(number: Int, id: String, target: String, notice: Notice) {
    (self.number, self.id, self.notice, self.target) = (number, id, notice, target)
  }

  var key: StateKey {
    let digits = String(number)
    return StateKey(.notify, Self.prefix + String(repeating: "0", count: max(0, 12 - digits.count)) + digits)
  }

  var fields: JSONObject {
    [
      "number": .int(number), "message": .string(id), "target": .string(target), "notice": .object(notice.fields),
      "attempts": .of(attempts == 0 ? nil : attempts), "next": .of(next?.description), "error": .of(error),
      "refused": .of(isRefused ? true : nil), "address": .of(failedAt),
    ]
  }

  init?(fields: JSONObject) {
    guard let number = fields["number"]?.count, let id = fields["message"]?.string,
      let target = fields["target"]?.string,
      let notice = fields["notice"]?.object.flatMap({ Notice(fields: $0) })
    else { return nil }
    self.init(number: number, id: id, target: target, notice: notice)
    attempts = fields["attempts"]?.count ?? 0
    next = fields["next"]?.timestamp
    error = fields["error"]?.string
    isRefused = fields["refused"]?.bool ?? false
    failedAt = fields["address"]?.string
  }

  /// Begins afresh where the receiver has another address than that at which the last attempt failed.
  mutating func look(at receiver: NotificationTarget) {
    guard let failedAt, failedAt != receiver.addressDigest else { return }
    (attempts, next, isRefused, self.failedAt) = (0, nil, false, nil)
  }

  /// The first pause after a failure, and the longest one, in seconds.
  private static let pauses = (first: 10, longest: 3600)

  /// Whether the next attempt is due. A pause that is longer than any comes from a clock that was set back since.
  func isDue(at now: Timestamp) -> Bool {
    guard let next else { return true }
    return next <= now || next - now > 2 * Self.pauses.longest
  }

  /// How many attempts go by the receiver alone that says when it wants the next one.
  private static let obeyed = 3

  /// Notes a failure: the pause doubles each time, up to an hour, and at most a quarter of it is chance. A receiver that says
  /// when it wants the next attempt gets it then; if it says so again and again, not before the pause is over.
  mutating func fail(_ failure: Failure, of receiver: NotificationTarget, at now: Timestamp, random: UInt64) {
    failedAt = receiver.addressDigest
    let pause = min(Self.pauses.longest, Self.pauses.first << min(attempts, 12))
    var wait = pause + Int(random % UInt64(pause / 4 + 1))
    if let asked = failure.retryAfter {
      // Times are whole seconds: that of now began before.
      wait = max(min(asked, Self.pauses.longest) + 1, attempts < Self.obeyed ? 0 : wait)
    }
    attempts += 1
    next = now + wait
    error = failure.message
  }

  /// How long a message is kept that its receiver refuses for its contents, in seconds.
  static let refusedFor = 3 * 86_400
}

extension NotificationTarget {
  fileprivate var addressDigest: String {
    let address =
      switch channel {
      case .webhook(let url, _), .ntfy(let url, _): url
      case .mail(let address): address
      }
    return StableHash.digest(["receiver", address])
  }
}

// MARK: Requests

extension Delivery {
  /// The request of a webhook: the payload and the headers of Standard Webhooks
  /// (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
  func webhook(_ url: String, secret: String?, at now: Timestamp, _ coder: any RecordCoder) -> HTTPRequest {
    let payload: JSONObject = [
      "type": .string(notice.kind.rawValue), "timestamp": .string(notice.at.description),
      "title": .string(notice.title), "text": .string(notice.text), "data": .object(notice.data),
    ]
    let body = coder.encode(payload)
    let timestamp = String(now.secondsSinceEpoch)
    var headers: HTTPHeaders = ["Content-Type": "application/json", "webhook-id": id, "webhook-timestamp": timestamp]
    if let secret {
      let signed = Array("\(id).\(timestamp).".utf8) + body
      let code = SHA256.authenticationCode(signed, key: Self.key(of: secret))
      headers["webhook-signature"] = "v1," + Base64.encoded(code)
    }
    return Self.request(url, headers, body)
  }

  /// A secret of Standard Webhooks is `whsec_` and Base64; any other text is the key itself.
  private static func key(of secret: String) -> [UInt8] {
    let prefix = "whsec_"
    guard secret.hasPrefix(prefix), let key = Base64.decoded(String(secret.dropFirst(prefix.count))) else {
      return Array(secret.utf8)
    }
    return key
  }

  /// The request of an ntfy server (https://docs.ntfy.sh/publish/#publish-as-json). JSON, because headers cannot contain
  /// every text.
  func ntfy(_ url: String, token: String?, _ coder: any RecordCoder) -> HTTPRequest {
    let slash = url.lastIndex(of: "/") ?? url.startIndex
    let payload: JSONObject = [
      "topic": .string(String(url[url.index(after: slash)...])), "title": .string(notice.title),
      "message": .string(notice.text), "tags": .array(tags.map { .string($0) }),
    ]
    let body = coder.encode(payload)
    var headers: HTTPHeaders = ["Content-Type": "application/json"]
    if let token { headers["Authorization"] = "Bearer " + token }
    return Self.request(String(url[...slash]), headers, body)
  }

  /// Emoji by their names in ntfy.
  private var tags: [String] {
    switch notice.kind {
    case .birthday: ["birthday"]
    case .stale, .refused, .conflict: ["warning"]
    case .fresh, .test: ["white_check_mark"]
    case .chart: ["chart_with_upwards_trend"]
    case .changes: []
    }
  }

  private static func request(_ url: String, _ headers: HTTPHeaders, _ body: [UInt8]) -> HTTPRequest {
    // The queue repeats it, with pauses that outlive the process.
    var request = HTTPRequest(.post, url, headers: headers, body: body, isRepeatable: false, bodyLimit: 1 << 20)
    request.returnsServerErrors = true
    return request
  }
}
