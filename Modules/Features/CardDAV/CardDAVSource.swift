public import Models
public import Ports

/// Follows address books of CardDAV servers (RFC 6352).
///
/// A follow is `carddav/ACCOUNT/BOOK`. Each card is a person, and is kept beside the person as it came. The server's copy
/// of each person is stored with the path and the entity tag of the card.
public struct CardDAVSource: AccountSource {
  /// The source `carddav`.
  public var descriptor: SourceDescriptor { Self.descriptor }
  /// What it says about itself.
  public static let descriptor: SourceDescriptor = {
    var descriptor = SourceDescriptor(
      name: .cardDAV, summary: "people of address books (CardDAV)",
      forms: [.init("carddav/{account}/{book}", "an address book of an account in the config file")],
      pathNote: "the account is a name in servers.carddav.accounts", collections: [.people])
    descriptor.hasAccounts = true
    return descriptor
  }()

  let format: any WebDAVFormat
  let contacts: any ContactFormat
  let coder: any RecordCoder
  let edits: any PendingEdits
  let accounts: [SourceAccount]
  let remedies: Remedies
  /// The address books that new cards are sent to.
  let books = KnownBooks()

  /// A source.
  ///
  /// - Parameters:
  ///   - format: writes requests and reads responses.
  ///   - contacts: reads and writes cards.
  ///   - coder: reads stored cards.
  ///   - edits: the server's copies of people.
  ///   - accounts: the accounts of the config file.
  ///   - remedies: what failures advise.
  public init(
    format: any WebDAVFormat, contacts: any ContactFormat, coder: any RecordCoder, edits: any PendingEdits,
    accounts: [SourceAccount] = [], remedies: Remedies = Remedies()
  ) {
    self.remedies = remedies
    self.format = format
    self.coder = coder
    self.contacts = contacts
    self.edits = edits
    self.accounts = accounts
  }

  /// The number of cards of one page, and so of one commit.
  private static let pageSize = 500

  /// Lists the address books of an account.
  public func offers(
    of account: SourceAccount, over transport: any HTTPTransport
  ) async throws(SourceError) -> [AccountOffer] {
    try await CollectionDiscovery(client: DAVClient(.contacts, account, format, transport)).offers()
  }

  /// Pulls the next cards that changed since the last pull.
  ///
  /// One request tells what changed; without changes there is no other. The cards are fetched page by page, and the token
  /// of the new state is stored with the last page.
  public func pull(_ follow: Follow, _ context: PullContext) async throws(SourceError) -> PullPage {
    let parameters = try match(follow).parameters
    let client = try client(parameters[0], context.transport)
    let account = "\(client.account.url) \(client.account.user ?? "")"
    if let cursor = context.cursor.flatMap({ BookCursor($0, account: account) }) {
      return try await page(cursor, client, follow, context)
    }
    var state = BookState(context.memory, account: account)
    if try !isCurrent(state, client, follow, context) {
      let path = state.path
      state = BookState(account: account)
      state.path = path
    }
    let changes: BookChanges?
    do throws(SourceError) {
      let path: String
      if let known = state.path {
        path = known
      } else {
        path = try await CollectionDiscovery(client: client).collection(named: parameters[1], of: follow).path
        state.path = path
      }
      changes = try await BookReader(client: client, path: path).changes(since: state)
    } catch {
      guard error.isNotFound, context.memory["path"] != nil else { throw error }
      // The book was moved or removed: it is looked for again.
      state = BookState(account: account)
      let path = try await CollectionDiscovery(client: client).collection(named: parameters[1], of: follow).path
      state.path = path
      changes = try await BookReader(client: client, path: path).changes(since: state)
    }
    let path = state.path ?? "/"
    guard let changes else { return .notModified(url: client.start.at(path).url) }
    return try await firstPage(changes, state, client, follow, context)
  }

  /// The client of an account.
  func client(_ name: String, _ transport: any HTTPTransport) throws(SourceError) -> DAVClient {
    try DAVClient(.contacts, named: name, among: accounts, format, transport, remedies)
  }

  private func cards(of state: BookState, _ client: DAVClient, _ follow: Follow) -> BookCards {
    BookCards(
      account: client.account.name, server: client.server, path: state.path ?? "/", follow: follow.path, coder: coder,
      formers: state.formers)
  }

  /// Whether the people that a state is about are still those of the book. Under another name of the account, or another
  /// path, a follow may have taken them over since.
  private func isCurrent(
    _ state: BookState, _ client: DAVClient, _ follow: Follow, _ context: PullContext
  ) throws(SourceError) -> Bool {
    guard let sample = state.sample else { return true }
    do throws(StoreError) {
      return try cards(of: state, client, follow).copy(of: sample, in: context.snapshot, edits) != nil
    } catch {
      throw .store(error)
    }
  }

  private func firstPage(
    _ changes: BookChanges, _ old: BookState, _ client: DAVClient, _ follow: Follow, _ context: PullContext
  ) async throws(SourceError) -> PullPage {
    var book = cards(of: old, client, follow)
    var state = old
    (state.token, state.tag, state.rejected) = (changes.token, changes.tag, [])
    let needsAll = changes.isComplete || !changes.removed.isEmpty
    let survey: BookSurvey?
    do throws(StoreError) {
      let names = Set(accounts.map(\.name.exact))
      survey = needsAll ? try book.survey(accounts: names, in: context.snapshot, edits) : nil
    } catch {
      throw .store(error)
    }
    var all: [ExactString: BookCards.Known] = [:]
    if let survey {
      let former = try await survey.former(with: changes.isComplete ? changes.cards : []) {
        (path) throws(SourceError) in try await client.isGone(path)
      }
      all = book.takeOver(former, survey)
      state.formers = book.formers
    }
    let known: [ExactString: BookCards.Known]
    var ids: [String] = []
    do throws(StoreError) {
      for card in changes.cards { ids.append(try book.id(of: card.path, in: context.snapshot, edits)) }
      known = needsAll ? all : try book.known(of: ids, in: context.snapshot, edits)
    } catch {
      throw .store(error)
    }
    let isFull = context.memory.isEmpty
    var wanted: [String] = []
    for (card, id) in zip(changes.cards, ids) {
      if !isFull, let tag = card.tag, known[id.exact]?.tag?.exact == tag.exact { continue }
      wanted.append(card.path)
    }
    var listing: PullPage.Listing?
    if changes.isComplete {
      listing = .init(collection: .people, before: known.keys.map(\.text), now: ids)
    } else if !changes.removed.isEmpty {
      let removed = Set(changes.removed.map { DAVAddress.decoded($0).exact })
      listing = .init(
        collection: .people, before: known.keys.map(\.text),
        now: known.filter { !removed.contains($0.value.path.exact) }.map(\.key.text))
    }
    let departs = listing.map { !Set($0.before).isSubset(of: Set($0.now)) } ?? false
    let staying = listing.map { known.keys.filter(Set($0.now).contains) } ?? Array(known.keys)
    if state.sample.map({ needsAll && !staying.contains($0.exact) }) ?? true { state.sample = staying.min()?.text }
    if wanted.isEmpty, !departs {
      state.rejected = old.rejected
      var page = PullPage.notModified(url: client.start.at(book.path).url)
      if state != BookState(context.memory, account: state.account) { page.memory = state.fields }
      return page
    }
    // Cards that could not be read may have been corrected without a change of their tags.
    let asked = Set(wanted.map(\.exact))
    if !changes.isComplete { wanted += old.rejected.filter { !asked.contains($0.exact) } }
    let cursor = BookCursor(state: state, rest: wanted, total: wanted.count)
    var page = try await page(cursor, client, follow, context)
    page.listing = listing
    return page
  }

  private func page(
    _ cursor: BookCursor, _ client: DAVClient, _ follow: Follow, _ context: PullContext
  ) async throws(SourceError) -> PullPage {
    let book = cards(of: cursor.state, client, follow)
    let paths = Array(cursor.rest.prefix(Self.pageSize))
    var next = cursor
    next.rest.removeFirst(paths.count)
    next.done += paths.count
    var page = PullPage(url: client.start.at(book.path).url)
    let cards = try await client.cards(paths, of: book.path) { (card) throws(SourceError) in
      let id: String
      do throws(StoreError) { id = try book.id(of: card.path, in: context.snapshot, edits) } catch {
        throw .store(error)
      }
      return book.changes(card, id: id, contacts)
    }
    for (index, card) in cards.enumerated() {
      switch card {
      case .person(let changes):
        page.changes += changes
        next.state.sample = next.state.sample ?? changes.first?.id
      case .other: break
      case .rejected(var record):
        record.index = cursor.done + index
        if next.state.rejected.count < RejectedRecords.limit { next.state.rejected.append(record.path) }
        page.rejects.append(record)
      }
    }
    if next.rest.isEmpty { page.memory = next.state.fields } else { page.next = next.fields }
    page.progress = .init(done: next.done, total: next.total)
    return page
  }
}
