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
  /// A page of 500 photos is half a megabyte: what is much larger is no page, and need not be held to learn that.
  static let largestPage = 16 << 20

  init(server: SourceClient, key: String, keyPlace: String) {
    self.server = server
    self.key = key
    self.keyPlace = keyPlace
    let name = "flickr-\(SHA256.digest(key.utf8).prefix(16))"
    budget = FlickrSource.descriptor.budget.map { RateBudget(name: name, $0) }
  }

  /// The address without the key, for errors and rejects.
  func publicURL(_ method: String, _ parameters: [(String, String)]) -> String {
    url([("method", method), ("format", "json"), ("nojsoncallback", "1")] + parameters)
  }

  /// The error for an answer that is Flickr's own error; where the key was refused it says where that came from.
  func error(_ failure: APIFailure, of method: String, url: String) -> SourceError {
    let meaning = failure.meaning(of: method)
    var failure = failure
    if meaning == .denied { failure.message += keyNote }
    return .api(failure, meaning: meaning, url: url)
  }

  private var keyNote: String { "; the key is from \(keyPlace)" }

  /// Sends the call and parses the answer.
  ///
  /// - Throws: `SourceError.transport`, `http` or `parsing`; Flickr's own errors are an answer.
  func call<Value>(
    _ method: String, _ parameters: [(String, String)], _ parser: any ResponseParser<APIAnswer<Value>>
  ) async throws(SourceError) -> Parsed<APIAnswer<Value>> {
    let address = url(
      [("method", method), ("api_key", key), ("format", "json"), ("nojsoncallback", "1")] + parameters)
    let message = { (response: HTTPResponse) -> String? in
      let said = SourceClient.message(of: parser)(response)
      return [401, 403].contains(response.status) ? (said ?? "the key was refused") + keyNote : said
    }
    // Without a validator there is an answer in any case.
    return try await server.get(
      address, shown: publicURL(method, parameters), parser, bodyLimit: Self.largestPage, budget: budget,
      message: message)!.parsed
  }

  private func url(_ parameters: [(String, String)]) -> String {
    "\(server.base)/services/rest/?" + parameters.map { "\($0)=\(percentEncoded($1))" }.joined(separator: "&")
  }
}

extension APIFailure {
  /// What Flickr's code means; most are the same for every method, 1 and 10 are not
  /// (the error codes stand on each method's page).
  func meaning(of method: String) -> SourceError.APIMeaning {
    switch (code, method) {
    case ("1", "flickr.people.getInfo"), ("1", "flickr.people.getPublicPhotos"),
      ("1", "flickr.favorites.getPublicList"), ("5", _):
      .notFound
    case ("95", _), ("96", _), ("97", _), ("98", _), ("99", _), ("100", _), ("108", _): .denied
    case ("0", _), ("10", _), ("105", _), ("201", _): .tryLater
    default: .refused
    }
  }

  /// Whether Flickr says that the account was deleted.
  var isDeletedUser: Bool { code == "5" }
}
