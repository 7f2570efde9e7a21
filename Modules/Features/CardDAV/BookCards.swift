import Models
import Ports

/// Converts the cards of one address book into people.
struct BookCards: Sendable {
  /// The name of the account.
  let account: String
  /// The path of the book.
  let path: String

  /// Identifies the book in the memory of its people.
  private var key: String { account + DAVAddress.decoded(path) }

  /// The id of the person of a card: a hash of the account and the path, so that it is the same in every store.
  func id(of card: String) -> String {
    let decoded = DAVAddress.decoded(card)
    var halves = [StableHash(), StableHash(offset: 0x6C62_272E_07BB_0142)]
    for index in halves.indices {
      halves[index].combine(account)
      halves[index].combine(decoded)
    }
    return "c-" + halves.map(\.hex).joined()
  }

  /// The entity tags of the book's stored cards by the ids of their people.
  ///
  /// - Parameter ids: the people to look up; `nil` for all of the book.
  func known(
    of ids: [String]?, in reader: some RecordReader, _ edits: any PendingEdits
  ) throws(StoreError) -> [ExactString: String?] {
    var known: [ExactString: String?] = [:]
    let key = key
    func add(_ id: String, _ copy: RemoteCopy) {
      guard copy.source == .cardDAV, copy.memory["book"]?.string?.exact == key.exact else { return }
      known[id.exact] = .some(copy.memory["etag"]?.string)
    }
    if let ids {
      for id in ids { if let copy = try edits.remoteCopy(of: .people, id, in: reader) { add(id, copy) } }
    } else {
      try edits.eachRemoteCopy(of: .people, in: reader) { (id, copy) throws(StoreError) in add(id, copy) }
    }
    return known
  }

  /// What a card is.
  enum Content: Sendable {
    /// A person: the record and the card.
    case person([PulledChange])
    /// Something else, such as a group.
    case other
    case rejected(RejectedRecord)
  }

  /// Reads a card.
  ///
  /// - Parameter origin: the follow.
  func changes(_ card: FetchedCard, _ format: any ContactFormat, origin: String) -> Content {
    if card.hasControls {
      return rejected(card, expected: "a card of text", found: "control characters, which vCard does not allow")
    }
    let cards: ContactCards
    do throws(ParsingError) {
      cards = try format.read(card.bytes)
    } catch {
      return rejected(card, expected: error.expected, found: error.found)
    }
    guard let contact = cards.people.first, !contact.card.isEmpty else {
      if cards.skipped.first?.isOfPerson == false { return .other }
      return rejected(
        card, expected: "the complete card of a person with a name",
        found: cards.skipped.first?.reason ?? "no complete card")
    }
    let person = Person(
      id: id(of: card.path), firstName: contact.firstName, lastName: contact.lastName, birthday: contact.birthday,
      fullName: contact.fullName, details: contact.details, origin: origin)
    var memory: JSONObject = ["book": .string(key), "href": .string(card.path)]
    memory.append("etag", card.tag)
    let stored = StoredCard(id: person.id, bytes: contact.card)
    return .person([
      PulledChange(person, .replace, base: person.fields, memory: memory),
      PulledChange(collection: .cards, id: person.id, fields: stored.fields, .replace),
    ])
  }

  private func rejected(_ card: FetchedCard, expected: String, found: String) -> Content {
    .rejected(
      RejectedRecord(
        index: 0, path: card.path, expected: expected, found: found,
        raw: String(decoding: card.bytes.prefix(64 << 10), as: UTF8.self)))
  }
}
