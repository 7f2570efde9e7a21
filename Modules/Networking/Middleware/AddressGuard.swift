import CLibrary
import Models
public import Ports

/// Keeps requests whose URL came with data away from this machine and from private networks, so that a record cannot make
/// the program ask an inner server (server-side request forgery).
///
/// Requests to a server that the settings or a definition of a source name are allowed. Of other requests this middleware
/// rejects those that name such an address or a Unix socket. The transport checks the address that a name leads to, when
/// it is connected.
public struct AddressGuard: HTTPMiddleware {
  private let servers: Set<ExactString>
  private let place: String
  private let redaction: Redaction

  /// - Parameters:
  ///   - servers: the base URLs of the settings and of definitions.
  ///   - place: what names them, such as a setting, for the hint of an error.
  public init(servers: [String] = [], namedBy place: String = "the program", redaction: Redaction = Redaction()) {
    self.servers = Set(servers.compactMap { WebAddress.origin(of: $0)?.exact })
    (self.place, self.redaction) = (place, redaction)
  }

  /// - Throws: `TransportError.forbiddenAddress`, and the errors of `next`.
  public func intercept(_ request: HTTPRequest, next: @escaping HTTPNext) async throws(TransportError) -> HTTPResponse {
    request.isFromData ? try await next(try checked(request)) : try await next(request)
  }

  @inline(never)
  private func checked(_ request: HTTPRequest) throws(TransportError) -> HTTPRequest {
    var request = request
    let address = WebAddress(request.url)
    if let address, servers.contains(address.origin.exact) {
      request.isFromData = false
    } else if let address, !address.scheme.hasSuffix("+unix"), let host = Host(address.host), host.isPublic {
      return request
    } else {
      let found = address.flatMap { Host($0.host)?.address }
      throw .forbiddenAddress(
        found, server: address.map { redaction.url($0.origin) }, url: redaction.url(request.url), namedBy: place)
    }
    return request
  }

  private struct Host {
    /// Without brackets, zone, and dots at the end.
    let name: String
    /// The address that it is, in any form that the system connects to; `nil` for a name.
    let address: InternetAddress?

    /// Whether it is not an address, or a public one, and not a name of this machine.
    var isPublic: Bool {
      if let address { return address.isPublic }
      return !InternetAddress.isThisMachine(name)
    }

    /// Reads the host of a URL; `nil` for brackets without an address.
    ///
    /// A transport decodes it, and the system reads it up to a zero byte. The zone of an IPv6 address (RFC 6874) is of this
    /// machine, which may not have it.
    init?(_ text: String) {
      let decoded = percentDecodedBytes(text).prefix { $0 != 0 }
      var name = String(decoding: decoded, as: UTF8.self).lowercased()
      let isLiteral = name.hasPrefix("[")
      if isLiteral { name = String(name.dropFirst().prefix { $0 != "%" && $0 != "]" }) }
      while name.hasSuffix(".") { name.removeLast() }
      self.name = name
      var hints = addrinfo()
      hints.ai_flags = AI_NUMERICHOST
      var result: UnsafeMutablePointer<addrinfo>?
      guard getaddrinfo(name, nil, &hints, &result) == 0, let result else {
        if isLiteral { return nil }
        address = nil
        return
      }
      defer { freeaddrinfo(result) }
      address =
        switch result.pointee.ai_family {
        case AF_INET:
          result.pointee.ai_addr.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
            withUnsafeBytes(of: $0.pointee.sin_addr) { InternetAddress($0) }
          }
        default:
          result.pointee.ai_addr.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
            withUnsafeBytes(of: $0.pointee.sin6_addr) { InternetAddress($0) }
          }
        }
    }
  }
}
