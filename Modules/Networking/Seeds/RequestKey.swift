import Models
import Ports

/// What makes two requests the same in a recording: method, scheme, host, port, path and query, the order of the
/// query and the key aside.
struct RequestKey: Hashable, Sendable {
  private var method: String
  private var scheme: String
  private var host: String
  private var port: Int
  private var path: [[UInt8]]
  private var query: [ExactString]
  private var secrets: [Secret]

  private struct Secret: Hashable, Sendable {
    var name: ExactString
    var value: ExactString
  }

  /// Secret parameters are told apart one by one, by `isAnswer(to:)`.
  static func == (lhs: RequestKey, rhs: RequestKey) -> Bool {
    lhs.method == rhs.method && lhs.scheme == rhs.scheme && lhs.host == rhs.host && lhs.port == rhs.port
      && lhs.path == rhs.path && lhs.query == rhs.query
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(method)
    hasher.combine(host)
    hasher.combine(path)
    hasher.combine(query)
  }

  /// The key of a request; `nil` where the URL is none.
  init?(method: String, url: String) {
    guard let address = WebAddress(url) else { return nil }
    self.method = method
    scheme = address.scheme
    host = address.host
    port = address.port
    path = address.path.split(separator: "/", omittingEmptySubsequences: false).map { percentDecodedBytes($0) }
    let parameters = address.parameters.filter { $0.name.lowercased() != "api_key" }
    query =
      parameters
      .map { (Redaction.isSecretParameter($0.name) ? $0.name : "\($0.name)=\($0.value)").exact }
      .sorted()
    secrets = parameters.filter { Redaction.isSecretParameter($0.name) }.map {
      Secret(name: $0.name.exact, value: $0.value.exact)
    }
    .sorted { ($0.name, $0.value) < ($1.name, $1.value) }
  }

  /// Whether the secrets of this recorded request are those of the other one; a mask stands for any secret.
  func isAnswer(to other: RequestKey) -> Bool {
    self == other && secrets.count == other.secrets.count
      && zip(secrets, other.secrets).allSatisfy { $0.value == $1.value || $0.value == Redaction.mask.exact }
  }

  /// Host and path, to name what is near.
  func isNear(_ other: RequestKey) -> Bool { host == other.host && path == other.path }
}

/// Whether a recorded body and a sent one are the same: byte for byte, or as JSON objects.
struct BodyMatch {
  let coder: any RecordCoder

  func isSame(_ recorded: [UInt8], _ sent: [UInt8]) -> Bool {
    if recorded == sent { return true }
    guard recorded.contains(0x7B), sent.contains(0x7B), let one = try? coder.decode(recorded),
      let other = try? coder.decode(sent)
    else { return false }
    return one == other
  }
}
