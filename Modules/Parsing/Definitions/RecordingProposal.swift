import Models
import Ports

/// Proposes a definition from a recording (HAR 1.2): a follow for each GET request of the main server whose answer has
/// records.
enum RecordingProposal {
  static func isRecording(_ object: JSONObject) -> Bool { object["log"]?.object?["entries"]?.array != nil }

  /// An answer, and the header fields of its request.
  private struct Exchange {
    var answer: HTTPResponse
    var fields: [(name: String, value: String)]
  }

  /// The answers of GET requests, each address once.
  private static func exchanges(_ document: JSONObject) -> [Exchange] {
    var known: Set<ExactString> = []
    return (document["log"]?.object?["entries"]?.array ?? []).compactMap(\.object).compactMap { entry in
      guard let request = entry["request"]?.object, let response = entry["response"]?.object,
        request["method"]?.string == "GET", let url = request["url"]?.string, let status = response["status"]?.int,
        HTTPStatus(status).isSuccess, let content = response["content"]?.object, let text = content["text"]?.string
      else { return nil }
      let body = content["encoding"]?.string == "base64" ? Base64.decoded(text) : Array(text.utf8)
      // Pages and filters of one list differ in the query alone.
      guard let body, known.insert(String(url.prefix { $0 != "?" }).exact).inserted else { return nil }
      var headers = HTTPHeaders()
      for (name, value) in fields(of: response) { headers[name] = value }
      return Exchange(
        answer: HTTPResponse(status: status, headers: headers, body: body, url: url), fields: fields(of: request))
    }
  }

  /// Whether a header field of a request says which version of the API is meant; browsers send others.
  private static func isVersion(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.hasSuffix("-version") && !name.hasPrefix("sec-")
  }

  static func posts(in document: JSONObject) -> [String] {
    (document["log"]?.object?["entries"]?.array ?? []).compactMap(\.object).compactMap { entry in
      guard let request = entry["request"]?.object, request["method"]?.string == "POST",
        let status = entry["response"]?.object?["status"]?.int, HTTPStatus(status).isSuccess
      else { return nil }
      return request["url"]?.string.map { String($0.prefix { $0 != "?" }) }
    }
  }

  private static func fields(of message: JSONObject) -> [(name: String, value: String)] {
    (message["headers"]?.array ?? []).compactMap(\.object).compactMap { field in
      guard let name = field["name"]?.string, let value = field["value"]?.string else { return nil }
      return (name, value)
    }
  }

  /// The proposal with the answer that it was checked with; `nil` if no answer has records.
  static func propose(
    _ document: JSONObject, _ isSecret: JSONDefinitionFormat.SecretCheck,
    _ propose: (HTTPResponse) throws(ParsingError) -> (JSONObject, [ProposedDefinition.Note])?
  ) -> (definition: JSONObject, notes: [ProposedDefinition.Note], answer: HTTPResponse)? {
    var found: [(definition: JSONObject, notes: [ProposedDefinition.Note], answer: HTTPResponse)] = []
    for exchange in exchanges(document) {
      guard var proposed = try? propose(exchange.answer) else { continue }
      if proposed.0["auth"] == nil, let key = DefinitionProposal.key(in: exchange.fields, isSecret: isSecret) {
        DefinitionProposal.add("auth", .object(key.auth), to: &proposed.0)
        proposed.1.append(key.note)
      }
      let versions = exchange.fields.filter { isVersion($0.name) && !isSecret(.header($0.name)) }
      if !versions.isEmpty {
        let headers = versions.map { JSONObject.Member(key: $0.name, value: .string($0.value)) }
        DefinitionProposal.add("headers", .object(JSONObject(members: headers)), to: &proposed.0)
        let names = versions.map(\.name).joined(separator: ", ")
        proposed.1.append(
          .init(part: "headers", choice: names, isSure: false, reason: "it is taken for the version of the API"))
      }
      found.append((proposed.0, proposed.1, exchange.answer))
    }
    // The main server is that of the largest answer.
    guard var best = found.max(by: { $0.answer.body.count < $1.answer.body.count }) else { return nil }
    var others: [String] = []
    for other in found where other.answer.url.exact != best.answer.url.exact {
      guard other.definition["url"] == best.definition["url"],
        let name = other.definition["follows"]?.object?.keys.first,
        best.definition["follows"]?.object?[name] == nil, best.definition["collections"]?.object?[name] == nil
      else {
        others.append(other.answer.url)
        continue
      }
      for key in ["collections", "follows"] {
        var members = best.definition[key]?.object ?? [:]
        members.members += other.definition[key]?.object?.members ?? []
        best.definition[key] = .object(members)
      }
      best.notes += other.notes
    }
    if !others.isEmpty {
      best.notes.append(
        .init(
          part: "follows", choice: "without \(others.joined(separator: ", "))", isSure: false,
          reason: "another server, or a list of the same name"))
    }
    return best
  }
}
