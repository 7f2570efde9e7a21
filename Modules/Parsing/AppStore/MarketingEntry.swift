import Models
import Ports

/// One element of `results` in a v1 or v2 feed.
enum MarketingEntry {
  /// The app.
  ///
  /// - Throws: `ParsingError` that names the invalid field.
  static func app(_ entry: JSONNode) throws(ParsingError) -> App {
    guard entry.isObject else { throw entry.error(expected: "an object") }
    let id = try entry.requiredText("id")
    guard LegacyEntry.isDigits(id) else { throw (entry["id"] ?? entry).error(expected: "digits") }
    let artwork = try artwork(entry)
    return App(
      appID: id, bundleID: try entry.optionalText("bundleId"), name: try entry.requiredText("name"),
      artist: try entry.requiredText("artistName", allowsEmpty: true), thumbnailURL: artwork.smallest,
      artworkURL: artwork.largest,
      category: try category(entry["genres"]), releaseDate: try ReleaseDate.text(entry["releaseDate"]),
      url: try entry.optionalText("url"))
  }

  /// Reads `artworkUrl100` and similar members. The number in the name is taken as the size.
  private static func artwork(_ entry: JSONNode) throws(ParsingError) -> ImageURLs {
    var smallest: (url: String, size: Int)?
    var largest: (url: String, size: Int)?
    try entry.forEachMember { (name, value) throws(ParsingError) in
      guard let size = name.number(after: "artworkUrl"), let url = try value.text(), !url.isEmpty else { return }
      if size < smallest?.size ?? .max { smallest = (url, size) }
      if size > largest?.size ?? .min { largest = (url, size) }
    }
    guard let smallest, let largest else {
      throw entry.error(expected: "an image's address", missing: "artworkUrl100")
    }
    return ImageURLs(smallest: smallest.url, largest: largest.url)
  }

  /// The name of the first genre, which is an object or a string.
  private static func category(_ genres: JSONNode?) throws(ParsingError) -> String? {
    guard let first = genres?.firstOfOneOrMany else { return nil }
    return first.isObject ? try first.optionalText("name") : try first.text()
  }
}
