public import Models
public import Ports

/// Follows people, photos, searches, favourites and the photos of the day on Flickr.
///
/// A pull fetches the pages of a list up to the limit of the follow, then the owners that are not stored yet, in sequence or
/// `PullContext.jobs` at a time. Each page is one commit with a cursor, so that an interrupted pull continues there. A photo
/// that is no longer in a list is not removed.
public struct FlickrSource: KeyedSource {
  public var descriptor: SourceDescriptor { Self.descriptor }
  public static let descriptor = SourceDescriptor(
    name: .flickr, summary: "photos of Flickr and their owners", forms: FlickrQuery.forms,
    pathNote: "an NSID looks like 12345678@N00",
    collections: [
      .init(Photo.self, columns: ["id", "title", "ownerID", "takenAt", "pageURL"], media: ["thumbnailURL"]),
      .init(
        Owner.self, columns: ["id", "username", "realName", "location", "photoCount", "deleted"], media: ["iconURL"]),
    ],
    defaultURL: "https://api.flickr.com",
    key: .init(variable: "ALMANAC_FLICKR_KEY", help: "a key comes from https://www.flickr.com/services/apps/create/"),
    // Flickr's own limit, for each key (https://www.flickr.com/services/developer/api/).
    budget: .init(calls: 3600, window: Interval(seconds: 3600)), secretNames: ["api_key"])

  let photos: any ResponseParser<APIAnswer<PhotoPage>>
  let person: any ResponseParser<APIAnswer<Owner>>
  let coder: any RecordCoder
  let settings: Settings.Server?
  let key: SourceKey
  let claims = OwnerClaims()

  /// - Parameters:
  ///   - settings: the server's address; its `apiKey` is not looked at.
  ///   - apiKey: the key, wherever it came from; any text where the answers are recorded.
  public init(
    photos: any ResponseParser<APIAnswer<PhotoPage>>, person: any ResponseParser<APIAnswer<Owner>>,
    coder: any RecordCoder, settings: Settings.Server? = nil, apiKey: SourceKey
  ) {
    (self.photos, self.person, self.coder, self.settings) = (photos, person, coder, settings)
    key = apiKey.value == "" ? .absent : apiKey
  }

  public var abilities: SourceAbilities { SourceAbilities(purge: self, key: self) }

  /// Checks what the descriptor says, ids of people and texts of searches.
  public func canonical(_ checked: CheckedFollow) throws(FollowError) -> CheckedFollow {
    let (query, form) = (FlickrQuery(checked.match), checked.match.form.text)
    if let nsid = query.nsid, !FlickrQuery.isNSID(nsid) {
      throw FollowError(
        follow: checked.follow.path, message: "'\(nsid)' is not an NSID",
        allowed: "expected \(form); an NSID looks like 12345678@N00")
    }
    if case .search(let text) = query, text.allSatisfy(\.isWhitespace) {
      throw FollowError(
        follow: checked.follow.path, message: "the text of the search is empty", allowed: "expected \(form)")
    }
    return checked
  }

  /// Pulls a person, a page of photos, or the next owners.
  public func pull(_ follow: CheckedFollow, _ context: PullContext) async throws(SourceError) -> PullPage {
    let (query, limit) = (FlickrQuery(follow.match), follow.match.limit ?? 1)
    let client = try client(context.transport)
    if case .person(let nsid) = query { return try await pullPerson(nsid, client, context) }
    let cursor = FlickrCursor(fields: context.cursor)
    if let page = cursor.page { return try await pullPhotos(query, page, cursor, limit: limit, client, context) }
    return try await pullOwners(cursor, follow: follow.follow.path, client, context)
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
    guard case .given(let value, let place) = key else { throw .noKey(key, of: descriptor) }
    return FlickrClient(
      server: try SourceClient(descriptor, settings, transport: transport), key: value, keyPlace: place)
  }
}

extension FlickrSource {
  private static let largestPage = 500
  /// The fields of photos that are requested in addition to the default ones.
  private static let extras = "date_upload,date_taken,tags,url_sq,url_q,url_l"

  func pullPhotos(
    _ query: FlickrQuery, _ page: Int, _ cursor: FlickrCursor, limit: Int, _ client: FlickrClient,
    _ context: PullContext
  ) async throws(SourceError) -> PullPage {
    let size = min(limit, Self.largestPage)
    func parameters(_ page: Int) -> [(String, String)] {
      query.parameters + [("per_page", String(size)), ("page", String(page)), ("extras", Self.extras)]
    }
    let (parameters, following) = (parameters(page), parameters(page + 1))
    let url = client.publicURL(query.method, parameters)
    let response = try await client.send(query.method, parameters)
    if page < cursor.pages, cursor.photos + size < limit { context.expect(client.request(query.method, following)) }
    let room = max(0, limit - cursor.photos)
    let known = try SourceError.reading(context.known(url, response.body))
    var result = PullPage(url: url)
    let found: FoundPhotos
    if let known, known.count <= room {
      (result.answer, result.isKnown) = (known, true)
      found = FoundPhotos(fields: known.summary, count: known.count)
      result.coverage = .page(ListPage([]))
    } else {
      let answer = try client.parsed(response, query.method, parameters, photos)
      switch answer.value {
      case .failure(let failure):
        if failure.isDeletedUser, let nsid = query.nsid {
          return PullPage(changes: [PulledChange(try tombstone(nsid, context.snapshot))], url: url)
        }
        throw client.error(failure, of: query.method, url: url)
      case .success(let answered):
        let taken = answered.photos.prefix(room)
        found = FoundPhotos(answered, taken, rejects: answer.rejects.total)
        if taken.count == answered.photos.count {
          result.answer = KnownAnswer(response.body, to: url, summary: found.fields)
        }
        (result.changes, result.rejects) = (taken.map { PulledChange($0, .merge) }, answer.rejects)
        result.coverage = .page(ListPage(taken.map { .init(.photos, $0.id) }))
      }
    }
    var next = cursor
    next.photos += found.count
    next.owners += try unknown(found.owners, cursor, context)
    // A page may hold fewer photos than promised, so the number of pages says where the end is.
    let isLast = page >= found.pages || next.photos >= limit || found.count == 0
    next.page = isLast ? nil : page + 1
    next.pages = isLast ? 0 : found.pages
    result.next = next.next
    result.progress = .init(done: next.photos, total: found.total.map { max(0, min($0, limit)) })
    if case .page(var list) = result.coverage {
      list.keepsDeparted = true
      if isLast, page < found.pages, next.photos < limit { list.doubts = [.pages(said: found.pages, came: page)] }
      result.coverage = .page(list)
    }
    return result
  }

  /// The owners that neither the store nor the queue knows.
  private func unknown(
    _ owners: [String], _ cursor: FlickrCursor, _ context: PullContext
  ) throws(SourceError) -> [String] {
    let seen = Set(cursor.owners).union(missingOwners(context.sourceState))
    var (unknown, stored): ([String], [String]) = ([], [])
    for owner in claims.notMet(owners.filter { !seen.contains($0) }, run: context.run) {
      if try isKnown(owner, context.snapshot) { stored.append(owner) } else { unknown.append(owner) }
    }
    claims.meet(stored, run: context.run)
    return unknown
  }
}

/// What a page of photos says beside its photos.
private struct FoundPhotos {
  /// Its photos, rejected ones included.
  let count: Int
  let pages: Int
  let total: Int?
  /// In the order of their photos, each once.
  let owners: [String]

  init(_ page: PhotoPage, _ taken: ArraySlice<Photo>, rejects: Int) {
    (count, pages, total) = (taken.count + rejects, page.pages, page.total)
    var seen: Set<ExactString> = []
    owners = taken.map(\.ownerID).filter { FlickrQuery.isNSID($0) && seen.insert($0.exact).inserted }
  }

  init(fields: JSONObject, count: Int) {
    self.count = count
    pages = fields["pages"]?.count ?? 0
    total = fields["total"]?.count
    owners = (fields["owners"]?.string ?? "").utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
  }

  /// The form in which it is kept. An NSID has no space.
  var fields: JSONObject {
    ["pages": .int(pages), "total": .of(total), "owners": .string(owners.joined(separator: " "))]
  }
}

/// The position in a pull: first the pages of the list, then the owners that are not stored.
struct FlickrCursor: Hashable, Sendable {
  /// The next page of photos, from 1; `nil` once the photos are here.
  var page: Int?
  /// How many there are, as the page before said; 0 where it is not known.
  var pages = 0
  var photos = 0
  /// Owners that were asked for.
  var fetched = 0
  /// Owners that are not known yet, in the order in which they were met.
  var owners: [String] = []

  init() { page = 1 }

  /// Reads a cursor; anything else is the beginning.
  init(fields: JSONObject?) {
    self.init()
    guard let fields, let photos = fields["photos"]?.count, let fetched = fields["fetched"]?.count,
      let owners = fields["owners"]?.string
    else { return }
    page = fields["page"]?.count
    (self.photos, self.fetched, pages) = (photos, fetched, fields["pages"]?.count ?? 0)
    self.owners = owners.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
  }

  /// The cursor as it is kept. The owners are one string: an NSID has no space.
  var fields: JSONObject {
    [
      "page": .of(page), "pages": .of(pages == 0 ? nil : pages), "photos": .of(photos), "fetched": .of(fetched),
      "owners": .of(owners.joined(separator: " ")),
    ]
  }

  /// The cursor as it is kept, `nil` where nothing is left to do.
  var next: JSONObject? { page == nil && owners.isEmpty ? nil : fields }
}
