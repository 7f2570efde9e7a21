public import Models

/// Lists photos with their owners, and fetches what belongs to them.
public protocol PhotoService: Sendable {
  /// Photos with the owner's name, or id where the owner is not known yet; newest first, then by id.
  ///
  /// - Parameters:
  ///   - owner: only of owners whose name or id is this, without regard to case; everybody's where absent.
  ///   - limit: how many at most.
  ///   - body: takes one after another, until it says stop.
  /// - Throws: `Failure` where the store cannot be read.
  func photos(owner: String?, limit: Int?, _ body: (PhotoListing) -> ScanStep) throws(Failure)
}

extension PhotoService {
  /// The same as a list, all of which is held.
  ///
  /// - Throws: `Failure` where the store cannot be read.
  public func photos(owner: String?, limit: Int? = nil) throws(Failure) -> [PhotoListing] {
    var listings: [PhotoListing] = []
    try photos(owner: owner, limit: limit) { listing in
      listings.append(listing)
      return .next
    }
    return listings
  }
}

/// A photo in a list.
public struct PhotoListing: Hashable, Sendable {
  /// The photo.
  public var photo: Photo
  /// The owner's name, or id.
  public var owner: String
  /// The owner's icon, where the owner is known.
  public var iconURL: String?

  /// Makes a listing.
  public init(photo: Photo, owner: String, iconURL: String? = nil) {
    self.photo = photo
    self.owner = owner
    self.iconURL = iconURL
  }

  /// The photo as it is printed.
  public var fields: JSONObject {
    [
      "id": .string(photo.id), "title": .string(photo.title), "owner": .string(owner),
      "ownerID": .string(photo.ownerID), "pageURL": .string(photo.pageURL),
    ]
  }
}

/// Downloads the images that records name.
public protocol MediaService: Sendable {
  /// Fetches every thumbnail and icon that is not there yet, once each, checked to be an image. One that is too large is
  /// passed over.
  ///
  /// - Parameter maxBytes: the most bytes that all downloads together may have.
  /// - Throws: `Failure` where the store cannot be read or written.
  func fetch(maxBytes: Int?) async throws(Failure) -> MediaReport
}

/// What a download of images did.
public struct MediaReport: Hashable, Sendable {
  /// Images that are new.
  public var fetched = 0
  /// Images that were there already.
  public var known = 0
  /// Bytes that are new.
  public var bytes = 0
  /// Addresses that gave no image, and why.
  public var failed: [Failure] = []
  /// Addresses whose image is larger than what may be downloaded.
  public var skipped: [Failure] = []
  /// Addresses that were left for the next time because of the limit; those in `skipped` count too.
  public var left = 0

  /// Nothing done.
  public init() {}
}
