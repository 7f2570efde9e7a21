import Models
import Ports

struct BookChanges: Sendable {
  struct Card: Hashable, Sendable {
    /// The path as the server wrote it.
    @ExactString var path: String
    /// The entity tag; `nil` if the server did not give one.
    var tag: String?
    /// The path without escapes.
    var key: ExactString { DAVAddress.decoded(path).exact }
  }

  /// Whether `cards` are all cards of the book; otherwise those that changed.
  var isComplete: Bool
  var cards: [Card] = []
  /// Whether the answer to a list (PROPFIND) names nothing, not even the book, which RFC 4918 section 9.1 demands.
  var isEmptyAnswer = false
  /// The paths of removed cards; empty in a complete list.
  var removed: [String] = []
  var token: String?
  /// The collection's tag for the next pull, of a server without tokens.
  var tag: String?
}

/// Asks what changed in an address book, in the ways that servers support.
struct BookReader: Sendable {
  let client: DAVClient
  let path: String

  /// The largest number of parts of one answer.
  private static let mostParts = 10_000

  /// The changes since a state; `nil` if there are none.
  ///
  /// A server with tokens is asked for a sync-collection report (RFC 6578). One without is asked for the tag of the
  /// collection and, if that changed, for the entity tags of all cards. No limit is sent: some servers cut such an answer
  /// without saying so.
  func changes(since state: BookState) async throws(SourceError) -> BookChanges? {
    if state.token == nil, let tag = state.tag { return try await list(since: tag, keepsToken: false) }
    var report = try await report(since: state.token)
    if case .changes(let changes) = report, Self.isBefore(changes.token, state.token) { report = .expired }
    if case .expired = report { report = try await self.report(since: nil) }
    guard case .changes(let changes) = report else { return try await list(since: nil, keepsToken: state.token == nil) }
    let isEmpty = changes.cards.isEmpty && changes.removed.isEmpty && !changes.isComplete
    return isEmpty && changes.token?.exact == state.token?.exact ? nil : changes
  }

  /// Whether a token that ends with a number is older than another one: the server was restored from a backup, and does not
  /// see that it never gave the newer one (sabre/dav).
  private static func isBefore(_ token: String?, _ last: String?) -> Bool {
    func number(_ token: String?) -> (start: ExactString, number: Int)? {
      guard let token, let digits = token.utf8.split(separator: UInt8(ascii: "/")).last.map({ String(Substring($0)) }),
        let number = Int(digits)
      else { return nil }
      return (String(token.dropLast(digits.count)).exact, number)
    }
    guard let new = number(token), let old = number(last) else { return false }
    return new.start == old.start && new.number < old.number
  }

  private enum Report {
    case changes(BookChanges)
    case expired
    case unsupported
  }

  /// The changes since a token, or all cards. The parts of a truncated answer (RFC 6578 section 3.6) are joined before
  /// anything is applied, so that the removals of all parts are judged together.
  private func report(since token: String?) async throws(SourceError) -> Report {
    var changes = BookChanges(isComplete: token == nil)
    var states: [ExactString: (place: Int, card: BookChanges.Card?)] = [:]
    var last = token ?? ""
    for _ in 0..<Self.mostParts {
      let response = try await client.ask(.report, path, depth: 0, .changes(since: last))
      if let refusal = refusal(response, hasToken: !last.isEmpty) { return refusal }
      let answer = try client.multistatus(response)
      guard let next = answer.syncToken else { return .unsupported }
      var isCut = false
      for resource in answer.resources {
        guard let target = try member(resource) else {
          isCut = isCut || resource.status.map { DAVMeaning($0) } == .full
          continue
        }
        // Of several statements about a card, the last one counts.
        let place = states[target.exact]?.place ?? states.count
        switch resource.status?.meaning {
        case .missing: states[target.exact] = (place, nil)
        case nil, .success: states[target.exact] = (place, BookChanges.Card(path: target, tag: resource.entityTag))
        // The server has the card, and cannot say more of it: it is asked for alone.
        default: states[target.exact] = (place, BookChanges.Card(path: target, tag: nil))
        }
      }
      changes.token = next
      guard isCut else { break }
      guard next.exact != last.exact else {
        throw .meant(.endless, said: APIFailure(.sameChanges, "the list of changes repeats"), url: response.url)
      }
      last = next
    }
    for (path, state) in states.sorted(by: { $0.value.place < $1.value.place }) {
      if let card = state.card { changes.cards.append(card) } else { changes.removed.append(path.text) }
    }
    return .changes(changes)
  }

  /// What the refusal of a report means; `nil` for a success or another error. Where the reason is not named, a report
  /// without a token tells an old token from an unknown report.
  private func refusal(_ response: HTTPResponse, hasToken: Bool) -> Report? {
    switch client.meaning(of: response) {
    case .http(.conflict), .http(.preconditionFailed): hasToken ? .expired : nil
    case .invalidToken, .http(.invalid), .http(.forbidden): hasToken ? .expired : .unsupported
    // The list decides whether the book exists.
    case .http(.missing): hasToken && response.status == .gone ? .expired : .unsupported
    case .http(.unsupported), .full: .unsupported
    default: nil
    }
  }

  /// All cards with their entity tags; `nil` if the collection's tag is the same as before.
  ///
  /// - Parameter keepsToken: whether a report with the collection's token may be tried the next time. Some servers only
  ///   refuse a report without a token.
  private func list(since tag: String?, keepsToken: Bool) async throws(SourceError) -> BookChanges? {
    // Read before the list, so that later changes are seen the next time.
    let (address, found) = try await client.properties(of: path, [.collectionTag, .syncToken])
    if let status = found.first?.status, !status.isSuccess {
      throw .answered(status, message: nil, url: address.url, retryAfter: nil)
    }
    let current = found.first?.collectionTag
    if let tag, tag.exact == current?.exact { return nil }
    var changes = BookChanges(isComplete: true, token: keepsToken ? found.first?.syncToken : nil, tag: current)
    var seen: Set<ExactString> = []
    let resources = try await client.properties(of: path, depth: 1, [.entityTag, .types]).resources
    changes.isEmptyAnswer = resources.isEmpty
    for resource in resources {
      guard !resource.isAddressBook, let target = try member(resource), seen.insert(target.exact).inserted else {
        continue
      }
      changes.cards.append(BookChanges.Card(path: target, tag: resource.entityTag))
    }
    return changes
  }

  /// The path of a card; `nil` for the book itself and for other collections.
  private func member(_ resource: WebDAVResource) throws(SourceError) -> String? {
    let target = try client.path(of: resource.href, from: client.start.at(path))
    return target.hasSuffix("/") || DAVAddress.decoded(target + "/").exact == DAVAddress.decoded(path).exact
      ? nil : target
  }
}
