import Models
public import Ports

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Keeps requests whose URL came with data away from this machine and from private networks, so that a record cannot make
/// the program ask an inner server (server-side request forgery).
///
/// Requests to a server that the settings or a definition of a source name are allowed. Of other requests this middleware
/// rejects those that name such an address or a Unix socket. The transport checks the address that a name leads to, when
/// it is connected.
public struct AddressGuard: HTTPMiddleware {
  private let servers: Set<ExactString>
  private let redaction: Redaction

  /// Creates the middleware; `servers` are the base URLs of the settings and of definitions.
  public init(servers: [String] = [], redaction: Redaction = Redaction()) {
    self.servers = Set(servers.compactMap { WebAddress.origin(of: $0)?.exact })
    self.redaction = redaction
  }

  /// Sends the request unless its URL came with data and names an inner address.
  ///
  /// - Throws: `TransportError.forbiddenAddress`, and the errors of `next`.
  public func intercept(
    _ request: HTTPRequest, next: @escaping HTTPNext
  ) async throws(TransportError) -> HTTPResponse {
    request.isFromData ? try await next(try checked(request)) : try await next(request)
  }

  @inline(never)
  private func checked(_ request: HTTPRequest) throws(TransportError) -> HTTPRequest {
    var request = request
    guard let address = WebAddress(request.url) else { return request }
    if servers.contains(address.origin.exact) {
      request.isFromData = false
    } else if address.scheme.hasSuffix("+unix") || Self.isInner(address.host) {
      throw TransportError(
        .forbiddenAddress, "the address came with data, and leads to this machine or to a private network",
        url: redaction.url(request.url),
        hint: "only a server that servers.NAME.url in the config, or \"url\" in a definition, names may be there: "
          + "if this is right, make \(redaction.url(address.origin)) the address of the source", requests: 0)
    }
    return request
  }

  /// Whether the host is an address that is not public, in any form that the system connects to, or the name of this machine.
  private static func isInner(_ host: String) -> Bool {
    var name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    if name.hasSuffix(".") { name.removeLast() }
    if name == "localhost" || name.hasSuffix(".localhost") { return true }
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST
    var result: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(name, nil, &hints, &result) == 0, let result else { return false }
    defer { freeaddrinfo(result) }
    let bytes: [UInt8]
    switch result.pointee.ai_family {
    case AF_INET:
      bytes = result.pointee.ai_addr.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        withUnsafeBytes(of: $0.pointee.sin_addr) { Array($0) }
      }
    default:
      bytes = result.pointee.ai_addr.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
        withUnsafeBytes(of: $0.pointee.sin6_addr) { Array($0) }
      }
    }
    return !(InternetAddress(bytes)?.isPublic ?? false)
  }
}
