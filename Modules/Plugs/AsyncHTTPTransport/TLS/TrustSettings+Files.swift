import NIOSSL
import Ports

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension TrustSettings {
  /// Where systems keep their authorities, as Go and NIOSSL look for them.
  private static let systemFiles = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
  ]
  private static let systemFolder = "/etc/ssl/certs"

  /// How connections to that server are made, or to one that the settings do not name.
  ///
  /// - Throws: `TransportError.misconfigured` where a file of the settings cannot be used.
  func configuration(for server: Server?) throws(TransportError) -> TLSConfiguration {
    var tls = TLSConfiguration.makeClientConfiguration()
    // RFC 8996: TLS 1.0 and 1.1 must not be used.
    tls.minimumTLSVersion = .tlsv12
    // A variable takes the place of one half of the system's authorities; the other half stays.
    if file != nil || folders != nil {
      let rest = file == nil ? Self.systemFiles.first(where: Self.isThere) : folders == nil ? Self.systemFolder : nil
      tls.trustRoots = rest.map { Self.isThere($0) ? .file($0) : .certificates([]) } ?? .certificates([])
      // As for the others who read these variables, a file that is not there holds no authority.
      let files = [file].compactMap(\.self) + (folders ?? []).flatMap(Self.files)
      tls.additionalTrustRoots = [.certificates(files.flatMap { Self.certificates($0) ?? [] })]
    }
    guard let server else { return tls }
    for path in server.authorities {
      guard let found = Self.certificates(path) else {
        throw unusable("servers.\(server.name).caFile", path, "holds no certificate")
      }
      tls.additionalTrustRoots.append(.certificates(found))
    }
    if let path = server.certificate { try present(path, of: server, in: &tls) }
    return tls
  }

  private func present(_ path: String, of server: Server, in tls: inout TLSConfiguration) throws(TransportError) {
    guard let chain = Self.certificates(path) else {
      throw unusable("servers.\(server.name).certFile", path, "holds no certificate")
    }
    let name = "servers.\(server.name).\(server.key == nil ? "certFile" : "keyFile")"
    guard let key = try? NIOSSLPrivateKey(file: server.key ?? path, format: .pem) else {
      throw unusable(
        name, server.key ?? path, "holds no private key without a passphrase",
        remedy: server.key == nil ? "name the file of the key in servers.\(server.name).keyFile" : nil)
    }
    tls.certificateChain = chain.map { .certificate($0) }
    tls.privateKey = .privateKey(key)
    guard (try? NIOSSLContext(configuration: tls)) != nil else {
      throw unusable(name, server.key ?? path, "is not the key of the certificate in \(path)")
    }
  }

  private func unusable(
    _ name: String, _ path: String, _ problem: String, remedy: String? = nil
  ) -> TransportError {
    let isReadable = access(path, R_OK) == 0
    let words = isReadable ? problem : "cannot be read: \(String(cString: strerror(errno)).lowercased())"
    return TransportError(
      .misconfigured, "\(name): \(path) \(words)",
      hint: isReadable && remedy != nil ? remedy : "name a file in PEM, or take \(name) out of the config", requests: 0)
  }

  private static func isThere(_ path: String) -> Bool { access(path, R_OK) == 0 }

  /// The certificates in a file, in PEM or DER; `nil` where there are none.
  private static func certificates(_ path: String) -> [NIOSSLCertificate]? {
    if let found = try? NIOSSLCertificate.fromPEMFile(path), !found.isEmpty { return found }
    return (try? NIOSSLCertificate.fromDERFile(path)).map { [$0] }
  }

  /// The files of a folder. OpenSSL looks for names that are hashes; Go reads all.
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
