public import Models

extension Failure {
  /// The stored form: the printed form and the reason.
  public var storedFields: JSONObject { fields.adding(["reason": .string(reason.rawValue)]) }

  /// Reads the stored or the printed form. Without a reason, it is that of the status that the server answered with; `nil` for
  /// another object.
  public init?(stored fields: JSONObject) {
    guard let kind = fields["kind"]?.string.flatMap(Kind.init), let message = fields["message"]?.string else {
      return nil
    }
    let code = fields["code"]?.string.map { FailureCode($0, of: kind) }
    let retryAfter = fields["retryAfter"]?.count
    var reason: Reason = kind == .parsing ? .unparsable : .unavailable
    if case .status(let status)? = code {
      reason = SourceError.answered(HTTPStatus(status), message: nil, url: "", retryAfter: retryAfter).failure.reason
    }
    self.init(
      kind, fields["reason"]?.string.flatMap(Reason.init) ?? reason, message,
      hint: fields["hint"]?.string.map { Advice($0) }, url: fields["url"]?.string, code: code,
      path: fields["path"]?.string, retryable: fields["retryable"]?.bool ?? false, retryAfter: retryAfter)
  }
}
