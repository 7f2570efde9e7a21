/// Somebody whose birthday is kept.
public struct Person: Record {
  /// Almanac's own id.
  public var id: String
  /// The given name; may be empty where there is only a last name.
  public var firstName: String
  /// The family name; may be empty.
  public var lastName: String
  /// The birthday, with or without a year.
  public var birthday: Birthday
  /// The id on the server, once there is one.
  public var remoteID: String?

  /// Makes a person.
  public init(id: String, firstName: String, lastName: String, birthday: Birthday, remoteID: String? = nil) {
    self.id = id
    self.firstName = firstName
    self.lastName = lastName
    self.birthday = birthday
    self.remoteID = remoteID
  }

  /// `people`.
  public static let collection = CollectionName.people

  /// Both names with one space between; one of them alone where the other is empty.
  public var fullName: String {
    firstName.isEmpty ? lastName : lastName.isEmpty ? firstName : "\(firstName) \(lastName)"
  }

  /// What makes two people the same: first name, last name and birthday.
  public var identity: [String] { [firstName, lastName, birthday.description] }

  /// The record as it is written.
  public var fields: JSONObject {
    var fields = JSONObject()
    fields.append("id", id)
    fields.append("firstName", firstName)
    fields.append("lastName", lastName)
    fields.append("birthday", birthday.description)
    fields.append("fullName", fullName)
    fields.append("remoteID", remoteID)
    return fields
  }

  /// Reads a person as it was written; `fullName` follows from the names.
  public init(fields: JSONObject) throws(RecordError) {
    let reader = FieldReader(Self.collection, fields)
    id = try reader.string("id")
    firstName = try reader.string("firstName")
    lastName = try reader.string("lastName")
    guard let birthday = Birthday(try reader.string("birthday")) else {
      throw reader.error("birthday", "YYYY-MM-DD or --MM-DD", fields["birthday"])
    }
    self.birthday = birthday
    remoteID = try reader.optionalString("remoteID")
  }
}
