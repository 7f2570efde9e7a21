import Models
import Ports

/// Calls one method of Flickr's REST API (https://www.flickr.com/services/api/).
struct FlickrClient: Sendable {
  let server: SourceClient
  let key: String
  /// Where the key came from, for errors that refuse it.
  let keyPlace: String

  /// Each key has a budget of its own, named by the key's hash.
  let budget: RateBudget?
  /// A page of 500 photos is half a megabyte. A much larger response is refused while it is read.
  static let largestPage = 16 << 20

  init(server: SourceClient, key: String, keyPlace: String) {
    (self.server, self.key, self.keyPlace) = (server, key, keyPlace)
    budget = FlickrSource.descriptor.budget?.named("flickr-\(SHA256.digest(key.utf8).prefix(16))")
  }

  func publicURL(_ method: String, _ parameters: [(String, String)]) -> String {
    url([("method", method), ("format", "json"), ("nojsoncallback", "1")] + parameters)
  }

  /// The error for an answer that is Flickr's own error; where the key was refused it says where that came from.
  func error(_ failure: APIFailure, of method: String, url: String) -> SourceError {
    let meaning = failure.meaning(of: method)
    var failure = failure
    if meaning == .denied { failure.message += keyNote }
    return .meant(meaning, said: failure, url: url)
  }

  private var keyNote: String { "; the key is from \(keyPlace)" }

  /// Sends the call and parses the answer.
  ///
  /// - Throws: `SourceError.transport`, `answered` or `parsing`; Flickr's own errors are an answer.
  func call<Value>(
    _ method: String, _ parameters: [(String, String)], _ parser: any ResponseParser<APIAnswer<Value>>
  ) async throws(SourceError) -> Parsed<APIAnswer<Value>> {
    try parsed(await send(method, parameters), method, parameters, parser)
  }

  /// Sends the call.
  ///
  /// - Throws: `SourceError.transport`.
  func send(_ method: String, _ parameters: [(String, String)]) async throws(SourceError) -> HTTPResponse {
    try await server.send(request(method, parameters))
  }

  func request(_ method: String, _ parameters: [(String, String)]) -> HTTPRequest {
    let address = url([("method", method), ("api_key", key), ("format", "json"), ("nojsoncallback", "1")] + parameters)
    return HTTPRequest(
      .get, address, headers: ["Accept": "application/json"], bodyLimit: Self.largestPage, budget: budget)
  }

  /// Parses the answer to a call.
  ///
  /// - Throws: `SourceError.answered` or `parsing`.
  func parsed<Value>(
    _ response: HTTPResponse, _ method: String, _ parameters: [(String, String)],
    _ parser: any ResponseParser<APIAnswer<Value>>
  ) throws(SourceError) -> Parsed<APIAnswer<Value>> {
    let message = { (response: HTTPResponse) -> String? in
      let said = SourceClient.message(of: parser)(response)
      return [.unauthorized, .forbidden].contains(response.status.meaning)
        ? (said ?? "the key was refused") + keyNote : said
    }
    return try SourceClient.answer(response, publicURL(method, parameters), parser, message: message).parsed
  }

  private func url(_ parameters: [(String, String)]) -> String {
    "\(server.base)/services/rest/?" + parameters.map { "\($0)=\(percentEncoded($1))" }.joined(separator: "&")
  }
}

extension APIFailure {
  /// What Flickr's code means; most are the same for every method, 1 and 10 are not
  /// (the error codes are listed on each method's page).
  func meaning(of method: String) -> SourceError.Meaning {
    switch (code, method) {
    case ("1", "flickr.people.getInfo"), ("1", "flickr.people.getPublicPhotos"),
      ("1", "flickr.favorites.getPublicList"), ("5", _):
      .missing
    case ("95", _), ("96", _), ("97", _), ("98", _), ("99", _), ("100", _), ("108", _): .denied
    case ("0", _), ("10", _), ("105", _), ("201", _): .later
    default: .refused
    }
  }

  /// Whether Flickr says that the account was deleted.
  var isDeletedUser: Bool { code == "5" }
}

enum FlickrQuery: Hashable, Sendable {
  case person(String)
  case photos(String)
  case search(String)
  case interestingness
  case favorites(String)

  /// The forms of the paths. A search ends after its first 4,000 results, whatever is asked for
  /// (https://www.flickr.com/services/api/flickr.photos.search.html).
  static let forms = [
    FollowForm("flickr/person/{nsid}", "one person", limit: list),
    FollowForm("flickr/photos/{nsid}", "the public photos of a person", limit: list),
    FollowForm("flickr/search/{+text}", "photos that match words", limit: .init(standard: 500, largest: 4000)),
    FollowForm("flickr/interestingness", "the photos of the day", limit: list),
    FollowForm("flickr/favorites/{nsid}", "the public favourites of a person", limit: list),
  ]

  private static let list = FollowForm.Limit(standard: 500, largest: 100_000)

  /// What a path of one of the forms asks for.
  ///
  /// The text of a search is the whole rest of the path, percent-encoded or plain, so that it may hold spaces and
  /// slashes.
  init(_ match: FollowMatch) {
    let parameter = match.parameters.first ?? ""
    switch Self.forms.firstIndex(of: match.form) {
    case 0: self = .person(parameter)
    case 1: self = .photos(parameter)
    case 2: self = .search(percentDecoded(parameter))
    case 3: self = .interestingness
    default: self = .favorites(parameter)
    }
  }

  /// Whether the text has the form of a person's id: digits, `@N`, digits.
  static func isNSID(_ text: some StringProtocol) -> Bool {
    let bytes = Array(text.utf8)
    guard let at = bytes.firstIndex(of: 0x40), at > 0, bytes.count <= 64, bytes.count > at + 2, bytes[at + 1] == 0x4E
    else { return false }
    return (bytes[..<at] + bytes[(at + 2)...]).allSatisfy { (0x30...0x39).contains($0) }
  }

  var nsid: String? {
    switch self {
    case .person(let nsid), .photos(let nsid), .favorites(let nsid): nsid
    case .search, .interestingness: nil
    }
  }

  var method: String {
    switch self {
    case .person: "flickr.people.getInfo"
    case .photos: "flickr.people.getPublicPhotos"
    case .search: "flickr.photos.search"
    case .interestingness: "flickr.interestingness.getList"
    case .favorites: "flickr.favorites.getPublicList"
    }
  }

  var parameters: [(String, String)] {
    switch self {
    case .person(let nsid), .photos(let nsid), .favorites(let nsid): [("user_id", nsid)]
    case .search(let text): [("text", text)]
    case .interestingness: []
    }
  }
}
