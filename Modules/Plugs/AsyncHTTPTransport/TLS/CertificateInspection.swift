import Models
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Reads the certificates of a server that is not trusted, so that the error can explain the reason.
///
/// The handshake is always refused, so nothing is ever sent over this connection.
enum CertificateInspection {
  /// The server's certificates, its own first; empty if it does not present any within the time.
  static func certificates(
    host: String, port: Int, tls: TLSConfiguration, on loop: any EventLoop, timeout: TimeAmount
  ) async -> [CertificateFacts] {
    let host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    let seen = Seen()
    do {
      let context = try NIOSSLContext(configuration: tls)
      let bootstrap = ClientBootstrap(group: loop).connectTimeout(timeout).channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let handler = try NIOSSLClientHandler(
            context: context, serverHostname: isAddress(host) ? nil : host,
            customVerificationCallback: { certificates, verdict in
              seen.facts.withLock { $0 = certificates.map(CertificateFacts.init) }
              verdict.succeed(.failed)
            })
          try channel.pipeline.syncOperations.addHandler(handler)
        }
      }
      let channel = try await bootstrap.connect(host: host, port: port).get()
      let end = loop.scheduleTask(in: timeout) { channel.close(promise: nil) }
      defer { end.cancel() }
      try await channel.closeFuture.get()
    } catch {
      // The caller reports the handshake's first error; this connection only explains it.
    }
    return seen.facts.withLock { $0 }
  }

  private final class Seen: Sendable { let facts = Mutex<[CertificateFacts]>([]) }

  /// Whether the host is an IP address, which the SNI extension does not allow (RFC 6066 section 3).
  private static func isAddress(_ host: String) -> Bool { (try? SocketAddress(ipAddress: host, port: 0)) != nil }
}

/// The fields of a certificate (RFC 5280) that errors mention. Nothing here decides whether it is trusted.
struct CertificateFacts {
  /// The common name of the subject, or else its organization.
  private(set) var subject = "an authority without a name"
  /// The same of the issuer.
  private(set) var issuer = "an authority without a name"
  private(set) var isSelfSigned = false
  /// The host names and IP addresses that it is for.
  private(set) var names: [String] = []
  let begins: Timestamp
  let ends: Timestamp

  /// Reads a certificate. Fields that cannot be read keep their defaults: the facts serve error messages only.
  init(_ certificate: NIOSSLCertificate) {
    begins = Timestamp(secondsSinceEpoch: certificate.notValidBefore)
    ends = Timestamp(secondsSinceEpoch: certificate.notValidAfter)
    guard let bytes = try? certificate.toDERBytes(),
      let fields = DERValue.list(bytes[...]).first?.children.first?.children
    else { return }
    // The version may be absent; then come serial number, algorithm, issuer, validity, subject, key and extensions.
    let rest = fields.first?.tag == 0xA0 ? fields.dropFirst() : fields[...]
    let named = Array(rest.prefix(5))
    guard named.count == 5 else { return }
    issuer = Self.name(named[2]) ?? issuer
    subject = Self.name(named[4]) ?? subject
    isSelfSigned = named[2].content == named[4].content
    let extensions = rest.first { $0.tag == 0xA3 }?.children.first?.children ?? []
    // subjectAltName, 2.5.29.17.
    let alternative = extensions.first { $0.children.first?.content.elementsEqual([0x55, 0x1D, 0x11]) == true }
    names = (alternative?.children.last?.children.first?.children ?? []).compactMap(Self.host)
  }

  private static func name(_ value: DERValue) -> String? {
    let parts = value.children.flatMap(\.children).map(\.children).filter { $0.count == 2 }
    for kind: UInt8 in [0x03, 0x0A, 0x0B] {
      let part = parts.last { $0[0].content.elementsEqual([0x55, 0x04, kind]) }
      if let part { return "'\(String(decoding: part[1].content, as: UTF8.self))'" }
    }
    return nil
  }

  /// A DNS name or an IP address (RFC 5280 section 4.2.1.6).
  private static func host(_ value: DERValue) -> String? {
    switch (value.tag, value.content.count) {
    case (0x82, _): return String(decoding: value.content, as: UTF8.self)
    case (0x87, 4): return value.content.map { String($0) }.joined(separator: ".")
    case (0x87, 16):
      let bytes = Array(value.content)
      return stride(from: 0, to: 16, by: 2).map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }
        .joined(separator: ":")
    default: return nil
    }
  }
}

/// A value in DER (X.690), with the features that certificates use.
private struct DERValue {
  let tag: UInt8
  let content: ArraySlice<UInt8>

  var children: [DERValue] { Self.list(content) }

  /// A sequence of values, up to the first malformed one.
  static func list(_ bytes: ArraySlice<UInt8>) -> [DERValue] {
    var values: [DERValue] = []
    var rest = bytes
    while let tag = rest.popFirst(), var length = rest.popFirst().map({ Int($0) }) {
      if length > 0x80 {
        let digits = rest.prefix(length - 0x80)
        guard digits.count == length - 0x80, digits.count <= 4 else { break }
        rest = rest.dropFirst(digits.count)
        length = digits.reduce(0) { $0 << 8 | Int($1) }
      }
      guard length <= rest.count else { break }
      values.append(DERValue(tag: tag, content: rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
    return values
  }
}
