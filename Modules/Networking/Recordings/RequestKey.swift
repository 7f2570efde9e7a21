import Models
import Ports

/// The identity of a request in a recording: its method, and its URL without the query's order and API key.
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

  /// Ignores the values of secret parameters: `matches` compares them and accepts a mask in place of any value.
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

  init?(method: String, url: String, names: SecretNames) {
    guard let address = WebAddress(url) else { return nil }
    (self.method, scheme, host, port) = (method, address.scheme, address.host, address.port)
    path = address.path.split(separator: "/", omittingEmptySubsequences: false).map { percentDecodedBytes($0) }
    let parameters = address.parameters.filter { $0.name.lowercased() != "api_key" }
    query = parameters.map { (names.isParameter($0.name) ? $0.name : "\($0.name)=\($0.value)").exact }.sorted()
    secrets = parameters.filter { names.isParameter($0.name) }.map {
      Secret(name: $0.name.exact, value: $0.value.exact)
    }.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
  }

  /// Whether this recorded request matches the one that is sent. A mask matches any secret.
  func matches(_ other: RequestKey) -> Bool {
    self == other && secrets.count == other.secrets.count
      && zip(secrets, other.secrets).allSatisfy { $0.value == $1.value || $0.value == Redaction.mask.exact }
  }

  func isSimilar(to other: RequestKey) -> Bool { host == other.host && path == other.path }
}

/// Compares a recorded body with a sent one: byte for byte, or as JSON objects.
struct BodyMatch {
  let coder: any RecordCoder

  func isSame(_ recorded: [UInt8], _ sent: [UInt8]) -> Bool {
    if recorded == sent { return true }
    guard recorded.contains(0x7B), sent.contains(0x7B) else { return false }
    // Bodies that are not JSON objects are equal byte for byte or not at all.
    do throws(ParsingError) { return try coder.decode(recorded) == coder.decode(sent) } catch { return false }
  }
}
