/// An app in one storefront. Name, price and page differ between storefronts.
public struct App: Record {
  /// `{storefront}/{appID}`, or the `appID` alone if the storefront is unknown.
  public var id: String { Self.id(storefront: storefront, appID: appID) }
  /// Two lower-case letters, ISO 3166; `nil` in parsed feeds, which lack it, and in records of earlier versions.
  public var storefront: String?
  /// The App Store id, in digits.
  public var appID: String
  public var bundleID: String?
  public var name: String
  public var artist: String
  public var summary: String?
  /// The smallest image.
  public var thumbnailURL: String
  public var artworkURL: String
  public var price: Price?
  public var category: String?
  /// An RFC 3339 time, or `YYYY-MM-DD` if the feed contains no time.
  public var releaseDate: String?
  public var url: String?

  public init(
    storefront: String? = nil, appID: String, bundleID: String? = nil, name: String, artist: String,
    summary: String? = nil, thumbnailURL: String, artworkURL: String, price: Price? = nil, category: String? = nil,
    releaseDate: String? = nil, url: String? = nil
  ) {
    (self.storefront, self.appID, self.bundleID, self.name) = (storefront, appID, bundleID, name)
    (self.artist, self.summary, self.thumbnailURL, self.artworkURL) = (artist, summary, thumbnailURL, artworkURL)
    (self.price, self.category, self.releaseDate, self.url) = (price, category, releaseDate, url)
  }

  public static let collection = CollectionName.apps

  public static let schema: [RecordField] = [
    .init("id"), .optional("storefront"), .optionalID("appID"), .optionalID("bundleID"), .init("name"),
    .init("artist"), .optional("summary"), .init("thumbnailURL"), .init("artworkURL"),
    .optional("price", .object(Price.schema)), .optional("category"),
    .optional("releaseDate", .timeOrDay), .optional("url"),
  ]

  public static func id(storefront: String?, appID: String) -> String { storefront.map { "\($0)/\(appID)" } ?? appID }

  public var fields: JSONObject {
    [
      "id": .of(id), "storefront": .of(storefront), "appID": .of(storefront == nil ? nil : appID),
      "bundleID": .of(bundleID), "name": .of(name), "artist": .of(artist), "summary": .of(summary),
      "thumbnailURL": .of(thumbnailURL), "artworkURL": .of(artworkURL), "price": .of(price.map { .object($0.fields) }),
      "category": .of(category), "releaseDate": .of(releaseDate), "url": .of(url),
    ]
  }

  /// Whether two records are equal. Prices are compared by value.
  public static func areEqual(_ lhs: JSONObject, _ rhs: JSONObject) -> Bool {
    var (lhs, rhs) = (lhs, rhs)
    if let price = Self.price(lhs), price == Self.price(rhs) {
      lhs["price"] = nil
      rhs["price"] = nil
    }
    return lhs == rhs
  }

  private static func price(_ fields: JSONObject) -> Price? {
    guard let fields = fields["price"]?.object else { return nil }
    // A price that cannot be read is compared as written.
    do throws(RecordError) { return try Price(fields: fields) } catch { return nil }
  }

  /// Reads the stored form. Earlier versions used the App Store id as the record's id.
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

/// An amount of money. Prices are compared by value: `0`, `0.00` and `0.00000` are equal.
public struct Price: Hashable, Sendable {
  /// A decimal number as written in the feed: `0.99000`.
  public var amount: String
  /// ISO 4217, `EUR`.
  public var currency: String

  public init(amount: String, currency: String) { (self.amount, self.currency) = (amount, currency) }

  /// An amount without the zeros that feeds append: `5.99` for `5.99000`.
  public static func shortened(_ amount: String) -> String {
    guard let point = amount.lastIndex(of: ".") else { return amount }
    var digits = amount[...]
    while digits.last == "0", digits.distance(from: point, to: digits.endIndex) > 3 { digits.removeLast() }
    return String(digits)
  }

  static let schema: [RecordField] = [.init("amount", .decimal), .init("currency")]

  public var fields: JSONObject { ["amount": .string(amount), "currency": .string(currency)] }

  public static func == (lhs: Price, rhs: Price) -> Bool { lhs.currency == rhs.currency && lhs.value == rhs.value }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(currency)
    hasher.combine(value)
  }

  /// The normalized amount: `0.5` for `00.500`, `0` for `-0.00`.
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

  public init(fields: JSONObject) throws(RecordError) {
    let reader = FieldReader(.apps, fields)
    amount = try reader.string("amount")
    currency = try reader.string("currency")
  }
}
