public import Ports

/// Contact cards: reads vCard 2.1 (versit, 1996), 3.0 (RFC 2426) and 4.0 (RFC 6350), with the slips that exporters
/// make, and writes vCard 4.0.
///
/// Reading takes from a card what Almanac keeps, a name and a birthday, and passes over everything else without
/// decoding it; time and memory are linear in the size of the file.
public struct VCardFormat: ContactFormat {
  /// Makes the format; it has no settings.
  public init() {}

  /// Reads every card of a file.
  ///
  /// The names are `N`, with `FN` split at its last space where `N` is absent or empty; where `N` has one name only and
  /// `FN` is that name with more words, these are the other one. The full name is `FN` where it says more than both.
  /// Names are trimmed; white space inside stays. The birthday is the first usable `BDAY`; of a date with a time it is
  /// the date as written. A card without one is read as well. Groups, locations and things are not people.
  ///
  /// - Throws: `ParsingError` with code `foreign` where no card begins in the file.
  public func read(_ bytes: [UInt8]) throws(ParsingError) -> ContactCards {
    var reader = CardReader(Self.utf8(bytes))
    guard let cards = reader.read() else {
      throw ParsingError(.foreign, expected: "a contact card (BEGIN:VCARD)", found: Self.summary(bytes))
    }
    return cards
  }

  /// Address books of older Macs wrote UTF-16, with or without its mark; every other encoding is left to the
  /// properties, which may name their own.
  private static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    let bigEndian: Bool
    switch (bytes.first, bytes.dropFirst().first) {
    case (0xFE, 0xFF), (0x00, 0x42): bigEndian = true
    case (0xFF, 0xFE), (0x42, 0x00): bigEndian = false
    default: return bytes
    }
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    for index in stride(from: 0, to: bytes.count - 1, by: 2) {
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      units.append(bigEndian ? first << 8 | second : second << 8 | first)
    }
    if units.first == 0xFEFF { units.removeFirst() }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  private static func summary(_ bytes: [UInt8]) -> String {
    guard let first = bytes.firstIndex(where: { $0 > 0x20 }) else { return "an empty file" }
    let text = String(decoding: bytes[first...].prefix(40).prefix { $0 >= 0x20 }, as: UTF8.self)
    return "\"\(text)\""
  }
}
