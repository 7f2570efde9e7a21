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
    let next = shown.next.map { cursor -> HTML in
      "<p><a href=\"\(address(owner: owner, follow: follow, after: cursor))\" rel=\"next\">Next \(pageSize)</a></p>"
    }
    let name = owner.isEmpty ? nil : Self.owner(owner, services)?.username ?? owner
    let title = [name.map { "Photos of \($0)" } ?? "Photos", follow.isEmpty ? nil : "in \(follow)"]
      .compactMap(\.self).joined(separator: " ")
    let isPart = !owner.isEmpty || !follow.isEmpty || !after.isEmpty
    return Page(
      title: title,
      content: """
        <section class="card" id="photos" data-live><div class="head"><h1>\(title)</h1>\
        <span class="soft small">\(shown.total.map { "\(grouped($0)) in all" } ?? "")</span></div>
        \(items.isEmpty ? OverviewPage.nothing("No photos yet.") : "<ul class=\"photos\">\(items)</ul>")
        \(next)\(isPart ? "<p><a href=\"/photos\">All photos</a></p>" as HTML : nil)\(follows(services))</section>
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
    let order = count <= DashboardData.mostSorted ? "-postedAt" : nil
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
    let (listings, next, total) = try photos(query, call)
    return (listings, next, total)
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
      .prefix(DashboardData.followsShown).map(\.path)
    if paths.isEmpty { return nil }
    let links = paths.map { "<a href=\"\(address(follow: $0))\">\($0)</a> " as HTML }
    return "<details><summary>By follow</summary><p>\(links)</p></details>"
  }

  /// One photo, large, with its owner.
  static func photo(_ call: APIRequest) throws -> Page {
    let photo = try stored(call)
    let owner = owner(photo.ownerID, call.services)
    let title = photo.title.isEmpty ? "Untitled" : photo.title
    let taken = photo.takenAt.map { $0.description.replacing("T", with: " ").replacing("Z", with: "") }
    var rows: [(name: String, value: HTML)] = [
      ("Owner", "<a href=\"\(address(owner: photo.ownerID))\">\(owner?.username ?? photo.ownerID)</a>")
    ]
    if let taken { rows.append(("Taken", "\(taken)")) }
    if let posted = photo.postedAt { rows.append(("Posted", OverviewPage.ago(posted))) }
    if let tags = photo.tags, !tags.isEmpty { rows.append(("Tags", "\(tags.joined(separator: ", "))")) }
    rows.append(
      ("Page", "<a href=\"\(OverviewPage.safe(photo.pageURL))\" rel=\"noreferrer\">\(photo.pageURL)</a>"))
    let fields = rows.map { row -> HTML in "<tr><th scope=\"row\">\(row.name)</th><td>\(row.value)</td></tr>" }
    return Page(
      title: title,
      content: """
        <section class="card" id="photo" data-live><h1>\(title)</h1>
        <img class="large" src="/large/\(percentEncoded(photo.id))" alt="\(title)">
        <table class="values" aria-label="Details"><tbody>\(fields)</tbody></table>
        <p><a href="/collections/photos/\(percentEncoded(photo.id))">All fields</a></p></section>
        """)
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
      <li><a href="/photos/\(percentEncoded(photo.id))"><img class="picture" \
      src="\(OverviewPage.media(photo.thumbnailURL))" alt="" loading="lazy" width="150" height="112"><span class="cut">\
      \(photo.title.isEmpty ? "Untitled" : OverviewPage.short(photo.title))</span></a>
      <span class="owner">\(listing.iconURL.map { "<img src=\"\(OverviewPage.media($0))\" alt=\"\" width=\"20\" height=\"20\">" })\
      <a class="cut" href="\(address(owner: photo.ownerID))">\(listing.owner)</a></span></li>
      """
  }

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
