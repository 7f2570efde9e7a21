import Models
import Ports

/// Names an address book: its account, its path without escapes, and its server.
struct BookKey: Hashable, Sendable {
  @ExactString var account: String
  @ExactString var path: String
  /// Identifies the server and the user (`DAVClient.server`); empty if an earlier version stored it.
  @ExactString var server: String

  init(account: String, path: String, server: String = "") {
    (self.account, self.path, self.server) = (account, path, server)
  }

  init(_ text: String) {
    let account = String(text.prefix { $0 != "/" })
    let server = String(text[(text.lastIndex(of: "/").map { text.index(after: $0) } ?? text.endIndex)...])
    self.init(account: account, path: String(text.dropFirst(account.count).dropLast(server.count)), server: server)
  }

  /// The stored form: the name of an account contains no `/`, and the path ends with one.
  var text: String { account + path + server }

  /// The path of the follow of the book, if it was followed by the last component of its path.
  var follow: String { "\(SourceName.cardDAV)/\(account)/\(DAVAddress.name(path))" }

  static func folder(of href: String) -> String { String(href[...(href.lastIndex(of: "/") ?? href.startIndex)]) }

  /// The stored form of several.
  static func list(_ value: JSONValue?) -> [BookKey] {
    value?.array?.compactMap { $0.string.map { BookKey($0) } } ?? []
  }

  /// Whether both name one book.
  func isSame(as other: BookKey) -> Bool { hasIDs(of: other) && hasServer(of: other) }

  func hasServer(of other: BookKey) -> Bool { server.isEmpty || other.server.isEmpty || $server == other.$server }

  /// Whether the same ids are made of both.
  func hasIDs(of other: BookKey) -> Bool { $account == other.$account && $path == other.$path }

  /// The former books of a book that becomes another one.
  func succeeded(_ previousBooks: [BookKey]) -> [BookKey] {
    previousBooks.contains(self) ? previousBooks : previousBooks + [self]
  }
}

/// What is kept with the copy of a person of an address book: where the card is.
struct CardState: Sendable {
  /// The book and the path of the card; `nil` if it was removed, and an edit of the person waits.
  var book: BookKey?
  var href: String?
  var tag: String?
  var previousBooks: [BookKey]
  /// Whether the resource has other cards as well.
  var isShared: Bool
}

extension CardState {
  init(_ fields: JSONObject) {
    book = fields["book"]?.string.map { BookKey($0) }
    href = fields["href"]?.string
    tag = fields.entityTag
    previousBooks = BookKey.list(fields["formers"])
    isShared = fields["shared"]?.bool ?? false
  }

  var fields: JSONObject {
    var fields: JSONObject = ["book": .of(book?.text), "href": .of(href)]
    fields.entityTag = tag
    if !previousBooks.isEmpty { fields.append("formers", .array(previousBooks.map { .string($0.text) })) }
    if isShared { fields.append("shared", true) }
    return fields
  }

  /// The path of the card without escapes; empty if it is not known.
  var path: String { DAVAddress.decoded(href ?? "") }

  func isIn(_ key: BookKey) -> Bool { book?.isSame(as: key) ?? false }
}

/// An address book whose people are stored, and that may be what another one was before.
struct PreviousBook: Sendable {
  /// What makes it possible that both are the same.
  enum Reason: Sendable {
    /// Its follow leads to the other one now.
    case moved
    /// The account has another name, or another server.
    case account
    /// The account has both, unless the server has no such book any more.
    case path
  }

  var key: BookKey
  var previousBooks: [BookKey]
  var reason: Reason
  /// The path as the server wrote it.
  var folder: String
  var cards: [(id: ExactString, known: BookCards.Known)] = []

  var line: [BookKey] { key.succeeded(previousBooks) }

  /// Whether it is the book with these cards. Most names have to be there; unless the follow says so, it may be a different
  /// one, so most entity tags have to be the same, too.
  fileprivate func hasCards(_ tags: [ExactString: String?]) -> Bool {
    var (found, compared, same) = (0, 0, 0)
    for card in cards {
      guard let tag = tags[DAVAddress.name(card.known.path).exact] else { continue }
      found += 1
      guard let tag, let old = card.known.tag else { continue }
      compared += 1
      if tag.exact == old.exact { same += 1 }
    }
    guard found > 0, found * 2 >= cards.count else { return false }
    return reason == .moved || same > 0 && same * 2 >= compared
  }
}

/// The stored people of an address book, and of those that may be what it was before.
struct BookScan: Sendable {
  /// The cards of the book by the ids of their people.
  var known: [ExactString: BookCards.Known] = [:]
  /// What the book was before, as its people say.
  var previousBooks: [BookKey] = []
  var others: [[BookKey]: PreviousBook] = [:]
  var hasOthers = false
  /// Whether people of another book have ids that were made of this one.
  var sharesIDs = false

  /// The book that this one was before, if no people of this one are stored yet: most of its cards are listed here, and it is
  /// not anywhere else. Two books that are both there are different ones, although their cards may be the same.
  ///
  /// - Parameters:
  ///   - listed: all cards of the book at the server.
  ///   - isGone: whether the server no longer has a path.
  func former(
    with listed: [BookChanges.Card], isGone: (String) async throws(SourceError) -> Bool
  ) async throws(SourceError) -> PreviousBook? {
    guard known.isEmpty, previousBooks.isEmpty, !listed.isEmpty else { return nil }
    let tags = Dictionary(listed.map { (DAVAddress.name($0.path).exact, $0.tag) }) { first, _ in first }
    for book in others.values.sorted(by: { $0.cards.count > $1.cards.count }) where book.hasCards(tags) {
      if book.reason == .path {
        guard try await isGone(book.folder) else { continue }
      }
      return book
    }
    return nil
  }
}

extension BookCards {
  /// Finds the stored cards of the book, and of other ones whose account or path has changed. O(n) for n people.
  ///
  /// - Parameter accounts: the names of the accounts in the settings.
  func scan(
    accounts: Set<ExactString>, in reader: some RecordReader, _ edits: any PendingEdits
  ) throws(StoreError) -> BookScan {
    var scan = BookScan()
    let key = key
    try edits.eachRemoteCopy(of: .people, in: reader) { (id, copy) throws(StoreError) in
      guard RecordOwner(copy) == .source(.cardDAV) else { return }
      let card = CardState(copy.sourceState)
      guard let book = card.book else {
        // The card was removed, or has moved, and an edit of the person waits.
        scan.hasOthers = true
        return
      }
      let previousBooks = card.previousBooks
      if book.isSame(as: key) {
        scan.known[id.exact] = Known(copy)
        if scan.previousBooks.isEmpty { scan.previousBooks = previousBooks }
        return
      }
      scan.hasOthers = true
      if (previousBooks.first ?? book).hasIDs(of: key) { scan.sharesIDs = true }
      let reason: PreviousBook.Reason
      if book.$account == key.$account {
        let isFollowed = copy.base?["origin"]?.string?.exact == follow.exact
        reason = !book.hasServer(of: key) ? .account : isFollowed ? .moved : .path
      } else {
        guard book.$path == key.$path, !accounts.contains(book.$account) else { return }
        reason = .account
      }
      let other = PreviousBook(
        key: book, previousBooks: previousBooks, reason: reason, folder: BookKey.folder(of: card.href ?? ""))
      scan.others[other.line, default: other].cards.append((id.exact, Known(copy)))
    }
    return scan
  }

  /// Makes the people of a former book those of this one: they keep their ids.
  ///
  /// - Returns: the cards by the ids of their people.
  mutating func takeOver(_ former: PreviousBook?, _ scan: BookScan) -> [ExactString: Known] {
    previousBooks = former?.line ?? scan.previousBooks
    if previousBooks.isEmpty, scan.known.isEmpty, scan.sharesIDs {
      // New ids are made of a name that no other book has.
      previousBooks = [BookKey(account: "\(account)@\(server)", path: key.path)]
    }
    var known = scan.known
    // All of the former books, or the rest of those that were interrupted. Without its tag, a card is fetched, and its copy
    // names this book.
    for book in scan.others.values where previousBooks.starts(with: book.line, by: { $0.isSame(as: $1) }) {
      for card in book.cards {
        known[card.id] = card.known
        known[card.id]?.tag = nil
      }
    }
    return known
  }
}
