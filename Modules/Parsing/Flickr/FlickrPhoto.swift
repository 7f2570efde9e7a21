import Models
import Ports

/// One photo of a list, with whatever extras it brings.
enum FlickrPhoto {
  /// The photo.
  ///
  /// - Parameters:
  ///   - node: the photo's object.
  ///   - owner: whose it is where the photo does not say so.
  /// - Throws: `ParsingError` that names the field which is not as it must be.
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

  /// An NSID, or an object that holds it.
  static func owner(_ node: JSONNode?) throws(ParsingError) -> String? {
    guard let node else { return nil }
    if node.isObject, let nsid = try node.optionalText("nsid") { return nsid }
    guard let text = try node.text(), !text.isEmpty else { return nil }
    return text
  }

  /// `url_sq`, `url_t` … `url_o` where the list has them, ordered by their real sizes where it tells them; otherwise
  /// by the rule of https://www.flickr.com/services/api/misc.urls.html: `s`, 75 pixels square, and `b`, 1024 pixels.
  private static func images(_ node: JSONNode, id: String) throws(ParsingError) -> (smallest: String, largest: String) {
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
    if let first = smallest?.url.string, let last = largest?.url.string { return (first, last) }
    let secret = try node.requiredText("secret")
    let server = try node.requiredText("server")
    let base = "https://live.staticflickr.com/\(server)/\(id)_\(secret)"
    return ("\(base)_s.jpg", "\(base)_b.jpg")
  }

  /// The longer side in pixels: what the list says, or what the suffix stands for.
  private static func size(_ suffix: String, _ node: JSONNode) throws(ParsingError) -> Int? {
    let width = try node.member("width_\(suffix)")?.wholeNumber() ?? 0
    let height = try node.member("height_\(suffix)")?.wholeNumber() ?? 0
    let told = max(width, height)
    return told > 0 ? told : nominal(suffix)
  }

  private static func nominal(_ suffix: String) -> Int? {
    switch suffix {
    case "sq", "s_sq": 75
    case "t": 100
    case "q": 150
    case "s": 240
    case "n": 320
    case "w": 400
    case "m": 500
    case "z": 640
    case "c": 800
    case "l", "b": 1024
    case "h": 1600
    case "k": 2048
    case "3k": 3072
    case "4k": 4096
    case "5k": 5120
    case "6k": 6144
    case "o": .max
    default: nil
    }
  }

  /// `YYYY-MM-DD HH:MM:SS` by the camera's clock, as if it were UTC; `nil` where it is no date, zeros for instance.
  private static func taken(_ node: JSONNode?) throws(ParsingError) -> Timestamp? {
    guard let node else { return nil }
    if let time = node.time(isLocal: true) { return time }
    return try node.text().flatMap { Timestamp(rfc3339: "\($0)Z") }
  }

  /// Seconds since the epoch; 0 means none.
  private static func posted(_ node: JSONNode?) throws(ParsingError) -> Timestamp? {
    guard let seconds = try node?.wholeNumber(), seconds != 0 else { return nil }
    return Timestamp(secondsSinceEpoch: seconds)
  }

  /// Words with spaces between; `nil` where there is none.
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
    let tags = text.split(separator: " ").map(String.init)
    return tags.isEmpty ? nil : tags
  }
}
