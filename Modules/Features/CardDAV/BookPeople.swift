import Models
import Ports

/// Decides which stored people the cards of an address book are.
struct BookPeople {
  let book: BookCards
  let contacts: any ContactFormat
  let edits: any PendingEdits
  let snapshot: any StoreSnapshot

  /// The `UID` of a person's stored card.
  func uid(of id: String) throws(StoreError) -> ExactString? {
    guard let card = try snapshot.object(.cards, id, book.coder).flatMap({ StoredCard(fields: $0) }) else { return nil }
    return contacts.uid(of: card.bytes)?.exact
  }

  /// The `UID`s of the stored cards of some people.
  func uids(of people: Set<ExactString>) throws(StoreError) -> [ExactString: String] {
    var uids: [ExactString: String] = [:]
    for id in people.sorted() {
      if let uid = try uid(of: id.text) { uids[uid] = uids[uid] ?? id.text }
    }
    return uids
  }

  /// Whether the stored card of another person has a `UID`. O(n) for n cards.
  func isOthers(_ uid: ExactString, than id: String) throws(StoreError) -> Bool {
    var isOthers = false
    try snapshot.scan(.cards, .all) { (record: RawSpan) throws(StoreError) -> ScanStep in
      guard let card = StoredCard(fields: try book.coder.object(record, of: .cards)), card.id.exact != id.exact,
        contacts.uid(of: card.bytes)?.exact == uid
      else { return .next }
      isOthers = true
      return .stop
    }
    return isOthers
  }

  /// A person of another address book, or of another path.
  struct Other {
    var id: String
    var uid: ExactString
    /// The book and the path of the card; `nil` if it was removed, and an edit of the person waits.
    var book: BookKey?
    var path: String?
  }

  /// The people of other address books with some `UID`s. O(n) for n people.
  ///
  /// - Parameter paths: paths of this book, without escapes, whose people count too: an edit may have found them there.
  func ofOtherBooks(_ uids: Set<ExactString>, orAt paths: Set<ExactString> = []) throws(StoreError) -> [Other] {
    guard !uids.isEmpty else { return [] }
    var copies: [ExactString: CardState] = [:]
    try edits.eachRemoteCopy(of: .people, in: snapshot) { (id, copy) throws(StoreError) in
      guard RecordOwner(copy) == .source(.cardDAV) else { return }
      let card = CardState(copy.sourceState)
      if !card.isIn(book.key) || paths.contains(card.path.exact) { copies[id.exact] = card }
    }
    guard !copies.isEmpty else { return [] }
    var others: [Other] = []
    try snapshot.scan(.cards, .all) { (record: RawSpan) throws(StoreError) -> ScanStep in
      guard let card = StoredCard(fields: try book.coder.object(record, of: .cards)), let copy = copies[card.id.exact],
        let uid = contacts.uid(of: card.bytes)?.exact, uids.contains(uid)
      else { return .next }
      others.append(Other(id: card.id, uid: uid, book: copy.book, path: copy.href))
      return .next
    }
    return others
  }

  struct Assignment {
    /// The ids of the people of each resource, in the order of its cards.
    var ids: [[String]]
    /// The ids of the people of each path that `BookState.people` has to know; `nil` if `BookCards.id(of:)` makes them.
    var exceptions: [[String]?]
    /// The people who are not in their resource any more.
    var departed: [String] = []
  }

  /// The people of some resources.
  ///
  /// A card at a path that had one card is the same person, unless its `UID` says otherwise. Elsewhere `PersonMatcher`
  /// decides: a card keeps the person of its `UID`, who may have been at another path.
  ///
  /// - Parameters:
  ///   - places: the people who are stored at the path of each resource.
  ///   - moved: people whose cards are not where they were, by the `UID`s of their cards.
  func assign(
    _ contents: [BookCards.Content], at places: [Place], moved: [ExactString: String]
  ) throws(StoreError) -> Assignment {
    var result = Assignment(
      ids: Array(repeating: [], count: contents.count), exceptions: Array(repeating: nil, count: contents.count))
    var matcher = PersonMatcher(.book)
    var known: [ExactString] = []
    var used: Set<ExactString> = []
    var open: [(content: Int, card: Int)] = []
    var before: [(content: Int, id: ExactString)] = []
    for (index, content) in contents.enumerated() {
      let here = places[index].people
      let isMoved = content.people.contains { card in card.uid.map { moved[$0.exact] != nil } ?? false }
      used.formUnion(here.map(\.exact))
      if places[index].isSame, !isMoved {
        result.ids[index] = here
        continue
      }
      result.ids[index] = Array(repeating: "", count: content.people.count)
      open += content.people.indices.map { (index, $0) }
      for id in here where !content.people.isEmpty || !content.groups.isEmpty {
        matcher.add(try evidence(of: id, at: DAVAddress.decoded(content.path)))
        known.append(id.exact)
        before.append((index, id.exact))
      }
    }
    for (uid, id) in moved.sorted(by: { $0.key < $1.key }) where used.insert(id.exact).inserted {
      var evidence = try evidence(of: id, at: nil)
      evidence.uid = uid
      matcher.add(evidence)
      known.append(id.exact)
    }
    let matches = matcher.match(
      open.map { place in
        let contact = contents[place.content].people[place.card]
        var evidence = PersonEvidence(
          firstName: contact.firstName, lastName: contact.lastName, birthday: contact.birthday)
        evidence.uid = contact.uid?.exact
        evidence.path = DAVAddress.decoded(contents[place.content].path).exact
        return evidence
      })
    var found: Set<ExactString> = []
    for (place, match) in zip(open, matches) {
      if case .same(let index, _) = match {
        found.insert(known[index])
        result.ids[place.content][place.card] = known[index].text
      } else {
        let id = newID(of: contents[place.content], place.card, at: places[place.content], used)
        used.insert(id.exact)
        result.ids[place.content][place.card] = id
      }
    }
    for (index, content) in contents.enumerated() {
      let left = before.filter { $0.content == index && !found.contains($0.id) }.map(\.id.text)
      // A card that cannot be read may be any of them.
      if content.rejects.isEmpty { result.departed += left }
      let people = result.ids[index] + (content.rejects.isEmpty ? [] : left)
      if people.map(\.exact) != [places[index].id.exact] { result.exceptions[index] = people }
    }
    return result
  }

  struct Place {
    /// The id that `BookCards.id(of:)` makes of the path, and whether no person with another path has it.
    var id: String
    var isFree: Bool
    /// The stored people who are there.
    var people: [String]
    /// Whether it had one card and has one, and their `UID`s do not differ.
    var isSame = false
  }

  /// Who is stored at the path of a resource.
  ///
  /// - Parameter exceptions: the ids of the people of a path, without escapes, where they are not those of
  ///   `BookCards.id(of:)`.
  func place(of content: BookCards.Content, _ exceptions: [ExactString: [String]]) throws(StoreError) -> Place {
    let id = try book.id(of: content.path, in: snapshot, edits)
    let copy = try edits.remoteCopy(of: .people, id, in: snapshot)
    let isHere = copy.map { book.holds($0, of: content.path) } ?? false
    var place = Place(id: id, isFree: isHere || copy.map { CardState($0.sourceState).href == nil } ?? true, people: [])
    for known in exceptions[DAVAddress.decoded(content.path).exact] ?? [] {
      // One that was removed, or that an edit found elsewhere, is not there any more.
      guard let copy = try edits.remoteCopy(of: .people, known, in: snapshot) else { continue }
      if book.holds(copy, of: content.path) { place.people.append(known) }
    }
    if place.people.isEmpty, isHere { place.people = [id] }
    if content.people.count == 1, place.people.count == 1 {
      let uid = content.people[0].uid?.exact
      place.isSame =
        try uid.flatMap { (uid) throws(StoreError) in
          try self.uid(of: place.people[0]).map { $0 == uid }
        } ?? true
    }
    return place
  }

  func evidence(of id: String, at path: String?) throws(StoreError) -> PersonEvidence {
    let copy = try edits.remoteCopy(of: .people, id, in: snapshot)
    let fields = try snapshot.object(.people, id, book.coder) ?? copy?.base ?? [:]
    var evidence: PersonEvidence
    do throws(RecordError) { evidence = PersonEvidence(try Person(fields: fields)) } catch {
      evidence = PersonEvidence(firstName: "", lastName: "", birthday: nil)
    }
    evidence.uid = try uid(of: id)
    evidence.path = path?.exact
    return evidence
  }

  /// The id of a new person: that of the path for the first one there.
  private func newID(of content: BookCards.Content, _ card: Int, at place: Place, _ used: Set<ExactString>) -> String {
    if place.isFree, !used.contains(place.id.exact) { return place.id }
    let contact = content.people[card]
    let name = contact.uid ?? "\(contact.firstName) \(contact.lastName)"
    var attempt = 1
    while true {
      let id = book.hashedID(of: content.path, card: attempt == 1 ? name : "\(name) \(attempt)")
      if !used.contains(id.exact) { return id }
      attempt += 1
    }
  }
}
