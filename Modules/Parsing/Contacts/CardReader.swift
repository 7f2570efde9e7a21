import Ports

/// Assembles properties into cards, and cards into contacts.
struct CardReader {
  private var lines: CardLines
  private var cards = ContactCards(people: [], skipped: [])
  private var card: Card?
  private(set) var lastCard: Card?
  /// The number of open nested cards, which are values of `AGENT` (vCard 2.1).
  private var depth = 0
  /// The line after an empty `AGENT`: a card that begins there belongs to the agent.
  private var agentLine: Int?

  init(_ bytes: [UInt8], _ selection: CardLines.Selection = .contacts) { lines = CardLines(bytes, selection) }

  /// Reads the whole file; `nil` where it contains no card.
  mutating func read() -> ContactCards? {
    var found = false
    while let property = lines.next() {
      switch property.name {
      case "BEGIN" where Self.isCard(property.value):
        found = true
        begin(property)
      case "END" where Self.isCard(property.value):
        end(property)
      case "AGENT":
        agent(property)
      default:
        if depth == 0 { card?.add(property) }
      }
    }
    if let card {
      cards.skipped.append(.init(line: card.line, name: card.displayName, reason: "cut off: END:VCARD is missing"))
    }
    return found ? cards : nil
  }

  private static func isCard(_ value: ArraySlice<UInt8>) -> Bool {
    CardProperty.upperCase(CardProperty.trimmed(value)) == "VCARD"
  }

  private mutating func begin(_ property: CardProperty) {
    if let card, let agentLine, property.line - agentLine <= 1 {
      skipAgent(of: card, line: property.line)
    } else {
      // The previous card has no END. Its lines are complete, so it is accepted.
      finish(before: property.span.lowerBound)
      card = Card(line: property.line)
      card?.start = property.span
      depth = 0
    }
    agentLine = nil
  }

  private mutating func end(_ property: CardProperty) {
    if depth > 0 {
      depth -= 1
    } else if card == nil {
      cards.skipped.append(.init(line: property.line, name: nil, reason: "cut off: BEGIN:VCARD is missing"))
    } else {
      card?.end = property.span
      finish()
    }
    agentLine = nil
  }

  private mutating func agent(_ property: CardProperty) {
    let value = CardProperty.trimmed(property.value)
    if value.isEmpty {
      agentLine = lines.line
    } else if let card, depth == 0 || CardProperty.upperCase(value) == "BEGIN:VCARD",
      CardProperty.upperCase(value.prefix(11)) == "BEGIN:VCARD"
    {
      skipAgent(of: card, line: property.line)
      // A nested card with escaped line breaks ends on the same line.
      if value.count > 11 { depth -= 1 }
    }
  }

  /// Skips a nested card of another person.
  private mutating func skipAgent(of card: Card, line: Int) {
    depth += 1
    var note = ContactCards.Note(line: line, name: nil, reason: "the AGENT of the card at line \(card.line)")
    note.isNested = true
    cards.skipped.append(note)
  }

  /// - Parameter next: where the next card begins, if this one has no end.
  private mutating func finish(before next: Int? = nil) {
    guard let card else { return }
    self.card = nil
    lastCard = card
    var bytes: [UInt8] = []
    if let start = card.start, let end = card.end?.upperBound ?? next {
      bytes = Array(lines.bytes[start.lowerBound..<end])
      if card.end == nil { bytes += Array("END:VCARD\r\n".utf8) }
    }
    switch card.result {
    case .success(var contact, let notes):
      contact.card = bytes
      cards.people.append(contact)
      cards.notes += notes
      if card.end == nil {
        cards.notes.append(.init(line: card.line, name: card.displayName, reason: "END:VCARD is missing, and is added"))
      }
    case .failure(let skipped):
      cards.skipped.append(skipped)
      if var group = card.group {
        group.card = bytes
        cards.groups.append(group)
      }
    }
  }
}
