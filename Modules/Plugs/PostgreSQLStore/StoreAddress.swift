import Models
public import Ports

/// The address of a store on a server: `postgres://HOST/DATABASE?schema=NAME`.
///
/// Everything but `schema` is libpq's own form
/// (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS). An address contains no password:
/// it is shown in errors and in the list of processes.
public struct StoreAddress: Hashable, Sendable {
  public let text: String
  package let connection: String
  package let schema: String

  public static func isAddress(_ text: String) -> Bool {
    ["postgres://", "postgresql://"].contains { text.lowercased().hasPrefix($0) }
  }

  /// The beginning of a text that has the form of an address and is not one, `postgress://`: a folder of that name is
  /// nobody's wish. `postgres:/` is one as well. `nil` for addresses and folders. It contains no password.
  public static func mistake(in text: String) -> String? {
    guard !isAddress(text), let colon = text.firstIndex(of: ":") else { return nil }
    let word = text[..<colon]
    let isWord =
      word.first?.isLetter == true
      && word.utf8.allSatisfy {
        (97...122).contains($0 | 0x20) || (48...57).contains($0) || [0x2B, 0x2D, 0x2E].contains($0)
      }
    guard isWord, text[colon...].hasPrefix(word.lowercased().hasPrefix("postg") ? ":/" : "://") else { return nil }
    return word + (text[colon...].hasPrefix("://") ? "://" : ":/")
  }

  /// - Throws: `StoreError`: `invalidAddress` if it does not begin with `postgres://` or `postgresql://`, or contains a
  ///   password or an invalid schema. The error does not contain the address.
  public init(_ text: String) throws(StoreError) {
    guard Self.isAddress(text) else {
      throw StoreError(
        .invalidAddress, "the address of the store does not begin with postgres:// or postgresql://",
        hint: "write postgres://USER@HOST/DATABASE?schema=NAME")
    }
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let place = parts[0].drop { $0 != ":" }
    let authority = place.dropFirst(3).prefix { $0 != "/" }
    let options = parts.count == 2 ? parts[1].split(separator: "&") : []
    let names = options.map { Self.decoded($0.prefix { $0 != "=" }) }
    if let user = authority.lastIndex(of: "@"), authority[..<user].contains(":") { throw Self.hasPassword }
    if names.contains(where: { ["password", "sslpassword"].contains($0) }) { throw Self.hasPassword }
    var schema = "almanac"
    if let index = names.firstIndex(of: "schema") {
      schema = String(options[index].drop { $0 != "=" }.dropFirst())
      let isName = schema.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 95 }
      guard isName, (1...63).contains(schema.utf8.count), !schema.hasPrefix("pg_") else {
        throw StoreError(
          .invalidAddress, "'\(schema)' is not a valid schema", hint: "use 1 to 63 of a-z, 0-9 and '_', not 'pg_…'")
      }
    }
    let others = zip(names, options).filter { $0.0 != "schema" }.map(\.1)
    (self.text, self.schema) = (text, schema)
    // libpq knows the scheme in lower case only.
    let scheme = parts[0].prefix { $0 != ":" }.lowercased()
    connection = "\(scheme)\(place)" + (others.isEmpty ? "" : "?" + others.joined(separator: "&"))
  }

  private static var hasPassword: StoreError {
    StoreError(
      .invalidAddress, "the address of the store contains a password, which other users of this machine could read",
      hint: "put it into the variable PGPASSWORD, the file ~/.pgpass or a service file, and leave it out of the address"
    )
  }

  /// A name without percent-encoding, as libpq reads it: `pass%77ord` is `password`.
  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == 0x25, rest.count >= 2, let value = UInt8(digits, radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
