public import Models
public import Ports
import Synchronization

extension CardDAVSource: EditableSource {
  public var editableCollections: [CollectionName] { [.people, .groups] }

  /// Sends a change or a removal of a person to the card of the person.
  ///
  /// The card is fetched before each change, so that only the properties that differ are written, and read back after it:
  /// servers change cards although they answer with an entity tag.
  public func push(_ entry: OutboxEntry, _ context: PushContext) async throws(SourceError) -> PushOutcome {
    let state = CardState(context.sourceState)
    guard let href = state.href, let key = state.book else {
      return entry.kind == .delete ? .removed : try await create(entry, context)
    }
    let client = try client(key.account, context.transport)
    let cards = BookCards(
      account: key.account, server: client.server, path: BookKey.folder(of: href),
      follow: context.record["origin"]?.string ?? "", coder: coder, previousBooks: state.previousBooks)
    guard key.hasServer(of: cards.key) else {
      throw .configuration(
        message: "the card is at another server, or of another user, than the account '\(key.account)' has now",
        hint:
          "set \(DAVService.contacts.setting(key.account)) back to what it was, or discard the edit; if the same address book "
          + "only has another address, sync it first")
    }
    var remote = RemoteCard(client: client, contacts: contacts, cards: cards, path: href, now: context.now)
    (remote.isShared, remote.knownTag) = (state.isShared, state.tag)
    if entry.targetCollection == .groups {
      return try await context.changes.send(entry, context, to: RemoteGroup(place: remote))
    }
    remote.ahead = ahead
    remote.next = try nextCard(after: entry, in: cards.key, context.snapshot)
    let people = BookPeople(book: cards, contacts: contacts, edits: edits, snapshot: context.snapshot)
    remote.people = people
    remote.known = try SourceError.reading(people.evidence(of: entry.targetID, at: href))
    if let origin = entry.edit["origin"]?.string, origin.exact != context.base?["origin"]?.string?.exact {
      return try await move(entry, context, from: remote, to: Follow(path: origin))
    }
    return try await context.changes.send(entry, context, to: remote)
  }

  /// The path of the card that the next edit changes, if it is in the same book.
  private func nextCard(
    after entry: OutboxEntry, in book: BookKey, _ snapshot: any StoreSnapshot
  ) throws(SourceError) -> String? {
    try SourceError.from { () throws(StoreError) in
      var next: OutboxEntry?
      try snapshot.eachObject(.outbox, ScanRange(after: entry.id), coder) { fields in
        next = try? OutboxEntry(fields: fields)
        return .stop
      }
      guard let next, next.kind == .put, next.targetCollection == .people, next.target.exact != entry.target.exact,
        let copy = try edits.remoteCopy(of: .people, next.targetID, in: snapshot)
      else { return nil }
      let state = CardState(copy.sourceState)
      return state.isIn(book) ? state.href : nil
    }
  }

  private func move(
    _ entry: OutboxEntry, _ context: PushContext, from remote: RemoteCard, to origin: Follow
  ) async throws(SourceError) -> PushOutcome {
    let place = try await place(of: origin, context)
    let old = Follow(path: context.base?["origin"]?.string ?? "")
    let isReadOnly = try? await self.place(of: old, over: context.transport).book.isReadOnly
    if place.book.isReadOnly || isReadOnly == true { throw .refused(message: RemoteCard.readOnly) }
    let target = try target(entry, context, at: place)
    do throws(SourceError) { return try await remote.move(entry, to: target) } catch {
      // The book may have moved.
      books[origin] = nil
      throw error
    }
  }

  /// The place of a person's new card in an address book.
  private func target(
    _ entry: OutboxEntry, _ context: PushContext, at place: BookPlace
  ) throws(SourceError) -> RemoteCard {
    let client = try client(place.account, context.transport)
    let cards = BookCards(
      account: place.account, server: client.server, path: place.book.path, follow: place.follow.path, coder: coder)
    return RemoteCard(
      client: client, contacts: contacts, cards: cards,
      path: place.book.path + (cards.name(of: entry.targetID) ?? entry.id + ".vcf"), now: context.now)
  }

  /// Creates the card of a new person or group, or of one that was removed at the server and that the user chose to keep. A
  /// card that is kept beside the person is sent with the changes. The path is derived from the record, which keeps the id,
  /// so that an edit that is sent again, because its answer was lost, finds the card that it created.
  private func create(_ entry: OutboxEntry, _ context: PushContext) async throws(SourceError) -> PushOutcome {
    var fields = entry.kind == .post ? entry.edit : context.record
    fields["id"] = .string(entry.targetID)
    let origin = Follow(path: fields["origin"]?.string ?? context.record["origin"]?.string ?? "")
    let place = try await place(of: origin, context)
    if place.book.isReadOnly { throw .refused(message: RemoteCard.readOnly) }
    let remote = try target(entry, context, at: place)
    // One that was removed may have been restored under its path.
    let isNew = entry.kind == .post || entry.outcomeUnknown
    do throws(SourceError) {
      if entry.targetCollection == .groups {
        return try await RemoteGroup(place: remote).create(fields, isNew: isNew, mayBeThere: entry.outcomeUnknown)
      }
      let person: Person
      do throws(RecordError) { person = try Person(fields: fields) } catch {
        throw SourceError.refused(message: "the person cannot be sent: \(error)")
      }
      let stored = try SourceError.reading(context.snapshot.object(.cards, person.id, coder))
      return try await remote.create(
        person, uid: String(DAVAddress.name(remote.path).dropLast(4)),
        from: stored.flatMap { StoredCard(fields: $0)?.bytes }, isNew: isNew, mayBeThere: entry.outcomeUnknown)
    } catch {
      // The book may have moved.
      books[origin] = nil
      throw error
    }
  }

  /// The address book of a follow. Its account, or the last component of its path, may have another name since the edit was
  /// made: then it is the book that took its people over.
  private func place(of origin: Follow, _ context: PushContext) async throws(SourceError) -> BookPlace {
    if let known = books[origin] { return known }
    do throws(SourceError) {
      let place = try await place(of: origin, over: context.transport)
      books[origin] = place
      return place
    } catch {
      if let follow = try successor(of: origin, in: context.snapshot) {
        let place = try await place(of: follow, over: context.transport)
        books[origin] = place
        return place
      }
      guard error.isNotFound else { throw error }
      // It waits, as the edits of people whose book is gone do.
      throw .configuration(
        message: error.failure.message, hint: "follow the address book where it is now, or discard the edit")
    }
  }

  func place(of follow: Follow, over transport: any HTTPTransport) async throws(SourceError) -> BookPlace {
    let parameters: [String]
    do throws(FollowError) { parameters = try check(follow).match.parameters } catch { throw .follow(error) }
    let client = try client(parameters[0], transport)
    let book = try await CollectionDiscovery(client: client).collection(named: parameters[1], of: follow)
    return BookPlace(follow: follow, account: parameters[0], book: book)
  }

  /// The follow whose people were those of another one; `nil` if there is none, or several. O(n) for n people.
  private func successor(of follow: Follow, in snapshot: any StoreSnapshot) throws(SourceError) -> Follow? {
    var origins: Set<ExactString> = []
    try SourceError.from { () throws(StoreError) in
      try edits.eachRemoteCopy(of: .people, in: snapshot) { (_, copy) throws(StoreError) in
        guard let origin = copy.base?["origin"]?.string, origin.exact != follow.$path,
          CardState(copy.sourceState).previousBooks.contains(where: { $0.follow.exact == follow.$path })
        else { return }
        origins.insert(origin.exact)
      }
    }
    return origins.count == 1 ? origins.first.map { Follow(path: $0.text) } : nil
  }
}

/// The card that the next edit changes, which is read together with the one that was just written: that is a request less
/// for each edit.
final class CardAhead: Sendable {
  /// For how long it counts as read. The write is guarded by its entity tag in any case.
  private static let seconds = 10

  private let last = Mutex<(url: ExactString, card: FetchedCard, at: Timestamp)?>(nil)

  func keep(_ card: FetchedCard, at url: String, _ now: Timestamp) {
    // Without a strong tag nothing guards the write.
    guard let tag = card.tag, !tag.hasPrefix("W/") else { return }
    last.withLock { $0 = (url.exact, card, now) }
  }

  /// The card at an address, once; `nil` if it is not the expected version.
  func take(_ url: String, _ tag: String?, _ now: Timestamp) -> FetchedCard? {
    last.withLock { last in
      defer { last = nil }
      guard let last, last.url == url.exact, (0...Self.seconds).contains(now - last.at) else { return nil }
      return last.card.tag?.exact == tag?.exact ? last.card : nil
    }
  }
}
