import CLibrary
public import Models
import NIOSSL
import Ports

/// The authorities that are trusted in addition to the system's or instead of them, and the client certificates.
///
/// `SSL_CERT_FILE` and `SSL_CERT_DIR` (folders separated by `:`) replace the system's file and folder, as in OpenSSL,
/// Go and Python. Certificates are always verified.
public struct TrustSettings: Hashable, Sendable {
  struct Server: Hashable, Sendable {
    /// The source whose server it is; messages name its settings.
    var name: String
    var authorities: [String]
    /// The client certificate with its chain.
    var certificate: String?
    /// The key of the client certificate; `nil` if it is in the certificate's file.
    var key: String?
    /// The state of the files, so that a renewed certificate is read again.
    var stamps: [Stamp] = []

    /// Whether the server needs connections of its own.
    var isSpecial: Bool { !authorities.isEmpty || certificate != nil }
  }

  struct Stamp: Hashable, Sendable {
    private var (inode, size, seconds, nanoseconds) = (UInt64(0), 0, 0, 0)

    init(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return }
      (inode, size) = (UInt64(status.st_ino), Int(status.st_size))
      #if !canImport(Darwin)
        (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
      #endif
    }
  }

  /// Replaces the system's file.
  let file: String?
  /// Replaces the system's folder.
  let folders: [String]?
  /// The servers, by host and port.
  private var servers: [String: Server] = [:]

  public static let system = TrustSettings(environment: [:])

  /// Reads the variables and the settings of servers with an `https` address.
  public init(environment: [String: String], servers: [SourceName: Settings.Server] = [:]) {
    file = environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
    folders = environment["SSL_CERT_DIR"].flatMap { $0.isEmpty ? nil : $0.split(separator: ":").map(String.init) }
    for (source, settings) in servers.sorted(by: { $0.key < $1.key }) {
      let places = [(settings.url, nil)] + settings.accounts.map { ($0.url, $0.caFile) }
      for case (let url?, let caFile) in places as [(String?, String?)] {
        guard let address = InFlightRequest.Address(url), address.scheme == "https" else { continue }
        var server =
          self.servers[address.origin] ?? Server(name: source.rawValue, authorities: [], certificate: nil, key: nil)
        server.authorities += [settings.caFile, caFile].compactMap(\.self)
        if server.certificate == nil { (server.certificate, server.key) = (settings.certFile, settings.keyFile) }
        server.stamps = (server.authorities + [server.certificate, server.key].compactMap(\.self)).map { Stamp($0) }
        self.servers[address.origin] = server
      }
    }
  }

  func server(_ origin: String) -> Server? { servers[origin] }
}

extension TrustSettings {
  /// The files in which systems keep their authorities, as in Go and NIOSSL.
  private static let systemFiles = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
  ]
  private static let systemFolder = "/etc/ssl/certs"

  /// The TLS configuration for a server; `nil` for one that the settings do not name.
  ///
  /// - Throws: `TransportError.misconfigured` if a file of the settings cannot be used.
  func configuration(for server: Server?) throws(TransportError) -> TLSConfiguration {
    var tls = TLSConfiguration.makeClientConfiguration()
    // RFC 8996: TLS 1.0 and 1.1 must not be used.
    tls.minimumTLSVersion = .tlsv12
    // Each variable replaces one of the system's two locations; the other one stays.
    if file != nil || folders != nil {
      let rest = file == nil ? Self.systemFiles.first(where: Self.isThere) : folders == nil ? Self.systemFolder : nil
      tls.trustRoots = rest.map { Self.isThere($0) ? .file($0) : .certificates([]) } ?? .certificates([])
      // As in other programs that read these variables, a missing file contains no authority.
      let files = [file].compactMap(\.self) + (folders ?? []).flatMap(Self.files)
      tls.additionalTrustRoots = [.certificates(files.flatMap { Self.certificates($0) ?? [] })]
    }
    guard let server else { return tls }
    for path in server.authorities {
      guard let found = Self.certificates(path) else {
        throw unusable("servers.\(server.name).caFile", path, "does not contain a certificate")
      }
      tls.additionalTrustRoots.append(.certificates(found))
    }
    if let path = server.certificate { try present(path, of: server, in: &tls) }
    return tls
  }

  /// Why a file of certificates or of a private key cannot be used; `nil` where it can.
  public static func problem(of path: String, isKey: Bool) -> String? {
    if let reason = unreadable(path) { return reason }
    if isKey {
      let key = try? NIOSSLPrivateKey(file: path, format: .pem)
      return key == nil ? "does not contain a private key without a passphrase" : nil
    }
    return certificates(path) == nil ? "does not contain a certificate" : nil
  }

  private func present(_ path: String, of server: Server, in tls: inout TLSConfiguration) throws(TransportError) {
    guard let chain = Self.certificates(path) else {
      throw unusable("servers.\(server.name).certFile", path, "does not contain a certificate")
    }
    let name = "servers.\(server.name).\(server.key == nil ? "certFile" : "keyFile")"
    guard let key = try? NIOSSLPrivateKey(file: server.key ?? path, format: .pem) else {
      throw unusable(
        name, server.key ?? path, "does not contain a private key without a passphrase",
        suggestion: server.key == nil ? "name the file of the key in servers.\(server.name).keyFile" : nil)
    }
    tls.certificateChain = chain.map { .certificate($0) }
    tls.privateKey = .privateKey(key)
    guard (try? NIOSSLContext(configuration: tls)) != nil else {
      throw unusable(name, server.key ?? path, "is not the key of the certificate in \(path)")
    }
  }

  private func unusable(
    _ name: String, _ path: String, _ problem: String, suggestion: Advice? = nil
  ) -> TransportError {
    let reason = Self.unreadable(path)
    return TransportError(
      .misconfigured, "\(name): \(path) \(reason ?? problem)",
      hint: (reason == nil ? suggestion : nil) ?? "name a PEM file, or remove \(name) from the config", requests: 0)
  }

  private static func unreadable(_ path: String) -> String? {
    isThere(path) ? nil : "cannot be read: \(String(cString: strerror(errno)).lowercased())"
  }

  static func isThere(_ path: String) -> Bool { access(path, R_OK) == 0 }

  /// The certificates in a file, in PEM or DER; `nil` if there are none.
  private static func certificates(_ path: String) -> [NIOSSLCertificate]? {
    // Whether the file is unreadable or in neither format, the caller reports the file and the setting that names it.
    if let found = try? NIOSSLCertificate.fromPEMFile(path), !found.isEmpty { return found }
    return (try? NIOSSLCertificate.fromDERFile(path)).map { [$0] }
  }

  /// The files of a folder. OpenSSL reads only those named by hashes; this reads all, as Go does.
  private static func files(in folder: String) -> [String] {
    guard let handle = opendir(folder) else { return [] }
    defer { closedir(handle) }
    var files: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if !name.hasPrefix(".") { files.append("\(folder)/\(name)") }
    }
    return files.sorted()
  }
}
