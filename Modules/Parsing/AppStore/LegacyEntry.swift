import Models
import Ports

enum LegacyEntry {
  static func app(_ entry: JSONNode) throws(ParsingError) -> App {
    guard entry.isObject else { throw entry.error(expected: "an object") }
    var member = JSONNode.Cursor(entry)
    let name = try text(&member, "im:name", entry)
    guard !name.isEmpty else {
      throw (entry["im:name"] ?? entry).error(expected: "a string that is not empty")
    }
    let images = try images(member("im:image"), entry)
    let summary = try optional(member("summary"))
    let price = try price(member("im:price"))
    let id = try identifier(member("id"), entry)
    let artist = try text(&member, "im:artist", entry)
    let category = try label(member("category"))
    let url = try link(member("link"))
    let releaseDate = try ReleaseDate.text(member("im:releaseDate"))
    return App(
      appID: id.id, bundleID: id.bundleID, name: name, artist: artist, summary: summary, thumbnailURL: images.smallest,
      artworkURL: images.largest, price: price, category: category, releaseDate: releaseDate, url: url)
  }

  @inline(__always)
  private static func text(
    _ member: inout JSONNode.Cursor, _ name: StaticString, _ entry: JSONNode
  ) throws(ParsingError) -> String {
    guard let node = member(name) else { throw entry.error(expected: "a string", missing: "\(name)") }
    guard let text = try node.text() else { throw node.error(expected: "a string") }
    return text
  }

  private static func optional(_ node: JSONNode?) throws(ParsingError) -> String? {
    guard let text = try node?.text(), !text.isEmpty else { return nil }
    return text
  }

  private struct Identifier {
    var id: String
    var bundleID: String?
  }

  /// Reads `{"label": URL, "attributes": {"im:id", "im:bundleId"}}`. The URL also contains the id, as `/id123`.
  private static func identifier(_ node: JSONNode?, _ entry: JSONNode) throws(ParsingError) -> Identifier {
    guard let node, !node.isNull else { throw entry.error(expected: "the app's id", missing: "id") }
    let attributes = node["attributes"]
    if let id = try attributes?.optionalText("im:id") {
      guard isDigits(id) else { throw (attributes?["im:id"] ?? node).error(expected: "digits") }
      return Identifier(id: id, bundleID: try attributes?.optionalText("im:bundleId"))
    }
    guard let label = try node.text(), let id = isDigits(label) ? label : idInURL(label) else {
      throw (attributes ?? node).error(expected: "the app's id", missing: "im:id")
    }
    return Identifier(id: id, bundleID: try attributes?.optionalText("im:bundleId"))
  }

  private static func idInURL(_ url: String) -> String? {
    let path = url.prefix { $0 != "?" }
    guard let last = path.split(separator: "/").last(where: { $0.hasPrefix("id") }) else { return nil }
    let id = String(last.dropFirst(2))
    return isDigits(id) ? id : nil
  }

  static func isDigits(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy { JSONLexer.isDigit($0) } }

  /// The smallest and the largest of one or several images, by height, or by position where heights are missing.
  private static func images(_ node: JSONNode?, _ entry: JSONNode) throws(ParsingError) -> ImageURLs {
    guard let node, !node.isNull else { throw entry.error(expected: "an image", missing: "im:image") }
    var smallest: (node: JSONNode, height: Int)?
    var largest: (node: JSONNode, height: Int)?
    try node.forEachOfOneOrMany { (index, image) throws(ParsingError) in
      guard let url = image.unwrapped, let address = url.string else {
        throw image.error(expected: "an image's address")
      }
      if address.isEmpty { return }
      let height = try image["attributes"]?["height"]?.wholeNumber() ?? index
      if height < smallest?.height ?? .max { smallest = (url, height) }
      if height >= largest?.height ?? .min { largest = (url, height) }
    }
    guard let first = smallest?.node.string, let last = largest?.node.string else {
      throw node.error(expected: "at least one image")
    }
    return ImageURLs(smallest: first, largest: last)
  }

  private static func price(_ node: JSONNode?) throws(ParsingError) -> Price? {
    guard let attributes = node?["attributes"], let amount = try attributes.optionalText("amount"),
      let currency = try attributes.optionalText("currency")
    else { return nil }
    guard DecimalAmount.isValid(amount) else {
      throw (attributes["amount"] ?? attributes).error(expected: "a decimal number")
    }
    return Price(amount: amount, currency: currency)
  }

  /// Reads `{"attributes": {"label", "term"}}`, the first one of several.
  private static func label(_ node: JSONNode?) throws(ParsingError) -> String? {
    guard let first = node?.firstOfOneOrMany else { return nil }
    guard let attributes = first["attributes"] else { return first.unwrapped?.string }
    if let label = try attributes.optionalText("label") { return label }
    return try attributes.optionalText("term")
  }

  /// The address of the app's page: the link with `rel` alternate, or the first one with an address.
  private static func link(_ node: JSONNode?) throws(ParsingError) -> String? {
    guard let node else { return nil }
    var page: String?
    var isAlternate = false
    try node.forEachOfOneOrMany { (_, link) throws(ParsingError) in
      guard !isAlternate, let attributes = link["attributes"], let href = try attributes.optionalText("href") else {
        return
      }
      isAlternate = try attributes.optionalText("rel") == "alternate"
      if isAlternate || page == nil { page = href }
    }
    return page
  }
}

/// The addresses of the smallest and the largest of several images.
struct ImageURLs {
  var smallest: String
  var largest: String
}
