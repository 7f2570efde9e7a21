public import Models

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Which authorities are trusted beside or in place of the system's, and which client certificates are shown.
///
/// `SSL_CERT_FILE` and `SSL_CERT_DIR` (folders with `:` between them) take the place of the system's file and folder, as
/// OpenSSL, Go and Python have it. Nothing here turns the check of certificates off.
public struct TrustSettings: Hashable, Sendable {
  /// What the settings say about one server.
  struct Server: Hashable, Sendable {
    /// The source that it serves, to name settings in messages.
    var name: String
    /// Files of authorities that are trusted for this server too.
    var authorities: [String]
    /// The client certificate with its chain.
    var certificate: String?
    /// The client certificate's key; where absent, the certificate's file holds it.
    var key: String?
    /// How the files looked, so that a renewed one is read again.
    var stamps: [Stamp] = []

    /// Whether it needs connections of its own kind.
    var isSpecial: Bool { !authorities.isEmpty || certificate != nil }
  }

  /// A file at a moment.
  struct Stamp: Hashable, Sendable {
    private var (inode, size, seconds, nanoseconds) = (UInt64(0), 0, 0, 0)

    init(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return }
      inode = UInt64(status.st_ino)
      size = Int(status.st_size)
      #if !canImport(Darwin)
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
      #endif
    }
  }

  /// The file in place of the system's.
  let file: String?
  /// The folders in place of the system's.
  let folders: [String]?
  /// By host and port.
  private var servers: [String: Server] = [:]

  /// The system's authorities, and no client certificate.
  public static let system = TrustSettings(environment: [:])

  /// Reads the variables, and the files that the settings name for servers with an `https` address.
  public init(environment: [String: String], servers: [SourceName: Settings.Server] = [:]) {
    file = environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
    folders = environment["SSL_CERT_DIR"].flatMap { $0.isEmpty ? nil : $0.split(separator: ":").map(String.init) }
    for (source, settings) in servers.sorted(by: { $0.key < $1.key }) {
      guard let url = settings.url, let place = Call.Address(url), place.scheme == "https" else { continue }
      var server =
        self.servers[place.origin] ?? Server(name: source.rawValue, authorities: [], certificate: nil, key: nil)
      server.authorities += [settings.caFile].compactMap(\.self)
      if server.certificate == nil {
        server.certificate = settings.certFile
        server.key = settings.keyFile
      }
      server.stamps = (server.authorities + [server.certificate, server.key].compactMap(\.self)).map { Stamp($0) }
      self.servers[place.origin] = server
    }
  }

  /// What the settings say about the server at that address.
  func server(_ origin: String) -> Server? { servers[origin] }
}
