/// An app as a chart describes it.
public struct App: Record {
  /// The app store's id, digits.
  public var id: String
  /// The bundle identifier, `com.example.game`.
  public var bundleID: String?
  /// The name that is shown.
  public var name: String
  /// Who sells it.
  public var artist: String
  /// The description.
  public var summary: String?
  /// The smallest image.
  public var thumbnailURL: String
  /// The largest image.
  public var artworkURL: String
  /// The price; absent where the feed names none.
  public var price: Price?
  /// The category's label.
  public var category: String?
  /// An RFC 3339 time, or `YYYY-MM-DD` where the feed gives no time.
  public var releaseDate: String?
  /// The app's page.
  public var url: String?

  /// Makes an app.
  public init(
    id: String, bundleID: String? = nil, name: String, artist: String, summary: String? = nil, thumbnailURL: String,
    artworkURL: String, price: Price? = nil, category: String? = nil, releaseDate: String? = nil, url: String? = nil
  ) {
    self.id = id
    self.bundleID = bundleID
    self.name = name
    self.artist = artist
    self.summary = summary
    self.thumbnailURL = thumbnailURL
    self.artworkURL = artworkURL
    self.price = price
    self.category = category
    self.releaseDate = releaseDate
    self.url = url
  }

  /// `apps`.
  public static let collection = CollectionName.apps

  /// The record as it is written.
  public var fields: JSONObject {
    var fields = JSONObject()
    fields.append("id", id)
    fields.append("bundleID", bundleID)
    fields.append("name", name)
    fields.append("artist", artist)
    fields.append("summary", summary)
    fields.append("thumbnailURL", thumbnailURL)
    fields.append("artworkURL", artworkURL)
    fields.append("price", price.map { .object($0.fields) })
    fields.append("category", category)
    fields.append("releaseDate", releaseDate)
    fields.append("url", url)
    return fields
  }

  /// Reads an app as it was written.
  public init(fields: JSONObject) throws(RecordError) {
    let reader = FieldReader(Self.collection, fields)
    id = try reader.string("id")
    bundleID = try reader.optionalString("bundleID")
    name = try reader.string("name")
    artist = try reader.string("artist")
    summary = try reader.optionalString("summary")
    thumbnailURL = try reader.string("thumbnailURL")
    artworkURL = try reader.string("artworkURL")
    price = fields["price"] == nil ? nil : try Price(fields: reader.object("price"))
    category = try reader.optionalString("category")
    releaseDate = try reader.optionalString("releaseDate")
    url = try reader.optionalString("url")
  }
}

/// An amount of money.
public struct Price: Hashable, Sendable {
  /// A decimal number as the feed wrote it: `0.99000`.
  public var amount: String
  /// ISO 4217, `EUR`.
  public var currency: String

  /// Makes a price.
  public init(amount: String, currency: String) {
    self.amount = amount
    self.currency = currency
  }

  /// The price as it is written.
  public var fields: JSONObject { ["amount": .string(amount), "currency": .string(currency)] }

  /// Reads a price as it was written.
  ///
  /// - Throws: `RecordError` where a part is missing.
  public init(fields: JSONObject) throws(RecordError) {
    let reader = FieldReader(.apps, fields)
    amount = try reader.string("amount")
    currency = try reader.string("currency")
  }
}
