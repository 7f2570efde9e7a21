import Hummingbird
import Models
import Ports

/// The pages of photos: all of them, those of one owner, and one photo at full size.
enum PhotoPages {
  static let pageSize = 60
  /// The photos in the order of their posting, the newest first; those of an owner, or those that a follow lists.
  ///
  /// - Parameter isComplete: whether the last fetch of pictures left none out.
  static func list(_ call: APIRequest, isComplete: Bool) throws -> Page {
    let services = call.services
    let missing = isComplete ? 0 : missing(services)
    let (owner, follow) = (call.query("owner") ?? "", call.query("follow") ?? "")
    let after = call.query("after") ?? ""
    var shown = try follow.isEmpty ? records(owner, after, services) : listed(owner, follow, after, call)
    // An owner may be named as well; an unknown one is not found, with those that there are.
    if !owner.isEmpty, shown.total ?? 0 == 0 { shown = try listed(owner, follow, after, call) }
    let name = owner.isEmpty ? nil : Self.owner(owner, services)?.username ?? owner
    let album = follow.isEmpty ? nil : Self.name(of: follow, services)
    let title = [name.map { "Photos of \($0)" } ?? "Photos", album.map { "· \($0)" }].compactMap(\.self).joined(
      separator: " ")
    let isPart = !owner.isEmpty || !follow.isEmpty || !after.isEmpty
    let nothing: HTML =
      follow.isEmpty
      ? Card.nothing(.photos, "No photos yet.", "<a class=\"button primary\" href=\"/add/flickr\">Follow photos</a>")
      : Card.nothing(
        .photos, shown.total == nil ? "\(album ?? "") has not answered yet." : "\(album ?? "") has no photos.",
        "<a class=\"button\" href=\"\(Shown.place("follows", follow))\">See why</a>")
    return Page(
      title: title, section: .photos,
      content: """
        <div class="head"><h1>\(title)</h1><span class="soft">\(shown.total.map { "\(grouped($0)) in all, by day of posting" } ?? "")</span>\
        <span id="lack" data-live>\(missing > 0 ? "<a class=\"badge warn\" href=\"/activity#pictures\">\(missing.counted("photo")) without a picture</a>" as HTML : nil)</span></div>
        \(isPart ? "<p><a class=\"button\" href=\"/photos\">\(Icon.back.html) All photos</a></p>" as HTML : nil)\(follows(services, shown: follow))\(follow.isEmpty ? years(owner, shown.listings, isChosen: !after.isEmpty, services) : nil)
        <section id="photos" data-live aria-label="Photos"\(after.isEmpty ? shown.total.map { " data-total=\"\(grouped($0))\"" as HTML } : nil)>\(shown.listings.isEmpty ? nothing : nil)\(months(shown.listings))
        \(Card.pager("\(shown.listings.count) photos", after: shown.next.map { address(owner: owner, follow: follow, after: $0) }))</section>
        """)
  }

  /// Of fewer photos a month than this on the average, a heading is for a year.
  private static let fewest = 6

  /// The photos under the months in which they were posted, or taken where that is not known; under the years where there are few
  /// in each month.
  private static func months(_ listings: [PhotoListing]) -> [HTML] {
    let dates = listings.map(date)
    let areFew = Set(dates.map { $0.map { $0.year * 12 + $0.month } }).count * fewest > listings.count
    var months: [(title: String, items: [HTML])] = []
    for (listing, date) in zip(listings, dates) {
      let title =
        date.map { areFew ? "\($0.year)" : "\(Shown.longMonths[$0.month - 1]) \($0.year)" } ?? "Without a date"
      if months.last?.title != title { months.append((title, [])) }
      months[months.count - 1].items.append(item(listing))
    }
    return months.map { month in
      "<section class=\"by-month\"><h2>\(month.title)</h2><ul class=\"photos\">\(month.items)</ul></section>"
    }
  }

  private static func date(_ listing: PhotoListing) -> CivilDate? {
    (listing.photo.postedAt ?? listing.photo.takenAt)?.date
  }

  /// How many photos have no picture here; of very many, that would ask for each of them.
  private static func missing(_ services: DaemonServices) -> Int {
    guard (try? services.library.count(.photos)) ?? .max <= HomeData.mostSorted else { return 0 }
    var missing = 0
    try? services.library.list(.photos, LibraryQuery(limit: .max)) { record in
      // One that made room for others comes when somebody wants to see it.
      if let url = try? services.coder.text("thumbnailURL", of: record),
        (try? services.mediaStore.item(for: url)) == nil, (try? services.mediaStore.isEvicted(url)) != true
      {
        missing += 1
      }
      return .next
    }
    return missing
  }

  /// Links to the photos of each year; that of the year that is shown is followed by those of its months.
  ///
  /// - Parameter isChosen: whether the list begins with one of them, and not with the newest photo.
  private static func years(
    _ owner: String, _ shown: [PhotoListing], isChosen: Bool, _ services: DaemonServices
  ) -> HTML? {
    guard (try? services.library.count(.photos)) ?? .max <= HomeData.mostSorted else { return nil }
    var months: Set<Int> = []
    try? services.library.list(.photos, selection(owner)) { record in
      let text = try? services.coder.text("postedAt", of: record)
      if let day = text.flatMap({ CivilDate(String($0.prefix(10))) }) { months.insert(day.year * 12 + day.month - 1) }
      return .next
    }
    let newest = months.max()
    /// The list that begins before a month; nothing comes before the newest one.
    func address(before month: Int) -> String {
      guard newest ?? 0 >= month else { return Self.address(owner: owner) }
      let place = LibraryPlace(value: .string("\(month / 12)-\(Shown.padded(month % 12 + 1))-01T00:00:00Z"), id: "")
      return Self.address(owner: owner, after: ListCursor(place, of: "-postedAt").text(services.coder))
    }
    let present = shown.first.flatMap(date)
    let links = Set(months.map { $0 / 12 }).sorted(by: >).flatMap {
      year -> [(text: String, address: String, isShown: Bool)] in
      let own = year == present?.year ? months.filter { $0 / 12 == year }.sorted(by: >) : []
      return [(text: "\(year)", address: address(before: (year + 1) * 12), isShown: isChosen && year == present?.year)]
        + (own.count < 2 ? [] : own).map { month in
          (
            text: Shown.months[month % 12], address: address(before: month + 1),
            isShown: isChosen && month % 12 + 1 == present?.month
          )
        }
    }
    return links.count < 2 ? nil : Card.choices("Years", links, tone: "years")
  }

  private static func selection(_ owner: String) -> LibraryQuery {
    LibraryQuery(
      conditions: owner.isEmpty ? [] : [RecordCondition(field: "ownerID", comparison: .equal, value: owner)],
      limit: .max)
  }

  private typealias Part = (listings: [PhotoListing], next: String?, total: Int?)

  /// Photos by the conditions of their records.
  private static func records(_ owner: String, _ after: String, _ services: DaemonServices) throws -> Part {
    var query = selection(owner)
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
      // What a follow lists is known after its first complete answer.
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
  private static func follows(_ services: DaemonServices, shown: String) -> HTML? {
    let paths = services.settings.follows.filter { $0.source == .flickr && !$0.path.hasPrefix("flickr/person/") }
      .prefix(FollowsPage.pageSize).map(\.path)
    if paths.isEmpty { return nil }
    return Card.choices(
      "Albums", paths.map { (name(of: $0, services), address(follow: $0), $0.exact == shown.exact) })
  }

  /// What a follow of photos is called: `Photos of the day`, the words of a search, the name of an owner.
  static func name(of follow: String, _ services: DaemonServices) -> String {
    let parts = follow.split(separator: "/").map(String.init)
    guard let last = parts.last, parts.count > 1 else { return follow }
    if parts[1] == "interestingness" { return parts.count > 2 ? "Photos of the day, \(last)" : "Photos of the day" }
    if parts[1] == "search" { return Shown.short(percentDecoded(last), 40) }
    let name = Shown.short(owner(last, services)?.username ?? last, 40)
    return parts[1] == "favorites" ? "Favorites of \(name)" : name
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
    let host = photo.pageURL.split(separator: "/").dropFirst().first.map(String.init) ?? photo.pageURL
    rows.append(("Page", "<a href=\"\(Shown.safe(photo.pageURL))\" rel=\"noreferrer\">\(host)</a>"))
    let (before, next, place) = try neighbours(photo, call)
    let large = "/large/\(percentEncoded(photo.id))"
    let by = by(photo, owner?.username ?? photo.ownerID)
    func link(_ id: String?, _ text: HTML, _ side: HTML) -> HTML? {
      id.map { "<a class=\"button\" href=\"\(Shown.place("photos", $0))\" rel=\"\(side)\">\(text)</a>" }
    }
    return Page(
      title: title, section: .photos,
      content: """
        <section class="photo" id="photo" data-live aria-label="Photo"><p class="buttons"><a class="button" href="/photos">\(Icon.photos.html) Photos</a>\
        <span class="soft small">\(place)</span>\(link(before, "\(Icon.back.html) Previous", "prev"))\(link(next, "Next \(Icon.next.html)", "next"))</p>
        \(Self.large(photo.id, title, " data-large=\"\(large)\" data-by=\"\(by)\" data-page data-place=\"\(place)\""))
        <div class="card"><h1>\(title)</h1>\(DataTable.values(rows, label: "Details"))
        <p class="buttons"><a class="button" href="\(Shown.record("photos", photo.id))">All details</a></p></div></section>
        """)
  }

  /// A photo at the width of the page, which leads to the picture alone.
  static func large(_ id: String, _ title: String, _ attributes: HTML? = nil) -> HTML {
    let large = "/large/\(percentEncoded(id))"
    return "<a class=\"large-photo\" href=\"\(large)\"\(attributes)><img src=\"\(large)\" alt=\"\(title)\"></a>"
  }

  /// Deeper in the list, only the next photo is looked for.
  private static let mostCounted = 5000

  /// The photos before and after one, and its place: `3 of 2 024`.
  private static func neighbours(
    _ photo: Photo, _ call: APIRequest
  ) throws -> (before: String?, next: String?, place: String) {
    guard try call.services.library.count(.photos) <= HomeData.mostSorted else { return (nil, nil, "") }
    let photos = call.services.photos
    var before: [String] = []
    var (next, isFound) = (String?.none, false)
    let total = try photos.photos(PhotoQuery(limit: mostCounted)) { listing in
      if isFound {
        next = listing.photo.id
        return .stop
      }
      isFound = listing.photo.id.exact == photo.id.exact
      if !isFound { before.append(listing.photo.id) }
      return .next
    }
    if !isFound { next = try photos.photos(PhotoQuery(after: photo.id, limit: 1)).first?.photo.id }
    return isFound ? (before.last, next, "\(grouped(before.count + 1)) of \(grouped(total))") : (nil, next, "")
  }

  /// The longest time that a browser waits for an image that has to be fetched first.
  private static let timeout = (large: Duration.seconds(20), tile: Duration.seconds(5))

  /// The large image of a stored photo, or that of a tile, which is fetched when it is asked for the first time; else the
  /// largest that is stored. Only addresses of records are fetched, so that the page cannot make the daemon ask for any other.
  static func image(_ call: APIRequest) async throws -> Response? {
    let photo = try stored(call)
    let isTile = call.query("tile") != nil
    let (url, timeout) = isTile ? (photo.tileURL ?? photo.imageURL, timeout.tile) : (photo.imageURL, timeout.large)
    let services = call.services
    let item: MediaItem? = try await withThrowingTaskGroup(of: MediaItem?.self) { group in
      group.addTask {
        // Without an answer another one is shown.
        do throws(Failure) { return try await services.media.fetch(image: url) } catch { return nil }
      }
      group.addTask {
        try? await services.time.sleep(for: timeout)
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
    // Else the largest one that is there.
    let urls = [photo.imageURL, photo.tileURL ?? photo.imageURL, photo.thumbnailURL]
    guard let found = item ?? urls.lazy.compactMap({ try? services.mediaStore.item(for: $0) }).first else { return nil }
    let bytes = try Failure.from { () throws(StoreError) in try services.mediaStore.bytes(of: found) }
    // What takes its place must not stay there.
    return Response(
      type: found.type, bytes, headers: [.cacheControl: item == nil ? "no-store" : "private, max-age=86400"])
  }

  /// The owner and the day of its place in the list: `ada · posted 3 May 2026`.
  private static func by(_ photo: Photo, _ owner: String) -> String {
    let day =
      photo.postedAt.map { "posted \(Shown.date($0.date))" } ?? photo.takenAt.map { "taken \(Shown.date($0.date))" }
    return [owner, day ?? ""].filter { !$0.isEmpty }.joined(separator: " · ")
  }

  static func item(_ listing: PhotoListing) -> HTML {
    let photo = listing.photo
    let title = photo.title.isEmpty ? "Untitled" : Shown.short(photo.title, 80)
    let id = percentEncoded(photo.id)
    let by = by(photo, listing.owner)
    return """
      <li><a href="/photos/\(id)" data-large="/large/\(id)" data-by="\(by)">\(tile(photo, name: title, size: 160))\
      <span class="caption" aria-hidden="true"><strong class="cut">\(title)</strong><span class="cut">\(by)</span></span></a></li>
      """
  }

  /// A small picture, which the script replaces by the one of a tile's size.
  static func tile(_ photo: Photo, name: String, size: Int) -> HTML {
    """
    <img src="\(Shown.media(photo.thumbnailURL))" data-tile="/large/\(percentEncoded(photo.id))?tile" alt="\(name.isEmpty ? "Untitled" : name)" loading="lazy" fetchpriority="low" width="\(size)" height="\(size)">
    """
  }

  static let style = """
    .by-month h2 { position: sticky; top: 60px; z-index: 1; font-size: var(--t-m); padding: var(--xs) 0 var(--s); background: var(--ground); } .by-month + .by-month { margin-top: var(--m); }
    .photos { display: grid; grid-template-columns: repeat(auto-fill, minmax(160px, 1fr)); gap: 4px; list-style: none; margin: 0; padding: 0; }
    .photos li { position: relative; aspect-ratio: 1; min-width: 0; background: var(--fill); }
    .photos a { display: grid; height: 100%; } .photos a > * { grid-area: 1 / 1; min-width: 0; } .photos a:focus-visible { position: relative; z-index: 1; }
    .photos img { width: 100%; height: 100%; min-height: 0; object-fit: cover; place-self: center; }
    .photos .caption { position: absolute; inset: auto 0 0; padding: 6px 10px; background: #000000c4; color: #fff; font-size: var(--t-s); }
    @media (hover: hover) { .photos a:not(:hover, :focus-visible) .caption { opacity: 0; } } @media (hover: none) { .photos .caption { display: none; } }
    .photo { display: grid; gap: var(--m); } .photo > .buttons { margin: 0; align-items: center; } .photo > .buttons span { margin-left: auto; }
    .large-photo { display: block; cursor: zoom-in; } .large-photo img { display: block; width: 100%; max-height: 78vh; object-fit: contain; border-radius: 10px; } .large-photo + .profile { margin-top: var(--m); } .photo h1 { margin-bottom: var(--s); }
    @media (min-width: 1100px) { .photo { grid-template-columns: minmax(0, 1fr) 320px; align-items: start; } .photo > .buttons { grid-column: 1 / -1; } }
    @media (max-width: 640px) { .years { flex-wrap: nowrap; overflow-x: auto; scrollbar-width: none; } .years a { flex: none; } .photos { grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 2px; } .by-month > * { margin: 0 calc(-1 * var(--s)); } .by-month h2 { padding-left: var(--s); }
      .photo > .buttons span { order: 1; flex: 1 1 100%; }
      .photo > .large-photo { margin: 0 calc(-1 * var(--s)); } .photo > .large-photo img { border-radius: 0; } }

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
