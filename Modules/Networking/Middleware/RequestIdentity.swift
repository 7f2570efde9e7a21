import Ports

/// A request as the key of a table that is asked several times: its hash is made once.
struct RequestIdentity: Hashable {
  private let request: HTTPRequest
  private let digest: Int

  init(_ request: HTTPRequest) {
    self.request = request
    digest = request.hashValue
  }

  static func == (lhs: RequestIdentity, rhs: RequestIdentity) -> Bool {
    lhs.digest == rhs.digest && lhs.request == rhs.request
  }

  func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
