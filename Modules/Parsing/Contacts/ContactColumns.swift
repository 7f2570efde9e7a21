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
    if let target = names[plain.exact] { return target.flatMap { ContactTable.Target($0) } }
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

  /// The values of one field: Google joins several by ` ::: `, Outlook its categories by `;`.
  static func values(_ text: String, of field: String) -> [String] {
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

  /// All names of columns that are known, in the form of `plain`.
  static let known: Set<ExactString> = Set(names.keys)

  /// The place of each name; `nil` for one whose values are left out.
  private static let names: [ExactString: String?] = {
    var names: [ExactString: String?] = [:]
    for line in table.split(separator: "\n") {
      let halves = line.split(separator: " = ", maxSplits: 1)
      for name in halves[1].split(separator: " | ") {
        names[String(name).exact] = .some(halves[0] == "-" ? nil : String(halves[0]))
      }
    }
    return names
  }()

  /// English, German, French, Spanish and Italian. After `-`: what no person has.
  private static let table = """
    firstName = first name | given name | firstname | vorname | prenom | nombre | nome
    middleName = middle name | additional name | weitere vornamen | zweiter vorname | deuxieme prenom | segundo nombre
    lastName = last name | family name | lastname | surname | nachname | nom | apellidos | apellido | cognome
    fullName = name | full name | display name | fullname | file as | anzeigename
    namePrefix = title | name prefix | prefix | anrede | titre
    nameSuffix = suffix | name suffix | suffixe
    nickname = nickname | spitzname | surnom
    phoneticFirstName = phonetic first name | given name yomi | given yomi
    phoneticMiddleName = phonetic middle name | additional name yomi
    phoneticLastName = phonetic last name | family name yomi | surname yomi
    organization = company | organization name | organization | firma | societe | empresa | societa | azienda
    departments = department | organization department | abteilung | service
    title = job title | organization title | position | occupation
    birthday = birthday | geburtstag | date of birth | geburtsdatum
    dates:anniversary = anniversary | jahrestag
    note = notes | note | notizen | notas
    groups = group membership | labels | categories | kategorien | groups
    urls = url | web page | website | webseite
    urls:home = personal web page
    ims = imaddress | im address
    relations:spouse = spouse
    relations:child = children
    relations:manager = manager's name
    relations:assistant = assistant's name
    emails = e-mail address | email address | email | e-mail | e-mail 2 address | e-mail 3 address | e-mail-adresse | e-mail \
    2: adresse | e-mail 3: adresse | adresse de messagerie | adresse e-mail
    phones = phone | primary phone | telephone | tel | telefon | haupttelefon
    phones:other = other phone | weiteres telefon
    phones:work = business phone | business phone 2 | telefon geschaftlich | telefon geschaftlich 2 | telephone (bureau)
    phones:home = home phone | home phone 2 | telefon privat | telefon (privat 2) | telephone (domicile)
    phones:cell = mobile phone | mobile | mobiltelefon | tel. mobile
    phones:car = car phone | autotelefon
    phones:pager = pager
    phones:main = company main phone | telefon firma
    phones:assistant = assistant's phone
    phones:work fax = business fax | fax geschaftlich
    phones:home fax = home fax | fax privat
    phones:fax = other fax | weiteres fax
    addresses:work.street = business street | business street 2 | business street 3 | strasse geschaftlich | strasse \
    geschaftlich 2 | strasse geschaftlich 3
    addresses:work.city = business city | ort geschaftlich
    addresses:work.region = business state | region geschaftlich
    addresses:work.postalCode = business postal code | postleitzahl geschaftlich
    addresses:work.country = business country/region | business country | land/region geschaftlich
    addresses:work.box = business address po box
    addresses:home.street = home street | home street 2 | home street 3 | strasse privat | strasse privat 2 | strasse privat 3
    addresses:home.city = home city | ort privat
    addresses:home.region = home state | bundesland/kanton privat
    addresses:home.postalCode = home postal code | postleitzahl privat
    addresses:home.country = home country/region | home country | land/region privat
    addresses:home.box = home address po box
    addresses:other.street = other street | other street 2 | other street 3
    addresses:other.city = other city
    addresses:other.region = other state
    addresses:other.postalCode = other postal code
    addresses:other.country = other country/region | other country
    addresses:other.box = other address po box
    - = id | remoteid | origin | photo | photo.url | photo.type | photo.bytes | yomi name | initials | short name | maiden name \
    | gender | location | billing information | directory server | mileage | hobby | sensitivity | priority | subject | \
    language | connected on | private | keywords | account | government id number | internet free busy | office location | \
    organizational id number | profession | referred by | user 1 | user 2 | user 3 | user 4 | callback | isdn | radio phone | \
    tty/tdd phone | telex | e-mail type | e-mail display name | e-mail 2 type | e-mail 2 display name | e-mail 3 type | e-mail \
    3 display name | company yomi | schools | geschlecht
    """
}
