import Models
import Ports

/// Changes a card so that it describes a person, and keeps all other bytes.
///
/// Only the lines of properties that differ from the person are written again, with their group and parameters. Of `N` and
/// `ADR`, only the parts that differ change. A value that is removed takes its label with it.
struct CardEditor {
  private let bytes: [UInt8]
  private let card: Card
  private let contact: Contact
  /// The properties of the card itself, without those of nested cards.
  private let properties: [CardProperty]
  /// The place of new lines: before `END`.
  private let end: Int
  private let isVersion4: Bool
  private let lineEnd: [UInt8]
  private var changes: [(range: Range<Int>, text: [UInt8])] = []
  private var added: [UInt8] = []

  /// An editor of one card; `nil` if it is not one complete card of a person.
  init?(_ bytes: [UInt8]) {
    var reader = CardReader(bytes, .edited)
    guard let cards = reader.read(), cards.people.count == 1, let card = reader.lastCard, let end = card.end,
      let start = card.start
    else { return nil }
    self.bytes = bytes
    self.card = card
    self.end = end.lowerBound
    contact = cards.people[0]
    properties = card.properties
    let version = properties.first { $0.name == "VERSION" }.map { CardProperty.trimmed($0.value) }
    isVersion4 = version?.first == 0x34
    let breaks = bytes[start].reversed().prefix { $0 == 0x0D || $0 == 0x0A }
    lineEnd = breaks.isEmpty ? [0x0D, 0x0A] : Array(breaks.reversed())
  }

  /// The card of the person.
  ///
  /// - Parameter now: the time of the revision, for a card that has one; `nil` to leave it.
  static func card(_ bytes: [UInt8], of person: Person, at now: Timestamp? = nil) -> [UInt8]? {
    guard var editor = CardEditor(bytes) else { return nil }
    editor.apply(person)
    if let now, editor.first("REV") != nil, !editor.changes.isEmpty || !editor.added.isEmpty { editor.revise(at: now) }
    return editor.result
  }

  /// The card of the person with an identifier and the time of its revision; `nil` for a card of version 2.1.
  static func newCard(_ bytes: [UInt8], of person: Person, uid: String, at now: Timestamp) -> [UInt8]? {
    guard var editor = CardEditor(bytes), !editor.card.isVersion2 else { return nil }
    editor.apply(person)
    if editor.first("UID") == nil { editor.write(over: nil, "UID", ContentLineWriter.escaped(uid)) }
    editor.revise(at: now)
    return editor.result
  }

  /// Writes the only `REV`: some servers refuse a card with two.
  private mutating func revise(at now: Timestamp) {
    let all = properties.filter { $0.name == "REV" }
    for other in all.dropFirst() { remove(other) }
    let time = now.description
    let text = isVersion4 ? time.replacing("-", with: "").replacing(":", with: "") : time
    write(over: all.first, all.first?.group.isEmpty == false ? "\(all[0].group).REV" : "REV", text)
  }

  private var result: [UInt8] {
    var result: [UInt8] = []
    var position = 0
    for change in changes.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      guard change.range.lowerBound >= position else { continue }
      result += bytes[position..<change.range.lowerBound]
      result += change.text
      position = change.range.upperBound
    }
    result += bytes[position..<end]
    result += added
    return result + bytes[end...]
  }

  private mutating func apply(_ person: Person) {
    let (old, new) = (contact.details, person.details)
    let stored = Person(
      id: "", firstName: contact.firstName, lastName: contact.lastName, birthday: nil, fullName: contact.fullName)
    name(
      [contact.lastName, contact.firstName, old.middleName, old.namePrefix, old.nameSuffix],
      [person.lastName, person.firstName, new.middleName, new.namePrefix, new.nameSuffix])
    let derived = Person(id: "", firstName: person.firstName, lastName: person.lastName, birthday: nil).fullName
    // Version 2.1 needs no formatted name.
    let needsFormatted = first("FN") != nil || derived.exact != person.fullName.exact || !card.isVersion2
    if stored.fullName.exact != person.fullName.exact, needsFormatted {
      replace(first("FN"), "FN", ContentLineWriter.escaped(person.fullName))
    }
    if contact.birthday != person.birthday { birthday(person.birthday) }
    if old.nickname != new.nickname { text("NICKNAME", new.nickname) }
    if old.organization != new.organization { text("ORG", new.organization) }
    if old.note != new.note { text("NOTE", new.note) }
    if old.groups.map(\.exact) != new.groups.map(\.exact) {
      for other in properties.filter({ $0.name == "CATEGORIES" }).dropFirst() { remove(other) }
      let list = new.groups.map(ContentLineWriter.escaped).joined(separator: ",")
      replace(first("CATEGORIES"), "CATEGORIES", list.isEmpty ? nil : list)
    }
    let isVersion2 = card.isVersion2
    values("EMAIL", old.emails, new.emails, read: { $0.value(of: $1) }, type: \.type) { value, _ in
      ContentLineWriter.escaped(value.value)
    }
    values("TEL", old.phones, new.phones, read: { $0.value(of: $1) }, type: \.type) { value, property in
      (property?.parameter("VALUE")?.lowercased() == "uri" ? "tel:" : "") + ContentLineWriter.escaped(value.value)
    }
    values("ADR", old.addresses, new.addresses, read: { $0.address($1) }, type: \.type) { address, property in
      Self.structured(property, address.parts.map(\.text), isVersion2: isVersion2)
    }
    // Without a name in the card, another detail could become the name by which the person is known.
    let isNamed = card.isNamed || stored.fullName.exact != person.fullName.exact
    guard !isNamed, !changes.isEmpty || !added.isEmpty else { return }
    replace(
      first("N"), "N", Self.structured(nil, [person.lastName, person.firstName, "", "", ""], isVersion2: isVersion2))
    replace(first("FN"), "FN", ContentLineWriter.escaped(person.fullName))
  }

  private func first(_ name: String) -> CardProperty? { properties.first { $0.name == name } }

  private mutating func text(_ name: String, _ value: String?) {
    replace(first(name), name, value.map(ContentLineWriter.escaped))
  }

  private mutating func name(_ old: [String?], _ new: [String?]) {
    let (old, new) = (old.map { $0 ?? "" }, new.map { $0 ?? "" })
    guard old.map(\.exact) != new.map(\.exact) else { return }
    let property = first("N")
    replace(property, "N", Self.structured(property, new, isVersion2: card.isVersion2))
  }

  /// A structured value with these parts. Parts of the property that say the same stay as they are written.
  private static func structured(_ property: CardProperty?, _ parts: [String], isVersion2: Bool) -> String {
    let raw = property.flatMap { $0.isEncoded ? nil : $0.rawComponents } ?? []
    let old = property?.components(lists: !isVersion2) ?? []
    var written = parts.enumerated().map { index, part in
      index < raw.count && index < old.count && old[index].exact == part.exact
        ? raw[index] : ContentLineWriter.escaped(part)
    }
    if raw.count > written.count { written += raw[written.count...] }
    return written.joined(separator: ";")
  }

  private mutating func birthday(_ birthday: Birthday?) {
    let all = properties.filter { $0.name == "BDAY" }
    for other in all.dropFirst() { remove(other) }
    guard let birthday else {
      if let first = all.first { remove(first) }
      return
    }
    let day = "\(padded(birthday.month, 2))-\(padded(birthday.day, 2))"
    let group = all.first.map { $0.group.isEmpty ? "" : $0.group + "." } ?? ""
    let line =
      if isVersion4 {
        ("BDAY", "\(birthday.year.map { padded($0, 4) } ?? "--")\(day.replacing("-", with: ""))")
      } else if let year = birthday.year {
        ("BDAY", "\(padded(year, 4))-\(day)")
      } else {
        // Earlier versions know no date without a year; this is the form of address books that need one.
        ("BDAY;X-APPLE-OMIT-YEAR=1604", "1604-\(day)")
      }
    write(over: all.first, group + line.0, line.1)
  }

  /// Changes the properties of a list. An item of which the value or the type changed keeps its line with the other
  /// parameters.
  private mutating func values<Item: Hashable>(
    _ name: String, _ old: [Item], _ new: [Item], read: (Card, CardProperty) -> Item?,
    type: WritableKeyPath<Item, String>, write text: (Item, CardProperty?) -> String
  ) {
    guard old != new else { return }
    var missing: [Item: Int] = [:]
    for item in new { missing[item, default: 0] += 1 }
    var removed: [(property: CardProperty, item: Item)] = []
    for property in properties where property.name == name {
      guard let item = read(card, property) else { continue }
      if missing[item, default: 0] > 0 { missing[item, default: 0] -= 1 } else { removed.append((property, item)) }
    }
    var added: [Item] = []
    for item in new where missing[item, default: 0] > 0 {
      missing[item, default: 0] -= 1
      added.append(item)
    }
    // The line of an item of which only the type changed, or else only the value.
    added.removeAll { item in
      var same = item
      let index = removed.firstIndex { one in
        same[keyPath: type] = one.item[keyPath: type]
        return same == one.item && !one.property.isEncoded
      }
      guard let index else { return false }
      retype(removed.remove(at: index).property, name, item[keyPath: type])
      return true
    }
    for item in added {
      if let index = removed.firstIndex(where: { $0.item[keyPath: type].exact == item[keyPath: type].exact }) {
        let property = removed.remove(at: index).property
        replace(property, name, text(item, property))
      } else {
        add(name, type: item[keyPath: type], text(item, nil))
      }
    }
    for one in removed { remove(one.property) }
  }

  /// Writes a property with another type and the same value. Other parameters are kept.
  private mutating func retype(_ property: CardProperty, _ name: String, _ type: String) {
    let value = String(decoding: property.value, as: UTF8.self)
    let label = properties.first {
      $0.name == "X-ABLABEL" && !$0.group.isEmpty && $0.group.exact == property.group.exact
    }
    let isKnown = Self.isKnown(type)
    var header = property.plainHeader(types: isKnown ? type.split(separator: " ").map(String.init) : [])
    if isKnown {
      if let label { changes.append((label.span, [])) }
    } else if let label {
      write(over: label, label.plainHeader, ContentLineWriter.escaped(type))
    } else {
      let group = property.group.isEmpty ? newGroup() : property.group
      if property.group.isEmpty { header = "\(group).\(header)" }
      write(over: nil, "\(group).X-ABLabel", ContentLineWriter.escaped(type))
    }
    write(over: property, header, value)
  }

  /// Writes the value of a property again, adds the property, or removes it if the value is `nil`.
  private mutating func replace(_ property: CardProperty?, _ name: String, _ value: String?) {
    guard let value else {
      if let property { remove(property) }
      return
    }
    write(over: property, property?.plainHeader ?? name, value)
  }

  private mutating func add(_ name: String, type: String, _ value: String) {
    guard !type.isEmpty else { return write(over: nil, name, value) }
    if Self.isKnown(type) {
      let types = type.split(separator: " ").map { "TYPE=\($0)" }
      return write(over: nil, "\(name);\(types.joined(separator: ";"))", value)
    }
    let group = newGroup()
    write(over: nil, "\(group).\(name)", value)
    write(over: nil, "\(group).X-ABLabel", ContentLineWriter.escaped(type))
  }

  /// Whether a type consists of words that cards have as `TYPE`; otherwise it is a label.
  private static func isKnown(_ type: String) -> Bool {
    let known = ["home", "work", "cell", "fax", "pager", "text", "video", "car", "main", "other", "iphone"]
    return type.split(separator: " ").allSatisfy { known.contains(String($0)) }
  }

  /// A group that the card does not use.
  private mutating func newGroup() -> String {
    // Properties that are not read have groups, too.
    let text = CardProperty.upperCase(bytes[...])
    var number = 1
    while addedGroups.contains("item\(number)") || text.contains("ITEM\(number).") { number += 1 }
    addedGroups.append("item\(number)")
    return "item\(number)"
  }

  private var addedGroups: [String] = []

  /// Removes a property, with the label that belongs to it alone.
  private mutating func remove(_ property: CardProperty) {
    changes.append((property.span, []))
    guard !property.group.isEmpty else { return }
    let group = properties.filter { $0.group.exact == property.group.exact && $0.span != property.span }
    guard group.allSatisfy({ $0.name == "X-ABLABEL" }) else { return }
    for label in group { changes.append((label.span, [])) }
  }

  private mutating func write(over property: CardProperty?, _ header: String, _ value: String) {
    var writer = ContentLineWriter()
    if card.isVersion2, !value.utf8.allSatisfy({ $0 < 0x80 }) {
      // Version 2.1 has other characters than ASCII only in this encoding.
      writer.quotedPrintable("\(header);CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE", value)
    } else {
      writer.line(header, value)
    }
    let text = lineEnd == [0x0D, 0x0A] ? writer.bytes : Self.ending(writer.bytes, with: lineEnd)
    if let property { changes.append((property.span, text)) } else { added += text }
  }

  private static func ending(_ text: [UInt8], with lineEnd: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    for byte in text where byte != 0x0D {
      if byte == 0x0A { result += lineEnd } else { result.append(byte) }
    }
    return result
  }
}
