import Models
import Ports

struct RemoteCard: UpdatableRemote {
  let client: DAVClient
  let contacts: any ContactFormat
  let cards: BookCards
  var path: String
  let now: Timestamp
  /// What is known of the person, to find the card in a resource that has several; `nil` for a new one.
  var known: PersonEvidence?
  /// The stored people; `nil` for a new one.
  var people: BookPeople?
  /// Whether the resource had several cards when it was last pulled, and its entity tag then.
  var isShared = false
  var knownTag: String?
  /// The path of the card that the next edit changes, and where it is kept.
  var next: String?
  var ahead: CardAhead?

  struct Resource {
    var record: RemoteRecord
    var whole: FetchedCard
    /// The card of the person within it.
    var card: [UInt8]
    /// Whether it has further cards.
    var isShared: Bool

    /// The resource with another card in the place of this one; `nil` if the card is not found in it.
    func replacing(_ new: [UInt8]) -> [UInt8]? {
      guard let range = whole.bytes.firstRange(of: card) else { return isShared ? nil : new }
      return Array(whole.bytes[..<range.lowerBound] + new + whole.bytes[range.upperBound...])
    }
  }

  func read(_ id: String) async throws(SourceError) -> RemoteRecord { try await fetch(id).record }

  /// The card where it is now: at its path, or where the search for its `UID` finds it.
  ///
  /// - Parameters:
  ///   - known: the resource, if it was just read.
  ///   - next: the path of another card that is read as well.
  func fetch(
    _ id: String, known read: FetchedCard? = nil, besides next: String? = nil
  ) async throws(SourceError) -> Resource {
    let url = client.start.at(path).url
    let gone = SourceError.meant(.missing, said: APIFailure(.gone, "the card was removed at the server"), url: url)
    let card: FetchedCard
    do throws(SourceError) {
      switch try await answer(read, besides: next) {
      case .card(let found)?: card = found
      case .refused(_, let error)?: throw error
      case nil: throw gone
      }
    } catch {
      guard error.isNotFound else { throw error }
      try await checkBook()
      guard let moved = try await moved() else { throw error }
      return try await moved.fetch(id)
    }
    let content = cards.content(of: card, contacts)
    guard !content.people.isEmpty else {
      throw .refused(message: "the card at \(url) is no longer one of a person that can be read")
    }
    let index = index(in: content)
    let found = index.flatMap { content.people[$0].uid?.exact }
    let isOther = found != nil && known?.uid != nil && found != known?.uid
    if index == nil || isOther, let moved = try await moved() { return try await moved.fetch(id) }
    // Another card may have come to the path of one that was removed.
    if isOther, let found,
      try SourceError.reading(people?.isOthers(found, than: id)) == true
    {
      throw gone
    }
    guard let index else {
      // The others of the resource are other people.
      guard content.rejects.isEmpty else {
        throw .refused(message: "the card at \(url) is not among those of its resource that can be read")
      }
      throw gone
    }
    let changes = cards.changes(content.people[index], of: content, id: id)
    let person = changes[0].fields
    // A response of GET has no tag that could be trusted.
    return Resource(
      record: RemoteRecord(person, base: person, sourceState: changes[0].sourceState), whole: card,
      card: content.people[index].card, isShared: content.isShared)
  }

  private func answer(_ read: FetchedCard?, besides next: String?) async throws(SourceError) -> CardAnswer? {
    if let read { return .card(read) }
    var own: CardAnswer?
    for answer in try await client.cards([path] + [next].compactMap(\.self), of: cards.path, read: { $0 }) {
      if answer.isOf(path) {
        own = answer
      } else if let next, case .card(let card) = answer {
        ahead?.keep(card, at: client.start.at(next).url, now)
      }
    }
    return own
  }

  /// The card at another path of the address book, which has its `UID`; `nil` if there is none.
  private func moved() async throws(SourceError) -> RemoteCard? {
    guard let uid = known?.uid, let owner = try await owner(of: uid.text),
      DAVAddress.decoded(owner.path).exact != DAVAddress.decoded(path).exact
    else { return nil }
    var moved = self
    (moved.path, moved.knownTag) = (owner.path, nil)
    moved.known?.path = owner.path.exact
    return moved
  }

  /// The place of the person's card in a resource; `nil` if it has only cards of others. The only card is that of the person,
  /// unless its `UID` and its names say otherwise.
  private func index(in content: BookCards.Content) -> Int? {
    guard let known else { return 0 }
    let list = content.people.map { contact in
      var evidence = PersonEvidence(
        firstName: contact.firstName, lastName: contact.lastName, birthday: contact.birthday)
      (evidence.uid, evidence.path) = (contact.uid?.exact, known.path)
      return evidence
    }
    var matcher = PersonMatcher(.book)
    matcher.add(known)
    guard let index = matcher.match(list).firstIndex(where: { $0 != .new }) else { return nil }
    let (found, hasUID) = (list[index], known.uid != nil && known.uid == list[index].uid)
    // Of several cards there was one, and only another one is left.
    let isSame = hasUID || (found.firstName, found.lastName) == (known.firstName, known.lastName)
    return isShared && !isSame ? nil : index
  }

  /// Checks that the address book is where the card was. A book that was moved or renamed is not one whose cards were
  /// removed: its edits wait.
  func checkBook() async throws(SourceError) {
    guard try await client.isGone(cards.path) else { return }
    throw .configuration(
      message: "the address book of the card is not at \(client.start.at(cards.path).url) any more",
      hint: "follow it where it is now, so that its people are found there, or discard the edit")
  }

  /// Writes the edited properties into the card as the server has it now.
  ///
  /// The next pull fetches the card again, because its entity tag is not stored: it replaces the card that is kept beside
  /// the person.
  func write(
    _ edit: JSONObject, on known: JSONObject, id: String, ifMatch etag: String?
  ) async throws(SourceError) -> UpdateAnswer {
    let resource = try await fetch(id, known: ahead?.take(url, etag, now))
    let current = resource.record
    if let refusal = refusal(of: resource, ifMatch: etag) { return .preconditionFailed(refusal) }
    let person: Person
    do throws(RecordError) { person = try Person(fields: current.fields.applying(edit: edit)) } catch {
      throw .refused(message: "the person cannot be sent: \(error)")
    }
    let bytes = contacts.changed(resource.card, to: person, at: now)
    if let refusal = try await replace(resource, with: bytes) { return .preconditionFailed(refusal) }
    let written = try await fetch(id, besides: next)
    var stored = written.record
    stored.sourceState?.entityTag = nil
    note(bytes, written.card, in: &stored)
    return .accepted(stored)
  }

  /// Replaces the card of the person in its resource, and keeps the other cards.
  func put(_ resource: Resource, with card: [UInt8]) async throws(SourceError) -> HTTPResponse {
    guard let bytes = resource.replacing(card) else {
      throw .refused(message: "\(client.start.at(path).url) has several cards, and this one cannot be changed alone")
    }
    var headers: HTTPHeaders = ["Content-Type": "text/vcard; charset=utf-8"]
    // A weak tag never matches (RFC 9110 section 13.1.1).
    if let tag = resource.whole.tag, !tag.hasPrefix("W/") { headers["If-Match"] = tag }
    return try await client.send(.put, resource.whole.path, headers: headers, body: bytes, isRepeatable: false)
  }

  func note(_ sent: [UInt8], _ written: [UInt8], in stored: inout RemoteRecord) {
    var lost = Self.propertyNames(written, missingOf: sent)
    if !lost.contains("PHOTO"), let size = photo(sent)?.bytes {
      // Some servers keep the property without its data, which is no photo then. One that is elsewhere has no size.
      let kept = photo(written)
      if kept == nil || kept?.bytes ?? size < size { lost.append("PHOTO") }
    }
    if lost.isEmpty { lost = changedFields(of: sent, in: written) }
    guard !lost.isEmpty else { return }
    let url = client.start.at(path).url
    stored.notes = ["the server of \(url) did not keep \(lost.joined(separator: ", ")) of the card that was sent"]
  }

  /// The fields of a card of which another one lacks the value, or an item.
  private func changedFields(of sent: [UInt8], in written: [UInt8]) -> [String] {
    func fields(_ card: [UInt8]) -> JSONObject? { (try? contacts.read(card))?.people.first?.person(id: "").fields }
    guard let sent = fields(sent), let written = fields(written) else { return [] }
    return sent.members.filter { member in
      guard member.key != "photo", let found = written[member.key] else { return member.key != "photo" }
      guard let items = member.value.array, let kept = found.array else { return found != member.value }
      return !items.allSatisfy(kept.contains)
    }.map(\.key)
  }

  private func photo(_ card: [UInt8]) -> ContactPhoto? { (try? contacts.read(card))?.people.first?.details.photo }

  /// - Parameters:
  ///   - uid: the identifier of a card that has none.
  ///   - card: the card to change; `nil` for a new one.
  ///   - isNew: whether a card that is there already comes from an earlier attempt, because no other person has its path;
  ///     otherwise it is newer than the edit.
  ///   - mayBeThere: whether an earlier attempt may have arrived. A server may have given the card another name.
  func create(
    _ person: Person, uid: String, from card: [UInt8]?, isNew: Bool, mayBeThere: Bool
  ) async throws(SourceError) -> PushOutcome {
    let bytes = contacts.newCard(of: person, uid: uid, from: card, at: now)
    let sent = contacts.uid(of: bytes) ?? uid
    var made = self
    // A card that is to be made again may not have been removed but moved. One of a file may be in the book already.
    if !isNew || sent.exact != uid.exact, let owner = try await owner(of: sent), owner.path.exact != path.exact {
      if isNew { throw Self.hasUID(client.start.at(owner.path).url, owner.name) }
      (made.path, made.known) = (owner.path, PersonEvidence(person, uid: sent, path: owner.path))
      return .remoteIsNewer(try await made.fetch(person.id).record)
    }
    if mayBeThere, isNew, sent.exact == uid.exact, let owner = try await owner(of: sent),
      DAVAddress.decoded(owner.path).exact != DAVAddress.decoded(path).exact
    {
      made.path = owner.path
      return .accepted(try await made.created(person.id, bytes))
    }
    let response = try await putNew(bytes)
    switch client.meaning(of: response) {
    case .http(.success): made.path = place(response) ?? path
    case .duplicateUID:
      let owner = try await owner(of: sent)
      guard let owner, isNew, sent.exact == uid.exact else {
        throw Self.hasUID(owner.map { client.start.at($0.path).url }, owner?.name)
      }
      // An earlier attempt arrived, and the server chose another name.
      made.path = owner.path
    case .http(.preconditionFailed): break
    default: throw error(response)
    }
    let isOurs = response.isSuccess || isNew
    do throws(SourceError) {
      let stored = try await made.created(person.id, bytes, isOurs: isOurs)
      return isOurs ? .accepted(stored) : .remoteIsNewer(stored)
    } catch {
      guard error.isNotFound else { throw error }
      // 412 although there is no such card: the server refuses its content.
      guard response.isSuccess else { throw refusal(response) }
      // The server gave the card another name, and does not say which.
      guard let owner = try await owner(of: sent) else { throw error }
      made.path = owner.path
      return .accepted(try await made.created(person.id, bytes))
    }
  }

  func putNew(_ bytes: [UInt8]) async throws(SourceError) -> HTTPResponse {
    try await client.send(
      .put, path, headers: ["Content-Type": "text/vcard; charset=utf-8", "If-None-Match": "*"], body: bytes,
      isRepeatable: false)
  }

  /// The new card as it is stored at its path.
  ///
  /// - Parameter isOurs: whether it is the one that was sent.
  private func created(_ id: String, _ sent: [UInt8], isOurs: Bool = true) async throws(SourceError) -> RemoteRecord {
    // Only an id that is not part of the card's name is replaced.
    let isNamed = cards.name(of: id)?.exact == DAVAddress.name(path).exact
    let id = isNamed ? id : cards.hashedID(of: path)
    let written: Resource
    do throws(SourceError) { written = try await fetch(id) } catch {
      guard isOurs, case .refused(let message) = error else { throw error }
      throw .made(message: "it was created, but \(message)")
    }
    var stored = written.record
    guard isOurs else { return stored }
    stored.sourceState?.entityTag = nil
    stored.newID = id
    note(sent, written.card, in: &stored)
    return stored
  }

  static func hasUID(_ url: String?, _ name: String?) -> SourceError {
    let place = url.map { ": that of \(name ?? "") at \($0)" } ?? ""
    return .refused(message: "the address book has a card with the same UID already\(place)")
  }

  /// The card of the address book that has a `UID`; `nil` if it is not found.
  func owner(of uid: String) async throws(SourceError) -> (path: String, name: String)? {
    for card in try await client.cards(withUIDs: [uid.exact], of: cards.path) {
      let content = cards.content(of: card, contacts)
      for contact in content.people where contact.uid?.exact == uid.exact {
        let fields = cards.changes(contact, of: BookCards.Content(path: card.path), id: "").first?.fields
        return (card.path, fields?["fullName"]?.string ?? "")
      }
      for group in content.groups where group.uid?.exact == uid.exact { return (card.path, group.name) }
    }
    return nil
  }

  /// Where the server put a new card, if it says so and that is in the address book (RFC 9110 section 10.2.2).
  func place(_ response: HTTPResponse) -> String? {
    guard let location = response.headers["Location"],
      let found = try? client.path(of: location, from: client.start.at(path)), !found.hasSuffix("/"),
      DAVAddress.decoded(found).hasPrefix(DAVAddress.decoded(cards.path)),
      DAVAddress.decoded(found).exact != DAVAddress.decoded(path).exact
    else { return nil }
    return found
  }

  /// The names of properties of which a card has fewer than another one. Those that servers write themselves are left out.
  private static func propertyNames(_ card: [UInt8], missingOf sent: [UInt8]) -> [String] {
    func counts(_ bytes: [UInt8]) -> [(name: String, count: Int)] {
      var counts: [(name: String, count: Int)] = []
      for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
      where line.first != 0x20 && line.first != 0x09 {
        let name = BookCards.propertyName(of: line)
        if let place = counts.firstIndex(where: { $0.name == name }) {
          counts[place].count += 1
        } else {
          counts.append((name, 1))
        }
      }
      return counts
    }
    let kept = counts(card)
    return counts(sent).filter { one in
      !["PRODID", "REV", "VERSION"].contains(one.name) && one.count > kept.first { $0.name == one.name }?.count ?? 0
    }.map(\.name)
  }

  /// Removes the card; the other cards of its resource stay.
  func remove(_ id: String, ifMatch etag: String?) async throws(SourceError) -> RemovalAnswer {
    try await remove(ifMatch: etag) { () async throws(SourceError) in try await fetch(id) }
  }

  func remove(
    ifMatch etag: String?, _ fetch: () async throws(SourceError) -> Resource
  ) async throws(SourceError) -> RemovalAnswer {
    let response: HTTPResponse
    // With the tag of a resource that had one card, the server removes no other one.
    if !isShared, let etag, etag.exact == knownTag?.exact {
      response = try await client.send(.delete, path, headers: ["If-Match": etag], isRepeatable: false)
    } else {
      let resource = try await fetch()
      if let refusal = refusal(of: resource, ifMatch: etag) { return .preconditionFailed(refusal) }
      response =
        resource.isShared
        ? try await put(resource, with: [])
        : try await client.send(.delete, resource.whole.path, isRepeatable: false)
    }
    switch response.status.meaning {
    case .success: return .removed
    case .missing:
      try await checkBook()
      guard let moved = try await moved() else { return .removed }
      let url = client.start.at(moved.path).url
      return .preconditionFailed(.meant(.changed, said: APIFailure(.changed, "the card was moved"), url: url))
    case .conflict, .preconditionFailed: return .preconditionFailed(error(response))
    default: throw error(response)
    }
  }

  /// The error of a response to a change. Without the permission, or with a card that is too large, another attempt is of
  /// no use; a resource that is locked for a moment (423) can be changed later.
  func error(_ response: HTTPResponse) -> SourceError {
    switch client.meaning(of: response) {
    case .http(.forbidden), .http(.unsupported), .http(.tooLarge), .full: refusal(response)
    case .locked:
      .meant(
        .locked, said: APIFailure(.locked, "another program has locked the card (\(response.status))"),
        url: response.url)
    default: client.error(response)
    }
  }

  static let readOnly = "the address book may only be read"

  func refusal(_ response: HTTPResponse) -> SourceError {
    let conditions = client.format.conditions(response.body)
    let reason =
      switch client.meaning(of: response) {
      case .http(.forbidden) where conditions.contains("need-privileges"): Self.readOnly
      case .http(.forbidden): "the server does not allow this change (\(response.status))"
      case .http(.unsupported) where response.status == .unsupportedMediaType:
        "the server does not take this card (\(response.status))"
      case .http(.tooLarge): "the card is too large for the server"
      case .full: "the address book is full"
      default: "the server answered \(response.status)"
      }
    return .refused(message: conditions.isEmpty ? reason : "\(reason) (\(conditions.joined(separator: ", ")))")
  }
}
