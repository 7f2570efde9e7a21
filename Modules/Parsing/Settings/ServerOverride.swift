public import Models

/// The address of a source's server for one run: `--server people=http://localhost:8080`.
public struct ServerOverride: Hashable, Sendable {
  /// Whose server.
  public let source: SourceName
  /// Where it is.
  public let url: String

  /// Reads `SOURCE=URL`.
  ///
  /// - Throws: `Failure`, `usage`, which says what is allowed.
  public init(_ text: String, sources: [SourceName]) throws(Failure) {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    func problem(_ message: String, _ hint: String? = nil) -> Failure {
      let source = parts.count == 2 ? parts[0] : "people"
      return Failure(.config, .usage, message, hint: hint ?? "write --server \(source)=http://localhost:8080")
    }
    guard parts.count == 2 else { throw problem("--server \(text) is not SOURCE=URL") }
    if let reason = ServerURL.problem(parts[1]) { throw problem("--server \(parts[0]): \(reason)") }
    guard let source = sources.first(where: { $0.rawValue == parts[0] }) else {
      throw problem(
        "--server \(text): there is no source '\(parts[0])'",
        "one of \(sources.map(\.rawValue).joined(separator: ", "))")
    }
    self.source = source
    url = ServerURL.normal(parts[1])
  }
}
