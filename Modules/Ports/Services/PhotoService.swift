public import Models

public protocol PhotoService: Sendable {
  /// Calls `body` with each photo and its owner's name, or id if the owner is unknown; newest first, then by id.
  ///
  /// - Returns: the number of photos that the query selects, without its limit and its place.
  /// - Throws: `Failure`: `notFound` if there is neither a photo of the owner nor the owner, or if it is not known which
  ///   photos the follow lists; `usage` if the place is not one of the list; or if the store cannot be read.
  @discardableResult
  func photos(_ query: PhotoQuery, _ body: (PhotoListing) -> ScanStep) throws(Failure) -> Int
}

public struct PhotoQuery: Hashable, Sendable {
  /// The name or the id of the owners, ignoring case; `nil` for all owners.
  public var owner: String?
  /// The path of the follow that lists them; `nil` for all photos.
  public var follow: String?
  /// The id of the photo after which the list begins; `nil` for its beginning.
  public var after: String?
  public var limit: Int?

  public init(owner: String? = nil, follow: String? = nil, after: String? = nil, limit: Int? = nil) {
    (self.owner, self.follow, self.after, self.limit) = (owner, follow, after, limit)
  }
}

extension PhotoService {
  public func photos(_ query: PhotoQuery) throws(Failure) -> [PhotoListing] {
    var listings: [PhotoListing] = []
    try photos(query) { listing in
      listings.append(listing)
      return .next
    }
    return listings
  }
}

public struct PhotoListing: Hashable, Sendable {
  public var photo: Photo
  public var owner: String
  public var iconURL: String?

  public init(photo: Photo, owner: String, iconURL: String? = nil) {
    (self.photo, self.owner, self.iconURL) = (photo, owner, iconURL)
  }

  public var fields: JSONObject {
    [
      "id": .string(photo.id), "title": .string(photo.title), "owner": .string(owner),
      "ownerID": .string(photo.ownerID), "postedAt": .of(photo.postedAt?.description),
      "takenAt": .of(photo.takenAt?.description), "pageURL": .of(photo.pageURL),
    ]
  }
}

public protocol MediaService: Sendable {
  /// Downloads each missing thumbnail and icon once, and checks that it is an image. Images that are too large are
  /// skipped. After a host did not respond, its other images are skipped too.
  func fetch(maxBytes: Int?) async throws(Failure) -> MediaReport

  /// Downloads one image, unless it is stored already, and checks that it is an image.
  ///
  /// - Throws: `Failure` if it cannot be downloaded, is not an image or is too large; if the store cannot be written.
  func fetch(image url: String) async throws(Failure) -> MediaItem
}

public struct MediaReport: Hashable, Sendable {
  public var fetched = 0
  public var known = 0
  /// The size of the new images in bytes.
  public var bytes = 0
  public var failed: [Failure] = []
  public var skipped: [Failure] = []
  public var unreachable: [Host] = []
  /// URLs that were not downloaded, because of the limit or of an unreachable host, including those in `skipped`.
  public var left = 0

  public struct Host: Hashable, Sendable {
    /// The scheme and the authority of its URLs: `https://live.staticflickr.com`.
    @ExactString public var address: String
    public var left: Int

    public init(address: String, left: Int = 0) { (self.address, self.left) = (address, left) }

    public var fields: JSONObject { ["address": .string(address), "left": .int(left)] }
  }

  public init() {}
}
