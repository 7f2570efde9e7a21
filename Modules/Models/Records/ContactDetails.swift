/// What a contact card says about a person in addition to the name and the birthday.
public struct ContactDetails: Hashable, Sendable {
  /// Further given names.
  public var middleName: String?
  /// Titles before the name: `Dr.`.
  public var namePrefix: String?
  /// What follows the name: `Jr.`.
  public var nameSuffix: String?
  public var nickname: String?
  public var emails: [ContactValue] = []
  public var phones: [ContactValue] = []
  public var addresses: [PostalAddress] = []
  /// The organization; its units follow after commas.
  public var organization: String?
  /// A note of one or more lines.
  public var note: String?
  /// The photo. The bytes of an embedded photo are only in the card.
  public var photo: ContactPhoto?
  public var groups: [String] = []

  public init() {}

  /// The fields in their order. The names are those of the members of a stored person.
  public static let schema: [RecordField] = [
    .optional("middleName"), .optional("namePrefix"), .optional("nameSuffix"), .optional("nickname"),
    .list("emails", ContactValue.members), .list("phones", ContactValue.members),
    .list("addresses", PostalAddress.members),
    .optional("organization"), .optional("note"), .optional("photo", .object(ContactPhoto.schema)),
    .optional("groups", .texts),
  ]

  /// The lists, which are merged item by item.
  public static let lists = ["emails", "phones", "addresses", "groups"]

  /// The fields that an edit can change: all but the photo.
  public static let editableFields = schema.map(\.name).filter { $0 != "photo" }

  private static let texts: [(name: String, path: any WritableKeyPath<ContactDetails, String?> & Sendable)] = [
    ("middleName", \.middleName), ("namePrefix", \.namePrefix), ("nameSuffix", \.nameSuffix),
    ("nickname", \.nickname), ("organization", \.organization), ("note", \.note),
  ]

  /// The stored form. Empty texts and lists are left out.
  public var fields: JSONObject {
    var fields = JSONObject()
    func append(_ name: String, _ values: [JSONValue]) {
      if !values.isEmpty { fields.append(name, .array(values)) }
    }
    fields.append("middleName", middleName)
    fields.append("namePrefix", namePrefix)
    fields.append("nameSuffix", nameSuffix)
    fields.append("nickname", nickname)
    append("emails", emails.map { .object($0.fields) })
    append("phones", phones.map { .object($0.fields) })
    append("addresses", addresses.map { .object($0.fields) })
    fields.append("organization", organization)
    fields.append("note", note)
    fields.append("photo", photo.map { .object($0.fields) })
    append("groups", groups.map { .string($0) })
    return fields
  }

  /// Reads the stored form. Members that are not as expected count as missing, because stores of earlier versions may
  /// contain any members.
  public init(fields: JSONObject) {
    for (name, path) in Self.texts {
      if let text = fields[name]?.string, !text.isEmpty { self[keyPath: path] = text }
    }
    emails = Self.list(fields["emails"]) { ContactValue($0) }
    phones = Self.list(fields["phones"]) { ContactValue($0) }
    addresses = Self.list(fields["addresses"]) { $0.object.flatMap { PostalAddress(fields: $0) } }
    photo = fields["photo"]?.object.map { ContactPhoto(fields: $0) }
    groups = Self.list(fields["groups"]) { $0.string.flatMap { $0.isEmpty ? nil : $0 } }
  }

  /// The details after an edit: members of `change` replace fields, and null removes them (RFC 7396).
  ///
  /// - Throws: `RecordError` if a member is not a field that can be edited, or is not as expected.
  public func changed(by change: JSONObject) throws(RecordError) -> ContactDetails {
    var fields = fields
    for member in change.members {
      let reader = FieldReader(.people, change)
      guard Self.editableFields.contains(where: { $0.exact == member.key.exact }) else {
        throw reader.error(member.key, "one of \(Self.editableFields.joined(separator: ", "))", member.value)
      }
      fields[member.key] = member.value
      let isEmpty = member.value == .null || member.value.string == "" || member.value.array == []
      if !isEmpty, ContactDetails(fields: [member.key: member.value]).fields.isEmpty {
        throw reader.error(member.key, Self.form(of: member.key), member.value)
      }
    }
    return ContactDetails(fields: fields)
  }

  private static func form(of field: String) -> String {
    switch field {
    case "emails", "phones": "a list of {\"value\": …, \"type\": …}"
    case "addresses": "a list of {\"street\": …, \"city\": …, \"type\": …}"
    case "groups": "a list of strings"
    default: "a string"
    }
  }

  /// The values of a list; none if one of them is not as expected.
  private static func list<Value>(_ member: JSONValue?, _ read: (JSONValue) -> Value?) -> [Value] {
    let values = member?.array ?? []
    let list = values.compactMap(read)
    return list.count == values.count ? list : []
  }

  /// The details after the change of their source from `old` to `new`: texts that differ from `old` here keep their value,
  /// others take that of `new`; what was added to or removed from a list there is added or removed here.
  public func merged(from old: ContactDetails, to new: ContactDetails) -> ContactDetails {
    var merged = self
    for (_, path) in Self.texts where self[keyPath: path] == old[keyPath: path] {
      merged[keyPath: path] = new[keyPath: path]
    }
    if photo == old.photo { merged.photo = new.photo }
    merged.emails = ListMerge.merged(emails, old.emails, new.emails)
    merged.phones = ListMerge.merged(phones, old.phones, new.phones)
    merged.addresses = ListMerge.merged(addresses, old.addresses, new.addresses)
    merged.groups = ListMerge.merged(groups.map(\.exact), old.groups.map(\.exact), new.groups.map(\.exact)).map(\.text)
    return merged
  }
}

extension ContactDetails {
  /// The details of both, who are one person. No item of a list is lost; a mail address or a phone number that both have is
  /// taken once. Of two texts, that of `other` is taken.
  public func united(with other: ContactDetails) -> ContactDetails {
    var united = self
    for (_, path) in Self.texts { united[keyPath: path] = other[keyPath: path] ?? self[keyPath: path] }
    united.photo = other.photo ?? photo
    let known = contactKeys
    united.emails += other.emails.filter { !known.contains(Self.mailKey($0.value)) }
    united.phones += other.phones.filter { phone in
      Self.phoneKey(phone.value).map { !known.contains($0) } ?? !phones.contains(phone)
    }
    united.addresses += other.addresses.filter { !addresses.contains($0) }
    united.groups += other.groups.filter { group in !groups.contains { $0.exact == group.exact } }
    return united
  }
}

/// A mail address or a phone number. Compared by bytes.
public struct ContactValue: Hashable, Sendable, CustomStringConvertible {
  /// The address or the number.
  @ExactString public var value: String
  /// What it is for: `home`, `work`, `mobile`, or a label that the person chose; empty if unknown.
  @ExactString public var type: String

  /// The members of the stored form.
  static let members = ["value", "type"]

  public init(_ value: String, type: String = "") {
    self.value = value
    self.type = type
  }

  /// Reads `{"value", "type"}`, or the value alone.
  init?(_ json: JSONValue) {
    guard let value = json.string ?? json.object?["value"]?.string, !value.isEmpty else { return nil }
    self.init(value, type: json.object?["type"]?.string ?? "")
  }

  public var fields: JSONObject {
    var fields: JSONObject = ["value": .string(value)]
    fields.append("type", type.isEmpty ? nil : type)
    return fields
  }

  /// Reads `VALUE`, `TYPE: VALUE` or `TYPE:VALUE`; `nil` without a value. Without a space, a type consists of letters,
  /// digits and `-`, and is no scheme of an address such as `tel:` and `mailto:`.
  public init?(_ text: String) {
    self.init(spaced: text)
    guard type.isEmpty, let colon = value.firstIndex(of: ":") else { return }
    let label = value[..<colon]
    guard !label.isEmpty, label.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }),
      !Self.schemes.contains(label.lowercased())
    else { return }
    let rest = String(value[colon...].dropFirst()).trimmed
    guard !rest.isEmpty else { return }
    self.init(rest, type: String(label))
  }

  /// Reads `VALUE` or `TYPE: VALUE`, with a space after the colon; `nil` without a value.
  init?(spaced text: String) {
    let parts = text.split(separator: ": ", maxSplits: 1).map { String($0).trimmed }
    guard let value = parts.last, !value.isEmpty else { return nil }
    self.init(value, type: parts.count > 1 ? parts[0] : "")
  }

  private static let schemes: Set<String> = ["callto", "mailto", "sip", "sips", "sms", "tel", "xmpp"]

  /// Why the value cannot be a mail address; `nil` if it can.
  public var notMail: String? { value.utf8.contains(UInt8(ascii: "@")) ? nil : "it has no '@'" }

  /// Why the value cannot be a phone number; `nil` if it can.
  public var notPhone: String? { value.contains(where: \.isNumber) ? nil : "it has no digit" }

  public var description: String { type.isEmpty ? value : "\(type): \(value)" }
}

/// A postal address. Compared by bytes.
public struct PostalAddress: Hashable, Sendable, CustomStringConvertible {
  /// The parts in the order of a card: the box, the part of the building, street, city, region, postal code, country.
  public var parts: [ExactString]
  /// What it is for: `home`, `work` or a label; empty if unknown.
  @ExactString public var type: String

  /// The members of the stored form.
  static let members = names + ["type"]

  private static let names = ["box", "unit", "street", "city", "region", "postalCode", "country"]

  /// Creates an address of seven parts; missing ones are empty. `nil` if all are.
  public init?(_ parts: [String], type: String = "") {
    guard parts.contains(where: { !$0.isEmpty }) else { return nil }
    self.parts = (parts + Array(repeating: "", count: Self.names.count)).prefix(Self.names.count).map(\.exact)
    self.type = type
  }

  init?(fields: JSONObject) {
    self.init(Self.names.map { fields[$0]?.string ?? "" }, type: fields["type"]?.string ?? "")
  }

  public var fields: JSONObject {
    var fields = JSONObject()
    for (name, part) in zip(Self.names, parts) where !part.text.isEmpty { fields.append(name, part.text) }
    fields.append("type", type.isEmpty ? nil : type)
    return fields
  }

  /// Reads `STREET; CITY; REGION; POSTAL CODE; COUNTRY`, of which later ones may be missing, also after `TYPE: `; `nil` if
  /// all parts are empty or there are more of them.
  public init?(_ text: String) {
    guard let value = ContactValue(spaced: text) else { return nil }
    let parts = value.value.split(separator: ";", omittingEmptySubsequences: false).map { String($0).trimmed }
    guard parts.count <= 5 else { return nil }
    self.init(["", ""] + parts, type: value.type)
  }

  /// The form that is read from text. The box and the unit are written before the street.
  public var description: String {
    let street = parts[0...2].map(\.text).filter { !$0.isEmpty }.joined(separator: ", ")
    var words = [street] + parts[3...].map(\.text)
    while words.last?.isEmpty == true { words.removeLast() }
    return (type.isEmpty ? "" : "\(type): ") + words.joined(separator: "; ")
  }
}

public struct ContactPhoto: Hashable, Sendable {
  /// Its address; `nil` if it is embedded in the card.
  public var url: String?
  /// The media type of an embedded photo.
  public var type: String?
  /// The size of an embedded photo in bytes.
  public var bytes: Int?

  static let schema: [RecordField] = [.optional("url"), .optional("type"), .optional("bytes", .whole)]

  public init(url: String? = nil, type: String? = nil, bytes: Int? = nil) {
    self.url = url
    self.type = type
    self.bytes = bytes
  }

  init(fields: JSONObject) {
    self.init(url: fields["url"]?.string, type: fields["type"]?.string, bytes: fields["bytes"]?.int)
  }

  var fields: JSONObject {
    var fields = JSONObject()
    fields.append("url", url)
    fields.append("type", type)
    fields.append("bytes", bytes)
    return fields
  }
}
