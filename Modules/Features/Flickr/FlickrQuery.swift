import Models

/// What a follow of Flickr asks for.
enum FlickrQuery: Hashable, Sendable {
  /// A person.
  case person(String)
  /// The public photos of a person.
  case photos(String)
  /// Photos by a text.
  case search(String)
  /// The photos of the day.
  case interestingness
  /// The public favourites of a person.
  case favorites(String)

  /// The forms of the paths. A search ends after its first 4,000 results, whatever is asked for
  /// (https://www.flickr.com/services/api/flickr.photos.search.html).
  static let forms = [
    FollowForm("flickr/person/{nsid}", "one person", limit: list),
    FollowForm("flickr/photos/{nsid}", "the public photos of a person", limit: list),
    FollowForm("flickr/search/{+text}", "photos by a text", limit: .init(standard: 500, largest: 4000)),
    FollowForm("flickr/interestingness", "the photos of the day", limit: list),
    FollowForm("flickr/favorites/{nsid}", "the public favourites of a person", limit: list),
  ]

  private static let list = FollowForm.Limit(standard: 500, largest: 100_000)

  /// What a path of one of the forms asks for.
  ///
  /// The text of a search is the whole rest of the path, percent-encoded or plain, so that it may hold spaces and
  /// slashes.
  init(_ match: FollowMatch) {
    let parameter = match.parameters.first ?? ""
    switch Self.forms.firstIndex(of: match.form) {
    case 0: self = .person(parameter)
    case 1: self = .photos(parameter)
    case 2: self = .search(percentDecoded(parameter))
    case 3: self = .interestingness
    default: self = .favorites(parameter)
    }
  }

  /// Whether the text has the form of a person's id: digits, `@N`, digits.
  static func isNSID(_ text: some StringProtocol) -> Bool {
    let bytes = Array(text.utf8)
    guard let at = bytes.firstIndex(of: 0x40), at > 0, bytes.count <= 64, bytes.count > at + 2, bytes[at + 1] == 0x4E
    else { return false }
    return (bytes[..<at] + bytes[(at + 2)...]).allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Whose photos or favourites they are.
  var nsid: String? {
    switch self {
    case .person(let nsid), .photos(let nsid), .favorites(let nsid): nsid
    case .search, .interestingness: nil
    }
  }

  /// The API method.
  var method: String {
    switch self {
    case .person: "flickr.people.getInfo"
    case .photos: "flickr.people.getPublicPhotos"
    case .search: "flickr.photos.search"
    case .interestingness: "flickr.interestingness.getList"
    case .favorites: "flickr.favorites.getPublicList"
    }
  }

  /// The parameters that say what is asked for.
  var parameters: [(String, String)] {
    switch self {
    case .person(let nsid), .photos(let nsid), .favorites(let nsid): [("user_id", nsid)]
    case .search(let text): [("text", text)]
    case .interestingness: []
    }
  }
}
