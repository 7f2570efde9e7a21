import Models
import Ports

/// The names that programs give the columns of their tables of people, in their present and former forms.
enum ContactColumns {
  /// The place of a column; `nil` for an unknown one, and for one whose values no person has.
  static func target(of name: String) -> ContactTable.Target? {
    // Almanac's own columns: `title` is not the `Title` of Outlook, which is a prefix.
    if let own = PersonInput.fields.first(where: { $0.exact == name.trimmed.exact }) { return ContactTable.Target(own) }
    if name.trimmed.exact == "id".exact { return .id }
    let plain = plain(name)
    if let target = PersonFieldNames.places[plain.exact] { return target.flatMap { ContactTable.Target($0) } }
    guard let (what, _, part) = numbered(plain) else { return nil }
    switch (what, part) {
    case ("e-mail", "value"): return .init("emails")
    case ("phone", "value"): return .init("phones")
    case ("website", "value"): return .init("urls")
    case ("im", "value"): return .init("ims")
    case ("relation", "value"): return .init("relations")
    case ("event", "value"): return .init("dates")
    case ("organization", "name"): return .init("organization")
    case ("organization", "title"): return .init("title")
    case ("organization", "department"): return .init("departments")
    case ("address", _): return addressParts[part.exact].flatMap { .init("addresses:.\($0)") }
    default: return nil
    }
  }

  private static let addressParts: [ExactString: String] = [
    "street": "street", "city": "city", "region": "region", "postal code": "postalCode", "country": "country",
    "po box": "box", "extended address": "unit",
  ]

  /// The beginning of the name of the column that says what the values of this one are for: `e-mail 1`.
  static func label(of name: String) -> String? {
    guard let (what, number, part) = numbered(plain(name)), !["label", "type"].contains(part) else { return nil }
    return "\(what) \(number)"
  }

  /// `address 1` for the column that has the whole address, whose parts are in other columns.
  static func wholeAddress(_ name: String) -> String? {
    guard let (what, number, part) = numbered(plain(name)), what == "address", part == "formatted" else { return nil }
    return "\(what) \(number)"
  }

  static func isLabel(_ name: String, _ beginning: String) -> Bool {
    ["\(beginning) - label", "\(beginning) - type"].contains(plain(name))
  }

  /// `e-mail 1 - value` in its parts.
  private static func numbered(_ name: String) -> (what: String, number: Int, part: String)? {
    let halves = name.split(separator: " - ", maxSplits: 1).map(String.init)
    guard halves.count == 2, let space = halves[0].lastIndex(of: " "), let number = Int(halves[0][space...].dropFirst())
    else { return nil }
    return (String(halves[0][..<space]), number, halves[1])
  }

  /// A name in lower case, without accents and further spaces.
  static func plain(_ name: String) -> String {
    FoldedText.folded(name).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The type of a value in the words of cards: `Mobile` is `cell`, and Google's `* Work` is `work`.
  static func type(_ label: String) -> String {
    let plain = label.hasPrefix("* ") ? String(label.dropFirst(2)) : label
    switch plain.lowercased() {
    case "mobile", "mobil": return "cell"
    case "home", "privat": return "home"
    case "work", "geschäftlich": return "work"
    case "work fax": return "work fax"
    case "home fax": return "home fax"
    case "other", "*", "": return plain == "*" ? "" : plain.lowercased()
    case "main", "pager", "fax": return plain.lowercased()
    default: return plain
    }
  }

  /// The values of one field: Google joins several by ` ::: `, Outlook its categories by `;`. Mail addresses may be joined by
  /// any sign that they cannot have.
  static func values(_ text: String, of field: String) -> [String] {
    if field == "emails", !text.hasPrefix("[") {
      let addresses = text.split { $0 == "," || $0 == ";" || $0.isWhitespace }.map(String.init)
      if addresses.allSatisfy({ ContactValue.notMail($0) == nil }) { return addresses }
    }
    if text.contains(" ::: ") { return text.split(separator: " ::: ").map { String($0).trimmed } }
    return field == "groups" && !text.hasPrefix("[") && text.contains(";")
      ? text.split(separator: ";").map { String($0).trimmed } : [text]
  }

  /// The items of a list: one value, or the JSON in which a list of Almanac is written.
  static func items(_ text: String, of field: String, type: String) -> [JSONValue] {
    if text.hasPrefix("["), let list = try? JSONDocument.read(Array(text.utf8), { $0.value }).array { return list }
    if field == "groups" || field == "departments" {
      // 'myContacts' is everybody.
      let name = text.hasPrefix("* ") ? String(text.dropFirst(2)) : text
      return name.isEmpty || name == "myContacts" ? [] : [.string(name)]
    }
    if field == "addresses" { return PostalAddress(text).map { [.object($0.fields)] } ?? [] }
    let item: JSONObject = ["value": .string(text), "type": .of(type.isEmpty ? nil : type)]
    return [.object(item)]
  }
}
