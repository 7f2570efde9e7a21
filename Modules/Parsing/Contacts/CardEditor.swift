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

  /// An editor of one card; `nil` if it is not one complete card of a person, or of a group.
  init?(_ bytes: [UInt8], isGroup: Bool = false) {
    var reader = CardReader(bytes, .edited)
    guard let cards = reader.read(), cards.people.count == (isGroup ? 0 : 1), cards.groups.count == (isGroup ? 1 : 0),
      let card = reader.lastCard, let end = card.end,
      let start = card.start
    else { return nil }
    self.bytes = bytes
    self.card = card
    self.end = end.lowerBound
    contact = cards.people.first ?? Contact(line: 1, firstName: "", lastName: "")
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
    if let now { editor.reviseIfChanged(at: now) }
    return editor.result
  }

  /// The card of the group; `nil` if it is not one.
  static func card(_ bytes: [UInt8], of group: PersonGroup, at now: Timestamp) -> [UInt8]? {
    guard var editor = CardEditor(bytes, isGroup: true) else { return nil }
    editor.apply(group)
    editor.reviseIfChanged(at: now)
    return editor.result
  }

  /// The card of the person with an identifier and the time of its revision; `nil` for a card of version 2.1.
  static func newCard(_ bytes: [UInt8], of person: Person, uid: String, at now: Timestamp) -> [UInt8]? {
    var person = person
    guard var editor = CardEditor(version3(bytes, of: &person)), !editor.card.isVersion2 else { return nil }
    editor.apply(person)
    // No server takes what is no Base64.
    for property in editor.properties where property.name == "PHOTO" && property.isBrokenPhoto {
      editor.remove(property)
    }
    // RFC 6350 section 6.2.1 requires FN, and servers refuse a card without it.
    if editor.card.formatted.isEmpty {
      editor.replace(editor.first("FN"), "FN", ContentLineWriter.escaped(person.fullName))
    }
    if editor.first("UID") == nil { editor.write(over: nil, "UID", ContentLineWriter.escaped(uid)) }
    editor.revise(at: now)
    return editor.result
  }

  /// The card as one of version 3.0 if it is of version 4.0 and has its photo embedded: each server takes version 3.0 (RFC 6352
  /// section 5.1), and Radicale cuts a `data` address at its comma. The photo and the birthday, which are written otherwise,
  /// are left to `apply`.
  private static func version3(_ bytes: [UInt8], of person: inout Person) -> [UInt8] {
    guard var editor = CardEditor(bytes), editor.isVersion4, let version = editor.first("VERSION"),
      let photo = editor.properties.first(where: { $0.name == "PHOTO" })?.photoBytes
    else { return bytes }
    if person.details.photo?.isInCard == true {
      person.details.photo = ContactPhoto(photo) ?? person.details.photo
    }
    editor.write(over: version, "VERSION", "3.0")
    for property in editor.properties
    where property.name == "PHOTO" || property.name == "BDAY" && person.birthday != nil { editor.remove(property) }
    return editor.result
  }

  static func withoutUID(_ bytes: [UInt8]) -> [UInt8]? {
    guard var editor = CardEditor(bytes) else { return nil }
    for property in editor.properties where property.name == "UID" { editor.remove(property) }
    return editor.result
  }

  private mutating func reviseIfChanged(at now: Timestamp) {
    if first("REV") != nil, !changes.isEmpty || !added.isEmpty { revise(at: now) }
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

  private mutating func apply(_ group: PersonGroup) {
    if let old = card.group?.name, old.exact != group.name.exact {
      replace(first("FN"), "FN", ContentLineWriter.escaped(group.name))
      if let name = first("N") {
        replace(name, "N", Self.structured(name, [group.name], isVersion2: card.isVersion2))
      }
    }
    var missing: [ExactString: Int] = [:]
    for member in group.members { missing[member.exact, default: 0] += 1 }
    for property in card.members {
      guard let member = property.identifier?.exact else { continue }
      if missing[member, default: 0] > 0 { missing[member, default: 0] -= 1 } else { remove(property) }
    }
    let name = card.members.first?.name ?? (isVersion4 ? "MEMBER" : "X-ADDRESSBOOKSERVER-MEMBER")
    // Some programs write the identifiers alone.
    let isPlain = !card.members.isEmpty && !card.members.contains { $0.text?.contains(":") == true }
    for member in group.members where missing[member.exact, default: 0] > 0 {
      missing[member.exact, default: 0] -= 1
      write(over: nil, name, member.contains(":") || isPlain ? member : "urn:uuid:\(member)")
    }
  }

  private mutating func apply(_ person: Person) {
    let (old, new) = (contact.details, person.details)
    let stored = contact.person(id: "")
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
    for (name, path) in Card.texts where old[keyPath: path] != new[keyPath: path] { text(name, new[keyPath: path]) }
    let isVersion2 = card.isVersion2
    let (units, newUnits) = ([old.organization ?? ""] + old.departments, [new.organization ?? ""] + new.departments)
    if units.map(\.exact) != newUnits.map(\.exact) {
      let value = Self.structured(first("ORG"), newUnits, isVersion2: isVersion2, keepsRest: false)
      replace(first("ORG"), "ORG", newUnits == [""] ? nil : value)
    }
    if old.note != new.note { text("NOTE", new.note) }
    if old.groups.map(\.exact) != new.groups.map(\.exact) {
      for other in properties.filter({ $0.name == "CATEGORIES" }).dropFirst() { remove(other) }
      let list = new.groups.map(ContentLineWriter.escaped).joined(separator: ",")
      replace(first("CATEGORIES"), "CATEGORIES", list.isEmpty ? nil : list)
    }
    if old.photo != new.photo { photo(new.photo) }
    for list in CardList.allCases {
      values(
        old[keyPath: list.path], new[keyPath: list.path], keepsLines: list != .relations && list != .dates,
        read: { card, property in ListProperty(property.name)?.list == list ? card.value(of: property) : nil },
        text: { Self.text($0, over: $1) }, add: { $0.add($1, to: list) })
    }
    values(
      old.addresses, new.addresses, read: { $1.name == "ADR" ? $0.address($1) : nil },
      text: { Self.structured($1, $0.parts.map(\.text), isVersion2: isVersion2) },
      add: { $0.add("ADR", $1, Self.structured(nil, $1.parts.map(\.text), isVersion2: isVersion2)) })
    // Without a name in the card, another detail could become the name by which the person is known.
    let isNamed = card.isNamed || stored.fullName.exact != person.fullName.exact
    guard !isNamed, !changes.isEmpty || !added.isEmpty else { return }
    replace(
      first("N"), "N", Self.structured(nil, [person.lastName, person.firstName, "", "", ""], isVersion2: isVersion2))
    replace(first("FN"), "FN", ContentLineWriter.escaped(person.fullName))
  }

  /// The value as it is written into the line of another one; `nil` if that line cannot have it.
  private static func text(_ value: ContactValue, over property: CardProperty) -> String? {
    let text = ContentLineWriter.escaped(value.value)
    if property.name == "TEL", property.parameter("VALUE")?.lowercased() == "uri" { return "tel:\(text)" }
    guard let scheme = ListProperty(property.name)?.scheme, !scheme.isEmpty else { return text }
    return text.hasPrefix(scheme + ":") ? String(text.dropFirst(scheme.count + 1)) : nil
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
  ///
  /// - Parameter keepsRest: whether the property keeps its further parts.
  private static func structured(
    _ property: CardProperty?, _ parts: [String], isVersion2: Bool, keepsRest: Bool = true
  ) -> String {
    let raw = property.flatMap { $0.isEncoded ? nil : $0.rawComponents } ?? []
    let old = property?.components(lists: !isVersion2) ?? []
    var written = parts.enumerated().map { index, part in
      index < raw.count && index < old.count && old[index].exact == part.exact
        ? raw[index] : ContentLineWriter.escaped(part)
    }
    if keepsRest, raw.count > written.count { written += raw[written.count...] }
    return written.joined(separator: ";")
  }

  private mutating func birthday(_ birthday: Birthday?) {
    let all = properties.filter { $0.name == "BDAY" }
    for other in all.dropFirst() { remove(other) }
    guard let birthday else {
      if let first = all.first { remove(first) }
      return
    }
    let group = all.first.map { $0.group.isEmpty ? "" : $0.group + "." } ?? ""
    let (parameter, date) = written(birthday)
    write(over: all.first, group + "BDAY" + parameter, date)
  }

  /// The parameter and the value of a date. Versions before 4.0 know none without a year: they get the form of address books
  /// that need one.
  private func written(_ date: Birthday) -> (parameter: String, value: String) {
    let day = "\(padded(date.month, 2))-\(padded(date.day, 2))"
    if isVersion4 { return ("", "\(date.year.map { padded($0, 4) } ?? "--")\(day.replacing("-", with: ""))") }
    let none = Birthday.unknownYear
    return date.year.map { ("", "\(padded($0, 4))-\(day)") } ?? (";X-APPLE-OMIT-YEAR=\(none)", "\(none)-\(day)")
  }

  private mutating func photo(_ photo: ContactPhoto?) {
    let all = properties.filter { $0.name == "PHOTO" }
    if photo?.isInCard != true {
      for other in all.dropFirst() { remove(other) }
    }
    guard let photo else { return all.first.map { remove($0) } ?? () }
    if let url = photo.url {
      write(over: all.first, isVersion4 ? "PHOTO" : "PHOTO;VALUE=uri", url)
    } else if !photo.data.isEmpty, let type = photo.type {
      let format = type.split(separator: "/").last.map { $0.uppercased() } ?? ""
      let header = isVersion4 ? "PHOTO" : "PHOTO;ENCODING=\(card.isVersion2 ? "BASE64" : "b");TYPE=\(format)"
      write(over: all.first, header, isVersion4 ? "data:\(type);base64,\(photo.data)" : photo.data)
    }
  }

  /// Changes the properties of a list. An item of which the value, or the type and the preference changed keeps its line with
  /// the other parameters.
  ///
  /// - Parameters:
  ///   - read: the item of a property; `nil` for a property of another list.
  ///   - text: the value of an item in the line of another one; `nil` if that cannot have it.
  ///   - add: adds an item as a new property.
  private mutating func values<Item: ContactItem>(
    _ old: [Item], _ new: [Item], keepsLines: Bool = true, read: (Card, CardProperty) -> Item?,
    text: (Item, CardProperty) -> String?, add: (inout CardEditor, Item) -> Void
  ) {
    guard old != new else { return }
    var missing: [Item: Int] = [:]
    for item in new { missing[item, default: 0] += 1 }
    var removed: [(property: CardProperty, item: Item)] = []
    for property in properties {
      guard let item = read(card, property) else { continue }
      if missing[item, default: 0] > 0 { missing[item, default: 0] -= 1 } else { removed.append((property, item)) }
    }
    var added: [Item] = []
    for item in new where missing[item, default: 0] > 0 {
      missing[item, default: 0] -= 1
      added.append(item)
    }
    // The line of an item of which only the preference changed, or also the type, or else only the value.
    for keepsType in keepsLines ? [true, false] : [] {
      added.removeAll { item in
        let index = removed.firstIndex { one in
          var same = item
          same.isPreferred = one.item.isPreferred
          if !keepsType { same.type = one.item.type }
          return same == one.item && !one.property.isEncoded
        }
        guard let index else { return false }
        let one = removed.remove(at: index)
        let preference = item.isPreferred == one.item.isPreferred ? nil : item.isPreferred ? preferred : ""
        retype(one.property, keepsType ? nil : item.type, preference)
        return true
      }
    }
    for item in added {
      let index = removed.firstIndex { one in
        keepsLines && one.item.type.exact == item.type.exact && one.item.isPreferred == item.isPreferred
          && text(item, one.property) != nil
      }
      if let index, let value = text(item, removed[index].property) {
        let property = removed.remove(at: index).property
        replace(property, property.name, value)
      } else {
        let end = self.added.count
        add(&self, item)
        guard !keepsLines, !removed.isEmpty else { continue }
        // The new lines are in the place of old ones, so that the list keeps its order.
        let property = removed.removeFirst().property
        remove(property)
        let place = changes.firstIndex { $0.range == property.span }
        if let place { changes[place].text = Array(self.added[end...]) }
        self.added.removeSubrange(end...)
      }
    }
    for one in removed { remove(one.property) }
  }

  private var preferred: String { isVersion4 ? "PREF=1" : card.isVersion2 ? "PREF" : "TYPE=PREF" }

  /// Writes a property with another type, another preference or both, and the same value. Other parameters are kept.
  private mutating func retype(_ property: CardProperty, _ type: String?, _ preference: String?) {
    let value = String(decoding: property.value, as: UTF8.self)
    guard let type else {
      return write(over: property, property.plainHeader(types: nil, preference: preference), value)
    }
    let label = properties.first {
      $0.name == "X-ABLABEL" && !$0.group.isEmpty && $0.group.exact == property.group.exact
    }
    let isKnown = Self.isKnown(type, of: property.name)
    let types = isKnown ? type.split(separator: " ").map(String.init) : []
    var header = property.plainHeader(types: types, preference: preference)
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

  /// Adds a value of a list in the form that programs of the card's version read.
  private mutating func add(_ value: ContactValue, to list: CardList) {
    switch list {
    case .relations where isVersion4 && Self.relations.contains(value.type):
      add("RELATED;VALUE=text", value, ContentLineWriter.escaped(value.value))
    case .dates:
      guard let date = Birthday(value.value) else {
        return add(list.rawValue, value, ContentLineWriter.escaped(value.value))
      }
      let (parameter, text) = written(date)
      if isVersion4, value.type == "anniversary" {
        write(over: nil, "ANNIVERSARY" + parameter, text)
      } else {
        add(list.rawValue + parameter, value, text)
      }
    default: add(list.rawValue, value, ContentLineWriter.escaped(value.value))
    }
  }

  private mutating func add(_ name: String, _ item: some ContactItem, _ value: String) {
    let preference = item.isPreferred ? ";\(preferred)" : ""
    if Self.isKnown(item.type, of: name) {
      let types = item.type.split(separator: " ").map { ";TYPE=\($0)" }
      return write(over: nil, name + types.joined() + preference, value)
    }
    let group = newGroup()
    write(over: nil, "\(group).\(name)\(preference)", value)
    let isApples = !name.hasPrefix("ADR") && Self.appleLabels.contains(item.type)
    let label = isApples ? "_$!<\(item.type.prefix(1).uppercased() + item.type.dropFirst())>!$_" : item.type
    write(over: nil, "\(group).X-ABLabel", ContentLineWriter.escaped(label))
  }

  /// The relations of RFC 6350 section 6.6.6 that people write.
  private static let relations = [
    "acquaintance", "agent", "child", "colleague", "contact", "emergency", "friend", "kin", "neighbor", "parent",
    "sibling",
    "spouse",
  ]

  /// The labels of relations and dates that address books of Apple translate.
  private static let appleLabels = [
    "anniversary", "assistant", "brother", "child", "father", "friend", "manager", "mother", "parent", "partner",
    "sister",
    "spouse",
  ]

  /// Whether a type consists of words that properties of a name have as `TYPE`; otherwise it is a label.
  private static func isKnown(_ type: String, of name: String) -> Bool {
    let known = ["home", "work", "cell", "fax", "pager", "text", "video", "car", "main", "other", "iphone"]
    let words = type.split(separator: " ").map(String.init)
    if name.hasPrefix("X-AB") { return type.isEmpty }
    if name.hasPrefix("RELATED") { return relations.contains(type) }
    if name.hasSuffix("SOCIALPROFILE") {
      return words.count < 2
        && type.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && ![0x22, 0x2C, 0x3A, 0x3B, 0x3D].contains($0) }
    }
    return words.allSatisfy(known.contains)
  }

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
