/// An app as a chart of one storefront describes it: name, price and page differ from storefront to storefront.
public struct App: Record {
  /// `{storefront}/{appID}`, or the `appID` alone where the storefront is not known.
  public var id: String { Self.id(storefront: storefront, appID: appID) }
  /// Two lower-case letters, ISO 3166. Absent in what a feed tells, which does not name it, and in records of earlier
  /// versions.
  public var storefront: String?
  /// The App Store's id, digits.
  public var appID: String
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
    storefront: String? = nil, appID: String, bundleID: String? = nil, name: String, artist: String,
    summary: String? = nil, thumbnailURL: String, artworkURL: String, price: Price? = nil, category: String? = nil,
    releaseDate: String? = nil, url: String? = nil
  ) {
    self.storefront = storefront
    self.appID = appID
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

  /// The id of an app in a storefront.
  public static func id(storefront: String?, appID: String) -> String {
    storefront.map { "\($0)/\(appID)" } ?? appID
  }

  /// The record as it is written.
  public var fields: JSONObject {
    var fields = JSONObject()
    fields.append("id", id)
    fields.append("storefront", storefront)
    fields.append("appID", storefront == nil ? nil : appID)
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

  /// Whether both say the same: prices compare by value.
  public static func areEqual(_ lhs: JSONObject, _ rhs: JSONObject) -> Bool {
    var (lhs, rhs) = (lhs, rhs)
    if let price = Self.price(lhs), price == Self.price(rhs) {
      lhs["price"] = nil
      rhs["price"] = nil
    }
    return lhs == rhs
  }

  private static func price(_ fields: JSONObject) -> Price? {
    fields["price"]?.object.flatMap { try? Price(fields: $0) }
  }

  /// Reads an app as it was written; earlier versions wrote the App Store's id as the record's.
  public init(fields: JSONObject) throws(RecordError) {
    let reader = FieldReader(Self.collection, fields)
    storefront = try reader.optionalString("storefront")
    let id = try reader.string("id")
    appID = try reader.optionalString("appID") ?? id
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

/// An amount of money. Prices are equal where their values are: `0`, `0.00` and `0.00000` are one amount.
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

  /// Compares by value.
  public static func == (lhs: Price, rhs: Price) -> Bool { lhs.currency == rhs.currency && lhs.value == rhs.value }

  /// Hashes the value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(currency)
    hasher.combine(value)
  }

  /// The amount without the zeros that do not count: `0.5` for `00.500`, `0` for `-0.00`.
  private var value: String {
    let isNegative = amount.utf8.first == UInt8(ascii: "-")
    let parts = amount.utf8.dropFirst(isNegative ? 1 : 0).split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    let zero = UInt8(ascii: "0")
    let whole = parts[0].drop { $0 == zero }
    let fraction = parts.count > 1 ? Array(parts[1].reversed().drop { $0 == zero }.reversed()) : []
    if whole.isEmpty, fraction.isEmpty { return "0" }
    let digits = (whole.isEmpty ? [zero] : Array(whole)) + (fraction.isEmpty ? [] : [UInt8(ascii: ".")] + fraction)
    return (isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self)
  }

  /// Reads a price as it was written.
  ///
  /// - Throws: `RecordError` where a part is missing.
  public init(fields: JSONObject) throws(RecordError) {
    let reader = FieldReader(.apps, fields)
    amount = try reader.string("amount")
    currency = try reader.string("currency")
  }
}
