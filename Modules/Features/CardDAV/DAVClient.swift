import Models
import Ports

/// Sends the requests of one account. The password is sent only to the scheme, host and port of the account's URL.
struct DAVClient: Sendable {
  let service: DAVService
  let account: SourceAccount
  let format: any WebDAVFormat
  let transport: any HTTPTransport
  let start: DAVAddress
  let logins: DigestLogins

  /// - Throws: `SourceError.configuration` if the URL is not valid; `missingKey` if the password cannot be read.
  init(
    _ service: DAVService, _ account: SourceAccount, _ format: any WebDAVFormat, _ transport: any HTTPTransport,
    _ logins: DigestLogins
  ) throws(SourceError) {
    let setting = service.setting(account.name)
    guard let start = DAVAddress(account.url) else {
      throw .configuration(
        message: "the URL of the account '\(account.name)' is not an http or https URL", hint: "correct \(setting).url")
    }
    if case .missing(let failure) = account.password {
      throw .missingKey(
        source: service.source, account: account.name, problem: failure.message,
        hint: failure.hint ?? "correct \(setting).password")
    }
    (self.service, self.account, self.format) = (service, account, format)
    (self.transport, self.start, self.logins) = (transport, start, logins)
  }

  /// Identifies the server and the user in the stored state of people: an account may get other ones.
  var server: String {
    var hash = StableHash()
    hash.combine(start.origin)
    hash.combine(account.user ?? "")
    return hash.hex
  }

  /// A client of the account with a name.
  ///
  /// - Throws: `SourceError.configuration` if there is no such account, with those that there are.
  init(
    _ service: DAVService, named name: String, among accounts: [SourceAccount], _ format: any WebDAVFormat,
    _ transport: any HTTPTransport, _ logins: DigestLogins, _ suggestions: Suggestions
  ) throws(SourceError) {
    guard let account = accounts.first(where: { $0.name.exact == name.exact }) else {
      let known = accounts.isEmpty ? "there are none yet" : "there are \(accounts.map(\.name).joined(separator: ", "))"
      throw .configuration(
        message: "there is no account '\(name)' of \(service.source)",
        hint: "\(suggestions(.addAccount(source: "\(service.source)", name: name))); \(known)")
    }
    try self.init(service, account, format, transport, logins)
  }

  var setting: String { service.setting(account.name) }

  /// Sends a request to a path of the account's server. Every status is a valid response.
  ///
  /// - Parameter returnsServerErrors: whether a 5xx is returned at once, and stops no other request.
  func send(
    _ method: HTTPRequest.Method, _ path: String, headers: HTTPHeaders = [:], body: [UInt8]? = nil,
    isRepeatable: Bool? = nil, returnsServerErrors: Bool = false
  ) async throws(SourceError) -> HTTPResponse {
    var request = HTTPRequest(method, start.at(path).url, headers: headers, body: body, isRepeatable: isRepeatable)
    request.returnsServerErrors = returnsServerErrors
    let address = start.at(path)
    func send() async throws(SourceError) -> HTTPResponse {
      request.headers["Authorization"] = logins.authorization(method, address.path, account, start.origin)
      do throws(TransportError) { return try await transport.send(request) } catch { throw .transport(error) }
    }
    let response = try await send()
    return logins.learn(from: response, account, start.origin) ? try await send() : response
  }

  /// Asks with PROPFIND or REPORT.
  func ask(
    _ method: HTTPRequest.Method, _ path: String, depth: Int, _ query: WebDAVQuery, returnsServerErrors: Bool = false
  ) async throws(SourceError) -> HTTPResponse {
    try await send(
      method, path,
      headers: ["Content-Type": "application/xml; charset=utf-8", "Depth": String(depth)], body: format.body(of: query),
      returnsServerErrors: returnsServerErrors)
  }

  /// Reads a multistatus.
  ///
  /// - Throws: `SourceError.answered` for a status outside 2xx; `parsing`.
  func multistatus(_ response: HTTPResponse) throws(SourceError) -> WebDAVMultistatus {
    guard response.isSuccess else { throw error(response) }
    do throws(ParsingError) { return try format.multistatus(response.body) } catch {
      throw .parsing(error, url: response.url)
    }
  }

  /// The error of a response, with the conditions that it names.
  func error(_ response: HTTPResponse) -> SourceError {
    let conditions = format.conditions(response.body)
    return .status(response, url: response.url, message: conditions.isEmpty ? nil : conditions.joined(separator: ", "))
  }

  /// The properties of a resource, and of its members with depth 1.
  func properties(
    of path: String, depth: Int = 0, _ properties: [WebDAVProperty]
  ) async throws(SourceError) -> (address: DAVAddress, resources: [WebDAVResource]) {
    let response = try await ask(.propfind, path, depth: depth, .properties(properties))
    // A redirect within the server changes the path that relative references begin at.
    let address = DAVAddress(response.url).flatMap { $0.origin == start.origin ? $0 : nil } ?? start.at(path)
    return (address, try multistatus(response).resources)
  }

  /// Whether the server says that there is nothing at a path.
  func isGone(_ path: String) async throws(SourceError) -> Bool {
    do throws(SourceError) {
      return try await properties(of: path, [.types]).resources.first?.status?.meaning == .missing
    } catch {
      guard case .answered(let status, _, _, _) = error, !status.isServerError else { throw error }
      return error.isNotFound
    }
  }

  /// The paths of the members of a collection, without escapes; `nil` if there is no such collection.
  func members(of path: String) async throws(SourceError) -> Set<ExactString>? {
    do throws(SourceError) {
      let (address, resources) = try await properties(of: path, depth: 1, [.entityTag])
      if let status = resources.first?.status, status.meaning == .missing { return nil }
      var members: Set<ExactString> = []
      for resource in resources {
        members.insert(DAVAddress.decoded(try self.path(of: resource.href, from: address)).exact)
      }
      return members
    } catch {
      if error.isNotFound { return nil }
      throw error
    }
  }

  /// The path at this server that a reference means.
  ///
  /// - Throws: `SourceError.configuration` if it leads to another server, which must not get the password.
  func path(of reference: String, from address: DAVAddress) throws(SourceError) -> String {
    guard let target = address.resolving(reference) else {
      throw .configuration(
        message: "the server at \(start.origin) names an address that is not valid: \(reference)",
        hint: "check \(setting).url")
    }
    guard target.origin == start.origin else {
      throw .configuration(
        message: "the \(service.item)s of \(account.name) are at another server, \(target.origin)",
        hint: "the password is sent only to \(start.origin): if \(target.origin) is trusted, set "
          + "\(setting).url to \(target.url)")
    }
    return target.path
  }
}
