import Models
import NIOSSL
import Ports

enum TLSFailure {
  /// The certificate is not from a trusted authority, or is not valid now.
  case certificate
  /// The certificate is for other host names.
  case name
  /// Any other reason, with a message and a hint.
  case other(String, hint: String?)

  /// Whether the server's certificates would explain the failure.
  var needsCertificates: Bool { if case .other = self { false } else { true } }

  init(_ error: any Error, server: TrustSettings.Server?) {
    let text = String(describing: error)
    func has(_ reasons: String...) -> Bool { reasons.contains { text.contains($0) } }
    let name = server?.name ?? "NAME"
    if has("CERTIFICATE_VERIFY_FAILED") {
      self = .certificate
    } else if let error = error as? NIOSSLExtraError, error == .failedToValidateHostname {
      self = .name
    } else if has("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "HTTPS_PROXY_REQUEST") {
      self = .other("the server does not use TLS on this port", hint: "check whether its address begins with http://")
    } else if has("PROTOCOL_VERSION", "UNSUPPORTED_PROTOCOL") {
      self = .other("the server does not offer TLS 1.2 or later", hint: "ask its operator to enable TLS 1.2 or later")
    } else if has(
      "CERTIFICATE_REQUIRED", "ALERT_BAD_CERTIFICATE", "ALERT_UNKNOWN_CA", "ALERT_CERTIFICATE",
      "ALERT_UNSUPPORTED_CERTIFICATE", "ALERT_HANDSHAKE_FAILURE", "ALERT_ACCESS_DENIED")
    {
      self =
        server?.certificate.map {
          .other("the server refused the client certificate", hint: "check servers.\(name).certFile, \($0)")
        }
        ?? .other(
          "the server refused the TLS handshake; it may require a client certificate",
          hint: "set servers.\(name).certFile and servers.\(name).keyFile in the config")
    } else {
      let reason = text.firstRange(of: "OPENSSL_internal:").map { found in
        text[found.upperBound...].prefix { $0 == "_" || $0.isLetter || $0.isNumber }
      }
      self = .other("TLS with the server failed\(reason.map { ": \($0)" } ?? "")", hint: nil)
    }
  }
}

extension InFlightRequest {
  /// - Parameters:
  ///   - chain: the server's certificates, its own first; empty if they are unknown.
  ///   - now: the time at which certificates must be valid.
  func untrusted(
    _ failure: TLSFailure, chain: [CertificateFacts], trust: TrustSettings, now: Timestamp
  ) -> TransportError {
    let (message, hint) =
      switch failure {
      case .other(let message, let hint): (message, hint)
      case .name: nameProblem(chain.first)
      case .certificate: certificateProblem(chain, trust: trust, now: now)
      }
    return TransportError(.untrusted, message, url: printedURL, hint: hint.map { Advice($0) })
  }

  private func nameProblem(_ certificate: CertificateFacts?) -> (String, String?) {
    let names = certificate?.names ?? []
    guard let first = names.first else {
      return ("the server's certificate is not for \(host)", "install a certificate that names \(host)")
    }
    return (
      "the server's certificate is not for \(host) but for \(names.joined(separator: ", "))",
      "use \(names.count == 1 ? first : "one of these names") in its address, or install a certificate that names \(host)"
    )
  }

  private func certificateProblem(
    _ chain: [CertificateFacts], trust: TrustSettings, now: Timestamp
  ) -> (String, String?) {
    guard let own = chain.first, let last = chain.last else {
      return ("the server's certificate is not trusted", suggestion("its authority's certificate", trust))
    }
    func owner(_ index: Int) -> String {
      index == 0 ? "the server's certificate" : "\(chain[index].subject), which signs it,"
    }
    if let index = chain.firstIndex(where: { $0.ends < now }) {
      return (
        "\(owner(index)) expired on \(chain[index].ends)",
        "its operator must renew it; the clock of this machine says \(now)"
      )
    }
    if let index = chain.firstIndex(where: { $0.begins > now }) {
      return (
        "\(owner(index)) is not valid before \(chain[index].begins)",
        "check the clock of this machine, which says \(now)"
      )
    }
    if own.isSelfSigned {
      return (
        "the server's certificate is self-signed (\(own.subject)) and not trusted",
        suggestion("the server's certificate", trust)
      )
    }
    let issuer = last.isSelfSigned ? last.subject : last.issuer
    return (
      "the server's certificate was issued by \(issuer), an authority that is not trusted",
      suggestion("its certificate", trust)
    )
  }

  private func suggestion(_ certificate: String, _ trust: TrustSettings) -> String {
    let server = trust.server(origin)
    let setting = "servers.\(server?.name ?? "NAME").caFile"
    if let file = trust.file, !TrustSettings.isThere(file) {
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
