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
  private var query: [String]

  /// The key of a request; `nil` where the URL is none.
  init?(method: String, url: String) {
    guard let address = WebAddress(url) else { return nil }
    self.method = method
    scheme = address.scheme
    host = address.host
    port = address.port
    path = address.path.split(separator: "/", omittingEmptySubsequences: false).map { PercentCoding.decoded($0) }
    // A masked parameter of a recording and the secret in its place are the same, so secrets are told apart by name
    // alone; `api_key` may be missing as well.
    query = address.parameters
      .filter { $0.name.lowercased() != "api_key" }
      .map { Redaction.isMaskedInRecordings($0.name) ? "\($0.name)=" : "\($0.name)=\($0.value)" }
      .sorted()
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
