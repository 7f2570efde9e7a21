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

  /// The forms of the paths.
  static let forms = [
    "flickr/person/NSID", "flickr/photos/NSID", "flickr/search/TEXT", "flickr/interestingness",
    "flickr/favorites/NSID",
  ]

  /// Reads the path after `flickr/`; `nil` where it is none of the forms.
  ///
  /// The text of a search is the whole rest of the path, percent-encoded or plain, so that it may hold spaces and
  /// slashes.
  init?(path: some StringProtocol) {
    if path == "interestingness" {
      self = .interestingness
      return
    }
    guard let slash = path.firstIndex(of: "/") else { return nil }
    let rest = path[path.index(after: slash)...]
    switch path[..<slash] {
    case "person" where Self.isNSID(rest): self = .person(String(rest))
    case "photos" where Self.isNSID(rest): self = .photos(String(rest))
    case "favorites" where Self.isNSID(rest): self = .favorites(String(rest))
    case "search":
      let text = percentDecoded(rest)
      guard text.contains(where: { !$0.isWhitespace }) else { return nil }
      self = .search(text)
    default: return nil
    }
  }

  /// Whether the text has the form of a person's id: digits, `@N`, digits.
  static func isNSID(_ text: some StringProtocol) -> Bool {
    let bytes = Array(text.utf8)
    guard let at = bytes.firstIndex(of: 0x40), at > 0, bytes.count <= 64, bytes.count > at + 2, bytes[at + 1] == 0x4E
    else { return false }
    return (bytes[..<at] + bytes[(at + 2)...]).allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Whether it is a list of photos.
  var isList: Bool {
    if case .person = self { false } else { true }
  }

  /// Whose photos or favourites they are.
  var nsid: String? {
    switch self {
    case .person(let nsid), .photos(let nsid), .favorites(let nsid): nsid
    case .search, .interestingness: nil
    }
  }

  /// The largest limit. A search ends after its first 4,000 results, whatever is asked for
  /// (https://www.flickr.com/services/api/flickr.photos.search.html).
  var largestLimit: Int {
    if case .search = self { 4000 } else { 100_000 }
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
