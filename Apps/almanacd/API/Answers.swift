import Hummingbird
import Models
import Ports

extension Response {
  /// Larger answers go out in pieces, each when the client took the ones before: a slow one has time for all of it.
  private static let piece = 32 << 10

  /// An answer with bytes.
  init(_ status: Status = .ok, type: String, _ bytes: [UInt8], headers: HTTPFields = [:]) {
    var headers = headers
    headers[.contentType] = type
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

  /// An answer in JSON.
  init(_ status: Status = .ok, json fields: JSONObject, _ coder: any RecordCoder, headers: HTTPFields = [:]) {
    self.init(status, type: "application/json", coder.encode(fields), headers: headers)
  }

  /// A problem document (RFC 9457).
  init(problem: Problem, _ coder: any RecordCoder) {
    self.init(
      problem.status, type: "application/problem+json", coder.encode(problem.fields), headers: problem.headers)
  }
}
