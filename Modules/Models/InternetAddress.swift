public struct InternetAddress: Hashable, Sendable {
  /// 4 or 16 bytes, in network order.
  public let bytes: [UInt8]

  public init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = Array(bytes)
  }

  /// Whether the address belongs to the public Internet: not to this machine, its links, a private network, a cloud's
  /// metadata service, or a group of receivers (the IANA special-purpose registries, RFC 6890). An IPv6 address that stands
  /// for an IPv4 address is as public as that one. Addresses for documentation count as public.
  public var isPublic: Bool {
    if bytes.count == 4 { return !Self.notPublic.contains { matches($0.0, $0.1) } }
    for (prefix, length, start) in Self.embedding where matches(prefix, length) {
      return InternetAddress(bytes[start..<start + 4])?.isPublic ?? false
    }
    // Global unicast (RFC 4291 section 2.4) without Teredo, benchmarks and ORCHID, whose servers can be anywhere.
    return matches([0x20], 3) && !matches([0x20, 0x01, 0, 0], 32) && !matches([0x20, 0x01, 0, 2, 0, 0], 48)
      && !matches([0x20, 0x01, 0, 0x10], 28)
  }

  /// Whether a host of a URL is a name of this machine, or its address in the usual form.
  public static func isThisMachine(_ host: some StringProtocol) -> Bool {
    let host = host.lowercased()
    return host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]"
      || host.hasPrefix("127.") && host.split(separator: ".").count == 4
        && host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
  }

  /// Whether a cloud may have its metadata service there, which gives credentials to whoever asks: a link-local address, or
  /// one of those that clouds use otherwise.
  public var isMetadataService: Bool {
    if bytes.count == 4 {
      return matches([169, 254], 16) || matches([192, 0, 0], 24) || matches([100, 100, 100, 200], 32)
    }
    for (prefix, length, start) in Self.embedding where matches(prefix, length) {
      return InternetAddress(bytes[start..<start + 4])?.isMetadataService ?? false
    }
    return matches([0xFE, 0x80], 10) || matches([0xFD, 0, 0x0E, 0xC2], 32)
  }

  /// IPv4 networks that are not public, with the length of their prefix in bits.
  private static let notPublic: [([UInt8], Int)] = [
    ([0], 8), ([10], 8), ([100, 64], 10), ([127], 8), ([169, 254], 16), ([172, 16], 12), ([192, 0, 0], 24),
    ([192, 88, 99], 24), ([192, 168], 16), ([198, 18], 15), ([224], 3),
  ]

  /// IPv6 networks whose addresses contain an IPv4 address, with the place of its first byte: compatible and mapped (RFC 4291
  /// section 2.5.5), translated (RFC 2765), NAT64 (RFC 6052), 6to4 (RFC 3056).
  private static let embedding: [([UInt8], Int, Int)] = [
    ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 96, 12), ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], 96, 12),
    ([0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0], 96, 12), ([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0], 96, 12),
    ([0x20, 0x02], 16, 2),
  ]

  private func matches(_ prefix: [UInt8], _ length: Int) -> Bool {
    for bit in stride(from: 0, to: length, by: 8) {
      let mask = UInt8(truncatingIfNeeded: 0xFF00 >> min(8, length - bit))
      if (bytes[bit / 8] ^ prefix[bit / 8]) & mask != 0 { return false }
    }
    return true
  }
}
