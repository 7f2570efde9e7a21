/// Simulates the part of Flickr's REST API that reads people and their public photos.
struct FlickrUpstream {
  private let options: UpstreamOptions
  private let owners: [FlickrOwner]
  private let numbers: [String: Int]
  /// The photos that a search finds, by word; computed on the first search.
  private var found: [String: [Int]] = [:]

  init(options: UpstreamOptions) {
    self.options = options
    owners = (0..<max(1, options.owners)).map { FlickrOwner(seed: options.seed, number: $0, drift: options.drift) }
    numbers = Dictionary(owners.map { ($0.id, $0.number) }, uniquingKeysWith: { first, _ in first })
  }

  /// The ids of the owners, in order; the last ones are deleted.
  var ownerIDs: [String] { owners.map(\.id) }

  mutating func answer(_ request: ReceivedRequest, base: String) -> Content {
    let query = Dictionary(request.query.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    let isJSON = query["format"] == "json"
    let isCallback = query["nojsoncallback"] != "1"
    var body: [UInt8]
    do throws(Failure) {
      body = try answer(query, base: base)
      if !isJSON { return .badRequest("Only format=json is played") }
    } catch {
      // Without format=json, Flickr responds in XML; this server does so only for failures.
      if !isJSON { return Content(body: Array(error.xml.utf8), type: "text/xml; charset=utf-8") }
      body = JSONText.object(.flickr) {
        $0.field("stat", "fail")
        $0.field("code", error.code)
        $0.field("message", error.message)
      }
    }
    if isCallback { body = Array("jsonFlickrApi(".utf8) + body + Array(")".utf8) }
    return Content(
      body: body, type: isCallback ? "text/javascript; charset=utf-8" : "application/json; charset=utf-8",
      validated: options.validators == .everywhere)
  }

  private mutating func answer(_ query: [String: String], base: String) throws(Failure) -> [UInt8] {
    let key = query["api_key"] ?? ""
    guard !key.isEmpty, options.apiKey.map({ $0 == key }) ?? true else {
      throw Failure(code: 100, message: "Invalid API Key (Key has invalid format)")
    }
    switch query["method"] ?? "" {
    case "flickr.people.getInfo": return person(try owner(query))
    case "flickr.people.getPublicPhotos", "flickr.people.getPhotos":
      let owner = try owner(query)
      return page(query, base, total: count(of: owner)) { owner.number + $0 * owners.count }
    case "flickr.favorites.getPublicList":
      // Every eleventh photo, with a different start for each member.
      let start = try owner(query).number % 11
      return page(query, base, total: max(0, (options.photos - start + 10) / 11), faved: true) { start + $0 * 11 }
    case "flickr.interestingness.getList": return page(query, base, total: options.photos) { $0 }
    case "flickr.photos.search":
      let text = (query["text"] ?? query["tags"] ?? "").lowercased()
      guard !text.isEmpty else {
        throw Failure(
          code: 3, message: "Parameterless searches have been disabled. Please use flickr.photos.getRecent instead.")
      }
      let hits = search(text)
      return page(query, base, total: hits.count) { hits[$0] }
    case "flickr.test.echo": return JSONText.object(.flickr) { $0.field("stat", "ok") }
    case let method: throw Failure(code: 112, message: "Method \"\(method)\" not found")
    }
  }

  /// A failure with Flickr's code and message.
  private struct Failure: Error {
    let code: Int
    let message: String

    var xml: String {
      """
      <?xml version="1.0" encoding="utf-8" ?>
      <rsp stat="fail">
      \t<err code="\(code)" msg="\(message)" />
      </rsp>

      """
    }
  }

  private func owner(_ query: [String: String]) throws(Failure) -> FlickrOwner {
    guard let number = query["user_id"].flatMap({ numbers[$0] }) else {
      throw Failure(code: 1, message: "User not found")
    }
    guard number < owners.count - options.deletedOwners else { throw Failure(code: 5, message: "User deleted") }
    return owners[number]
  }

  /// The number of the owner's photos.
  private func count(of owner: FlickrOwner) -> Int {
    max(0, (options.photos - owner.number + owners.count - 1) / owners.count)
  }

  private mutating func search(_ text: String) -> [Int] {
    if let known = found[text] { return known }
    let hits =
      Words.subjects.contains(text)
      ? (0..<options.photos).filter { FlickrPhoto.tags(seed: options.seed, number: $0).contains(text) } : []
    // Only words of the vocabulary are cached, so that the table stays small.
    if !hits.isEmpty { found[text] = hits }
    return hits
  }

  private func person(_ owner: FlickrOwner) -> [UInt8] {
    func content(_ name: String, _ value: String, _ text: inout JSONText) { text.object(name, ["_content": value]) }
    let drift = options.drift ? owner.number % 4 : 0
    let count = count(of: owner)
    return JSONText.object(.flickr) { text in
      text.object("person") { person in
        person.field("id", owner.id)
        person.field("nsid", owner.id)
        person.field("ispro", owner.isPro ? 1 : 0, asString: drift == 3)
        person.field("can_buy_pro", 0)
        person.field("iconserver", owner.server, asString: drift != 1)
        person.field("iconfarm", owner.farm, asString: drift == 2)
        if let alias = owner.alias { person.field("path_alias", alias) } else { person.null("path_alias") }
        person.field("has_stats", owner.isPro ? "1" : "0")
        content("username", owner.username, &person)
        if let name = owner.realName { content("realname", name, &person) }
        if let location = owner.location { content("location", location, &person) }
        content("description", "", &person)
        content("photosurl", owner.photosURL, &person)
        content("profileurl", owner.profileURL, &person)
        content("mobileurl", "https://m.flickr.com/photostream.gne?id=\(owner.number + 1)", &person)
        person.object("photos") { photos in
          if count > 0 {
            content("firstdatetaken", Instant.start.dateAndTime, &photos)
            content("firstdate", String(Instant.start.seconds), &photos)
          } else {
            photos.object("firstdatetaken") { $0.null("_content") }
            photos.object("firstdate") { $0.null("_content") }
          }
          photos.object("count") { $0.field("_content", count, asString: drift == 1) }
        }
      }
      text.field("stat", "ok")
    }
  }

  /// One page of photos; `number` returns the number of the photo at an index of the whole list.
  private func page(
    _ query: [String: String], _ base: String, total: Int, faved: Bool = false, number: (Int) -> Int
  ) -> [UInt8] {
    let size = min(500, max(1, query["per_page"].flatMap(Int.init) ?? 100))
    let page = max(1, query["page"].flatMap(Int.init) ?? 1)
    let extras = Set((query["extras"] ?? "").split(separator: ",").map(String.init))
    let pages = (total + size - 1) / size
    // The fields that are strings differ from method to method.
    let isText = options.drift && query["method"] != "flickr.interestingness.getList"
    let range = page <= pages ? (page - 1) * size..<min(total, page * size) : 0..<0
    return JSONText.object(.flickr) { text in
      text.object("photos") { photos in
        photos.field("page", page)
        photos.field("pages", pages)
        photos.field(options.drift && faved ? "per_page" : "perpage", size, asString: faved && isText)
        photos.field("total", total, asString: isText)
        photos.array("photo") { list in
          for place in range {
            list.object { photo(number(place), extras, base, faved, &$0) }
          }
        }
      }
      text.field("stat", "ok")
    }
  }

  private func photo(_ number: Int, _ extras: Set<String>, _ base: String, _ faved: Bool, _ text: inout JSONText) {
    let photo = FlickrPhoto(seed: options.seed, number: number, drift: options.drift)
    let owner = owners[number % owners.count]
    let isText = options.drift && number % 3 == 1
    if options.isBroken(number) { text.null("id") } else { text.field("id", String(photo.id)) }
    text.field("owner", owner.id)
    text.field("secret", photo.secret)
    text.field("server", String(photo.server))
    text.field("farm", photo.farm, asString: isText)
    text.field("title", photo.title)
    text.field("ispublic", 1)
    text.field("isfriend", 0)
    text.field("isfamily", 0)
    if faved { text.field("date_faved", String(photo.posted.seconds + 86_400)) }
    if extras.contains("description") { text.object("description") { $0.field("_content", "") } }
    if extras.contains("license") { text.field("license", "0") }
    if extras.contains("date_upload") { text.field("dateupload", String(photo.posted.seconds)) }
    if extras.contains("date_taken") {
      text.field("datetaken", photo.taken.dateAndTime)
      text.field("datetakengranularity", 0, asString: isText)
      text.field("datetakenunknown", 0, asString: isText)
    }
    if extras.contains("owner_name") { text.field("ownername", owner.username) }
    if extras.contains("icon_server") {
      text.field("iconserver", owner.server, asString: true)
      text.field("iconfarm", owner.farm)
    }
    if extras.contains("last_update") { text.field("lastupdate", String(photo.posted.seconds + 60)) }
    if extras.contains("geo") {
      text.field("latitude", 0)
      text.field("longitude", 0)
      text.field("accuracy", 0)
    }
    if extras.contains("tags") { text.field("tags", photo.tags.joined(separator: " ")) }
    if extras.contains("views") { text.field("views", photo.views, asString: true) }
    if extras.contains("media") {
      text.field("media", "photo")
      text.field("media_status", "ready")
    }
    if extras.contains("path_alias") {
      if let alias = owner.alias { text.field("pathalias", alias) } else { text.null("pathalias") }
    }
    for letter in ["sq", "t", "q", "s", "n", "m", "z", "c", "l", "h", "k", "o"] where extras.contains("url_" + letter) {
      guard let image = photo.image(letter, base: base) else { continue }
      text.field("url_" + letter, image.url)
      text.field("height_" + letter, image.height, asString: isText)
      text.field("width_" + letter, image.width, asString: !isText)
    }
  }
}
