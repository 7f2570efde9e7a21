public import Models
public import Ports

/// Reads vCard 2.1 (versit, 1996), 3.0 (RFC 2426) and 4.0 (RFC 6350), including common mistakes of exporters, and writes
/// vCard 4.0, or a card as it was read with changes where the person differs.
///
/// Reading extracts the properties that `Contact` has, and skips all others without decoding them. Time and memory are
/// linear in the size of the file.
public struct VCardFormat: ContactFormat {
  public init() {}

  /// Reads every card of a file.
  ///
  /// The names are those of `N`. Without `N`, `FN` is split at its last space. Where `N` has only one name and `FN` contains
  /// it with further words, these are the other name. The full name is `FN` where it differs from both names. Names are
  /// trimmed. The birthday is the first valid `BDAY`; of a date with a time, it is the date as written. Cards without a
  /// birthday are read as well. Groups, locations and things are skipped.
  ///
  /// - Throws: `ParsingError` `foreign` where the file contains no card.
  public func read(_ bytes: [UInt8]) throws(ParsingError) -> ContactCards {
    var reader = CardReader(Self.utf8(bytes))
    guard let cards = reader.read() else {
      throw ParsingError(.foreign, expected: "a contact card (BEGIN:VCARD)", found: Self.summary(bytes))
    }
    return cards
  }

  /// The `UID` of the first card. The rest of the card is not decoded.
  public func uid(of card: [UInt8]) -> String? {
    var lines = CardLines(card, .uid)
    return lines.next()?.identifier
  }

  public func otherProperties(of card: [UInt8]) -> [String] {
    var read: [ExactString] = ["BEGIN", "END", "VERSION", "PRODID", "REV", "UID"]
    var lines = CardLines(card)
    while let property = lines.next() { if property.name != "PHOTO" { read.append(property.name.exact) } }
    var others: [String] = []
    for line in card.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      // Lines that are folded, or parts of encoded values, have no name.
      guard let end = line.firstIndex(where: { $0 == 0x3A || $0 == 0x3B }) else { continue }
      let name = CardProperty.upperCase(line[..<end].split(separator: 0x2E).last ?? [])
      let isName = !name.isEmpty && name.utf8.allSatisfy { $0 == 0x2D || (0x30...0x5A).contains($0) && $0 != 0x3D }
      if isName, !read.contains(name.exact), !others.contains(where: { $0.exact == name.exact }) { others.append(name) }
    }
    return others
  }

  public func withoutUID(_ card: [UInt8]) -> [UInt8] { CardEditor.withoutUID(card) ?? card }

  public func photo(of card: [UInt8]) -> ContactPhoto? {
    var reader = CardReader(card)
    _ = reader.read()
    let property = reader.lastCard?.properties.first { $0.name == "PHOTO" }
    return property?.photoBytes.flatMap { ContactPhoto($0) }
  }

  /// Converts UTF-16, which address books of older Macs and Windows write with or without a byte order mark. In other files,
  /// each property may declare its own character set.
  static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    switch (bytes.first, bytes.dropFirst().first) {
    case (0x00, (0x01...0x7F)?): UTF16Text.utf8(bytes, isBigEndian: true)
    case ((0x01...0x7F)?, 0x00): UTF16Text.utf8(bytes, isBigEndian: false)
    default: UTF16Text.utf8(bytes) ?? bytes
    }
  }

  private static func summary(_ bytes: [UInt8]) -> String {
    guard let first = bytes.firstIndex(where: { $0 > 0x20 }) else { return "an empty file" }
    let text = String(decoding: bytes[first...].prefix(40).prefix { $0 >= 0x20 }, as: UTF8.self)
    return "\"\(text)\""
  }
}

extension VCardFormat {
  /// Writes people, one card each.
  ///
  /// A person with a card gets it with changes only where it differs from the person. The others get a card of version 4.0
  /// with the person's id as `UID`; a birthday without a year is `--MMDD` (RFC 6350 section 4.3.1). Reading the result
  /// returns the same people, except for photos, control characters and leading or trailing white space.
  public func write(_ people: [Person], cards: [ExactString: [UInt8]]) -> [UInt8] {
    var bytes: [UInt8] = []
    for person in people {
      var card = cards[person.id.exact].flatMap { CardEditor.card($0, of: person) } ?? Self.card(person)
      if card.last != 0x0A, card.last != 0x0D { card += [0x0D, 0x0A] }
      bytes += card
    }
    return bytes
  }

  /// Writes a card for an address book: the given one with its changes, or one of version 3.0 (RFC 2426). It keeps the
  /// identifier and the photo of a card of version 2.1, which servers do not take.
  public func newCard(of person: Person, uid: String, from card: [UInt8]?, at now: Timestamp) -> [UInt8] {
    guard let card else { return CardEditor.newCard(Self.card(person, uid: uid), of: person, uid: uid, at: now) ?? [] }
    if let changed = CardEditor.newCard(card, of: person, uid: uid, at: now) { return changed }
    var person = person
    if let photo = person.details.photo, photo.isInCard {
      person.details.photo = self.photo(of: card) ?? photo
    }
    return newCard(of: person, uid: self.uid(of: card) ?? uid, from: nil, at: now)
  }

  public func newCard(of group: PersonGroup, uid: String, at now: Timestamp) -> [UInt8] {
    var writer = Self.head(uid: uid)
    writer.line("X-ADDRESSBOOKSERVER-KIND", "group")
    writer.line("N", ContentLineWriter.escaped(group.name) + ";;;;")
    writer.text("FN", group.name)
    writer.text("REV", now.description)
    writer.line("END", "VCARD")
    return CardEditor.card(writer.bytes, of: group, at: now) ?? writer.bytes
  }

  /// Writes a person over a card, with a new `REV` if there is one.
  public func changed(_ card: [UInt8], to person: Person, at now: Timestamp) -> [UInt8] {
    CardEditor.card(card, of: person, at: now) ?? write([person])
  }

  public func changed(_ card: [UInt8], to group: PersonGroup, at now: Timestamp) -> [UInt8]? {
    CardEditor.card(card, of: group, at: now)
  }

  /// - Parameter uid: the identifier of a card of version 3.0; `nil` for one of version 4.0.
  private static func card(_ person: Person, uid: String? = nil) -> [UInt8] {
    var writer = head(uid: uid)
    if uid == nil { writer.text("UID;VALUE=text", person.id) }
    let details = person.details
    let names = [person.lastName, person.firstName, details.middleName, details.namePrefix, details.nameSuffix]
    writer.line("N", names.map { ContentLineWriter.escaped($0 ?? "") }.joined(separator: ";"))
    writer.text("FN", person.fullName)
    if uid == nil, let birthday = person.birthday { writer.line("BDAY", basic(birthday)) }
    writer.line("END", "VCARD")
    guard uid != nil || details != ContactDetails() else { return writer.bytes }
    return CardEditor.card(writer.bytes, of: person) ?? writer.bytes
  }

  /// The first lines of a card.
  ///
  /// - Parameter uid: the identifier of a card of version 3.0; `nil` for one of version 4.0.
  private static func head(uid: String?) -> ContentLineWriter {
    var writer = ContentLineWriter()
    writer.line("BEGIN", "VCARD")
    writer.line("VERSION", uid == nil ? "4.0" : "3.0")
    writer.line("PRODID", "-//Almanac//Almanac//EN")
    if let uid { writer.text("UID", uid) }
    return writer
  }

  private static func basic(_ birthday: Birthday) -> String {
    "\(birthday.year.map { padded($0, 4) } ?? "--")\(padded(birthday.month, 2))\(padded(birthday.day, 2))"
  }
}
