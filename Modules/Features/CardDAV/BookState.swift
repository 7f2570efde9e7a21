import Models
import Ports

/// What a follow remembers of its address book between pulls.
struct BookState: Hashable, Sendable {
  /// Identifies the account's server and user: with others, nothing of the rest is valid.
  var account: String
  /// What `read` is if people and groups have everything that is read of the cards now.
  private static let reading = StoredCard.reading + 1

  /// The path of the book; `nil` until it was found.
  var path: String?
  /// Whether the server took no changes when the book was found.
  var isReadOnly = false
  /// Whether the cards were read by an earlier version, which read less of them: then all are fetched again.
  var isOutdated = false
  /// The token of the last complete pull (RFC 6578).
  var token: String?
  /// The collection's tag at the last complete pull, of a server without tokens.
  var tag: String?
  /// The paths of cards that could not be read, which are fetched again with the next change.
  var rejected: [String] = []
  /// Whether the server did not give some of them: then they are fetched again by the next pull.
  var asksAgain = false
  /// The ids of the people of a path, without escapes, where they are not the one that `BookCards.id(of:)` makes of the
  /// path: the card was moved there, or the resource has several cards.
  var people: [ExactString: [String]] = [:]
  var previousBooks: [BookKey] = []
  /// The id of a person of the book. If the person is no longer one of it, the people were taken over by another follow,
  /// and nothing of the rest is valid.
  var sample: String?

  init(account: String) { self.account = account }

  /// Reads the stored form; empty if it belongs to another account.
  init(_ fields: JSONObject, account: String) {
    self.account = account
    guard fields["account"]?.string?.exact == account.exact else { return }
    path = fields["path"]?.string
    isReadOnly = fields.isReadOnly
    isOutdated = fields["read"]?.int != Self.reading
    if !isOutdated { (token, tag) = (fields["token"]?.string, fields["tag"]?.string) }
    rejected = fields["rejected"]?.array?.compactMap(\.string) ?? []
    asksAgain = fields["asksAgain"]?.bool ?? false
    for member in fields["people"]?.object?.members ?? [] {
      people[member.key.exact] = member.value.array?.compactMap(\.string)
    }
    previousBooks = BookKey.list(fields["formers"])
    sample = fields["sample"]?.string
  }

  var fields: JSONObject {
    let people = people.sorted { $0.key < $1.key }.map { path, ids in
      JSONObject.Member(key: path.text, value: .array(ids.map { .string($0) }))
    }
    var fields: JSONObject = ["account": .string(account), "path": .of(path)]
    fields.isReadOnly = isReadOnly
    return fields.adding([
      "read": .of(isOutdated ? nil : Self.reading), "token": .of(token), "tag": .of(tag),
      "rejected": .of(rejected.isEmpty ? nil : .array(rejected.map { .string($0) })),
      "asksAgain": .of(asksAgain ? true : nil),
      "people": .of(people.isEmpty ? nil : .object(JSONObject(members: people))),
      "formers": .of(previousBooks.isEmpty ? nil : .array(previousBooks.map { .string($0.text) })),
      "sample": .of(sample),
    ])
  }
}

/// The cards that are still to be fetched, and the state of the book after them.
struct BookCursor: Hashable, Sendable {
  /// The state to store with the last page.
  var state: BookState
  /// The paths of the cards, without that of the book where they begin with it.
  var rest: [String]
  /// The number of cards before them, and of all cards.
  var done: Int
  var total: Int
  /// Whether the store has people of other address books, whose cards may have moved here.
  var hasOthers = false
  /// Whether only some of the cards of the book are fetched.
  var isPart = false

  init(state: BookState, rest: [String], done: Int = 0, total: Int) {
    (self.state, self.rest, self.done, self.total) = (state, rest, done, total)
  }

  init?(_ fields: JSONObject, account: String) {
    guard let state = fields["state"]?.object, let rest = fields["rest"]?.array?.compactMap(\.string),
      let done = fields["done"]?.count, let total = fields["total"]?.count,
      state["account"]?.string?.exact == account.exact
    else { return nil }
    self.init(state: BookState(state, account: account), rest: rest, done: done, total: total)
    hasOthers = fields["hasOthers"]?.bool ?? false
    isPart = fields["isPart"]?.bool ?? false
  }

  var fields: JSONObject {
    [
      "state": .object(state.fields), "rest": .array(rest.map { .string($0) }), "done": .int(done),
      "total": .int(total), "hasOthers": hasOthers ? true : nil, "isPart": isPart ? true : nil,
    ]
  }
}
