public import Models
public import Ports

/// Follows address books of CardDAV servers (RFC 6352).
///
/// A follow is `carddav/ACCOUNT/BOOK`. Each card is a person, and is kept beside the person as it came. The server's copy
/// of each person is stored with the path and the entity tag of the card.
public struct CardDAVSource: AccountSource {
  public var abilities: SourceAbilities { SourceAbilities(edits: self, purge: self, accounts: self) }
  public var descriptor: SourceDescriptor { Self.descriptor }
  public static let descriptor: SourceDescriptor = {
    var descriptor = SourceDescriptor(
      name: .cardDAV, summary: "people of address books (CardDAV)",
      forms: [.init("carddav/{account}/{book}", "an address book of an account in the config file")],
      pathNote: "the account is a name in servers.carddav.accounts", options: [ConflictRule.option],
      collections: [.people, .groups])
    descriptor.hasAccounts = true
    descriptor.confirmsEdits = true
    return descriptor
  }()

  let format: any WebDAVFormat
  let contacts: any ContactFormat
  let coder: any RecordCoder
  let edits: any PendingEdits
  let accounts: [SourceAccount]
  let follows: [Follow]
  let suggestions: Suggestions
  let logins = DigestLogins()
  /// The address books that new cards are sent to.
  let books = KnownBooks()
  let ahead = CardAhead()

  /// - Parameter follows: the follows of the config file. A card that leaves an address book may be in another followed one.
  public init(
    format: any WebDAVFormat, contacts: any ContactFormat, coder: any RecordCoder, edits: any PendingEdits,
    accounts: [SourceAccount] = [], follows: [Follow] = [], suggestions: Suggestions = Suggestions()
  ) {
    (self.suggestions, self.format, self.coder) = (suggestions, format, coder)
    (self.contacts, self.edits, self.accounts) = (contacts, edits, accounts)
    self.follows = follows.filter { $0.source == .cardDAV }
  }

  /// The number of cards of one page, and so of one commit.
  private static let pageSize = 500

  /// Lists the address books of an account.
  public func offers(
    of account: SourceAccount, over transport: any HTTPTransport
  ) async throws(SourceError) -> [AccountOffer] {
    try await CollectionDiscovery(client: DAVClient(.contacts, account, format, transport, logins)).offers()
  }

  /// Pulls the next cards that changed since the last pull.
  ///
  /// One request tells what changed; without changes there is no other. The cards are fetched page by page, and the token
  /// of the new state is stored with the last page.
  public func pull(_ checked: CheckedFollow, _ context: PullContext) async throws(SourceError) -> PullPage {
    let (follow, parameters) = (checked.follow, checked.match.parameters)
    let client = try client(parameters[0], context.transport)
    let account = "\(client.account.url) \(client.account.user ?? "")"
    if let cursor = context.cursor.flatMap({ BookCursor($0, account: account) }) {
      return try await page(cursor, client, follow, context)
    }
    var state = BookState(context.sourceState, account: account)
    if try !isCurrent(state, client, follow, context) {
      let former = state
      state = BookState(account: account)
      (state.path, state.isReadOnly) = (former.path, former.isReadOnly)
    }
    func find(_ state: inout BookState) async throws(SourceError) -> String {
      let book = try await CollectionDiscovery(client: client).collection(named: parameters[1], of: follow)
      (state.path, state.isReadOnly) = (book.path, book.isReadOnly)
      return book.path
    }
    var changes: BookChanges?
    do throws(SourceError) {
      let path: String
      if let known = state.path {
        path = known
      } else {
        path = try await find(&state)
      }
      changes = try await BookReader(client: client, path: path).changes(since: state)
    } catch {
      guard error.isNotFound, BookState(context.sourceState, account: account).path != nil else { throw error }
      // The book was moved or removed: it is looked for again.
      state = BookState(account: account)
      let path = try await find(&state)
      changes = try await BookReader(client: client, path: path).changes(since: state)
    }
    let path = state.path ?? "/"
    // Cards that the server did not give are asked for again.
    if changes == nil, state.asksAgain { changes = BookChanges(isComplete: false, token: state.token, tag: state.tag) }
    let book = cards(of: state, client, follow)
    let outcomes = try await outcomes(changes, since: state, book, client, context)
    guard changes != nil || !outcomes.isEmpty else { return .notModified(url: client.start.at(path).url) }
    let lost = Set(outcomes.filter(\.isLost).map(\.record.$id))
    var page = try await firstPage(
      changes ?? BookChanges(isComplete: false, token: state.token, tag: state.tag), state, lost: lost, client, follow,
      context)
    page.acceptedEdits = outcomes
    if !lost.isEmpty {
      page.warnings.append(
        "the address book is as it was before: the edits of \(lost.count.counted("card")) are sent again")
    }
    return page
  }

  func client(_ name: String, _ transport: any HTTPTransport) throws(SourceError) -> DAVClient {
    try DAVClient(.contacts, named: name, among: accounts, format, transport, logins, suggestions)
  }

  private func cards(of state: BookState, _ client: DAVClient, _ follow: Follow) -> BookCards {
    BookCards(
      account: client.account.name, server: client.server, path: state.path ?? "/", follow: follow.path, coder: coder,
      previousBooks: state.previousBooks)
  }

  /// Whether the people that a state is about are still those of the book. Under another name of the account, or another
  /// path, a follow may have taken them over since.
  private func isCurrent(
    _ state: BookState, _ client: DAVClient, _ follow: Follow, _ context: PullContext
  ) throws(SourceError) -> Bool {
    guard let sample = state.sample else { return true }
    return try SourceError.reading(
      cards(of: state, client, follow).copy(of: sample, in: context.snapshot, edits) != nil)
  }

  private func firstPage(
    _ changes: BookChanges, _ old: BookState, lost: Set<ExactString>, _ client: DAVClient, _ follow: Follow,
    _ context: PullContext
  ) async throws(SourceError) -> PullPage {
    var book = cards(of: old, client, follow)
    var state = old
    (state.token, state.tag, state.rejected, state.asksAgain) = (changes.token, changes.tag, [], false)
    state.isOutdated = false
    let needsAll = changes.isComplete || !changes.removed.isEmpty
    let names = Set(accounts.map(\.name.exact))
    let scan = try SourceError.from { () throws(StoreError) in
      needsAll ? try book.scan(accounts: names, in: context.snapshot, edits) : nil
    }
    var all: [ExactString: BookCards.Known] = [:]
    if let scan {
      let former = try await scan.former(with: changes.isComplete ? changes.cards : []) {
        (path) throws(SourceError) in try await client.isGone(path)
      }
      all = book.takeOver(former, scan)
      state.previousBooks = book.previousBooks
    }
    let known: [ExactString: BookCards.Known]
    var ids: [[String]] = []
    do throws(StoreError) {
      let people = changes.isComplete ? book.people(all) : state.people
      if changes.isComplete { state.people = [:] }
      for path in changes.removed { state.people[DAVAddress.decoded(path).exact] = nil }
      for card in changes.cards {
        let usual = [try book.id(of: card.path, in: context.snapshot, edits)]
        ids.append(people[card.key] ?? usual)
        state.people[card.key] = people[card.key].flatMap { $0.map(\.exact) == usual.map(\.exact) ? nil : $0 }
      }
      known = needsAll ? all : try book.known(of: ids.flatMap(\.self), in: context.snapshot, edits)
    } catch {
      throw .store(error)
    }
    let groups = try SourceError.reading(book.groups(in: context.snapshot, edits))
    let groupRecords = groups.flatMap { path, groups in groups.map { (path, RecordName(.groups, $0.id)) } }
    let before = known.keys.map { RecordName(.people, $0.text) } + groupRecords.map(\.1)
    if changes.isEmptyAnswer, !before.isEmpty {
      // Neither the token nor the tag moves, so that the book is read again.
      var page = PullPage(url: client.start.at(book.path).url)
      page.coverage = .whole(before: before, now: [], doubt: .emptyAnswer)
      return page
    }
    let isFull = context.sourceState.isEmpty || old.isOutdated
    var (new, wanted): ([String], [String]) = ([], [])
    for (card, ids) in zip(changes.cards, ids) {
      let group = groups[card.key]?.first
      if !isFull, let tag = card.tag, let group, group.tag?.exact == tag.exact,
        !ids.contains(where: { known[$0.exact] != nil })
      {
        continue
      }
      if !isFull, let tag = card.tag, ids.allSatisfy({ known[$0.exact]?.tag?.exact == tag.exact }) { continue }
      if ids.contains(where: { known[$0.exact] != nil }) { wanted.append(card.path) } else { new.append(card.path) }
    }
    var staying = Set(known.keys)
    if changes.isComplete {
      staying.formIntersection(ids.flatMap { $0.map(\.exact) })
    } else if !changes.removed.isEmpty {
      let removed = Set(changes.removed.map { DAVAddress.decoded($0).exact })
      staying = Set(known.filter { !removed.contains($0.value.path.exact) }.keys)
    }
    staying.formUnion(lost.intersection(known.keys))
    let departed = Set(known.keys).subtracting(staying)
    if state.sample.map({ needsAll && !staying.contains($0.exact) }) ?? true { state.sample = staying.min()?.text }
    let paths = Set(
      changes.isComplete ? changes.cards.map(\.key) : changes.removed.map { DAVAddress.decoded($0).exact })
    let hasFewerGroups = groups.keys.contains { paths.contains($0) != changes.isComplete }
    // A card that left its path may be at a new one.
    let firstPage = departed.isEmpty ? Self.pageSize : max(Self.pageSize, new.count)
    wanted = new + wanted
    // Cards that could not be read may have been corrected without a change of their tags.
    let asked = Set(wanted.map(\.exact))
    let again = old.rejected.filter { !asked.contains($0.exact) }
    if wanted.isEmpty, departed.isEmpty, !hasFewerGroups, !(old.asksAgain && !changes.isComplete) {
      (state.rejected, state.asksAgain) = (old.rejected, old.asksAgain)
      var page = PullPage.notModified(url: client.start.at(book.path).url)
      if state != BookState(context.sourceState, account: state.account) { page.sourceState = state.fields }
      return page
    }
    if !changes.isComplete { wanted += again }
    var cursor = BookCursor(state: state, rest: wanted, total: wanted.count)
    cursor.hasOthers = scan?.hasOthers == true || !changes.isComplete
    // Of a book that was read before, those that are left may be the ones that cannot be read.
    cursor.isPart =
      !changes.isComplete || wanted.count < changes.cards.count || !departed.isEmpty || old.token != nil
      || old.tag != nil
    var page = try await page(cursor, client, follow, context, size: firstPage, departed: departed)
    if needsAll {
      let here = Set(page.changes.filter { $0.rule != .remove }.map(\.$id))
      let held = try await inOtherBooks(departed.subtracting(here), book, client, context)
      let moved = departed.intersection(here).union(held).sorted().map(\.text)
      let now = (changes.isComplete ? ids.flatMap(\.self) + lost.map(\.text) : staying.map(\.text)) + moved
      page.coverage = .whole(
        before: before,
        now: now.map { .init(.people, $0) }
          + groupRecords.filter { paths.contains($0.0) == changes.isComplete }.map(\.1))
    }
    return page
  }

  private func page(
    _ cursor: BookCursor, _ client: DAVClient, _ follow: Follow, _ context: PullContext,
    size: Int = CardDAVSource.pageSize,
    departed: Set<ExactString> = []
  ) async throws(SourceError) -> PullPage {
    let book = cards(of: cursor.state, client, follow)
    // A card that a move has made, which is not complete, is that of a person who has another one still.
    let moving = try SourceError.from { () throws(StoreError) in
      try edits.edits(of: .people, in: context.snapshot).filter {
        $0.kind == .put && $0.edit["origin"]?.string?.exact == follow.$path
      }.compactMap { book.name(of: $0.targetID)?.exact }
    }
    let paths = cursor.rest.prefix(size).filter { !moving.contains(DAVAddress.name($0).exact) }
    var next = cursor
    next.rest.removeFirst(min(size, next.rest.count))
    next.done += cursor.rest.count - next.rest.count
    var page = PullPage(url: client.start.at(book.path).url)
    page.toleratesRejects = cursor.isPart
    page.countsRejects = true
    let contents = try await client.cards(paths, of: book.path) { [contacts] (answer) in
      book.content(of: answer, contacts)
    }
    let people = BookPeople(book: book, contacts: contacts, edits: edits, snapshot: context.snapshot)
    var moved = try SourceError.reading(people.uids(of: departed))
    let places = try SourceError.from { () throws(StoreError) in
      try contents.map { (content) throws(StoreError) in try people.place(of: content, cursor.state.people) }
    }
    if cursor.hasOthers {
      let new = zip(contents, places).filter { !$1.isSame }.map(\.0)
      moved.merge(try await arrivals(new, people, client)) { own, _ in own }
    }
    let assignment = try SourceError.reading(people.assign(contents, at: places, moved: moved))
    for id in assignment.departed {
      page.changes.append(PulledChange(collection: .people, id: id, fields: [:], .remove))
    }
    let groups = try SourceError.reading(book.groups(in: context.snapshot, edits))
    for (index, content) in contents.enumerated() {
      let found = content.groups.enumerated().map { book.change($1, of: content, at: $0) }
      page.changes += found
      if content.rejects.isEmpty {
        for (id, _) in groups[DAVAddress.decoded(content.path).exact] ?? []
        where !found.contains(where: { $0.$id == id.exact }) {
          page.changes.append(PulledChange(collection: .groups, id: id, fields: [:], .remove))
        }
      }
      for (contact, id) in zip(content.people, assignment.ids[index]) {
        page.changes += book.changes(contact, of: content, id: id)
        next.state.sample = next.state.sample ?? id
      }
      if !content.people.isEmpty {
        next.state.people[DAVAddress.decoded(content.path).exact] = assignment.exceptions[index]
      }
      for var record in content.rejects {
        record.index = cursor.done + index
        page.rejects.append(record)
      }
      if !content.rejects.isEmpty, next.state.rejected.count < RejectedRecords.limit {
        next.state.rejected.append(content.path)
        next.state.asksAgain = next.state.asksAgain || content.isRefused
      }
    }
    if next.rest.isEmpty { page.sourceState = next.state.fields } else { page.next = next.fields }
    page.progress = .init(done: next.done, total: next.total)
    return page
  }
}

// MARK: Cards that move to another address book

extension CardDAVSource {
  /// The people of other address books of the server whose cards are not there any more, by the `UID`s of their cards.
  ///
  /// - Parameter contents: resources of the book whose cards are not those that are stored at their paths.
  private func arrivals(
    _ contents: [BookCards.Content], _ people: BookPeople, _ client: DAVClient
  ) async throws(SourceError) -> [ExactString: String] {
    let others = try SourceError.from { () throws(StoreError) in
      try people.ofOtherBooks(
        Set(contents.flatMap(\.people).compactMap { $0.uid?.exact }),
        orAt: Set(contents.map { DAVAddress.decoded($0.path).exact }))
    }
    var members: [ExactString: Set<ExactString>?] = [:]
    var moved: [ExactString: String] = [:]
    for other in others {
      // Without a path, the card was removed, and an edit of the person waits.
      guard let path = other.path, let book = other.book, !book.isSame(as: people.book.key) else {
        moved[other.uid] = other.id
        continue
      }
      guard book.$server == client.server.exact else { continue }
      let folder = String(path[...(path.lastIndex(of: "/") ?? path.startIndex)])
      let listed: Set<ExactString>?
      if let known = members[folder.exact] { listed = known } else { listed = try await client.members(of: folder) }
      members[folder.exact] = .some(listed)
      if let listed, !listed.contains(DAVAddress.decoded(path).exact) { moved[other.uid] = other.id }
    }
    return moved
  }

  /// The people whose cards left the address book and are in another followed one, whose next pull takes them over.
  private func inOtherBooks(
    _ departed: Set<ExactString>, _ book: BookCards, _ client: DAVClient, _ context: PullContext
  ) async throws(SourceError) -> Set<ExactString> {
    let others = follows.filter { $0.$path != book.follow.exact }
    guard !departed.isEmpty, !others.isEmpty else { return [] }
    let people = BookPeople(book: book, contacts: contacts, edits: edits, snapshot: context.snapshot)
    let uids = try SourceError.reading(people.uids(of: departed))
    let known = try SourceError.reading(people.ofOtherBooks(Set(uids.keys)))
    var found: Set<ExactString> = []
    for other in others where !uids.isEmpty {
      let place: BookPlace
      do throws(SourceError) { place = try await self.place(of: other, over: context.transport) } catch {
        switch error {
        case .transport, .store: throw error
        default: continue
        }
      }
      let otherClient = try self.client(place.account, context.transport)
      guard otherClient.server.exact == client.server.exact else { continue }
      for card in try await otherClient.cards(withUIDs: Array(uids.keys), of: place.book.path) {
        guard let uid = contacts.uid(of: card.bytes)?.exact, let id = uids[uid] else { continue }
        let path = DAVAddress.decoded(card.path).exact
        let isKnown = known.contains { one in
          one.uid == uid && one.path.map { DAVAddress.decoded($0).exact == path } == true
        }
        if !isKnown { found.insert(id.exact) }
      }
    }
    return found
  }
}
