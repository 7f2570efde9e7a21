import Models
import Ports

/// Names an address book: its account and its path, without escapes.
struct BookKey: Hashable, Sendable {
  @ExactString var account: String
  @ExactString var path: String

  init(account: String, path: String) {
    self.account = account
    self.path = path
  }

  /// Reads the stored form.
  init(_ text: String) {
    let account = String(text.prefix { $0 != "/" })
    self.init(account: account, path: String(text.dropFirst(account.count)))
  }

  /// The stored form: the name of an account contains no `/`.
  var text: String { account + path }
}

/// An address book whose people are stored, although nothing reads it any more: its account is not in the settings, or its
/// follow leads to another path.
private struct FormerBook {
  var key: BookKey
  /// What it was itself before.
  var formers: [BookKey]
  /// Whether it is the book of the same follow at another path.
  var isMoved: Bool
  var cards: [(id: ExactString, known: BookCards.Known)] = []

  /// Whether it is the book with these cards. Most names have to be there; where the account has another name, it may be
  /// one of another server, so most entity tags have to be the same, too.
  func hasCards(_ tags: [ExactString: String?]) -> Bool {
    var (found, compared, same) = (0, 0, 0)
    for card in cards {
      guard let tag = tags[DAVAddress.name(card.known.path).exact] else { continue }
      found += 1
      guard let tag, let old = card.known.tag else { continue }
      compared += 1
      if tag.exact == old.exact { same += 1 }
    }
    guard found > 0, found * 2 >= cards.count else { return false }
    return isMoved || same > 0 && same * 2 >= compared
  }
}

extension BookCards {
  /// Finds the stored cards of the whole book. If there are none yet, an account may have got another name, or the book may
  /// have moved: then the people of the former book are those of this one, and keep their ids. O(n) for n people.
  ///
  /// - Parameters:
  ///   - listed: all cards of the book at the server.
  ///   - accounts: the names of the accounts in the settings.
  /// - Returns: the cards by the ids of their people.
  mutating func survey(
    _ listed: [BookChanges.Card], accounts: Set<ExactString>, in reader: some RecordReader, _ edits: any PendingEdits
  ) throws(StoreError) -> [ExactString: Known] {
    var known: [ExactString: Known] = [:]
    var before = formers
    var others: [ExactString: FormerBook] = [:]
    let key = key
    try edits.eachRemoteCopy(of: .people, in: reader) { (id, copy) throws(StoreError) in
      guard copy.source == .cardDAV, let text = copy.memory["book"]?.string else { return }
      let formers = copy.memory["formers"]?.array?.compactMap { $0.string.map { BookKey($0) } } ?? []
      if text.exact == key.text.exact {
        known[id.exact] = Known(copy)
        if before.isEmpty { before = formers }
        return
      }
      let book = BookKey(text)
      let isMoved = book.$account == key.$account && copy.base?["origin"]?.string?.exact == follow.exact
      guard isMoved || book.$path == key.$path && !accounts.contains(book.$account) else { return }
      others[text.exact, default: FormerBook(key: book, formers: formers, isMoved: isMoved)].cards
        .append((id.exact, Known(copy)))
    }
    if known.isEmpty, before.isEmpty {
      let tags = Dictionary(listed.map { (DAVAddress.name($0.path).exact, $0.tag) }) { first, _ in first }
      let found = others.values.filter { $0.hasCards(tags) }.max { $0.cards.count < $1.cards.count }
      before = found.map { $0.formers + [$0.key] } ?? []
    }
    formers = before
    // All of the former book, or the rest of one that was interrupted. Without its tag, a card is fetched, and its copy names
    // this book.
    for book in before {
      for card in others[book.text.exact]?.cards ?? [] {
        known[card.id] = card.known
        known[card.id]?.tag = nil
      }
    }
    return known
  }
}
