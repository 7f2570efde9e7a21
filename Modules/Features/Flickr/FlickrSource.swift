public import Models
public import Ports

/// Follows people, photos, searches, favourites and the photos of the day on Flickr.
///
/// A list of photos is pulled page by page up to the follow's limit, then the owners that are not known yet, one
/// after another or `PullContext.jobs` side by side. Each page is one commit whose cursor holds what is left, so that
/// a pull that was stopped goes on there. A photo is never removed because it fell off a list.
public struct FlickrSource: KeyedSource {
  /// `flickr`.
  public let name = SourceName.flickr
  /// The paths of the follows.
  public let forms = FlickrQuery.forms
  /// 500 photos.
  public let defaultLimit: Int? = 500

  /// The variable of its key.
  public static let keyVariable = "ALMANAC_FLICKR_KEY"

  /// Where the API is, unless the settings say otherwise.
  public static let defaultURL = "https://api.flickr.com"

  let photos: any ResponseParser<APIAnswer<PhotoPage>>
  let person: any ResponseParser<APIAnswer<Owner>>
  let coder: any RecordCoder
  let base: String
  let key: SourceKey
  let claims = OwnerClaims()

  /// A source.
  ///
  /// - Parameters:
  ///   - photos: reads a page of any list of photos.
  ///   - person: reads the answer of `flickr.people.getInfo`.
  ///   - coder: reads stored records.
  ///   - settings: the server's address; its `apiKey` is not looked at.
  ///   - apiKey: the key, wherever it came from; any text where the answers are recorded.
  public init(
    photos: any ResponseParser<APIAnswer<PhotoPage>>, person: any ResponseParser<APIAnswer<Owner>>,
    coder: any RecordCoder, settings: Settings.Server? = nil, apiKey: SourceKey
  ) {
    self.photos = photos
    self.person = person
    self.coder = coder
    var base = settings?.url ?? Self.defaultURL
    while base.hasSuffix("/") { base.removeLast() }
    self.base = base
    key = apiKey.value == "" ? .absent : apiKey
  }

  /// Checks a follow's path, its limit and that it has no settings of other sources.
  public func check(_ follow: Follow) throws(FollowError) { _ = try query(of: follow) }

  /// Pulls a person, a page of photos, or the next owners.
  public func pull(_ follow: Follow, _ context: PullContext) async throws(SourceError) -> PullPage {
    let query: FlickrQuery
    do throws(FollowError) {
      query = try self.query(of: follow)
    } catch {
      throw .follow(error)
    }
    let client = try client(context.transport)
    if case .person(let nsid) = query { return try await pullPerson(nsid, client, context) }
    let cursor = FlickrCursor(fields: context.cursor)
    if let page = cursor.page {
      return try await pullPhotos(query, page, cursor, limit: follow.limit ?? defaultLimit!, client, context)
    }
    return try await pullOwners(cursor, follow: follow.path, client, context)
  }

  /// Asks for one photo of the day.
  public func proveKey(over transport: any HTTPTransport) async throws(SourceError) {
    let query = FlickrQuery.interestingness
    let parameters = [("per_page", "1"), ("page", "1")]
    let client = try client(transport)
    if case .failure(let failure) = try await client.call(query.method, parameters, photos).value {
      throw client.error(failure, of: query.method, url: client.publicURL(query.method, parameters))
    }
  }

  private func client(_ transport: any HTTPTransport) throws(SourceError) -> FlickrClient {
    switch key {
    case .given(let key, let place):
      return FlickrClient(base: base, key: key, keyPlace: place, transport: transport)
    case .missing(let failure):
      throw .missingKey(source: name, problem: failure.message, hint: failure.hint ?? "give another one")
    case .absent:
      throw .missingKey(
        source: name, problem: nil,
        hint: "set servers.flickr.apiKey in the config, or the environment variable \(Self.keyVariable); a key comes"
          + " from https://www.flickr.com/services/apps/create/")
    }
  }

  private func query(of follow: Follow) throws(FollowError) -> FlickrQuery {
    let allowed = "the forms are \(forms.joined(separator: ", ")); an NSID is like 12345678@N00"
    guard follow.source == name, let query = FlickrQuery(path: follow.path.dropFirst(name.rawValue.utf8.count + 1))
    else { throw FollowError(follow: follow.path, message: "not a follow of Flickr", allowed: allowed) }
    if let limit = follow.limit, !(1...query.largestLimit).contains(limit) {
      throw FollowError(
        follow: follow.path, message: "the limit \(limit) is out of range",
        allowed: "1 to \(query.largestLimit) photos, \(defaultLimit!) where none is given")
    }
    if follow.genre != nil || follow.feed != nil {
      throw FollowError(
        follow: follow.path, message: "Flickr has no genres and no feeds", allowed: "leave genre and feed out")
    }
    return query
  }
}
