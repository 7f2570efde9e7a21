import Models
import Ports

/// What one card says, as far as it matters.
struct Card {
  /// The line of its `BEGIN`, from 1.
  let line: Int
  private var isVersion2 = false
  private var name: CardProperty?
  private var formattedName: CardProperty?
  private var nickname: CardProperty?
  private var organization: CardProperty?
  private var kind: CardProperty?
  private var birthdays: [CardProperty] = []

  /// What becomes of it.
  enum Result {
    case success(Contact, notes: [ContactCards.Note])
    case failure(ContactCards.Note)
  }

  init(line: Int) { self.line = line }

  /// Takes one property. Of names that come several times, in several languages for instance, the first counts.
  mutating func add(_ property: CardProperty) {
    switch property.name {
    case "VERSION": isVersion2 = CardProperty.trimmed(property.value).first == UInt8(ascii: "2")
    case "N": name = name ?? property
    case "FN": formattedName = formattedName ?? property
    case "NICKNAME": nickname = nickname ?? property
    case "ORG": organization = organization ?? property
    case "KIND", "X-ADDRESSBOOKSERVER-KIND": kind = kind ?? property
    case "BDAY": birthdays.append(property)
    default: break
    }
  }

  /// The person, or why there is none.
  var result: Result {
    if let kind = kind?.text?.trimmed.lowercased(), ["group", "location", "thing"].contains(kind) {
      return .failure(note("a \(kind), not a person"))
    }
    guard let (first, last) = names else {
      let foreign = [name, formattedName].compactMap { $0 }.first { $0.text == nil }?.characterSet
      return .failure(note(foreign.map { "name in a character set that is not read: \($0)" } ?? "no name"))
    }
    let (birthday, problems) = readBirthday()
    let contact = Contact(
      line: line, firstName: first, lastName: last, fullName: CardName.fullName(formatted, first: first, last: last),
      birthday: birthday)
    return .success(contact, notes: problems.map(note))
  }

  /// What the card is called in messages: the full name, or what else names it.
  var displayName: String? {
    if let (first, last) = names {
      let joined = first.isEmpty || last.isEmpty ? first + last : "\(first) \(last)"
      return CardName.fullName(formatted, first: first, last: last) ?? joined
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

  private var formatted: String { formattedName?.text?.trimmed ?? "" }

  private var names: (first: String, last: String)? {
    if let parts = name?.components(lists: !isVersion2) {
      let (last, first) = (parts[0], parts.count > 1 ? parts[1] : "")
      if !first.isEmpty || !last.isEmpty { return CardName.completed(first: first, last: last, by: formatted) }
    }
    return CardName.split(formatted)
  }

  /// The first usable birthday, and what is to be said about the others; of several `BDAY` with one `ALTID` (RFC 6350
  /// section 5.4) any is as good.
  private func readBirthday() -> (Birthday?, problems: [String]) {
    var chosen: (birthday: Birthday, alternative: String?)?
    var problems: [(reason: String, alternative: String?)] = []
    for property in birthdays {
      let alternative = property.parameter("ALTID")
      switch CardDate.birthday(property) {
      case .success(let birthday):
        if chosen == nil {
          chosen = (birthday, alternative)
        } else if chosen?.birthday != birthday {
          problems.append(("another birthday, \(birthday), is left out", alternative))
        }
      case .failure(let problem):
        if problem != .absent { problems.append((problem.reason, alternative)) }
      }
    }
    let untold = problems.filter { chosen?.alternative == nil || $0.alternative != chosen?.alternative }
    return (chosen?.birthday, untold.map(\.reason))
  }
}
