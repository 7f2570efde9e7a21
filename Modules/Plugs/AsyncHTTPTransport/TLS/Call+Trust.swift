import Models
import NIOSSL
import Ports

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Call {
  /// Why TLS with the server came to nothing.
  enum Distrust {
    /// Its certificate comes from nobody who is trusted, or is not valid now.
    case certificate
    /// Its certificate is for other names.
    case name
    /// Anything else, in words, and what helps.
    case other(String, hint: String?)

    /// Whether a look at the server's certificates tells more.
    var needsCertificates: Bool { if case .other = self { false } else { true } }

    /// Reads the error of NIOSSL or BoringSSL.
    init(_ error: any Error, server: TrustSettings.Server?, call: Call) {
      let text = String(describing: error)
      func has(_ reasons: String...) -> Bool { reasons.contains { text.contains($0) } }
      let name = server?.name ?? "NAME"
      if has("CERTIFICATE_VERIFY_FAILED") {
        self = .certificate
      } else if let error = error as? NIOSSLExtraError, error == .failedToValidateHostname {
        self = .name
      } else if has("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "HTTPS_PROXY_REQUEST") {
        self = .other("the server does not speak TLS there", hint: "does its address begin with http://?")
      } else if has("PROTOCOL_VERSION", "UNSUPPORTED_PROTOCOL") {
        self = .other("the server does not offer TLS 1.2 or later", hint: "it needs a newer TLS")
      } else if has(
        "CERTIFICATE_REQUIRED", "ALERT_BAD_CERTIFICATE", "ALERT_UNKNOWN_CA", "ALERT_CERTIFICATE",
        "ALERT_UNSUPPORTED_CERTIFICATE", "ALERT_HANDSHAKE_FAILURE", "ALERT_ACCESS_DENIED")
      {
        self =
          server?.certificate.map {
            .other("the server refused the client certificate", hint: "look at servers.\(name).certFile, \($0)")
          }
          ?? .other(
            "the server refused the TLS handshake; it may ask for a client certificate",
            hint: "set servers.\(name).certFile and servers.\(name).keyFile in the config")
      } else {
        let reason = text.firstRange(of: "OPENSSL_internal:").map { found in
          text[found.upperBound...].prefix { $0 == "_" || $0.isLetter || $0.isNumber }
        }
        self = .other("TLS with the server failed\(reason.map { ": \($0)" } ?? "")", hint: nil)
      }
    }
  }

  /// The error in words.
  ///
  /// - Parameters:
  ///   - chain: the server's certificates, its own first; empty where they are not known.
  ///   - trust: what the settings say.
  func untrusted(
    _ distrust: Distrust, chain: [CertificateFacts], trust: TrustSettings, now: Timestamp
  ) -> TransportError {
    let (message, hint) =
      switch distrust {
      case .other(let message, let hint): (message, hint)
      case .name: nameProblem(chain.first)
      case .certificate: certificateProblem(chain, trust: trust, now: now)
      }
    return TransportError(.untrusted, message, url: printedURL, hint: hint)
  }

  private func nameProblem(_ certificate: CertificateFacts?) -> (String, String?) {
    let names = certificate?.names ?? []
    guard let first = names.first else {
      return ("the server's certificate is not for \(host)", "have a certificate made that names \(host)")
    }
    return (
      "the server's certificate is not for \(host) but for \(names.joined(separator: ", "))",
      "write its address with \(names.count == 1 ? first : "one of these"), or have a certificate made that names \(host)"
    )
  }

  private func certificateProblem(
    _ chain: [CertificateFacts], trust: TrustSettings, now: Timestamp
  ) -> (String, String?) {
    guard let own = chain.first, let last = chain.last else {
      return ("the server's certificate is not trusted", remedy("its authority's certificate", trust))
    }
    func whose(_ index: Int) -> String {
      index == 0 ? "the server's certificate" : "\(chain[index].subject), which signs it,"
    }
    if let index = chain.firstIndex(where: { $0.ends < now }) {
      return (
        "\(whose(index)) expired on \(chain[index].ends)",
        "its owner has to renew it; this machine's clock says \(now)"
      )
    }
    if let index = chain.firstIndex(where: { $0.begins > now }) {
      return (
        "\(whose(index)) is not valid before \(chain[index].begins)", "this machine's clock says \(now): is it right?"
      )
    }
    if own.isSelfSigned {
      return (
        "the server's certificate is self-signed (\(own.subject)), and not one of the trusted ones",
        remedy("the server's certificate", trust)
      )
    }
    let issuer = last.isSelfSigned ? last.subject : last.issuer
    return (
      "the server's certificate was issued by \(issuer), an authority that is not trusted",
      remedy("its certificate", trust)
    )
  }

  /// How a certificate becomes a trusted one, in view of what is set already.
  private func remedy(_ certificate: String, _ trust: TrustSettings) -> String {
    let server = trust.server(origin)
    let setting = "servers.\(server?.name ?? "NAME").caFile"
    if let file = trust.file, access(file, R_OK) != 0 {
      return "SSL_CERT_FILE names \(file), which cannot be read: correct or unset it, or name \(certificate) (PEM) in "
        + setting
    }
    if let file = server?.authorities.first {
      return "if you trust it, add \(certificate) (PEM) to \(file), the file that \(setting) names"
    }
    let variable = trust.file.map { ", or add it to \($0) (SSL_CERT_FILE)" } ?? " or in SSL_CERT_FILE"
    return "if you trust it, name \(certificate) (PEM) in \(setting)\(variable)"
  }
}
