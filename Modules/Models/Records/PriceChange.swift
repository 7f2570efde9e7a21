/// A change of the price of an app in one storefront.
///
/// The first price of an app is in the app's record alone, so that an app whose price never changes has no such record.
public struct PriceChange: Record {
  /// `{storefront}/{appID}/{number}`, where the changes of an app are counted with four digits, from `0001`.
  public var id: String { Self.prefix(storefront: storefront, appID: appID) + padded(number, 4) }
  public var storefront: String
  public var appID: String
  /// The place among the changes of the app's price, from 1.
  public var number: Int
  public var name: String
  public var observedAt: Timestamp
  public var previous: Price
  public var price: Price

  public init(
    storefront: String, appID: String, number: Int, name: String, observedAt: Timestamp, previous: Price, price: Price
  ) {
    (self.storefront, self.appID, self.number, self.name) = (storefront, appID, number, name)
    (self.observedAt, self.previous, self.price) = (observedAt, previous, price)
  }

  public static let collection = CollectionName.prices

  public static let schema: [RecordField] = [
    .init("id"), .init("storefront"), .id("appID"), .init("name"), .init("observedAt", .time),
    .init("previous", .object(Price.schema)), .init("price", .object(Price.schema)),
  ]

  /// The common prefix of the ids of an app's changes.
  public static func prefix(storefront: String, appID: String) -> String { "\(storefront)/\(appID)/" }

  public var fields: JSONObject {
    [
      "id": .string(id), "storefront": .string(storefront), "appID": .string(appID), "name": .string(name),
      "observedAt": .string(observedAt.description), "previous": .object(previous.fields),
      "price": .object(price.fields),
    ]
  }

  public init(fields: JSONObject) throws(RecordError) {
    let reader = FieldReader(Self.collection, fields)
    let id = try reader.string("id")
    storefront = try reader.string("storefront")
    appID = try reader.string("appID")
    guard let number = id.split(separator: "/").last.flatMap({ Int($0) }) else {
      throw RecordError(
        collection: Self.collection, id: id, field: "id", expected: "a number after the last slash", found: "none")
    }
    self.number = number
    name = try reader.string("name")
    observedAt = try reader.timestamp("observedAt")
    previous = try Price(fields: reader.object("previous"))
    price = try Price(fields: reader.object("price"))
  }
}

extension Price {
  /// Whether the price is lower than another one; `nil` if they are equal, or cannot be compared.
  public func isLower(than other: Price) -> Bool? {
    guard currency == other.currency, self != other, let own = Double(amount), let others = Double(other.amount) else {
      return nil
    }
    return own < others
  }
}
