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
  private var birthdays: [CardProperty] = []

  /// What becomes of it.
  enum Result {
    case success(RemotePerson)
    case failure(ContactCards.Skipped)
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
    case "BDAY": birthdays.append(property)
    default: break
    }
  }

  /// The person, or why there is none.
  var result: Result {
    let birthday: Birthday
    switch readBirthday() {
    case .success(let value): birthday = value
    case .failure(let problem): return skipped(problem.reason)
    }
    if let name = splitName {
      return .success(RemotePerson(firstName: name.first, lastName: name.last, birthday: birthday))
    }
    let foreign = [name, formattedName].compactMap { $0 }.first { $0.text == nil }?.characterSet
    return skipped(foreign.map { "name in a character set that is not read: \($0)" } ?? "no name")
  }

  /// What the card is called in messages: the formatted name, or whatever else names it.
  var displayName: String? {
    if let text = formattedName?.text?.trimmed, !text.isEmpty { return text }
    if let name = splitName {
      return name.first.isEmpty || name.last.isEmpty ? name.first + name.last : "\(name.first) \(name.last)"
    }
    for property in [nickname, organization] {
      let words = property?.components(lists: !isVersion2)?.filter { !$0.isEmpty } ?? []
      if !words.isEmpty { return words.joined(separator: " ") }
    }
    return nil
  }

  private func skipped(_ reason: String) -> Result {
    .failure(.init(line: line, name: displayName, reason: reason))
  }

  private var splitName: (first: String, last: String)? {
    if let parts = name?.components(lists: !isVersion2) {
      let (last, first) = (parts[0], parts.count > 1 ? parts[1] : "")
      if !first.isEmpty || !last.isEmpty { return (first, last) }
    }
    guard let full = formattedName?.text?.trimmed, !full.isEmpty else { return nil }
    guard let space = full.lastIndex(where: \.isWhitespace) else { return (full, "") }
    return (String(full[..<space]).trimmed, String(full[full.index(after: space)...]))
  }

  /// The first usable birthday; of several `BDAY` with one `ALTID` (RFC 6350 section 5.4) any is as good.
  private func readBirthday() -> Swift.Result<Birthday, CardDate.Problem> {
    var first: CardDate.Problem?
    for property in birthdays {
      switch CardDate.birthday(property) {
      case .success(let birthday): return .success(birthday)
      case .failure(let problem): first = first ?? problem
      }
    }
    return .failure(first ?? .absent)
  }
}
