public struct Photo: Record {
  public var id: String
  public var ownerID: String
  public var title: String
  public var thumbnailURL: String
  /// The largest image in the list.
  public var imageURL: String
  public var pageURL: String
  /// The camera's local time, written as UTC.
  public var takenAt: Timestamp?
  public var postedAt: Timestamp?
  /// The tags in their order; `nil` if the list does not contain them.
  public var tags: [String]?

  public init(
    id: String, ownerID: String, title: String, thumbnailURL: String, imageURL: String, pageURL: String,
    takenAt: Timestamp? = nil, postedAt: Timestamp? = nil, tags: [String]? = nil
  ) {
    (self.id, self.ownerID, self.title, self.thumbnailURL, self.imageURL) = (id, ownerID, title, thumbnailURL, imageURL)
    (self.pageURL, self.takenAt, self.postedAt, self.tags) = (pageURL, takenAt, postedAt, tags)
  }

  public static let collection = CollectionName.photos

  public static let isPlain = true

  public static let schema: [RecordField] = [
    .init("id"), .id("ownerID"), .init("title"), .init("thumbnailURL"), .init("imageURL"), .init("pageURL"),
    .optional("takenAt", .time), .optional("postedAt", .time), .optional("tags", .texts),
  ]

  /// The address of the image whose longer side has 320 pixels, by the rule of
  /// https://www.flickr.com/services/api/misc.urls.html: the sizes up to 1024 pixels differ in one letter. `nil` if the smallest
  /// image is not one of 75 pixels at such an address.
  public var tileURL: String? {
    let end = "_s.jpg"
    return thumbnailURL.hasSuffix(end) ? "\(thumbnailURL.dropLast(end.count))_n.jpg" : nil
  }

  public var fields: JSONObject {
    var fields = JSONObject()
    fields.append("id", id)
    fields.append("ownerID", ownerID)
    fields.append("title", title)
    fields.append("thumbnailURL", thumbnailURL)
    fields.append("imageURL", imageURL)
    fields.append("pageURL", pageURL)
    fields.append("takenAt", takenAt?.description)
    fields.append("postedAt", postedAt?.description)
    fields.append("tags", tags.map { .array($0.map { .string($0) }) })
    return fields
  }

  public init(fields: JSONObject) throws(RecordError) {
    let reader = FieldReader(Self.collection, fields)
    id = try reader.string("id")
    ownerID = try reader.string("ownerID")
    title = try reader.string("title")
    thumbnailURL = try reader.string("thumbnailURL")
    imageURL = try reader.string("imageURL")
    pageURL = try reader.string("pageURL")
    takenAt = try reader.optionalTimestamp("takenAt")
    postedAt = try reader.optionalTimestamp("postedAt")
    tags = fields["tags"] == nil ? nil : try reader.strings("tags")
  }
}

public struct Owner: Record {
  /// The NSID, `12345678@N00`.
  public var id: String
  public var username: String
  public var realName: String?
  public var location: String?
  /// The icon, or the placeholder of the site.
  public var iconURL: String
  public var photosURL: String?
  public var profileURL: String?
  public var photoCount: Int?
  public var isPro: Bool?
  /// `true` for a tombstone: the account was deleted.
  public var deleted: Bool?

  public init(
    id: String, username: String, realName: String? = nil, location: String? = nil, iconURL: String,
    photosURL: String? = nil, profileURL: String? = nil, photoCount: Int? = nil, isPro: Bool? = nil,
    deleted: Bool? = nil
  ) {
    (self.id, self.username, self.realName, self.location) = (id, username, realName, location)
    (self.iconURL, self.photosURL, self.profileURL) = (iconURL, photosURL, profileURL)
    (self.photoCount, self.isPro, self.deleted) = (photoCount, isPro, deleted)
  }

  public static let collection = CollectionName.owners

  public static let isPlain = true

  public static let schema: [RecordField] = [
    .init("id"), .init("username"), .optional("realName"), .optional("location"), .init("iconURL"),
    .optional("photosURL"), .optional("profileURL"), .optional("photoCount", .whole), .optional("isPro", .flag),
    .optional("deleted", .flag),
  ]

  public static let placeholderIconURL = "https://www.flickr.com/images/buddyicon.gif"

  /// The address of the icon, by the rule of https://www.flickr.com/services/api/misc.buddyicons.html.
  public static func iconURL(farm: Int, server: String, nsid: String) -> String {
    farm > 0 ? "https://farm\(farm).staticflickr.com/\(server)/buddyicons/\(nsid).jpg" : placeholderIconURL
  }

  public var fields: JSONObject {
    [
      "id": .of(id), "username": .of(username), "realName": .of(realName), "location": .of(location),
      "iconURL": .of(iconURL), "photosURL": .of(photosURL), "profileURL": .of(profileURL),
      "photoCount": .of(photoCount), "isPro": .of(isPro), "deleted": .of(deleted),
    ]
  }

  public init(fields: JSONObject) throws(RecordError) {
    let reader = FieldReader(Self.collection, fields)
    id = try reader.string("id")
    username = try reader.string("username")
    realName = try reader.optionalString("realName")
    location = try reader.optionalString("location")
    iconURL = try reader.string("iconURL")
    photosURL = try reader.optionalString("photosURL")
    profileURL = try reader.optionalString("profileURL")
    photoCount = try reader.optionalInt("photoCount")
    isPro = try reader.optionalBool("isPro")
    deleted = try reader.optionalBool("deleted")
  }
}
