import Models
public import Ports

/// Parses a page of photos: the response `{"photos": {page, pages, perpage, total, photo: […]}}` of
/// `flickr.photos.search`, `flickr.people.getPublicPhotos`, `flickr.interestingness.getList` and
/// `flickr.favorites.getPublicList`. Photo sets have the same content under `photoset`, with one owner for all photos.
public struct FlickrPhotosParser: ResponseParser {
  public init() {}

  /// - Throws: `ParsingError`: `shape` where there is no list of photos; `foreign` where it is not JSON; `syntax`,
  ///   `truncated` or `limit` where the JSON is not valid.
  public func parse(_ body: [UInt8]) throws(ParsingError) -> Parsed<APIAnswer<PhotoPage>> {
    try FlickrResponse.read(body) { (root) throws(ParsingError) -> Parsed<PhotoPage> in
      guard let list = root["photos"] ?? root["photoset"] else {
        throw root.error(expected: "a page of photos", missing: "photos")
      }
      guard list.isObject else { throw list.error(expected: "an object with 'photo'") }
      guard let photos = list["photo"] else { throw list.error(expected: "a list of photos", missing: "photo") }
      let owner = try FlickrPhoto.owner(list["owner"])
      let records = photos.records { (photo) throws(ParsingError) in
        try FlickrPhoto.photo(photo, owner: owner)
      }
      let page = PhotoPage(
        photos: records.value, page: try list["page"]?.wholeNumber() ?? 1, pages: try list["pages"]?.wholeNumber() ?? 0,
        total: total(list))
      return Parsed(page, rejects: records.rejects)
    }
  }

  /// The total number of photos, which is only used to show progress, so an invalid one is ignored.
  private func total(_ list: JSONNode) -> Int? {
    do throws(ParsingError) { return try list["total"]?.wholeNumber() } catch { return nil }
  }
}

enum FlickrPhoto {
  /// - Parameter owner: the owner of photos that do not name one.
  static func photo(_ node: JSONNode, owner: String?) throws(ParsingError) -> Photo {
    guard node.isObject else { throw node.error(expected: "an object") }
    let id = try node.requiredText("id")
    guard let ownerID = try self.owner(node["owner"]) ?? owner else {
      throw node.error(expected: "the owner's id", missing: "owner")
    }
    let images = try images(node, id: id)
    return Photo(
      id: id, ownerID: ownerID, title: try node["title"]?.text() ?? "", thumbnailURL: images.smallest,
      imageURL: images.largest, pageURL: "https://www.flickr.com/photos/\(ownerID)/\(id)",
      takenAt: try taken(node["datetaken"]), postedAt: try posted(node["dateupload"]),
      tags: try tags(node["tags"]))
  }

  /// Reads an NSID, or an object with the member `nsid`.
  static func owner(_ node: JSONNode?) throws(ParsingError) -> String? {
    guard let node else { return nil }
    if node.isObject, let nsid = try node.optionalText("nsid") { return nsid }
    guard let text = try node.text(), !text.isEmpty else { return nil }
    return text
  }

  /// The smallest and the largest of `url_sq`, `url_t` … `url_o`, by their actual sizes where the list has them. Without
  /// these members, the addresses follow https://www.flickr.com/services/api/misc.urls.html: `s` is a square of 75 pixels,
  /// `b` has 1024 pixels.
  private static func images(_ node: JSONNode, id: String) throws(ParsingError) -> ImageURLs {
    var smallest: (url: JSONNode, size: Int)?
    var largest: (url: JSONNode, size: Int)?
    try node.forEachMember { (name, url) throws(ParsingError) in
      guard let suffix = name.suffix(after: "url_"), !url.isNull else { return }
      guard let address = url.string else { throw url.error(expected: "an image's address") }
      if address.isEmpty { return }
      guard let size = try size(suffix, node) else { return }
      if size < smallest?.size ?? .max { smallest = (url, size) }
      if size > largest?.size ?? .min { largest = (url, size) }
    }
    if let first = smallest?.url.string, let last = largest?.url.string {
      return ImageURLs(smallest: first, largest: last)
    }
    let secret = try node.requiredText("secret")
    let server = try node.requiredText("server")
    let base = "https://live.staticflickr.com/\(server)/\(id)_\(secret)"
    return ImageURLs(smallest: "\(base)_s.jpg", largest: "\(base)_b.jpg")
  }

  /// The longer side in pixels, from the list or from the suffix.
  private static func size(_ suffix: String, _ node: JSONNode) throws(ParsingError) -> Int? {
    let width = try node.member("width_\(suffix)")?.wholeNumber() ?? 0
    let height = try node.member("height_\(suffix)")?.wholeNumber() ?? 0
    let longer = max(width, height)
    return longer > 0 ? longer : nominal[suffix.exact]
  }

  private static let nominal: [ExactString: Int] = [
    "sq": 75, "s_sq": 75, "t": 100, "q": 150, "s": 240, "n": 320, "w": 400, "m": 500, "z": 640, "c": 800, "l": 1024,
    "b": 1024, "h": 1600, "k": 2048, "3k": 3072, "4k": 4096, "5k": 5120, "6k": 6144, "o": .max,
  ]

  /// Reads `YYYY-MM-DD HH:MM:SS` in the camera's local time as UTC; `nil` for invalid dates such as zeros.
  private static func taken(_ node: JSONNode?) throws(ParsingError) -> Timestamp? {
    guard let node else { return nil }
    if let time = node.time(isLocal: true) { return time }
    return try node.text().flatMap { Timestamp(rfc3339: "\($0)Z") }
  }

  /// Reads seconds since the epoch; 0 means no date.
  private static func posted(_ node: JSONNode?) throws(ParsingError) -> Timestamp? {
    guard let node, let seconds = try node.wholeNumber(), seconds != 0 else { return nil }
    guard let time = Timestamp(exactly: seconds) else {
      throw node.error(expected: "seconds since 1970, in the years 0 to 9999")
    }
    return time
  }

  /// Reads words separated by spaces, or an array; `nil` where there are no tags.
  private static func tags(_ node: JSONNode?) throws(ParsingError) -> [String]? {
    guard let node else { return nil }
    if let list = node.isArray ? node : node["tag"] {
      var tags: [String] = []
      try list.forEachOfOneOrMany { (_, tag) throws(ParsingError) in
        if let text = try tag.text(), !text.isEmpty { tags.append(text) }
      }
      return tags.isEmpty ? nil : tags
    }
    guard let text = try node.text() else { return nil }
    let tags = text.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
    return tags.isEmpty ? nil : tags
  }
}
