import Models
import Ports

/// Converts the cards of one address book into people.
struct BookCards: Sendable {
  let account: String
  let server: String
  let path: String
  /// The follow, which is the origin of its people.
  let follow: String
  let coder: any RecordCoder
  /// What the book was before its account got another name, or before it moved, as `PreviousBook` says. Its people keep their
  /// ids, so new ids are made of the first one.
  var previousBooks: [BookKey] = []

  /// Identifies the book in the stored state of its people.
  var key: BookKey { BookKey(account: account, path: DAVAddress.decoded(path), server: server) }

  /// The id of the person of a card, which is the same in every store: the one in the name of the card, if this account
  /// created it (`name(of:)`), and otherwise a hash of the account and the path.
  ///
  /// Only a free id, or one of a person whom this card can be, is taken from a name: the server chooses the names.
  func id(of card: String, in reader: some RecordReader, _ edits: any PendingEdits) throws(StoreError) -> String {
    for key in [key] + previousBooks {
      if let named = namedID(of: card, key), try canBe(named, card, in: reader, edits) { return named }
    }
    guard let first = previousBooks.first else { return hashedID(of: card) }
    for key in previousBooks.dropFirst() + [key] {
      let id = hashedID(of: card, key)
      if let copy = try edits.remoteCopy(of: .people, id, in: reader), holds(copy, of: card) { return id }
    }
    return hashedID(of: card, first)
  }

  /// The name of the new card of a person. It contains the id, which the person therefore keeps when the card is listed.
  /// The digits at its end depend on the account and the book, so that a copy in another book is another person.
  ///
  /// - Returns: `nil` for an id with characters that servers write in several ways, or that is too long for a name.
  func name(of id: String) -> String? { name(of: id, key) }

  private func name(of id: String, _ key: BookKey) -> String? {
    let isPlain = id.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
      default: false
      }
    }
    return isPlain && (1...100).contains(id.utf8.count) ? "\(id)-\(Self.hash(key.account, key.path, id)).vcf" : nil
  }

  /// The id of the person of a card that this account did not create.
  func hashedID(of card: String) -> String { "c-" + Self.hash(account, DAVAddress.decoded(card)) }

  /// The id of the person of another card of a resource.
  func hashedID(of path: String, card: String) -> String {
    "c-" + Self.hash((previousBooks.first ?? key).account, DAVAddress.decoded(path), card)
  }

  /// The id that the card had in another book.
  private func hashedID(of card: String, _ key: BookKey) -> String {
    let (card, own) = (DAVAddress.decoded(card), self.key.path)
    return "c-" + Self.hash(key.account, card.hasPrefix(own) ? key.path + card.dropFirst(own.count) : card)
  }

  func namedID(of card: String, _ key: BookKey) -> String? {
    let name = DAVAddress.name(card)
    guard let end = name.lastIndex(of: "-") else { return nil }
    let id = String(name[..<end])
    return self.name(of: id, key)?.exact == name.exact
      && DAVAddress.decoded(path + name).exact == DAVAddress.decoded(card).exact
      ? id : nil
  }

  private func canBe(
    _ id: String, _ card: String, in reader: some RecordReader, _ edits: any PendingEdits
  ) throws(StoreError) -> Bool {
    let copy = try edits.remoteCopy(of: .people, id, in: reader)
    if RecordOwner(copy).isOther(than: .cardDAV) { return false }
    if let copy, CardState(copy.sourceState).href != nil { return holds(copy, of: card) }
    guard let person = try reader.object(.people, id, coder) else { return true }
    let origin = person["origin"]?.string?.exact
    return origin == follow.exact || previousBooks.contains { $0.follow.exact == origin }
  }

  /// Whether a stored copy is that of a card of this book, or of what it was before.
  func holds(_ copy: RemoteCopy, of card: String) -> Bool {
    let state = CardState(copy.sourceState)
    guard let book = state.book, let href = state.href else { return false }
    if book.isSame(as: key) { return DAVAddress.decoded(href).exact == DAVAddress.decoded(card).exact }
    return previousBooks.contains { $0.isSame(as: book) } && DAVAddress.name(href).exact == DAVAddress.name(card).exact
  }

  private static func hash(_ texts: String...) -> String { StableHash.digest(texts) }

  struct Known: Sendable {
    /// The path, without escapes.
    var path: String
    /// The entity tag; `nil` if the card has to be fetched again.
    var tag: String?

    init(_ copy: RemoteCopy) {
      let state = CardState(copy.sourceState)
      (path, tag) = (state.path, state.tag)
    }
  }

  func known(
    of ids: [String], in reader: some RecordReader, _ edits: any PendingEdits
  ) throws(StoreError) -> [ExactString: Known] {
    var known: [ExactString: Known] = [:]
    for id in ids {
      if let copy = try copy(of: id, in: reader, edits) { known[id.exact] = Known(copy) }
    }
    return known
  }

  /// The ids of the people at each path of the book, without escapes.
  func people(_ known: [ExactString: Known]) -> [ExactString: [String]] {
    var people: [ExactString: [String]] = [:]
    for (id, card) in known.sorted(by: { $0.key < $1.key }) {
      // The card of a former book has the same name here.
      let isHere = card.path.exact.hasPrefix(key.path)
      people[(isHere ? card.path : key.path + DAVAddress.name(card.path)).exact, default: []].append(id.text)
    }
    return people
  }

  /// The stored copy of a person of the book; `nil` if the person is not one of it.
  func copy(of id: String, in reader: some RecordReader, _ edits: any PendingEdits) throws(StoreError) -> RemoteCopy? {
    guard let copy = try edits.remoteCopy(of: .people, id, in: reader),
      RecordOwner(copy) == .source(.cardDAV), CardState(copy.sourceState).isIn(key)
    else { return nil }
    return copy
  }

  /// What a resource of the book contains.
  struct Content: Sendable {
    /// The path, as the server wrote it.
    var path: String
    var tag: String?
    /// The cards of people and of groups: one, although some servers accept several (RFC 6352 section 5.1 forbids it).
    var people: [Contact] = []
    var groups: [ContactGroup] = []
    var rejects: [RejectedRecord] = []
    /// Whether the server did not give the resource.
    var isRefused = false
    /// The number of all cards, also of those that cannot be read and of groups.
    var cardCount = 0
    /// Whether the card of a person is beside other ones.
    var isShared: Bool { cardCount > 1 }
  }

  func content(of answer: CardAnswer, _ format: any ContactFormat) -> Content {
    switch answer {
    case .card(let card): return content(of: card, format)
    case .refused(let path, let error):
      var content = Content(path: path)
      content.isRefused = true
      content.rejects = [
        RejectedRecord(
          index: 0, path: path, expected: "a card that the server gives", found: error.failure.message, raw: "")
      ]
      return content
    }
  }

  func content(of card: FetchedCard, _ format: any ContactFormat) -> Content {
    var content = Content(path: card.path, tag: card.tag)
    func reject(_ expected: String, _ found: String) {
      content.rejects.append(
        RejectedRecord(
          index: 0, path: card.path, expected: expected, found: found,
          raw: String(decoding: card.bytes.prefix(64 << 10), as: UTF8.self)))
    }
    if card.hasControls {
      reject("a card of text", "control characters, which vCard does not allow")
      return content
    }
    do throws(ParsingError) {
      let cards = try format.read(card.bytes)
      content.people = cards.people.filter { !$0.card.isEmpty }
      content.groups = cards.groups.filter { !$0.card.isEmpty }
      content.cardCount = cards.people.count + cards.skipped.count { !$0.isNested }
      let expected = "the complete card of a person with a name"
      for contact in cards.people where contact.card.isEmpty {
        reject(expected, Self.named("no complete card", contact.fullName ?? contact.firstName + " " + contact.lastName))
      }
      for note in cards.skipped where note.isOfPerson && !note.isNested {
        reject(expected, cards.people.isEmpty ? note.reason : Self.named(note.reason, note.name))
      }
    } catch {
      reject(error.expected, error.found)
    }
    return content
  }

  /// Names one of several cards of a resource.
  private static func named(_ reason: String, _ name: String?) -> String {
    name.map { "\(reason): the card of \($0.trimmed)" } ?? reason
  }

  /// The records of a person: the person and the card.
  func changes(_ contact: Contact, of content: Content, id: String) -> [PulledChange] {
    let person = contact.person(id: id, origin: follow)
    let stored = StoredCard(id: person.id, bytes: contact.card)
    return [
      PulledChange(person, .replace, base: person.fields, sourceState: sourceState(of: contact.card, in: content)),
      PulledChange(collection: .cards, id: person.id, fields: stored.fields, .replace),
    ]
  }

  func sourceState(of card: [UInt8], in content: Content) -> JSONObject {
    var state = CardState(
      book: key, href: content.path, tag: content.tag, previousBooks: previousBooks, isShared: content.isShared
    ).fields
    state.recordContent = Self.content(of: card)
    state.changedAt = Self.revision(of: card)
    return state
  }

  /// When a card was changed (`REV`), in either form of ISO 8601; `nil` if it does not say so.
  private static func revision(of card: [UInt8]) -> Timestamp? {
    let line = card.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).first { propertyName(of: $0) == "REV" }
    guard let value = line?.split(separator: 0x3A, maxSplits: 1).last else { return nil }
    var text = String(decoding: value, as: UTF8.self).trimmed
    if text.utf8.count >= 15, !text.contains("-"), text.utf8.dropFirst(8).first == UInt8(ascii: "T") {
      let parts = [0..<4, 4..<6, 6..<8, 9..<11, 11..<13, 13..<15].map { String(Array(text)[$0]) }
      text = "\(parts[0])-\(parts[1])-\(parts[2])T\(parts[3]):\(parts[4]):\(parts[5])Z"
    }
    return Timestamp(rfc3339: text)
  }

  /// A hash of the unfolded lines of a card, without the properties that servers write themselves: when it was changed, and
  /// by which program.
  static func content(of card: [UInt8]) -> String {
    var hash = StableHash()
    var isCounted = true
    for line in card.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      if line.first == 0x20 || line.first == 0x09 {
        if isCounted { hash.add(line.dropFirst()) }
      } else {
        isCounted = !["PRODID", "REV"].contains(propertyName(of: line))
        if isCounted {
          hash.add(CollectionOfOne(0x0A))
          hash.add(line)
        }
      }
    }
    return hash.hex
  }

  /// The name of the property of a line, without its group.
  static func propertyName(of line: ArraySlice<UInt8>) -> String {
    let head = line.prefix { $0 != 0x3A && $0 != 0x3B }
    return String(decoding: head.split(separator: 0x2E).last ?? head, as: UTF8.self).uppercased()
  }
}
