import Hummingbird
import Models
import Ports

extension Advice.StringInterpolation {
  mutating func appendInterpolation(command words: String...) { appendInterpolation(commandLine: ["almanac"] + words) }
}

extension DefaultStringInterpolation {
  /// A command in a help text, which names no store.
  mutating func appendInterpolation(help words: String) {
    let command: Advice = "\(commandLine: ["almanac"] + words.split(separator: " ").map(String.init))"
    appendLiteral(command.description)
  }
}

/// What went wrong with a request: a problem document (RFC 9457).
struct Problem: Error, Sendable {
  var status: Status
  /// What happened, in one line.
  var detail: String
  var hint: Advice?
  /// A short name that does not change.
  var code: String?
  /// The part that failed, as the CLI says it; absent where the request itself cannot be done.
  var kind: String?
  /// The field of the form that it is about; absent where it is about the whole form.
  var field: String?
  var headers: HTTPFields

  init(
    _ status: Status, _ detail: String, hint: Advice? = nil, code: String? = nil, kind: String? = nil,
    field: String? = nil, headers: HTTPFields = [:]
  ) {
    self.status = status
    self.detail = detail
    self.hint = hint
    self.code = code
    self.kind = kind
    self.field = field
    self.headers = headers
  }

  /// The reasons of a config or a store that cannot be used at present.
  private static let ofFiles: Set<Failure.Reason> = [.config, .cannotCreate, .inputOutput]

  func about(_ field: String) -> Problem {
    var problem = self
    problem.field = field
    return problem
  }

  func worded(_ wording: Wording) -> Problem {
    var problem = self
    problem.hint = hint.map { Advice(wording($0)) }
    return problem
  }

  /// The problem document of an error; `nil` for an error that no request should meet.
  init?(of error: any Error) {
    switch error {
    case let problem as Problem: self = problem
    case let failure as Failure: self.init(failure)
    case let error as any FailureRepresentable: self.init(error.failure)
    default: return nil
    }
  }

  init(_ failure: Failure) {
    let status: Status =
      switch failure.reason {
      case .usage where failure.code == .own(.duplicate): .conflict
      case .usage where failure.code == .own(.changed): .preconditionFailed
      case .usage: .unprocessableContent
      case .unparsable: .unprocessableContent
      case .notFound: .notFound
      case .unavailable: .badGateway
      case .tryLater: .serviceUnavailable
      // `/readyz` says the same.
      case .denied where failure.kind == .store: .serviceUnavailable
      case .denied: .badGateway
      case _ where failure.code == .store(.full): .insufficientStorage
      // The config has a mistake, or cannot be read or written: its owner can mend that, and repeat the request.
      case _ where failure.kind == .config && Self.ofFiles.contains(failure.reason): .conflict
      // The store cannot be read or written at present: `/readyz` says the same.
      case _ where failure.kind == .store && Self.ofFiles.contains(failure.reason): .serviceUnavailable
      case .internalFault, .cannotCreate, .inputOutput, .config, .cancelled: .internalServerError
      }
    self.init(
      status, failure.message, hint: failure.hint, code: failure.code?.text,
      // A request that asks for what is not possible is not a failure of a part.
      kind: failure.reason == .usage ? nil : failure.kind.rawValue,
      headers: status == .serviceUnavailable ? [.retryAfter: "5"] : [:])
  }

  var fields: JSONObject {
    [
      "type": "about:blank", "title": .string(status.reasonPhrase), "status": .int(Int(status.code)),
      "detail": .string(detail), "hint": .of(hint?.description), "code": .of(code), "kind": .of(kind),
    ]
  }
}

extension Status {
  /// RFC 4918 section 11.5.
  static let insufficientStorage = Status(code: 507, reasonPhrase: "Insufficient Storage")
}

extension Response {
  /// Larger answers go out in pieces, each when the client took the ones before: a slow one has time for all of it.
  private static let piece = 32 << 10

  init(_ status: Status = .ok, type: String, _ bytes: [UInt8], headers: HTTPFields = [:]) {
    var headers = headers
    headers.append(HTTPField(name: .contentType, value: type))
    self.init(status: status, headers: headers, body: Self.body(bytes))
  }

  private static func body(_ bytes: [UInt8]) -> ResponseBody {
    let whole = ByteBuffer(bytes: bytes)
    guard bytes.count > piece else { return ResponseBody(byteBuffer: whole) }
    return ResponseBody(contentLength: bytes.count) { writer in
      var rest = whole
      while let next = rest.readSlice(length: min(piece, rest.readableBytes)), next.readableBytes > 0 {
        try await writer.write(next)
      }
      try await writer.finish(nil)
    }
  }

  init(_ status: Status = .ok, json fields: JSONObject, _ coder: any RecordCoder, headers: HTTPFields = [:]) {
    self.init(status, type: "application/json", coder.encode(fields), headers: headers)
  }

  /// A problem document (RFC 9457).
  init(problem: Problem, _ coder: any RecordCoder) {
    self.init(
      problem.status, type: "application/problem+json", coder.encode(problem.fields), headers: problem.headers)
  }
}
