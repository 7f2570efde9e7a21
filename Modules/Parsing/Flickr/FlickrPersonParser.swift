public import Models
public import Ports

/// Parses the response of `flickr.people.getInfo`: `{"person": {nsid, username: {"_content"}, iconserver, iconfarm, …}}`.
public struct FlickrPersonParser: ResponseParser {
  /// Creates a parser.
  public init() {}

  /// Parses one person.
  ///
  /// - Throws: `ParsingError`: `shape` where there is no person with id and name; `foreign` where it is not JSON;
  ///   `syntax`, `truncated` or `limit` where the JSON is not valid.
  public func parse(_ body: [UInt8]) throws(ParsingError) -> Parsed<APIAnswer<Owner>> {
    try FlickrResponse.read(body) { (root) throws(ParsingError) -> Parsed<Owner> in
      guard let person = root["person"] else { throw root.error(expected: "a person", missing: "person") }
      guard person.isObject else { throw person.error(expected: "an object") }
      return Parsed(try owner(person))
    }
  }

  private func owner(_ person: JSONNode) throws(ParsingError) -> Owner {
    let nsid = try person.optionalText("nsid")
    let id: String
    if let nsid { id = nsid } else { id = try person.requiredText("id") }
    let farm = try person["iconfarm"]?.wholeNumber() ?? 0
    let server = try person.optionalText("iconserver") ?? "0"
    return Owner(
      id: id, username: try person.requiredText("username"), realName: try person.optionalText("realname"),
      location: try person.optionalText("location"),
      iconURL: Owner.iconURL(farm: farm, server: server, nsid: id),
      photosURL: try person.optionalText("photosurl"), profileURL: try person.optionalText("profileurl"),
      photoCount: try person["photos"]?["count"]?.wholeNumber(), isPro: try person["ispro"]?.boolean())
  }
}
