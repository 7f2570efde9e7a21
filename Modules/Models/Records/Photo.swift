/// A photo.
public struct Photo: Record {
  /// The id on the site.
  public var id: String
  /// The owner's NSID.
  public var ownerID: String
  /// The title; may be empty.
  public var title: String
  /// The smallest image.
  public var thumbnailURL: String
  /// The largest image in the list.
  public var imageURL: String
  /// The photo's page.
  public var pageURL: String
  /// The camera's local time, written as UTC.
  public var takenAt: Timestamp?
  /// The time of the upload.
  public var postedAt: Timestamp?
  /// The tags in their order; `nil` where the list does not contain them.
  public var tags: [String]?

  /// Creates a photo.
  public init(
    id: String, ownerID: String, title: String, thumbnailURL: String, imageURL: String, pageURL: String,
    takenAt: Timestamp? = nil, postedAt: Timestamp? = nil, tags: [String]? = nil
  ) {
    self.id = id
    self.ownerID = ownerID
    self.title = title
    self.thumbnailURL = thumbnailURL
    self.imageURL = imageURL
    self.pageURL = pageURL
    self.takenAt = takenAt
    self.postedAt = postedAt
    self.tags = tags
  }

  /// `photos`.
  public static let collection = CollectionName.photos

  /// The fields of its records.
  public static let schema: [RecordField] = [
    .init("id"), .init("ownerID"), .init("title"), .init("thumbnailURL"), .init("imageURL"), .init("pageURL"),
    .optional("takenAt", .time), .optional("postedAt", .time), .optional("tags", .texts),
  ]

  /// The record in its stored form.
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

  /// Reads the stored form.
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
