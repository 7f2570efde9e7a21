import Models
import Ports

/// The properties of one card that contacts use.
struct Card {
  let line: Int
  /// The lines of `BEGIN` and `END` in the file; `nil` where they are missing.
  var start: Range<Int>?
  var end: Range<Int>?
  private(set) var properties: [CardProperty] = []
  private(set) var isVersion2 = false
  private(set) var name: CardProperty?
  private var formattedName: CardProperty?
  private(set) var nickname: CardProperty?
  private(set) var organization: CardProperty?
  private var kind: CardProperty?
  private var uid: CardProperty?
  /// Whether a program of Apple wrote the card.
  private(set) var isApple = false
  private var isCompany = false
  private var birthdays: [CardProperty] = []

  /// The contact, or the reason why the card is skipped.
  enum Result {
    case success(Contact, notes: [ContactCards.Note])
    case failure(ContactCards.Note)
  }

  init(line: Int) { self.line = line }

  /// Adds a property. Of repeated names, for example in several languages, the first one counts.
  mutating func add(_ property: CardProperty) {
    properties.append(property)
    switch property.name {
    case "VERSION": isVersion2 = CardProperty.trimmed(property.value).first == UInt8(ascii: "2")
    case "N": name = name ?? property
    case "FN": formattedName = formattedName ?? property
    case "NICKNAME": nickname = nickname ?? property
    case "ORG": organization = organization ?? property
    case "KIND", "X-ADDRESSBOOKSERVER-KIND": kind = kind ?? property
    case "UID": uid = uid ?? property
    case "PRODID": isApple = property.text?.contains("//Apple ") == true
    case "X-ABSHOWAS": isCompany = property.text?.trimmed.uppercased() == "COMPANY"
    case "BDAY": birthdays.append(property)
    default: break
    }
  }

  var result: Result {
    if let kind = kind?.text?.trimmed.lowercased(), ["group", "location", "thing"].contains(kind) {
      var note = note("a \(kind), not a person")
      note.isOfPerson = false
      return .failure(note)
    }
    let foreign = [name, formattedName].compactMap { $0 }.first { $0.text == nil }?.characterSet
    guard let names = names ?? (foreign == nil ? CardName.substitute(details) : nil) else {
      return .failure(note(foreign.map { "name in an unsupported character set: \($0)" } ?? "no name"))
    }
    let found = readBirthday()
    let contact = Contact(
      line: line, uid: uid?.identifier, firstName: names.first, lastName: names.last,
      fullName: CardName.fullName(formatted, first: names.first, last: names.last), birthday: found.birthday,
      details: details)
    let photo = properties.contains { $0.name == "PHOTO" && $0.isBrokenPhoto }
    let problems = found.problems + (photo ? ["the photo is not valid Base64 and is left out"] : [])
    return .success(contact, notes: problems.map(note))
  }

  /// The group that the card describes; `nil` for another card.
  var group: ContactGroup? {
    guard kind?.text?.trimmed.lowercased() == "group" else { return nil }
    let name = formatted.isEmpty ? displayName ?? "" : formatted
    return ContactGroup(
      uid: uid?.identifier, name: name.isEmpty ? "group" : name, members: members.compactMap(\.identifier), line: line)
  }

  /// The properties of a group that name its members (RFC 6350 section 6.6.5).
  var members: [CardProperty] {
    properties.filter { $0.name == "MEMBER" || $0.name == "X-ADDRESSBOOKSERVER-MEMBER" }
  }

  /// The name of the card in messages: the full name, or else the nickname or the organization.
  var displayName: String? {
    if let names {
      let separator = names.first.isEmpty || names.last.isEmpty ? "" : " "
      return CardName.fullName(formatted, first: names.first, last: names.last)
        ?? names.first + separator + names.last
    }
    for property in [nickname, organization] {
      let words = property?.components(lists: !isVersion2)?.filter { !$0.isEmpty } ?? []
      if !words.isEmpty { return words.joined(separator: " ") }
    }
    return nil
  }

  private func note(_ reason: String) -> ContactCards.Note {
    ContactCards.Note(line: line, name: displayName, reason: reason)
  }

  var isNamed: Bool { names != nil }

  /// `FN`; empty without one.
  var formatted: String { formattedName?.text?.trimmed ?? "" }

  private var names: CardName? {
    if let parts = name?.components(lists: !isVersion2) {
      let (last, first) = (parts[0], parts.count > 1 ? parts[1] : "")
      if !first.isEmpty || !last.isEmpty { return CardName.completed(first: first, last: last, by: formatted) }
    }
    // The name of a company has no last word that is a family name.
    let company = organization?.components(lists: !isVersion2)?[0] ?? ""
    let isCompany = isCompany || kind?.text?.trimmed.lowercased() == "org" || formatted.exact == company.exact
    return isCompany && !formatted.isEmpty ? CardName(first: formatted, last: "") : CardName.split(formatted)
  }

  private struct FoundBirthday {
    var birthday: Birthday?
    var problems: [String]
  }

  /// The first valid birthday, and notes about the others. Several `BDAY` with the same `ALTID` are alternatives (RFC 6350
  /// section 5.4), so one valid birthday is enough.
  private func readBirthday() -> FoundBirthday {
    var chosen: (birthday: Birthday, alternative: String?)?
    var problems: [(reason: String, alternative: String?)] = []
    for property in birthdays {
      let alternative = property.parameter("ALTID")
      switch CardDate.birthday(property, isApple: isApple) {
      case .success(let birthday):
        if chosen == nil {
          chosen = (birthday, alternative)
        } else if chosen?.birthday != birthday {
          problems.append(("another birthday, \(birthday), is left out", alternative))
        }
      case .failure(let problem):
        if problem != .absent { problems.append((problem.reason + "; it is left out", alternative)) }
      }
    }
    let relevant = problems.filter { chosen?.alternative == nil || $0.alternative != chosen?.alternative }
    return FoundBirthday(birthday: chosen?.birthday, problems: relevant.map(\.reason))
  }
}

/// The two names of a card (`N`), derived from its formatted name (`FN`) where they are incomplete.
struct CardName {
  var first: String
  var last: String

  /// Splits a formatted name at its last space; `nil` for an empty one.
  static func split(_ formatted: String) -> CardName? {
    guard !formatted.isEmpty else { return nil }
    let names = Person.names(of: formatted)
    return CardName(first: names.first, last: names.last)
  }

  /// The names of a reading in kana, as in tables from Japan, where the family name stands first: `ヤマダ タロウ`; `nil` for other
  /// texts.
  static func spoken(_ text: String) -> CardName? {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    guard words.count == 2, words.allSatisfy({ $0.unicodeScalars.allSatisfy(isKana) }) else { return nil }
    return CardName(first: words[1], last: words[0])
  }

  /// Whether it is of hiragana, katakana, or katakana of half the width.
  private static func isKana(_ scalar: Unicode.Scalar) -> Bool {
    (0x3040...0x30FF).contains(scalar.value) || (0xFF66...0xFF9F).contains(scalar.value)
  }

  /// The names of `Lovelace, Ada`; `nil` where there is no single comma, or where a suffix or a legal form comes after it.
  static func turned(_ formatted: String) -> CardName? {
    let parts = formatted.split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmed }
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
    let word = String(parts[1].lowercased().filter { $0 != "." })
    return suffixes.contains(word.exact) ? nil : CardName(first: parts[1], last: parts[0])
  }

  private static let suffixes: Set<ExactString> = [
    "jr", "sr", "ii", "iii", "iv", "phd", "md", "dds", "esq", "frs", "mba", "inc", "ltd", "llc", "gmbh", "ag", "co",
    "corp",
    "sa", "plc", "limited",
  ]

  /// What stands for the name of somebody of whom only the nickname, the organization, a mail address or a number is known;
  /// `nil` if none of them is.
  static func substitute(_ details: ContactDetails) -> CardName? {
    let texts = [details.nickname, details.organization, details.emails.first?.value, details.phones.first?.value]
    return texts.lazy.compactMap(\.self).first.map { CardName(first: $0, last: "") }
  }

  /// Derives a missing name where the formatted name consists of the other one and further words before or after it:
  /// 'Ada Lovelace' with the family name 'Lovelace', '李小龙' with '李'.
  static func completed(first: String, last: String, by formatted: String) -> CardName {
    if first.isEmpty, let rest = rest(of: formatted, without: last) { return CardName(first: rest, last: last) }
    if last.isEmpty, let rest = rest(of: formatted, without: first) { return CardName(first: first, last: rest) }
    return CardName(first: first, last: last)
  }

  private static func rest(of formatted: String, without name: String) -> String? {
    var rest: Substring
    if formatted.hasSuffix(name) {
      rest = formatted.dropLast(name.count)
      guard let end = rest.last, end.isWhitespace || end.isWrittenWithoutSpaces else { return nil }
    } else if formatted.hasPrefix(name) {
      rest = formatted.dropFirst(name.count)
      guard let start = rest.first, start.isWhitespace || start.isWrittenWithoutSpaces else { return nil }
    } else {
      return nil
    }
    let name = String(rest).trimmed
    return name.isEmpty || name.contains(",") ? nil : name
  }

  /// The formatted name, if it differs from both names joined by a space: by other words, or by their order. `nil` where it
  /// adds nothing, is in index form ('Lovelace, Ada'), or is a mail address.
  static func fullName(_ formatted: String, first: String, last: String) -> String? {
    let written = words(formatted)
    let known = words(first) + words(last)
    if formatted.isEmpty || formatted.contains("@") || written == known { return nil }
    let derived = Person(id: "", firstName: first, lastName: last, birthday: nil).fullName
    if formatted.filter({ !$0.isWhitespace }).exact == derived.exact { return nil }
    guard Set(written).isSubset(of: known) else { return formatted }
    return written.count < known.count || formatted.contains(where: isSeparator) ? nil : formatted
  }

  private static func words(_ text: String) -> [String] {
    text.lowercased().split { $0.isWhitespace || isSeparator($0) }.map(String.init)
  }

  private static func isSeparator(_ character: Character) -> Bool { character == "," || character == ";" }
}
