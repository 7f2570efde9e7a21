import Models
import Ports

/// Reads HAR 1.1 and 1.2 files of browsers and proxies.
struct HARReader {
  private let coder: any RecordCoder
  private let name: String

  /// Headers about the encoding of the body in transit. Recordings contain the decoded body.
  private static let transferHeaders: Set<String> = ["content-encoding", "content-length", "transfer-encoding"]

  init(name: String, coder: any RecordCoder) { (self.name, self.coder) = (name, coder) }

  /// The recorded exchanges in their order. Entries with neither a response nor a fault are skipped.
  ///
  /// - Throws: `TransportError.recordingMalformed` if the file is not a recording.
  func entries(_ bytes: [UInt8]) throws(TransportError) -> [HAREntry] {
    let document: JSONObject
    do {
      document = try coder.decode(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes)
    } catch { throw malformed("it is not JSON: \(error.description)") }
    guard let log = document["log"]?.object else { throw malformed("it has no member 'log'") }
    guard let list = log["entries"]?.array else { throw malformed("its 'log' has no array 'entries'") }
    var entries: [HAREntry] = []
    for (index, value) in list.enumerated() {
      if let entry = try entry(value, "$.log.entries[\(index)]") { entries.append(entry) }
    }
    return entries
  }

  private func malformed(_ reason: String) -> TransportError {
    TransportError(
      .recordingMalformed, "the recording \(name) cannot be used: \(reason)", hint: "record it again", requests: 0)
  }

  private func entry(_ value: JSONValue, _ path: String) throws(TransportError) -> HAREntry? {
    guard let entry = value.object, let request = entry["request"]?.object,
      let method = request["method"]?.string, var url = request["url"]?.string
    else { throw malformed("\(path) has no request with method and url") }
    var fault: HAREntry.Fault?
    if let text = entry["_fault"] {
      fault = text.string.flatMap(HAREntry.Fault.init)
      guard fault != nil else { throw malformed("\(path)._fault is not one of reset, timeout, truncate:N, delay:MS") }
    }
    if !url.contains("?"), let query = request["queryString"]?.array, !query.isEmpty {
      url += "?" + HARReader.form(query)
    }
    var body: [UInt8]?
    if let post = request["postData"]?.object { body = try self.body(ofPost: post, path) }
    guard let outcome = try outcome(entry, method, path, hasFault: fault != nil) else { return nil }
    return HAREntry(method: method, url: url, body: body, fault: fault, outcome: outcome)
  }

  private static func form(_ pairs: [JSONValue]) -> String {
    pairs.compactMap { pair in
      guard let pair = pair.object, let name = pair["name"]?.string else { return nil }
      return percentEncoded(name) + "=" + percentEncoded(pair["value"]?.string ?? "")
    }.joined(separator: "&")
  }

  private func body(ofPost post: JSONObject, _ path: String) throws(TransportError) -> [UInt8]? {
    if let text = post["text"]?.string, !text.isEmpty || post["params"]?.array?.isEmpty != false {
      guard post["encoding"]?.string == "base64" else { return Array(text.utf8) }
      guard let bytes = Base64.decoded(text) else {
        throw malformed("\(path).request.postData.text is not valid Base64")
      }
      return bytes
    }
    return post["params"]?.array.map { Array(HARReader.form($0).utf8) }
  }

  private func outcome(
    _ entry: JSONObject, _ method: String, _ path: String, hasFault: Bool
  ) throws(TransportError) -> HAREntry.Outcome? {
    if let error = entry["_error"]?.object, let recorded = HARReader.error(error) { return .failure(recorded) }
    let response = entry["response"]?.object
    guard let response, let status = response["status"]?.int, HTTPStatus(status).isFinal else {
      return hasFault ? .response(status: HTTPStatus.ok.code, headers: [:], body: []) : nil
    }
    var headers = HTTPHeaders()
    for header in response["headers"]?.array ?? [] {
      guard let header = header.object, let name = header["name"]?.string, let value = header["value"]?.string,
        !name.hasPrefix(":"), !HARReader.transferHeaders.contains(name.lowercased())
      else { continue }
      // Browsers join header lines of the same name by line breaks.
      for line in value.split(whereSeparator: { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }) {
        headers.append(name, String(line))
      }
    }
    let content = response["content"]?.object
    if headers["Location"] == nil, let target = response["redirectURL"]?.string, !target.isEmpty {
      headers.append("Location", target)
    }
    if headers["Content-Type"] == nil, let type = content?["mimeType"]?.string, !type.isEmpty {
      headers.append("Content-Type", type)
    }
    guard let text = content?["text"]?.string else {
      let isMissing = method != "HEAD" && HTTPStatus(status).isSuccess && (content?["size"]?.int ?? 0) > 0
      return isMissing ? .withoutBody(status: status) : .response(status: status, headers: headers, body: [])
    }
    guard content?["encoding"]?.string?.lowercased() == "base64" else {
      return .response(status: status, headers: headers, body: Array(text.utf8))
    }
    guard let bytes = Base64.decoded(text) else { throw malformed("\(path).response.content.text is not valid Base64") }
    return .response(status: status, headers: headers, body: bytes)
  }

  /// The exact error, which `HARRecorder` adds to the fault.
  private static func error(_ fields: JSONObject) -> TransportError? {
    guard let code = fields["code"]?.string.flatMap(TransportError.Code.init), let message = fields["message"]?.string
    else { return nil }
    return TransportError(
      code, message, url: fields["url"]?.string, hint: fields["hint"]?.string.map { Advice($0) },
      retryAfter: fields["retryAfter"]?.count, mayHaveArrived: fields["mayHaveArrived"]?.bool ?? true)
  }
}

struct HAREntry: Sendable {
  enum Fault: Hashable, Sendable {
    case reset
    case timeout
    case truncate(Int)
    case delay(milliseconds: Int)

    /// Reads `reset`, `timeout`, `truncate:N` or `delay:MS`.
    init?(_ text: String) {
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let number = parts.count == 2 ? Int(parts[1]).flatMap { $0 >= 0 ? $0 : nil } : nil
      switch (parts[0], number) {
      case ("reset", nil) where parts.count == 1: self = .reset
      case ("timeout", nil) where parts.count == 1: self = .timeout
      case ("truncate", let bytes?): self = .truncate(bytes)
      case ("delay", let milliseconds?): self = .delay(milliseconds: milliseconds)
      default: return nil
      }
    }
  }

  enum Outcome: Sendable {
    case response(status: Int, headers: HTTPHeaders, body: [UInt8])
    case withoutBody(status: Int)
    case failure(TransportError)
  }

  var method: String
  var url: String
  var body: [UInt8]?
  var fault: Fault?
  var outcome: Outcome
}
