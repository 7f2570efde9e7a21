import Models
import Ports

struct DeclaredClient: Sendable {
  enum Answer: Sendable {
    case content(HTTPResponse)
    /// The validator still holds.
    case notModified
    /// A list without records, as an error rule says.
    case empty
    /// What was asked for has been removed, as an error rule says.
    case gone
    /// The list must be read from the beginning, as an error rule says, or 410 for a token that was sent.
    case restart
  }

  /// A page of a list is some hundred records: what is much larger is something else.
  private static let largestAnswer = 64 << 20

  let server: SourceClient
  let definition: SourceDefinition
  let source: SourceDescriptor
  let key: SourceKey
  let compiler: any AnswerReaderCompiler
  private let coder: any RecordCoder
  let tokens: AccessTokens
  let keeper: (any TokenKeeper)?
  let suggestions: Suggestions
  private let budget: RateBudget?
  let now: Timestamp
  /// The address under which the definition knows the server.
  private var ownOrigin: String { ServerAddress.origin(definition.url) }

  init(_ source: DeclaredSource, _ transport: any HTTPTransport, now: Timestamp) throws(SourceError) {
    if let problem = source.settingProblem {
      let help = problem.help.isEmpty ? "" : ": \(problem.help)"
      throw .configuration(
        message: problem.message, hint: "set servers.\(source.definition.name).with.\(problem.name)\(help)")
    }
    server = try SourceClient(source.descriptor, source.settings, transport: transport)
    definition = source.definition
    self.source = source.descriptor
    key = source.key
    compiler = source.compiler
    coder = source.coder
    tokens = source.tokens
    (keeper, suggestions) = (source.keeper, source.suggestions)
    self.now = now
    var budget = source.definition.budget
    if key.value == nil, let calls = budget?.callsWithoutKey { budget?.standard.calls = calls }
    // Each key has a budget of its own, named by the key's hash.
    let suffix = key.value.map { "-\(SHA256.digest($0.utf8).prefix(16))" } ?? ""
    self.budget = budget?.standard.named("\(source.definition.name)\(suffix)")
  }

  private func keysInAddress(of request: SourceDefinition.Request) -> [URLTemplate] {
    (request.auth ?? definition.auth)?.placements.filter { $0.place == .address }.map(\.value) ?? []
  }

  /// The address of a request.
  ///
  /// - Parameter href: the address that the page before named, in place of the request's own.
  /// - Throws: `SourceError.meant` where it leads to another server.
  func address(
    _ request: SourceDefinition.Request, _ variables: Variables, href: String? = nil, after page: String? = nil
  ) throws(SourceError) -> String {
    let target: String
    if let href {
      target = ServerAddress.resolve(href, against: page ?? server.base)
    } else {
      let text: String
      do throws(URLTemplate.MissingValue) {
        text = try request.address.expanded { name in
          variables.value(name) ?? keysInAddress(of: request).first { $0.variables == [name.description] }?.description
        }
      } catch {
        throw .refused(message: "the variable {\(error.name)} of \(request.address) has no value")
      }
      target = text.hasPrefix("http://") || text.hasPrefix("https://") ? text : server.base + text
    }
    let address = rewritten(target)
    guard ServerAddress.origin(address) == ServerAddress.origin(server.base) else {
      throw .meant(
        .refused,
        said: APIFailure(
          .otherServer, "the next address is on another server, \(ServerAddress.origin(address)); it was not asked"),
        url: page ?? server.base)
    }
    return address
  }

  /// An address of the definition's own server is one of the server that is configured.
  func rewritten(_ url: String) -> String {
    guard server.base.exact != definition.url.exact, ServerAddress.origin(url) == ownOrigin else { return url }
    if url.hasPrefix(definition.url) { return server.base + url.dropFirst(definition.url.count) }
    return ServerAddress.origin(server.base) + url.dropFirst(ownOrigin.count)
  }

  /// Sends a request.
  ///
  /// - Throws: `SourceError` for every answer that is an error.
  /// - Parameter isOfMany: whether there are such requests for other records, which this one must not hold up if the server
  ///   fails at it (500): it is repeated once, at once.
  func send(
    _ request: SourceDefinition.Request, to address: String, _ variables: Variables, validator: HTTPValidator? = nil,
    isOfMany: Bool = false
  ) async throws(SourceError) -> Answer {
    var http = self.request(.get, address, request.errors)
    if request.format != nil, http.headers["Accept"] == "application/json" { http.headers["Accept"] = "*/*" }
    for header in request.headers { http.headers[header.name] = try Self.expanded(header, variables) }
    http.validator = validator
    if let body = request.body {
      if !request.isGet { http.method = .post }
      try add(body, isForm: request.isForm, variables, to: &http, keys: try await keyMembers(of: request))
      // It only reads.
      http.isRepeatable = true
    }
    http.returnsServerErrors = isOfMany
    var response = try await send(http, request.auth)
    if isOfMany, response.status.meaning == .serverFault {
      // With other statuses, the server fails at everything.
      http.returnsServerErrors = response.status == .internalServerError
      response = try await send(http, request.auth)
    }
    if response.status.meaning == .unchanged, validator != nil { return .notModified }
    let hasToken =
      if case .token? = request.since?.point { variables["since"] != nil } else { false }
    if response.status == .gone, hasToken { return .restart }
    guard let format = request.format, response.isSuccess else {
      return try judged(response.withLinesAsList, address, request.errors)
    }
    do throws(ParsingError) { response.body = try compiler.json(response.body, format) } catch {
      throw .parsing(error, url: definition.folder == nil ? address : response.url)
    }
    return try judged(response, address, request.errors)
  }

  /// Sends a request that changes, removes or creates a record. Every status is an answer.
  ///
  /// - Parameter isRepeatable: whether it may be sent again after an unknown outcome; `nil` to decide by its method.
  func change(
    _ method: HTTPRequest.Method, at address: String, _ body: JSONValue?, isForm: Bool = false,
    headers: [SourceDefinition.Header], _ variables: Variables, isRepeatable: Bool?
  ) async throws(SourceError) -> HTTPResponse {
    var http = request(method, address)
    http.isRepeatable = isRepeatable
    for header in headers { http.headers[header.name] = try Self.expanded(header, variables) }
    if let body {
      http.headers["Content-Type"] = isForm ? Self.formType : "application/json"
      http.body = isForm ? Self.form(Self.pairs(body)) : coder.encode(body)
    }
    return try await send(http)
  }

  private func request(
    _ method: HTTPRequest.Method, _ address: String, _ rules: [SourceDefinition.ErrorRule] = []
  ) -> HTTPRequest {
    var http = HTTPRequest(method, address, bodyLimit: Self.largestAnswer, budget: budget)
    if !definition.headers.contains(where: { $0.name.lowercased() == "accept" }) {
      http.headers["Accept"] = "application/json"
    }
    for header in definition.headers { http.headers[header.name] = header.value }
    http.retryTimes = (rules + definition.errors).compactMap {
      $0.meaning == .tryLater && $0.body.isEmpty ? $0.retryTime : nil
    }
    return http
  }

  private func send(
    _ request: HTTPRequest, _ auth: SourceDefinition.Authentication? = nil
  ) async throws(SourceError) -> HTTPResponse {
    var http = request
    let token = try await authorize(&http, auth)
    let response = try await server.send(http)
    guard response.status.meaning == .unauthorized, let token, tokens.refuse(token) else { return response }
    // The token ended early. A request that was answered with 401 had no effect.
    http = request
    _ = try await authorize(&http, auth)
    return try await server.send(http)
  }

  /// The value of a header field; `nil` where its variable has none.
  static func expanded(_ header: SourceDefinition.Header, _ variables: Variables) throws(SourceError) -> String? {
    guard let template = try? URLTemplate(header.value) else { return header.value }
    guard let value = try? template.expanded(isURL: false, { variables.value($0) }) else { return nil }
    if value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
      throw .refused(message: "the value of the header field \(header.name) has control characters")
    }
    return value
  }

  /// Adds a body with the values of its variables, and the members that hold the key.
  func add(
    _ body: JSONValue, isForm: Bool, _ variables: Variables, to http: inout HTTPRequest,
    keys: [JSONObject.Member] = []
  ) throws(SourceError) {
    var body = try Self.expanded(body, variables) ?? .object([:])
    if !keys.isEmpty, let object = body.object { body = .object(JSONObject(members: object.members + keys)) }
    http.headers["Content-Type"] = isForm ? Self.formType : "application/json"
    http.body = isForm ? Self.form(Self.pairs(body)) : coder.encode(body)
  }

  private static let formType = "application/x-www-form-urlencoded"

  /// The values of a form: `a[b]` for a member of an object, `a[]` for an element of a list.
  private static func pairs(_ value: JSONValue, _ name: String = "") -> [(String, String)] {
    switch value {
    case .object(let object):
      object.members.flatMap { pairs($0.value, name.isEmpty ? $0.key : "\(name)[\($0.key)]") }
    case .array(let values) where !values.isEmpty: values.flatMap { pairs($0, "\(name)[]") }
    default: [(name, value.plain)]
    }
  }

  /// The members as a form (URL Standard, section 5.2).
  static func form(_ members: [(String, String)]) -> [UInt8] {
    let pairs = members.map { "\(percentEncoded($0, strictly: true))=\(percentEncoded($1, strictly: true))" }
    return Array(pairs.joined(separator: "&").utf8)
  }

  /// A body with the values of its variables; `nil` for a text whose only variable has no value.
  private static func expanded(_ value: JSONValue, _ variables: Variables) throws(SourceError) -> JSONValue? {
    switch value {
    case .string(let text):
      let template: URLTemplate
      do throws(DefinitionTextError) { template = try URLTemplate(text) } catch { return value }
      if template.parts.count == 1, case .expression(.simple, let terms)? = template.parts.first, terms.count == 1 {
        guard let text = variables.value(terms[0].name).map(terms[0].written) else { return nil }
        let isNumber = [.epoch, .epochMilliseconds].contains(terms[0].form)
        let isCounted = isNumber || ["size", "page", "offset", "limit"].contains(terms[0].name.description)
        return isCounted ? .number(text) : .string(text)
      }
      do throws(URLTemplate.MissingValue) {
        return .string(try template.expanded(isURL: false) { variables.value($0) })
      } catch {
        throw .refused(message: "the variable {\(error.name)} of the body has no value")
      }
    case .array(let values):
      var expanded: [JSONValue] = []
      for value in values { if let value = try self.expanded(value, variables) { expanded.append(value) } }
      return .array(expanded)
    case .object(let object):
      var expanded = JSONObject()
      for member in object.members { expanded.append(member.key, try self.expanded(member.value, variables)) }
      return .object(expanded)
    default: return value
    }
  }
}

// MARK: Errors

extension DeclaredClient {
  /// What a response means: the first rule that matches, then the status.
  func judged(
    _ response: HTTPResponse, _ url: String, _ rules: [SourceDefinition.ErrorRule] = []
  ) throws(SourceError) -> Answer {
    guard let rule = (rules + definition.errors).first(where: { matches($0, response) }) else {
      guard response.isSuccess else { throw error(of: response, url) }
      return .content(response)
    }
    switch rule.meaning {
    case .empty: return .empty
    case .gone: return .gone
    case .restart: return .restart
    case .tryLater:
      let named = rule.retryTime?.seconds(of: response, now: now)
      let seconds = named ?? response.retryAfter
      throw .meant(.limited, said: failure(rule, response), url: url, retryAfter: seconds ?? rule.delay ?? 60)
    case .notFound: throw .meant(.missing, said: failure(rule, response), url: url)
    case .denied: throw .meant(.denied, said: failure(rule, response), url: url)
    case .refused: throw .meant(.refused, said: failure(rule, response), url: url)
    }
  }

  /// The error of a status that is not a success.
  func error(of response: HTTPResponse, _ url: String) -> SourceError {
    let (asked, answered) = (ServerAddress.origin(url), ServerAddress.origin(response.url))
    guard answered != asked, !answered.isEmpty else {
      return .status(response, url: url, message: message(of: response))
    }
    // A key is not sent to another server.
    let redirected = "\(asked) led to \(answered), which gets no key"
    return .status(response, url: url, message: message(of: response).map { "\($0); \(redirected)" } ?? redirected)
  }

  private func matches(_ rule: SourceDefinition.ErrorRule, _ response: HTTPResponse) -> Bool {
    guard rule.statuses.isEmpty || rule.statuses.contains(response.status.code),
      rule.headers.allSatisfy({ response.headers[$0.name]?.exact == $0.value.exact })
    else { return false }
    if let text = rule.text, response.body.firstRange(of: Array(text.utf8)) == nil { return false }
    guard !rule.body.isEmpty else { return true }
    // That a value is missing in a page of a proxy says nothing.
    guard let values = compiler.values(rule.body.map(\.path), in: response.body) else { return false }
    return zip(rule.body, values).allSatisfy { $0.isMet(by: $1) }
  }

  private func failure(_ rule: SourceDefinition.ErrorRule, _ response: HTTPResponse) -> APIFailure {
    func shown(_ path: ValuePath) -> String? { compiler.values([path], in: response.body)?[0]?.shown }
    let code = rule.code.flatMap(shown)
    let said = rule.message == nil ? message(of: response) : rule.message.flatMap(shown)
    return APIFailure(
      code: code ?? "http-\(response.status)",
      message: said.map(tokens.masked) ?? "the server answered \(response.status)")
  }

  /// What APIs usually call their message.
  func message(of response: HTTPResponse) -> String? {
    guard !response.body.isEmpty, response.body.count < 1 << 16 else { return nil }
    let paths = [
      ["message"], ["error", "message"], ["error_description"], ["error"], ["detail"], ["errors", "0", "message"],
      ["title"],
    ].map { names in
      var path = ValuePath(.answer)
      path.steps = names.map { name in Int(name).map { .index($0) } ?? .name(name) }
      return path
    }
    return compiler.values(paths, in: response.body)?.lazy.compactMap { $0?.string }.first { !$0.isEmpty }
      .map { String(tokens.masked($0).prefix(300)) }
  }
}

extension SourceDefinition.ErrorRule {
  fileprivate var retryTime: HTTPRetryTime? {
    after.map { time in
      HTTPRetryTime(
        statuses: statuses, conditions: HTTPHeaders(headers.map { .init($0.name, $0.value) }), header: time.header,
        isEpoch: time.isEpoch)
    }
  }
}

extension JSONValue {
  var shown: String? { if case .number(let digits) = self { digits } else { string } }
}

extension JSONValue {
  /// The value as a member of a form.
  fileprivate var plain: String {
    switch self {
    case .string(let text), .number(let text): text
    case .bool(let flag): String(flag)
    case .null, .array, .object: ""
    }
  }
}
