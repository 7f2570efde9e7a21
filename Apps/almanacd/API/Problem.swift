import Hummingbird
import Models

/// What went wrong with a request: a problem document (RFC 9457).
struct Problem: Error, Sendable {
  /// The status.
  var status: Status
  /// What happened, in one line.
  var detail: String
  /// What to do.
  var hint: String?
  /// A short name that does not change.
  var code: String?
  /// The part that failed, as the CLI says it.
  var kind: String?
  /// Headers that go with it.
  var headers: HTTPFields

  /// Makes a problem.
  init(
    _ status: Status, _ detail: String, hint: String? = nil, code: String? = nil, kind: String? = nil,
    headers: HTTPFields = [:]
  ) {
    self.status = status
    self.detail = detail
    self.hint = hint
    self.code = code
    self.kind = kind
    self.headers = headers
  }

  /// The problem that a failure is for whoever asked.
  init(_ failure: Failure) {
    let status: Status =
      switch failure.reason {
      case .usage: failure.code == "duplicate" ? .conflict : .unprocessableContent
      case .unparsable: .unprocessableContent
      case .notFound: .notFound
      case .unavailable: .badGateway
      case .tryLater: .serviceUnavailable
      case .denied: .badGateway
      case .internalFault, .cannotCreate, .inputOutput, .config, .cancelled: .internalServerError
      }
    self.init(
      status, failure.message, hint: failure.hint, code: failure.code, kind: failure.kind.rawValue,
      headers: failure.reason == .tryLater ? [.retryAfter: "5"] : [:])
  }

  /// The document.
  var fields: JSONObject {
    var fields: JSONObject = [
      "type": "about:blank", "title": .string(status.reasonPhrase), "status": .int(Int(status.code)),
      "detail": .string(detail),
    ]
    fields.append("hint", hint)
    fields.append("code", code)
    fields.append("kind", kind)
    return fields
  }
}
