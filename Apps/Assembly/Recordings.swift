public import Models
public import Networking
public import Ports

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The recordings that answer in place of the servers: those of `--seed`, or else those of `ALMANAC_SEED`.
public struct Recordings: Sendable {
  /// The files, in the order in which they were named.
  public let paths: [String]

  /// The recordings of an invocation.
  ///
  /// - Parameter named: the values of `--seed`.
  public init(_ named: [String], environment: [String: String]) {
    paths = named.isEmpty ? (environment["ALMANAC_SEED"] ?? "").split(separator: ":").map(String.init) : named
  }

  /// Whether servers are asked, because there is no recording.
  public var isEmpty: Bool { paths.isEmpty }

  /// What answers from them.
  ///
  /// - Parameter secretNames: the names under which requests hold secrets.
  /// - Throws: `Failure` where a file cannot be read, or is not a recording.
  public func transport(
    coder: any RecordCoder, time: any TimeSource, secretNames: SecretNames
  ) throws(Failure) -> HARTransport {
    var files: [HARFile] = []
    for path in paths { files.append(HARFile(name: path, bytes: try Self.bytes(of: path))) }
    return try Failure.from { () throws(TransportError) in
      try HARTransport(files, coder: coder, time: time, redaction: Redaction(names: secretNames))
    }
  }

  /// The whole file; `-` is standard input.
  private static func bytes(of path: String) throws(Failure) -> [UInt8] {
    func failure() -> Failure {
      Failure(
        .recording, errno == EACCES || errno == EPERM ? .denied : .notFound,
        "the recording '\(path)' cannot be read: \(String(cString: strerror(errno)))", path: path)
    }
    let descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure() }
    defer { if descriptor > 0 { close(descriptor) } }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure() }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }
}
