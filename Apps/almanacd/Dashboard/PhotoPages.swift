import Hummingbird
import Models
import Ports

/// The pages of photos: all of them, those of one owner, and one photo at full size.
enum PhotoPages {
  static let pageSize = 60
  /// The longest time that a browser waits for a large image that has to be fetched first.
  private static let timeout = Duration.seconds(20)

  /// The photos in the order of their posting, the newest first; those of an owner, or those that a follow lists.
  static func list(_ call: APIRequest) throws -> Page {
    let services = call.services
    let (owner, follow) = (call.query("owner") ?? "", call.query("follow") ?? "")
    let after = call.query("after") ?? ""
    var shown = try follow.isEmpty ? records(owner, after, services) : listed(owner, follow, after, call)
    // An owner may be named as well; an unknown one is not found, with those that there are.
    if !owner.isEmpty, shown.total == 0 { shown = try listed(owner, follow, after, call) }
    let items = shown.listings.map(item)
    let name = owner.isEmpty ? nil : Self.owner(owner, services)?.username ?? owner
    let title = [name.map { "Photos of \($0)" } ?? "Photos", follow.isEmpty ? nil : "in \(follow)"]
      .compactMap(\.self).joined(separator: " ")
    let isPart = !owner.isEmpty || !follow.isEmpty || !after.isEmpty
    return Page(
      title: title, section: .photos,
      content: """
        <div class="head"><h1>\(title)</h1><span class="soft">\(shown.total.map { "\(grouped($0)) in all" } ?? "")</span></div>
        \(isPart ? "<p><a href=\"/photos\">All photos</a></p>" as HTML : nil)\(follows(services))
        <section id="photos" data-live aria-label="Photos">\(items.isEmpty ? Card.nothing(.photos, "No photos yet.", "<a class=\"button primary\" href=\"/add/flickr\">Follow photos</a>") : "<ul class=\"photos\">\(items)</ul>")
        \(Card.pager("\(items.count) photos", after: shown.next.map { address(owner: owner, follow: follow, after: $0) }))</section>
        """)
  }

  private typealias Part = (listings: [PhotoListing], next: String?, total: Int?)

  /// Photos by the conditions of their records.
  private static func records(_ owner: String, _ after: String, _ services: DaemonServices) throws -> Part {
    var query = LibraryQuery()
    if !owner.isEmpty {
      query.conditions = [RecordCondition(field: "ownerID", comparison: .equal, value: owner)]
    }
    // To find the newest of very many would read them all.
    let count = try services.library.count(.photos)
    let order = count <= HomeData.mostSorted ? "-postedAt" : nil
    if order != nil { (query.sortField, query.descending) = ("postedAt", true) }
    if !after.isEmpty { query.start = try ListCursor(after, of: order, services.coder).place }
    let page = try services.library.page(.photos, query, limit: pageSize, counts: true)
    let listings = page.records.compactMap { record -> PhotoListing? in
      guard let photo = (try? services.coder.decode(record)).flatMap({ try? Photo(fields: $0) }) else { return nil }
      let owner = Self.owner(photo.ownerID, services)
      return PhotoListing(photo: photo, owner: owner?.username ?? photo.ownerID, iconURL: owner?.iconURL)
    }
    return (listings, page.next.map { ListCursor($0, of: order).text(services.coder) }, page.total)
  }

  private static func listed(_ owner: String, _ follow: String, _ after: String, _ call: APIRequest) throws -> Part {
    let query = PhotoQuery(
      owner: owner.isEmpty ? nil : owner, follow: follow.isEmpty ? nil : follow, after: after.isEmpty ? nil : after,
      limit: pageSize)
    do {
      let (listings, next, total) = try photos(query, call)
      return (listings, next, total)
    } catch let failure as Failure {
      // One that has not answered yet lists nothing.
      guard failure.reason == .notFound, owner.isEmpty, (try? API.followed(follow, call)) != nil else { throw failure }
      return ([], nil, nil)
    }
  }

  /// A page of photos with their owners.
  ///
  /// - Throws: `Problem` with 400 where the place is not one of the list, with 404 where the owner or the list of the
  ///   follow is not known.
  static func photos(
    _ query: PhotoQuery, _ call: APIRequest
  ) throws -> (listings: [PhotoListing], next: String?, total: Int) {
    var query = query
    let limit = query.limit ?? pageSize
    query.limit = limit + 1
    // As the config spells it.
    query.follow = query.follow.map { path in (try? call.services.sync.check(Follow(path: path)))?.path ?? path }
    var listings: [PhotoListing] = []
    let total = try call.asked { () throws(Failure) in
      try call.services.photos.photos(query) { listing in
        listings.append(listing)
        return .next
      }
    }
    let hasMore = listings.count > limit
    if hasMore { listings.removeLast() }
    return (listings, hasMore ? listings.last?.photo.id : nil, total)
  }

  /// Links to the photos of each follow that lists some.
  private static func follows(_ services: DaemonServices) -> HTML? {
    let paths = services.settings.follows.filter { $0.source == .flickr && !$0.path.hasPrefix("flickr/person/") }
      .prefix(FollowsPage.pageSize).map(\.path)
    if paths.isEmpty { return nil }
    return Card.choices("Albums", paths.map { ($0, address(follow: $0), false) })
  }

  static func photo(_ call: APIRequest) throws -> Page {
    let photo = try stored(call)
    let owner = owner(photo.ownerID, call.services)
    let title = photo.title.isEmpty ? "Untitled" : photo.title
    var rows: [(name: String, value: HTML)] = [
      ("Owner", "<a href=\"\(address(owner: photo.ownerID))\">\(owner?.username ?? photo.ownerID)</a>")
    ]
    if let taken = photo.takenAt { rows.append(("Taken", "\(Shown.date(taken.date))")) }
    if let posted = photo.postedAt { rows.append(("Posted", Shown.ago(posted))) }
    if let tags = photo.tags, !tags.isEmpty { rows.append(("Tags", "\(tags.joined(separator: ", "))")) }
    rows.append(
      ("Page", "<a href=\"\(Shown.safe(photo.pageURL))\" rel=\"noreferrer\">\(photo.pageURL)</a>"))
    return Page(
      title: title, section: .photos,
      content: """
        <section class="card" id="photo" data-live><p class="small"><a href="/photos">Photos</a></p>
        <img class="large-photo" src="/large/\(percentEncoded(photo.id))" alt="\(title)"><h1>\(title)</h1>
        \(DataTable.values(rows, label: "Details"))
        <p class="buttons"><a class="button" href="\(Shown.record("photos", photo.id))">All fields</a>\(next(photo, call))</p></section>
        """)
  }

  /// The link to the photo that was posted before this one.
  private static func next(_ photo: Photo, _ call: APIRequest) -> HTML? {
    guard let count = try? call.services.library.count(.photos), count <= HomeData.mostSorted,
      let next = try? call.services.photos.photos(PhotoQuery(after: photo.id, limit: 1)).first
    else { return nil }
    return
      "<a class=\"button\" href=\"\(Shown.place("photos", next.photo.id))\" rel=\"next\">Next photo \(Icon.next.html)</a>"
  }

  /// The large image of a stored photo, which is fetched when it is asked for the first time. Only addresses in records are
  /// fetched, so that the page cannot make the daemon ask for any other.
  static func image(_ call: APIRequest) async throws -> Response? {
    let photo = try stored(call)
    let services = call.services
    let item: MediaItem? = try await withThrowingTaskGroup(of: MediaItem?.self) { group in
      group.addTask {
        // Without an answer the thumbnail is shown.
        do throws(Failure) { return try await services.media.fetch(image: photo.imageURL) } catch { return nil }
      }
      group.addTask {
        try? await services.time.sleep(for: timeout)
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
    let shown = try Failure.from { () throws(StoreError) -> (MediaItem, [UInt8])? in
      var found = item
      if found == nil { found = try services.mediaStore.item(for: photo.thumbnailURL) }
      guard let found else { return nil }
      return (found, try services.mediaStore.bytes(of: found))
    }
    guard let (found, bytes) = shown else { return nil }
    // The thumbnail must not stay in its place.
    return Response(
      type: found.type, bytes, headers: [.cacheControl: item == nil ? "no-store" : "private, max-age=86400"])
  }

  static func item(_ listing: PhotoListing) -> HTML {
    let photo = listing.photo
    return """
      <li><img src="\(Shown.media(photo.thumbnailURL))" alt="" loading="lazy" width="150" height="112"><span class="caption">\
      <a class="cut" href="/photos/\(percentEncoded(photo.id))">\(photo.title.isEmpty ? "Untitled" : Shown.short(photo.title, 80))</a>\
      <a class="cut owner" href="\(address(owner: photo.ownerID))">\(listing.owner)</a></span></li>
      """
  }

  static let style = """
    .photos { display: flex; flex-wrap: wrap; gap: 6px; list-style: none; margin: 0; padding: 0; } .photos::after { content: ""; flex: 9 1 240px; }
    .photos li { position: relative; display: grid; flex: 1 1 auto; height: 200px; min-width: 150px; max-width: 100%; border-radius: 8px;
      overflow: hidden; background: var(--fill); } .photos li > * { grid-area: 1 / 1; min-width: 0; }
    .photos img { height: 200px; width: auto; min-width: 100%; max-width: 100%; object-fit: cover; }
    .caption { align-self: end; padding: 6px 10px; background: #000000c4; font-size: var(--t-s); } .photos .caption { width: 0; min-width: 100%; } .caption a { color: #fff; text-decoration: none; }
    .caption a:first-child::after { content: ""; position: absolute; inset: 0; } .caption .owner { position: relative; z-index: 1; width: fit-content; max-width: 100%; font-size: 12px; line-height: 24px; }
    .caption a:hover, .photos li:hover .caption a:first-child { text-decoration: underline; }
    @media (hover: hover) { .caption { opacity: 0; } .photos li:hover .caption, .photos li:focus-within .caption { opacity: 1; } }
    .large-photo { display: block; max-width: 100%; max-height: 78vh; margin: 0 auto var(--m); border-radius: 10px; background: var(--fill); }
    @media (max-width: 640px) { .photos li, .photos img { height: 150px; } .photos li { min-width: 120px; } }

    """

  private static func address(owner: String = "", follow: String = "", after: String = "") -> String {
    let values = [("owner", owner), ("follow", follow), ("after", after)].filter { !$0.1.isEmpty }
    let query = values.map { "\($0.0)=\(percentEncoded($0.1))" }.joined(separator: "&")
    return query.isEmpty ? "/photos" : "/photos?\(query)"
  }

  private static func stored(_ call: APIRequest) throws -> Photo {
    let bytes = try call.services.library.record(.photos, call.rest(after: 1))
    return try Photo(fields: try call.services.coder.decode(bytes))
  }

  private static func owner(_ id: String, _ services: DaemonServices) -> Owner? {
    guard let bytes = try? services.library.record(.owners, id), let fields = try? services.coder.decode(bytes) else {
      return nil
    }
    return try? Owner(fields: fields)
  }
}
