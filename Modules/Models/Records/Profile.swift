public struct Profile: Record {
  public var id: String
  public var name: String
  public var email: String
  public var description: String?

  public init(id: String, name: String, email: String, description: String? = nil) {
    (self.id, self.name, self.email, self.description) = (id, name, email, description)
  }

  public static let collection = CollectionName.profiles

  public static let isPlain = true

  public static let schema: [RecordField] = [.init("id"), .init("name"), .init("email"), .optional("description")]

  public var fields: JSONObject {
    ["id": .of(id), "name": .of(name), "email": .of(email), "description": .of(description)]
  }

  public init(fields: JSONObject) throws(RecordError) {
    let reader = FieldReader(Self.collection, fields)
    id = try reader.string("id")
    name = try reader.string("name")
    email = try reader.string("email")
    description = try reader.optionalString("description")
  }
}
