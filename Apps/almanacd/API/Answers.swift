import Hummingbird
import Models
import Ports

extension Response {
  /// An answer with bytes.
  init(_ status: Status = .ok, type: String, _ bytes: [UInt8], headers: HTTPFields = [:]) {
    var headers = headers
    headers[.contentType] = type
    self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
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
