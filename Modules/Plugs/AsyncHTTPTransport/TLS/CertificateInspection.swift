import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Looks at the certificates of a server that was refused, so that the error can say what is wrong with them.
///
/// The connection is refused too, whatever they are: nothing is ever sent over it.
enum CertificateInspection {
  /// The server's certificates, its own first; none where it shows none in time.
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
      try? await channel.closeFuture.get()
      end.cancel()
    } catch {}
    return seen.facts.withLock { $0 }
  }

  private final class Seen: Sendable {
    let facts = Mutex<[CertificateFacts]>([])
  }

  /// Whether the host is an IP address, which is no name to ask a server for (RFC 6066 section 3).
  private static func isAddress(_ host: String) -> Bool {
    var (four, six) = (in_addr(), in6_addr())
    return inet_pton(AF_INET, host, &four) == 1 || inet_pton(AF_INET6, host, &six) == 1
  }
}
