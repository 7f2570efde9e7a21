import Models
import Ports

struct FetchedCard: Sendable {
  var path: String
  /// The entity tag; `nil` if the server gave none that identifies exactly these bytes.
  var tag: String?
  /// The card, with CR LF at the ends of its lines, as the vCard formats have them: XML has LF only.
  var bytes: [UInt8]
  /// Whether it contains control characters.
  var hasControls: Bool
}

/// What a server answered about a card that it lists.
enum CardAnswer: Sendable {
  case card(FetchedCard)
  /// The server does not give the card, but others.
  case refused(path: String, SourceError)

  /// Whether it is about the card at a path.
  func isOf(_ path: String) -> Bool {
    let own =
      switch self {
      case .card(let card): card.path
      case .refused(let path, _): path
      }
    return DAVAddress.decoded(own).exact == DAVAddress.decoded(path).exact
  }
}

/// What became of the cards of a batch.
private struct CardTally {
  var hasCards = false
  var refused = 0

  /// Notes a card that the server does not give.
  ///
  /// - Throws: its error, if the server has given no card but refused two: it is not about this card.
  mutating func refuse(_ path: String, _ error: SourceError) throws(SourceError) -> [CardAnswer] {
    refused += 1
    if refused > 1, !hasCards { throw error }
    return [.refused(path: path, error)]
  }
}

extension DAVClient {
  /// The number of cards of one request. More do not make a server faster.
  private static let batch = 125

  /// The number of requests at a time: the server prepares an answer while the one before is read.
  private static let requests = 2

  /// Fetches cards, and reads each batch while the next one is on its way. Those that no longer exist are left out.
  ///
  /// A card that the server does not mention is asked for alone, because its absence alone does not say that it was
  /// removed. A report that fails because of one card is halved until that card is alone, with at most 2 log₂ n + 1
  /// requests for one card in n.
  ///
  /// - Throws: `SourceError` if the server gives no card at all.
  func cards<Value: Sendable>(
    _ paths: [String], of book: String, read: @escaping @Sendable (CardAnswer) throws(SourceError) -> Value
  ) async throws(SourceError) -> [Value] {
    let batches = stride(from: 0, to: paths.count, by: Self.batch).map { paths[$0..<min($0 + Self.batch, paths.count)] }
    var values: [Value] = []
    for answer in await batches.concurrentMap(limit: Self.requests, { await outcome(of: $0, book, read) }) {
      values += try answer.get()
    }
    return values
  }

  /// The cards of a book with some `UID`s; none if the server does not search. Others may be among them.
  func cards(withUIDs uids: [ExactString], of book: String) async throws(SourceError) -> [FetchedCard] {
    var cards: [FetchedCard] = []
    for start in stride(from: 0, to: uids.count, by: 50) {
      let part = uids[start..<min(start + 50, uids.count)].map(\.text)
      let response = try await ask(.report, book, depth: 1, .cardsWithUIDs(part))
      guard response.isSuccess else {
        if response.status.isServerError, response.status.meaning != .unsupported { throw error(response) }
        return []
      }
      for resource in try multistatus(response).resources {
        guard let card = resource.card else { continue }
        cards.append(
          Self.card(
            try path(of: resource.href, from: self.start.at(book)), resource.entityTag, card,
            hasControls: resource.hasForbiddenCharacters))
      }
    }
    return cards
  }

  private func outcome<Value>(
    of paths: ArraySlice<String>, _ book: String, _ read: (CardAnswer) throws(SourceError) -> Value
  ) async -> Result<[Value], SourceError> {
    do throws(SourceError) {
      var tally = CardTally()
      var values: [Value] = []
      for answer in try await report(paths, of: book, &tally) { values.append(try read(answer)) }
      return .success(values)
    } catch {
      return .failure(error)
    }
  }

  /// - Parameter isBad: whether the report of these cards is known to fail, so that it is not asked for.
  private func report(
    _ paths: ArraySlice<String>, of book: String, isBad: Bool = false, _ tally: inout CardTally
  ) async throws(SourceError) -> [CardAnswer] {
    if isBad, paths.count > 1 { return try await halves(paths, of: book, areBad: true, &tally) }
    let response: HTTPResponse
    do throws(SourceError) {
      response = try await tolerant { (isOnce) throws(SourceError) in
        try await ask(.report, book, depth: 1, .cards(Array(paths)), returnsServerErrors: isOnce)
      }
    } catch {
      guard case .transport(let problem) = error, problem.code == .tooLarge, paths.count > 1 else { throw error }
      return try await halves(paths, of: book, &tally)
    }
    switch meaning(of: response) {
    case .http(.success): break
    // Some servers refuse the whole report for one missing card.
    case .http(.missing), .http(.tooLarge), .full:
      return paths.count > 1 ? try await halves(paths, of: book, &tally) : try await single(paths, &tally)
    // Some fail because of one card that they cannot read.
    case .http(.serverFault) where response.status == .internalServerError:
      guard paths.count == 1, let path = paths.first else {
        return try await halves(paths, of: book, areBad: true, &tally)
      }
      return try tally.refuse(path, error(response))
    case .http(.invalid), .http(.forbidden), .http(.unsupported): return try await single(paths, &tally)
    default: throw error(response)
    }
    var found: [ExactString: WebDAVResource] = [:]
    for resource in try multistatus(response).resources {
      let path = try path(of: resource.href, from: start.at(book))
      let key = DAVAddress.decoded(path).exact
      if found[key] == nil { found[key] = resource }
    }
    tally.hasCards = tally.hasCards || found.values.contains { $0.card != nil }
    var cards: [CardAnswer] = []
    for path in paths {
      if let resource = found[DAVAddress.decoded(path).exact], let card = resource.card {
        cards.append(.card(Self.card(path, resource.entityTag, card, hasControls: resource.hasForbiddenCharacters)))
      } else {
        cards += try await single([path], &tally)
      }
    }
    return cards
  }

  /// Sends a request whose answer 500 may be about one card: then it is not repeated, and stops no other request.
  private func tolerant(
    _ request: (_ isOnce: Bool) async throws(SourceError) -> HTTPResponse
  ) async throws(SourceError) -> HTTPResponse {
    let response = try await request(true)
    let isAway = response.status.meaning == .serverFault && response.status != .internalServerError
    return isAway ? try await request(false) : response
  }

  /// - Parameter areBad: whether one of the cards makes the report fail. If the first half has none, the second one has.
  private func halves(
    _ paths: ArraySlice<String>, of book: String, areBad: Bool = false, _ tally: inout CardTally
  ) async throws(SourceError) -> [CardAnswer] {
    let middle = paths.startIndex + paths.count / 2
    let refused = tally.refused
    let first = try await report(paths[..<middle], of: book, &tally)
    let isBad = areBad && tally.refused == refused
    return try await first + report(paths[middle...], of: book, isBad: isBad, &tally)
  }

  /// Fetches cards one by one. The entity tag of such a response may have been changed by a proxy, so it is not kept.
  private func single(_ paths: ArraySlice<String>, _ tally: inout CardTally) async throws(SourceError) -> [CardAnswer] {
    var cards: [CardAnswer] = []
    for path in paths {
      let response = try await tolerant { (isOnce) throws(SourceError) in
        try await send(.get, path, headers: ["Accept": "text/vcard"], returnsServerErrors: isOnce)
      }
      switch meaning(of: response) {
      case .http(.success):
        tally.hasCards = true
        cards.append(.card(Self.card(path, nil, response.body, hasControls: false)))
      case .http(.missing): break
      case .http(.serverFault) where response.status == .internalServerError:
        cards += try tally.refuse(path, error(response))
      // These are not about one card.
      case .http(.unauthorized), .http(.limited), .http(.tryLater), .http(.serverFault), .locked, .full:
        throw error(response)
      case .http(.other) where response.status == .proxyUnauthorized: throw error(response)
      default: cards += try tally.refuse(path, error(response))
      }
    }
    return cards
  }

  private static func card(_ path: String, _ tag: String?, _ bytes: [UInt8], hasControls: Bool) -> FetchedCard {
    var lines: [UInt8] = []
    lines.reserveCapacity(bytes.count + bytes.count / 32)
    var hasControls = hasControls
    var previous: UInt8 = 0
    for byte in bytes {
      switch byte {
      case 0x0A where previous == 0x0D: break
      case 0x0A, 0x0D: lines += [0x0D, 0x0A]
      case 0..<0x20 where byte != 0x09, 0x7F:
        hasControls = true
        lines.append(byte)
      default: lines.append(byte)
      }
      previous = byte
    }
    return FetchedCard(path: path, tag: tag, bytes: lines, hasControls: hasControls)
  }
}
