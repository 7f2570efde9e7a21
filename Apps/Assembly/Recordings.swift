import CLibrary
public import Models
public import Networking
public import Ports

/// The recordings that replace the servers: those of `--seed`, or else those of `ALMANAC_SEED`.
public struct Recordings: Sendable {
  /// The files, in the given order.
  public let paths: [String]

  /// - Parameter named: the values of `--seed`.
  public init(_ named: [String], environment: [String: String]) {
    paths = named.isEmpty ? (environment["ALMANAC_SEED"] ?? "").split(separator: ":").map(String.init) : named
  }

  /// Whether there are no recordings, so that the servers are contacted.
  public var isEmpty: Bool { paths.isEmpty }

  /// The transport that replays the recordings.
  ///
  /// - Throws: `Failure` if a file cannot be read or is not a recording.
  public func transport(
    coder: any RecordCoder, time: any TimeSource, secretNames: SecretNames
  ) throws(Failure) -> HARTransport {
    let files = try paths.map { (path) throws(Failure) in HARFile(name: path, bytes: try Self.bytes(of: path)) }
    do throws(TransportError) {
      return try HARTransport(files, coder: coder, time: time, redaction: Redaction(names: secretNames))
    } catch {
      var error = error
      if error.code == .recordingMalformed { error.hint = CommandWording.newRecording }
      throw error.failure
    }
  }

  /// Reads the whole file; `-` is standard input.
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
