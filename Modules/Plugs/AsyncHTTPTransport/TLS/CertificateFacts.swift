import Models
import NIOSSL

/// What a certificate says about itself (RFC 5280), as far as errors tell it. Nothing here decides whether it is trusted.
struct CertificateFacts {
  /// Whom it is for, in one word where there is one.
  private(set) var subject = "an authority without a name"
  /// Who signed it.
  private(set) var issuer = "an authority without a name"
  /// Whether it was signed with its own key, as far as its names say.
  private(set) var isSelfSigned = false
  /// The hosts and addresses that it is for.
  private(set) var names: [String] = []
  /// From when on it is valid.
  let begins: Timestamp
  /// Until when.
  let ends: Timestamp

  /// Reads a certificate; what cannot be read is left out.
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

  /// The common name, or else the organization.
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

/// A value in DER (X.690), as far as certificates need it.
private struct DERValue {
  let tag: UInt8
  let content: ArraySlice<UInt8>

  /// The values within.
  var children: [DERValue] { Self.list(content) }

  /// The values one after another, up to the first that is broken.
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
