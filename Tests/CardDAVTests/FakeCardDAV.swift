import AlmanacTesting
import Foundation
import Models
import Ports
import Synchronization

/// A CardDAV server in memory with one address book, and the peculiarities of real servers.
final class FakeCardDAV: FakeDAV {
  static let space = "carddav"

  /// How the server differs from the standard, or from others.
  struct Peculiarities: Sendable {
    /// There is no report of changes: the status of the answer.
    var noReport: Int?
    /// The status for a token that is not known, and whether the answer names the reason.
    var (tokenStatus, namesToken) = (403, true)
    /// A report needs a token.
    var needsToken = false
    /// Properties that the server does not have.
    var (noTag, noToken) = (false, false)
    /// The number of changes after which an answer is cut.
    var cut: Int?
    /// The status of a report about several cards if one does not exist.
    var missingStatus: Int?
    /// The largest number of cards of one report.
    var mostCards: Int?
    /// Cards that reports of changes give the status 500, by their names.
    var faulty: Set<String> = []
    /// Whether a list of the book (PROPFIND with the depth 1) names nothing at all.
    var isBlank = false
    /// Cards that reports leave out.
    var unmentioned: Set<String> = []
    /// Cards that the server cannot give, and the status of a report with one of them: 500 for the whole report, or the
    /// status of the card in the answer. A request for one alone has the same status.
    var (broken, brokenStatus): (Set<String>, Int) = ([], 500)
    /// The status of the answer to a search, if there is none.
    var noSearch: Int?
    /// How the server writes addresses.
    var href: @Sendable (String) -> String = { $0 }
    /// Whether the collection itself is among the changes.
    var listsItself = false
    /// Whether the answer to a change has no entity tag.
    var hidesTags = false
    /// What the server makes of a card that it stores.
    var rewrites: @Sendable (String) -> String = { $0 }
    var isReadOnly = false
    /// How the server writes the number of a card's version as an entity tag.
    var tag: @Sendable (Int) -> String = { "\"\($0)\"" }
    /// How a proxy writes the entity tags of header fields.
    var headerTag: @Sendable (String) -> String = { $0 }
    /// How a report writes the ends of a card's lines.
    var lineEnd = "\n"
    /// Whether changes are made whatever their conditions are.
    var ignoresMatch = false
    /// The name under which a new card is stored, which the answer tells.
    var newName: (@Sendable (String) -> String)?
    /// Whether the answer does not tell it.
    var hidesLocation = false
    /// Whether a missing resource is answered with 207 and its status inside.
    var missingIs207 = false
    /// The status and the condition with which every change is refused.
    var refusal: (status: Int, condition: String)?
    /// The number of changes that are answered with 423 because somebody else writes.
    var (locks, lockStatus) = (0, 423)
    /// The status of a successful removal, which has a body if it is 200.
    var removedStatus = 204
    /// Whether removed cards have their status in a propstat, with 418 in the place of 404.
    var hidesGone = false
    /// Whether reports list each card twice.
    var repeats = false
    /// Whether a second card with the same UID is refused: the status.
    var uidConflict: Int?
    /// Where `/.well-known/carddav` leads to.
    var wellKnown: String?
    /// The paths under which the user and the books are found.
    var home = "/ann/"
    /// The last component of the book's path.
    var name = "book"
    /// Whether the root tells who the user is.
    var rootKnowsUser = true
    /// The address of the user, and whether the root tells the homes without one.
    var principal = "/principals/ann/"
    var rootKnowsHomes = false
    /// Further collections with an address book `other`; the server has those that begin with `/also`.
    var moreHomes: [String] = []
  }

  struct Card {
    var tag: Int
    var text: String
  }

  private struct State {
    var cards: [String: Card] = [:]
    /// The paths that changed, in order.
    var log: [String] = []
    /// The tokens before this one are forgotten.
    var oldest = 0
    var next = 1
    var peculiarities = Peculiarities()
    var requests: [HTTPRequest] = []
    /// Answers to requests that are lost: the change is made.
    var losses: Set<Int> = []
    /// Runs once before the next change.
    var before: (@Sendable (FakeCardDAV) -> Void)?
  }

  static let origin = "https://dav.example"
  static let password = "s3cret-pässword"
  private let state = Mutex(State())

  init(_ change: @Sendable (inout Peculiarities) -> Void = { _ in }) { state.withLock { change(&$0.peculiarities) } }

  var book: String { state.withLock { $0.peculiarities.home + $0.peculiarities.name + "/" } }

  func change(_ body: (inout Peculiarities) -> Void) { state.withLock { body(&$0.peculiarities) } }

  /// The requests since the last call: `REPORT /ann/book/`.
  func taken() -> [HTTPRequest] {
    state.withLock { state in
      defer { state.requests = [] }
      return state.requests
    }
  }

  // MARK: What somebody else does

  func put(_ name: String, _ text: String) { put(path: book + name, text) }

  private func put(path: String, _ text: String) {
    state.withLock { state in
      state.cards[path] = Card(tag: state.next, text: text)
      state.next += 1
      state.log.append(path)
    }
  }

  func remove(_ name: String) { remove(path: book + name) }

  private func remove(path: String) {
    state.withLock { state in
      guard state.cards.removeValue(forKey: path) != nil else { return }
      state.next += 1
      state.log.append(path)
    }
  }

  /// Moves the book, whose cards keep their tags.
  func move(to home: String, as name: String = "book") {
    state.withLock { state in
      func moved(_ path: String) -> String { "\(home)\(name)/\(path.split(separator: "/").last ?? "")" }
      (state.peculiarities.home, state.peculiarities.name) = (home, name)
      state.log = state.log.map(moved)
      state.cards = Dictionary(uniqueKeysWithValues: state.cards.map { (moved($0.key), $0.value) })
    }
  }

  /// What a backup has of the book.
  struct Backup {
    fileprivate var cards: [String: Card]
    fileprivate var log: [String]
  }

  func backup() -> Backup { state.withLock { Backup(cards: $0.cards, log: $0.log) } }

  /// - Parameter forgetsTokens: whether the backup has no tokens.
  func restore(_ backup: Backup, forgetsTokens: Bool) {
    state.withLock { ($0.cards, $0.log) = (backup.cards, backup.log) }
    if forgetsTokens { forgetTokens() }
  }

  /// Forgets the tokens that were given.
  func forgetTokens() { state.withLock { $0.oldest = $0.log.count + 1 } }

  /// Loses the answers of the next requests that change something.
  func loseAnswers(_ count: Int) { state.withLock { $0.losses = Set(0..<count) } }

  /// Does something just before the next change of this program.
  func before(_ body: @escaping @Sendable (FakeCardDAV) -> Void) { state.withLock { $0.before = body } }

  var cards: [String: String] {
    let book = book
    return state.withLock { state in
      Dictionary(uniqueKeysWithValues: state.cards.map { (String($0.key.dropFirst(book.count)), $0.value.text) })
    }
  }

  // MARK: Answers

  var transport: ScriptedTransport {
    ScriptedTransport { [self] (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      try answer(request)
    }
  }

  private func answer(_ request: HTTPRequest) throws(TransportError) -> HTTPResponse {
    state.withLock { $0.requests.append(request) }
    guard request.url.hasPrefix(Self.origin + "/") else { return respond(401, url: request.url) }
    let expected = "Basic " + Data("ann:\(Self.password)".utf8).base64EncodedString()
    guard request.headers["Authorization"] == expected else { return respond(401, url: request.url) }
    let path = percentDecodedPath(String(request.url.dropFirst(Self.origin.count)))
    let body = request.text
    switch request.method {
    case .propfind: return properties(path, depth: request.headers["Depth"] ?? "0", body, request.url)
    // Some servers cut such an answer without saying so.
    case .report where body.contains("nresults"): return respond(507, url: request.url)
    case .report where path != book: return respond(404, url: request.url)
    case .report where body.contains("sync-collection"): return changes(body, request.url)
    case .report where body.contains("addressbook-query"): return search(body, request.url)
    case .report: return multiget(body, request.url)
    case .get where isBroken(path): return respond(state.withLock { $0.peculiarities.brokenStatus }, url: request.url)
    case .get:
      guard let card = state.withLock({ $0.cards[path] }) else { return respond(404, url: request.url) }
      var response = respond(200, card.text, url: request.url)
      response.headers["ETag"] = state.withLock { $0.peculiarities.headerTag($0.peculiarities.tag(card.tag)) }
      return response
    case .put, .delete: return try change(request, path)
    default: return respond(405, url: request.url)
    }
  }

  private func change(_ request: HTTPRequest, _ path: String) throws(TransportError) -> HTTPResponse {
    let before = state.withLock { state in
      defer { state.before = nil }
      return state.before
    }
    before?(self)
    let peculiarities = state.withLock { $0.peculiarities }
    if peculiarities.isReadOnly { return respond(403, error("need-privileges"), url: request.url) }
    if let refusal = peculiarities.refusal {
      return respond(refusal.status, error(refusal.condition), url: request.url)
    }
    if peculiarities.locks > 0 {
      change { $0.locks -= 1 }
      return respond(peculiarities.lockStatus, url: request.url)
    }
    let old = state.withLock { $0.cards[path] }
    // A weak tag never matches (RFC 9110 section 13.1.1).
    if !peculiarities.ignoresMatch, let match = request.headers["If-Match"],
      match.hasPrefix("W/") || match != old.map({ peculiarities.tag($0.tag) })
    {
      return respond(412, url: request.url)
    }
    if request.headers["If-None-Match"] == "*", old != nil { return respond(412, url: request.url) }
    if let status = peculiarities.uidConflict, old == nil, request.method == .put,
      let uid = Self.uid(request.text),
      cards.values.contains(where: { Self.uid($0) == uid })
    {
      return respond(status, error("no-uid-conflict"), url: request.url)
    }
    var response: HTTPResponse
    if request.method == .delete {
      if old == nil { return respond(404, url: request.url) }
      remove(path: path)
      response = respond(
        peculiarities.removedStatus, peculiarities.removedStatus == 200 ? "removed" : "", url: request.url)
    } else {
      let card = request.text
      // Nextcloud refuses a card with two times of revision.
      if card.split(separator: "\r\nREV").count > 2 { return respond(415, url: request.url) }
      var place = path
      if old == nil, let newName = peculiarities.newName { place = book + newName(String(path.dropFirst(book.count))) }
      put(path: place, peculiarities.rewrites(card))
      response = respond(old == nil ? 201 : 204, url: request.url)
      if place != path, !peculiarities.hidesLocation { response.headers["Location"] = peculiarities.href(place) }
      let tag = state.withLock { $0.cards[place]?.tag ?? 0 }
      if !peculiarities.hidesTags { response.headers["ETag"] = peculiarities.headerTag(peculiarities.tag(tag)) }
    }
    let isLost = state.withLock { state in
      let isLost = state.losses.contains(0)
      state.losses = Set(state.losses.filter { $0 > 0 }.map { $0 - 1 })
      return isLost
    }
    if isLost { throw TransportError(.connectionLost, "the answer was lost", url: request.url, mayHaveArrived: true) }
    return response
  }

  private func properties(_ path: String, depth: String, _ body: String, _ url: String) -> HTTPResponse {
    let (peculiarities, cards, token) = state.withLock { ($0.peculiarities, $0.cards, $0.log.count) }
    let user =
      "<c:current-user-principal><c:href>\(peculiarities.href(peculiarities.principal))</c:href></c:current-user-principal>"
    let homes = ([peculiarities.home] + peculiarities.moreHomes).map { home in
      "<c:href>\(home.contains("://") ? home : peculiarities.href(home))</c:href>"
    }
    let homeSet = "<k:addressbook-home-set>\(homes.joined())</k:addressbook-home-set>"
    switch path {
    case "/.well-known/carddav":
      guard let target = peculiarities.wellKnown else { return respond(404, url: url) }
      guard target.hasPrefix("/") else {
        var response = respond(301, url: url)
        response.headers["Location"] = target
        return response
      }
      // What the middleware for redirects does within a server.
      return properties(target, depth: depth, body, Self.origin + target)
    case "/":
      let text = (peculiarities.rootKnowsUser ? user : "") + (peculiarities.rootKnowsHomes ? homeSet : "")
      return multistatus([one("/", text)], url: url)
    case "/principals/ann/": return multistatus([one(path, homeSet)], url: url)
    case _ where path.hasPrefix("/also") && peculiarities.moreHomes.contains(path):
      let other = one(peculiarities.href(path + "other/"), bookProperties(token, peculiarities))
      return multistatus([one(path, user)] + (depth == "1" ? [other] : []), url: url)
    case peculiarities.home:
      var found = [one(path, user)]
      if depth == "1" { found.append(one(peculiarities.href(book), bookProperties(token, peculiarities))) }
      return multistatus(found, url: url)
    case book:
      var found = [one(peculiarities.href(book), bookProperties(token, peculiarities))]
      if depth == "1" {
        for (path, card) in cards.sorted(by: { $0.key < $1.key }) {
          found.append(one(peculiarities.href(path), getetag(card.tag, peculiarities)))
        }
      }
      if depth == "1", peculiarities.isBlank { return multistatus([], url: url) }
      return multistatus(peculiarities.repeats ? found + found : found, url: url)
    default: return peculiarities.missingIs207 ? multistatus([gone(path, 404)], url: url) : respond(404, url: url)
    }
  }

  private func bookProperties(_ token: Int, _ peculiarities: Peculiarities) -> String {
    var text = "<c:resourcetype><c:collection/><k:addressbook/></c:resourcetype><c:displayname>My Book</c:displayname>"
    text += "<c:current-user-privilege-set><c:privilege><c:read/></c:privilege>"
    if !peculiarities.isReadOnly { text += "<c:privilege><c:write-content/></c:privilege>" }
    text += "</c:current-user-privilege-set>"
    if !peculiarities.noTag { text += "<s:getctag>tag-\(token)</s:getctag>" }
    if !peculiarities.noToken { text += "<c:sync-token>token-\(token)</c:sync-token>" }
    return text
  }

  private func changes(_ body: String, _ url: String) -> HTTPResponse {
    let (peculiarities, log, cards, oldest) = state.withLock { ($0.peculiarities, $0.log, $0.cards, $0.oldest) }
    if let status = peculiarities.noReport { return respond(status, error("supported-report"), url: url) }
    let given = Self.values("sync-token", in: body).first ?? ""
    if given.isEmpty, peculiarities.needsToken { return respond(400, url: url) }
    let number = Int(given.dropFirst("token-".count))
    if !given.isEmpty, number == nil || number! < oldest {
      return respond(
        peculiarities.tokenStatus, peculiarities.namesToken ? error("valid-sync-token") : "refused", url: url)
    }
    let start = number ?? 0
    var end = log.count
    if let cut = peculiarities.cut, end - start > cut { end = start + cut }
    var seen: Set<String> = []
    var found: [String] = peculiarities.listsItself ? [one(peculiarities.href(book), "")] : []
    for path in log[start..<end].reversed() where seen.insert(path).inserted {
      // What changes again in a later part is told there.
      if peculiarities.faulty.contains(String(path.dropFirst(book.count))) {
        found.append(gone(peculiarities.href(path), 500))
      } else if let card = cards[path] {
        found.append(one(peculiarities.href(path), getetag(card.tag, peculiarities)))
      } else if start > 0 {
        found.append(gone(peculiarities.href(path), 404, isHidden: peculiarities.hidesGone))
      }
    }
    if end < log.count { found.append(gone(peculiarities.href(book), 507)) }
    return multistatus(peculiarities.repeats ? found + found : found, token: "token-\(end)", url: url)
  }

  private func multiget(_ body: String, _ url: String) -> HTTPResponse {
    let (peculiarities, cards) = state.withLock { ($0.peculiarities, $0.cards) }
    let hrefs = Self.values("href", in: body)
    if let most = peculiarities.mostCards, hrefs.count > most { return respond(413, url: url) }
    let paths = hrefs.map { percentDecodedPath($0) }
    if let status = peculiarities.missingStatus, paths.contains(where: { cards[$0] == nil }) {
      return respond(status, url: url)
    }
    if peculiarities.brokenStatus == 500, paths.contains(where: isBroken) { return respond(500, url: url) }
    let found = zip(hrefs, paths).compactMap { href, path -> String? in
      if isBroken(path) { return gone(href, peculiarities.brokenStatus) }
      if peculiarities.unmentioned.contains(String(path.dropFirst(book.count))) { return nil }
      guard let card = cards[path] else { return gone(href, 404) }
      let text = card.text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        .replacing("\r\n", with: peculiarities.lineEnd)
      return one(
        peculiarities.href(path), getetag(card.tag, peculiarities) + "<k:address-data>\(text)</k:address-data>")
    }
    return multistatus(peculiarities.repeats ? found + found : found, url: url)
  }

  private func isBroken(_ path: String) -> Bool {
    let book = book
    return state.withLock { $0.peculiarities.broken.contains(String(path.dropFirst(book.count))) }
  }

  private func search(_ body: String, _ url: String) -> HTTPResponse {
    let (peculiarities, cards) = state.withLock { ($0.peculiarities, $0.cards) }
    if let status = peculiarities.noSearch { return respond(status, url: url) }
    let texts = Self.values("text-match", in: body)
    let found = cards.sorted { $0.key < $1.key }.filter { card in
      card.value.text.split(separator: "\r\n").contains { line in
        line.hasPrefix("UID:") && texts.contains { line.contains($0) }
      }
    }
    return multistatus(
      found.map { path, card in
        one(
          peculiarities.href(path), getetag(card.tag, peculiarities) + "<k:address-data>\(card.text)</k:address-data>")
      }, url: url)
  }

  private static func values(_ name: String, in body: String) -> [String] {
    body.split(separator: "<").compactMap { piece -> String? in
      guard let end = piece.firstIndex(of: ">"), piece[..<end].hasSuffix(":\(name)"), !piece.hasPrefix("/") else {
        return nil
      }
      let text = String(piece[piece.index(after: end)...])
      return text.replacing("&quot;", with: "\"").replacing("&lt;", with: "<").replacing("&amp;", with: "&")
    }
  }

  private func percentDecodedPath(_ path: String) -> String { path.removingPercentEncoding ?? path }

  private func getetag(_ number: Int, _ peculiarities: Peculiarities) -> String {
    let tag = peculiarities.tag(number)
    return tag.isEmpty ? "" : "<c:getetag>\(tag)</c:getetag>"
  }

  private static func uid(_ card: String) -> Substring? { card.split(separator: "\r\n").first { $0.hasPrefix("UID:") } }

  private func gone(_ href: String, _ status: Int, isHidden: Bool = false) -> String {
    if isHidden {
      return "<c:response><c:href>\(href)</c:href><c:status>HTTP/1.1 \(status) X</c:status><c:propstat><c:prop/>"
        + "<c:status>HTTP/1.1 418 I'm a teapot</c:status></c:propstat></c:response>"
    }
    return "<c:response><c:href>\(href)</c:href><c:status>HTTP/1.1 \(status) X</c:status></c:response>"
  }
}

/// What the answers of all such servers have in common.
protocol FakeDAV: Sendable {
  /// The last part of the name space of its own elements.
  static var space: String { get }
}

extension FakeDAV {
  /// A resource with its properties, and one that it does not have.
  func one(_ href: String, _ properties: String) -> String {
    "<c:response><c:href>\(href)</c:href><c:propstat><c:prop>\(properties)</c:prop>"
      + "<c:status>HTTP/1.1 200 OK</c:status></c:propstat><c:propstat><c:prop><c:getcontentlength>1</c:getcontentlength>"
      + "</c:prop><c:status>HTTP/1.1 404 Not Found</c:status></c:propstat></c:response>"
  }

  func error(_ condition: String) -> String {
    "<?xml version=\"1.0\"?><e:error xmlns:e=\"DAV:\"><e:\(condition)/></e:error>"
  }

  func multistatus(_ responses: [String], token: String? = nil, url: String) -> HTTPResponse {
    let token = token.map { "<c:sync-token>\($0)</c:sync-token>" } ?? ""
    let names =
      "xmlns:c=\"DAV:\" xmlns:k=\"urn:ietf:params:xml:ns:\(Self.space)\" xmlns:s=\"http://calendarserver.org/ns/\""
    return respond(
      207, "<?xml version='1.0'?>\n<c:multistatus \(names)>\(responses.joined())\(token)</c:multistatus>", url: url)
  }

  func respond(_ status: Int, _ text: String = "", url: String) -> HTTPResponse {
    HTTPResponse(status: status, body: Array(text.utf8), url: url)
  }
}
