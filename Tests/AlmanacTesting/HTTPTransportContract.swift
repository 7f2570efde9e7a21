public import Ports
import UpstreamKit

/// What every adapter of `HTTPTransport` that talks to servers must do; each check starts a server of its own on this
/// machine.
///
/// A check that needs something that an adapter lists as a limitation is left out for it, by `checks(for:)`.
public enum HTTPTransportContract {
  /// One promise.
  public struct Check: Sendable, CustomStringConvertible {
    /// The promise in words.
    public let description: String
    /// Plugs with one of these limits do not promise it.
    public let excused: Set<TransportLimitation>
    let run: @Sendable (any HTTPTransport) async throws -> Void

    init(
      _ description: String, unless excused: Set<TransportLimitation> = [],
      _ run: @escaping @Sendable (any HTTPTransport) async throws -> Void
    ) {
      self.description = description
      self.excused = excused
      self.run = run
    }

    /// Tries the promise.
    ///
    /// - Throws: `ContractViolation`, or what the transport throws where it should not.
    public func callAsFunction(on transport: any HTTPTransport) async throws { try await run(transport) }
  }

  /// Every promise.
  public static let checks: [Check] = exchanges + refusals + framing + endings

  /// The checks for an adapter with these limitations.
  public static func checks(for limitations: Set<TransportLimitation>) -> [Check] {
    checks.filter { $0.excused.isDisjoint(with: limitations) }
  }

  /// Runs `body` against a server that answers with `reply`, and stops the server.
  static func serving(
    _ reply: @escaping @Sendable (ReceivedRequest) -> Reply, _ body: (LocalServer) async throws -> Void
  ) async throws {
    let server = try LocalServer(handler: reply)
    defer { server.stop() }
    try await body(server)
  }
}

func expectTransportError(
  _ codes: Set<TransportError.Code>, mayHaveArrived: Bool? = nil, _ what: String = "", line: Int = #line,
  _ body: () async throws -> HTTPResponse
) async throws {
  do {
    let response = try await body()
    throw ContractViolation(
      description: "\(what): expected \(codes), got \(response.status) with \(response.body.count) bytes (line \(line))"
    )
  } catch let error as TransportError {
    try expect(codes.contains(error.code), "\(what): expected \(codes), got \(error.code): \(error)", line: line)
    if let mayHaveArrived {
      try expect(error.mayHaveArrived == mayHaveArrived, "\(what): mayHaveArrived of \(error)", line: line)
    }
  }
}
