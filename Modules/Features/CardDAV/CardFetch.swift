import Models
import Ports

/// A card of an address book.
struct FetchedCard: Sendable {
  /// The path that was asked for.
  var path: String
  /// The entity tag; `nil` if the server gave none that identifies exactly these bytes.
  var tag: String?
  /// The card, with CR LF at the ends of its lines, as the vCard formats have them: XML has LF only.
  var bytes: [UInt8]
  /// Whether it contains control characters.
  var hasControls: Bool
}

extension DAVClient {
  /// The number of cards of one request. More do not make a server faster.
  private static let batch = 125

  /// The number of requests at a time: the server prepares an answer while the one before is read.
  private static let requests = 2

  /// Fetches cards. Those that no longer exist are left out.
  ///
  /// A card that the server does not mention is asked for alone, because its absence alone does not say that it was
  /// removed.
  func cards(_ paths: [String], of book: String) async throws(SourceError) -> [FetchedCard] {
    try await cards(paths, of: book) { $0 }
  }

  /// Fetches cards, and reads each batch while the next one is on its way.
  func cards<Value: Sendable>(
    _ paths: [String], of book: String, read: @escaping @Sendable (FetchedCard) throws(SourceError) -> Value
  ) async throws(SourceError) -> [Value] {
    let batches = stride(from: 0, to: paths.count, by: Self.batch).map { paths[$0..<min($0 + Self.batch, paths.count)] }
    var values: [Value] = []
    for answer in await batches.concurrentMap(limit: Self.requests, { await outcome(of: $0, book, read) }) {
      values += try answer.get()
    }
    return values
  }

  private func outcome<Value>(
    of paths: ArraySlice<String>, _ book: String, _ read: (FetchedCard) throws(SourceError) -> Value
  ) async -> Result<[Value], SourceError> {
    do throws(SourceError) {
      var values: [Value] = []
      for card in try await batch(paths, of: book) { values.append(try read(card)) }
      return .success(values)
    } catch {
      return .failure(error)
    }
  }

  private func batch(_ paths: ArraySlice<String>, of book: String) async throws(SourceError) -> [FetchedCard] {
    let response: HTTPResponse
    do throws(SourceError) {
      response = try await ask(.report, book, depth: 1, .cards(Array(paths)))
    } catch {
      guard case .transport(let problem) = error, problem.code == .tooLarge, paths.count > 1 else { throw error }
      return try await halves(paths, of: book)
    }
    switch meaning(of: response) {
    case .http(.success): break
    // Some servers refuse the whole report for one missing card.
    case .http(.missing), .http(.tooLarge), .full:
      return paths.count > 1 ? try await halves(paths, of: book) : try await single(paths)
    case .http(.invalid), .http(.forbidden), .http(.unsupported): return try await single(paths)
    default: throw error(response)
    }
    var found: [ExactString: WebDAVResource] = [:]
    for resource in try multistatus(response).resources {
      let path = try path(of: resource.href, from: start.at(book))
      let key = DAVAddress.decoded(path).exact
      if found[key] == nil { found[key] = resource }
    }
    var cards: [FetchedCard] = []
    for path in paths {
      guard let resource = found[DAVAddress.decoded(path).exact] else {
        cards += try await single([path])
        continue
      }
      if let card = resource.card {
        cards.append(Self.card(path, resource.entityTag, card, hasControls: resource.hasForbiddenCharacters))
      } else if resource.status?.meaning != .missing {
        cards += try await single([path])
      }
    }
    return cards
  }

  private func halves(_ paths: ArraySlice<String>, of book: String) async throws(SourceError) -> [FetchedCard] {
    let middle = paths.startIndex + paths.count / 2
    return try await batch(paths[..<middle], of: book) + batch(paths[middle...], of: book)
  }

  /// Fetches cards one by one. The entity tag of such a response may have been changed by a proxy, so it is not kept.
  private func single(_ paths: ArraySlice<String>) async throws(SourceError) -> [FetchedCard] {
    var cards: [FetchedCard] = []
    for path in paths {
      let response = try await send(.get, path, headers: ["Accept": "text/vcard"])
      if response.status.meaning == .missing { continue }
      guard response.isSuccess else { throw error(response) }
      cards.append(Self.card(path, nil, response.body, hasControls: false))
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
