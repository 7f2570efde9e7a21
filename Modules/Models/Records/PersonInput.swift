/// What somebody says about a person, in a request, a form or a command: fields that are set, and fields that are taken away.
/// Whatever takes such input checks it here. That a person keeps a name, and what a card already has, is the business of the
/// service, which knows the stored person.
public struct PersonInput: Hashable, Sendable {
  /// A value that cannot be used.
  public struct Mistake: FailureRepresentable, Hashable {
    /// The field: `birthday`, `emails`.
    public var field: String
    public var message: String
    public var hint: String?

    /// The mistake as users see it; `path` is the field.
    public var failure: Failure {
      Failure(.config, .usage, message, hint: hint.map { Advice($0) }, code: .own(.badDetail), path: field)
    }
  }

  /// The fields of a person beside the details.
  public static let names = ["firstName", "lastName", "fullName", "birthday"]
  public static let fields = names + ContactDetails.editableFields

  /// The fields as a merge patch (RFC 7396): null takes away.
  public private(set) var patch = JSONObject()

  public init() {}

  /// The members of a merge patch.
  ///
  /// - Throws: the first mistake.
  public init(patch: JSONObject) throws(Mistake) {
    for member in patch.members { try set(member.key, to: member.value) }
  }

  /// Sets a field, in the form of the stored person; null takes it away.
  public mutating func set(_ field: String, to value: JSONValue) throws(Mistake) {
    switch (field, value) {
    case (_, .null) where Self.fields.contains(field): break
    case ("birthday", .string(let text)): _ = try Self.birthday(text)
    case ("firstName", .string), ("lastName", .string), ("fullName", .string): break
    case _ where Self.names.contains(field): throw Mistake(field: field, message: "\(field) is a text")
    default:
      do throws(RecordError) { _ = try ContactDetails().changed(by: [field: value]) } catch {
        throw Mistake(
          field: field, message: "'\(field)' is not valid: expected \(error.expected), found \(error.found)",
          hint: "write null to remove a detail")
      }
    }
    try Self.checkMembers(of: field, in: value)
    patch[field] = value
  }

  /// Checks that the objects of a list have no other members than a stored person keeps.
  private static func checkMembers(of field: String, in value: JSONValue) throws(Mistake) {
    let known = ContactDetails.schema.first { $0.name == field }?.members ?? []
    guard !known.isEmpty else { return }
    for key in (value.array ?? []).flatMap({ $0.object?.keys ?? [] }) where !known.contains(key) {
      throw Mistake(
        field: field, message: "unknown member '\(key)' of '\(field)'",
        hint: "known are: \(known.joined(separator: ", "))")
    }
  }

  /// Reads a birthday that somebody wrote.
  public static func birthday(_ text: String) throws(Mistake) -> Birthday {
    guard let birthday = Birthday(text) else {
      throw Mistake(
        field: "birthday", message: "'\(text)' is not a birthday",
        hint: "write YYYY-MM-DD, or --MM-DD where the year is not known")
    }
    return birthday
  }

  /// Reads a mail address or a phone number that somebody wrote, perhaps after its type.
  ///
  /// - Parameter list: `emails` or `phones`.
  public static func value(_ text: String, of list: String) throws(Mistake) -> ContactValue {
    let isMail = list == "emails"
    let hint = "write VALUE, or TYPE: VALUE as in '\(isMail ? "work: ada@example.org" : "cell: +44 20 7946 0000")'"
    guard let value = ContactValue(text) else {
      throw Mistake(field: list, message: "'\(text)' cannot be read", hint: hint)
    }
    guard let fault = isMail ? value.notMail : value.notPhone else { return value }
    throw Mistake(field: list, message: "'\(text)' cannot be read", hint: "\(fault); \(hint)")
  }

  /// Reads a postal address that somebody wrote, perhaps after its type.
  public static func address(_ text: String) throws(Mistake) -> PostalAddress {
    guard let address = PostalAddress(text) else {
      throw Mistake(
        field: "addresses", message: "'\(text)' cannot be read",
        hint: "write 'STREET; CITY; REGION; POSTAL CODE; COUNTRY', or fewer parts")
    }
    return address
  }

  /// An element of a list as it is stored, from a line that somebody wrote.
  public static func element(_ line: String, of list: String) throws(Mistake) -> JSONValue {
    switch list {
    case "emails", "phones": .object(try value(line, of: list).fields)
    case "addresses": .object(try address(line).fields)
    default: .string(line)
    }
  }
}
