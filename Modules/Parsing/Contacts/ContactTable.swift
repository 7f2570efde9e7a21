import Models
import Ports

/// Reads people from a table: a CSV file of Google, Outlook, LinkedIn or Almanac, or one whose columns are named.
struct ContactTable {
  /// A place that a column fills: `firstName`, `emails:work`, `addresses:home.city`, `birthday:dmy`.
  struct Target: Hashable {
    var field: String
    /// What a value of a list is for, and which of several addresses a part belongs to; the order of a birthday.
    var type = ""
    var part: String?

    /// How both names are spoken, the family name first, as in tables from Japan.
    static let phoneticName = "phoneticName"

    /// Says whose row it is, in a table of Almanac's own.
    static let id = Target(field: "id")

    private init(field: String) { self.field = field }

    /// `nil` if no person has such a field.
    init?(_ text: String) {
      let pieces = text.split(separator: ":", maxSplits: 1).map { String($0).trimmed }
      guard let field = pieces.first else { return nil }
      self.field = field
      if pieces.count > 1 { type = pieces[1] }
      // Without a type, it is the list as Almanac writes it.
      if field == "addresses", pieces.count > 1 {
        let dot = type.lastIndex(of: ".")
        part = String(dot.map { type[type.index(after: $0)...] } ?? type[...])
        type = String(dot.map { type[..<$0] } ?? "")
        guard ContactTable.addressParts.contains(part ?? "") else { return nil }
      }
      guard PersonInput.fields.contains(field) || field == Self.phoneticName && type.isEmpty else { return nil }
      let isOrder = field == "birthday" && (type == "dmy" || type == "mdy")
      guard type.isEmpty || isOrder || Person.listFields.contains(field) else { return nil }
    }

    var isDate: Bool { field == "birthday" || field == "dates" }
  }

  /// A column, and the columns that belong to it: `E-mail 1 - Label` to `E-mail 1 - Value`.
  private struct Column {
    var name: String
    var target: Target?
    /// The column that says what its values are for.
    var label: Int?
    var isLabel = false
    var values = 0
    var meant: String?
  }

  static let addressParts = ["street", "city", "region", "postalCode", "country", "box", "unit"]

  private var columns: [Column] = []
  /// Whether the day stands before the month in dates with `/` and `-`: a date of the file that can be read in one way only
  /// decides. Where none does, it stands first unless the column has an English name, as in the United States.
  private var isDayFirst = false
  private var isGuessed = false
  private var guess: (line: Int, text: String, date: Birthday)?
  private let lines: [(line: Int, fields: [String])]
  private let start: Int

  /// - Throws: `ParsingError`: `syntax` for a broken line; `foreign` if no line names columns that are known.
  init(_ bytes: [UInt8], _ reading: ContactReading) throws(ParsingError) {
    lines = try CSVReader.lines(of: bytes, separator: Self.separator(of: bytes))
    // LinkedIn writes notes before the names of the columns.
    let mapped = Set(reading.columns.map(\.name.exact))
    func known(_ fields: [String]) -> Int {
      fields.count { mapped.contains($0.exact) || ContactColumns.target(of: $0) != nil }
    }
    guard let header = lines.prefix(10).enumerated().max(by: { known($0.element.fields) < known($1.element.fields) }),
      known(header.element.fields) > 0
    else {
      throw ParsingError(
        .foreign, expected: "a contact card, or a line with names of columns such as 'First Name'",
        found: lines.first.map { "'\($0.fields.joined(separator: ",").prefix(60))'" } ?? "an empty file",
        hint: "say which field a column fills")
    }
    start = header.offset
    columns = try Self.columns(header.element.fields, reading)
    for whole in columns.indices where columns[whole].target == nil {
      guard let beginning = ContactColumns.wholeAddress(columns[whole].name) else { continue }
      let parts = columns.indices.filter {
        $0 != whole && ContactColumns.plain(columns[$0].name).hasPrefix("\(beginning) - ")
          && columns[$0].target?.field == "addresses"
      }
      // Its parts are read: it says nothing more.
      columns[whole].isLabel = lines[(start + 1)...].allSatisfy { line in
        func isFilled(_ place: Int) -> Bool { place < line.fields.count && !line.fields[place].trimmed.isEmpty }
        return !isFilled(whole) || parts.contains(where: isFilled)
      }
    }
    let dates = lines[(start + 1)...].flatMap { line in
      zip(line.fields, columns).filter { $1.target?.isDate == true }.map { Self.plain($0.0) }
    }
    let orders = Set(dates.compactMap(WrittenDate.isDayFirst))
    let hasForeignName = columns.contains { column in
      column.target?.isDate == true && !Self.englishDates.contains(ContactColumns.plain(column.name).exact)
    }
    isDayFirst = orders.isEmpty ? hasForeignName : orders == [true]
    isGuessed = orders.count != 1
  }

  private static let englishDates: Set<ExactString> = Set(
    ["birthday", "birth", "birthdate", "born", "bday", "dob", "date of birth", "date", "anniversary"].map(\.exact))

  private func isDayFirst(_ target: Target) -> Bool? {
    target.field == "birthday" && !target.type.isEmpty ? target.type == "dmy" : nil
  }

  private static func separator(of bytes: [UInt8]) -> UInt8 {
    let first = bytes.prefix(4096)
    return [0x2C, 0x3B, 0x09].max { one, other in first.count { $0 == one } < first.count { $0 == other } } ?? 0x2C
  }

  private static func columns(_ names: [String], _ reading: ContactReading) throws(ParsingError) -> [Column] {
    var columns = names.map { Column(name: $0, target: ContactColumns.target(of: $0)) }
    for mapped in reading.columns {
      guard let index = names.firstIndex(where: { $0.trimmed.exact == mapped.name.exact }) else {
        throw ParsingError(
          .shape, path: "\(mapped.name)=\(mapped.field ?? "")", expected: "a column '\(mapped.name)'",
          found: names.map { "'\($0)'" }.joined(separator: ", "))
      }
      columns[index].target = nil
      guard let field = mapped.field else { continue }
      guard let target = Target(field) else {
        let lists = "emails:work, phones:cell, addresses:home.city, birthday:dmy"
        throw ParsingError(
          .shape, path: "\(mapped.name)=\(field)", expected: "a field of a person; with a type, as in \(lists)",
          found: "'\(field)'",
          hint: NearestName.suggestion(field, among: PersonInput.fields, also: ContactColumns.target(of: field)?.field))
      }
      columns[index].target = target
    }
    for index in names.indices {
      guard let label = ContactColumns.label(of: names[index]),
        let place = names.firstIndex(where: { ContactColumns.isLabel($0, label) })
      else { continue }
      columns[index].label = place
      columns[place].isLabel = true
    }
    let known = PersonFieldNames.places.keys
    for index in columns.indices where columns[index].target == nil && !columns[index].isLabel {
      let name = ContactColumns.plain(names[index])
      guard !known.contains(name.exact) else { continue }
      // Of one or two letters, as in Japanese, any other name would be near.
      columns[index].meant = NearestName.of(name, among: known.map(\.text).filter { $0.count > 2 }.sorted())
    }
    return columns
  }

  /// The people, and what became of each column.
  mutating func cards() -> ContactCards {
    var cards = ContactCards(people: [], skipped: [])
    for (line, fields) in lines[(start + 1)...] {
      guard fields.count <= columns.count else {
        cards.skipped.append(
          .init(
            line: line, name: fields.first { !$0.isEmpty },
            reason: "\(fields.count) values, but \(columns.count) columns"))
        continue
      }
      let row = contact(line, fields)
      cards.notes += row.notes
      switch row.contact {
      case let contact?: cards.people.append(contact)
      case nil: cards.skipped.append(.init(line: line, name: nil, reason: "no name, mail address or organization"))
      }
    }
    if let guess {
      let (one, other) = isDayFirst ? ("day", "month") : ("month", "day")
      let reason =
        "dates are read with the \(one) before the \(other): \"\(guess.text)\" is \(guess.date); the field "
        + "birthday:\(isDayFirst ? "mdy" : "dmy") has the other order"
      cards.notes.append(.init(line: guess.line, name: nil, reason: reason))
    }
    cards.columns = columns.filter { !$0.isLabel }.map { column in
      ReadColumn(
        name: column.name, field: column.target.map(Self.words), values: column.values, meant: column.meant,
        meantField: column.meant.flatMap { ContactColumns.target(of: $0) }.map(Self.words))
    }
    return cards
  }

  private static func words(_ target: Target) -> String {
    let end = [target.type, target.part ?? ""].filter { !$0.isEmpty }.joined(separator: ".")
    return end.isEmpty ? target.field : "\(target.field):\(end)"
  }

  private mutating func contact(_ line: Int, _ fields: [String]) -> (contact: Contact?, notes: [ContactCards.Note]) {
    var texts = JSONObject()
    var lists: [ExactString: [JSONValue]] = [:]
    var addresses: [(key: String, fields: JSONObject)] = []
    var notes: [String] = []
    for (index, field) in fields.enumerated() {
      let value = Self.plain(field)
      guard !value.isEmpty else { continue }
      columns[index].values += 1
      guard let target = columns[index].target else { continue }
      let label = columns[index].label.flatMap { $0 < fields.count ? fields[$0].trimmed : nil }
      if target.field == "addresses", let part = target.part {
        let key = "\(target.type) \(columns[index].label ?? -1)"
        var place = addresses.firstIndex { $0.key == key }
        if place == nil {
          addresses.append((key, JSONObject()))
          place = addresses.count - 1
        }
        let old = addresses[place!].fields[part]?.string
        let lines = value.split(whereSeparator: \.isNewline).map { String($0).trimmed }
        addresses[place!].fields[part] = .string(([old].compactMap(\.self) + lines).joined(separator: ", "))
        let type = label.map(ContactColumns.type) ?? target.type
        if !type.isEmpty { addresses[place!].fields["type"] = .string(type) }
      } else if target.isDate, !value.hasPrefix("[") {
        guard !WrittenDate.isAbsent(value) else { continue }
        let order = isDayFirst(target)
        guard let date = WrittenDate.day(value, isDayFirst: order ?? isDayFirst) else {
          let fault = WrittenDate.fault(of: value).map { ": \($0)" } ?? ""
          let name = columns[index].name.trimmed.lowercased()
          notes.append("\(name) \"\(value.prefix(40))\" is not a date\(fault); it is left out")
          continue
        }
        if isGuessed, order == nil, guess == nil, WrittenDate.isAmbiguous(value) { guess = (line, value, date) }
        if target.field == "birthday" {
          keep(date.description)
        } else {
          lists[target.field.exact, default: []] += ContactColumns.items(
            date.description, of: target.field, type: label.map(ContactColumns.type) ?? target.type)
        }
      } else if Person.listFields.contains(target.field) {
        for one in ContactColumns.values(value, of: target.field) {
          lists[target.field.exact, default: []] += ContactColumns.items(
            one, of: target.field, type: label.map(ContactColumns.type) ?? target.type)
        }
      } else if target.field == Target.phoneticName {
        guard let names = CardName.spoken(value) else {
          notes.append(
            "\(columns[index].name.trimmed) \"\(value.prefix(40))\" is left out: it is not a family name, a space and a given name in kana"
          )
          continue
        }
        keep(names.last, as: "phoneticLastName")
        keep(names.first, as: "phoneticFirstName")
      } else {
        // Only notes have lines: cards are read in the same way.
        keep(target.field == "note" ? value : value.split(whereSeparator: \.isNewline).joined(separator: " "))
      }
      /// Of several columns, the first one with a text counts; only notes can be joined.
      func keep(_ text: String, as field: String? = nil) {
        let field = field ?? target.field
        guard let first = texts[field]?.string, first.exact != text.exact else {
          return texts[field] = .string(text)
        }
        if field == "note" { return texts[field] = .string("\(first)\n\(text)") }
        notes.append("\(field) is \"\(first.prefix(40))\", not \"\(text.prefix(40))\" of another column")
      }
    }
    lists["addresses", default: []] += addresses.map { .object($0.fields) }
    for (name, values) in lists { texts[name.text] = .array(values) }
    let details = ContactDetails(fields: texts)
    func text(_ field: String) -> String { texts[field]?.string ?? "" }
    var (first, last, full) = (text("firstName"), text("lastName"), text("fullName"))
    if first.isEmpty, last.isEmpty, let turned = CardName.turned(full) {
      (first, last, full) = (turned.first, turned.last, "")
    }
    let written =
      first.isEmpty && last.isEmpty ? CardName.split(full) : CardName.completed(first: first, last: last, by: full)
    guard let name = written ?? CardName.substitute(details) else { return (nil, []) }
    let formatted = CardName.fullName(full, first: name.first, last: name.last)
    var contact = Contact(
      line: line, firstName: name.first, lastName: name.last, fullName: formatted,
      birthday: texts["birthday"]?.string.flatMap { Birthday($0) }, details: details)
    if texts["id"] != nil { contact.row = JSONObject(members: texts.members.filter { $0.value.array == nil }) }
    return (contact, notes.map { .init(line: line, name: contact.person(id: "").fullName, reason: $0) })
  }

  /// The text without control characters, each line of which is kept.
  private static func plain(_ text: String) -> String {
    text.replacing("\r\n", with: "\n").trimmed
  }
}
