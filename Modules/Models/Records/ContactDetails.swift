/// What a contact card says about a person in addition to the name and the birthday.
public struct ContactDetails: Hashable, Sendable {
  public var middleName: String?
  /// Titles before the name: `Dr.`.
  public var namePrefix: String?
  /// What follows the name: `Jr.`.
  public var nameSuffix: String?
  public var nickname: String?
  public var phoneticFirstName: String?
  public var phoneticMiddleName: String?
  public var phoneticLastName: String?
  public var emails: [ContactValue] = []
  public var phones: [ContactValue] = []
  public var addresses: [PostalAddress] = []
  public var organization: String?
  /// The units of the organization, from the largest to the smallest.
  public var departments: [String] = []
  public var title: String?
  public var role: String?
  public var urls: [ContactValue] = []
  /// Addresses of messengers, with their schemes: `xmpp:ada@example.org`.
  public var ims: [ContactValue] = []
  /// Profiles in social networks; the type is the network.
  public var socialProfiles: [ContactValue] = []
  /// Other people; the type is the relation: `spouse`.
  public var relations: [ContactValue] = []
  /// `anniversary` and other days beside the birthday, in the form of a birthday.
  public var dates: [ContactValue] = []
  public var note: String?
  /// The photo. The bytes of an embedded photo are only in the card.
  public var photo: ContactPhoto?
  public var groups: [String] = []

  public init() {}

  public enum Form: Sendable {
    case text(any WritableKeyPath<ContactDetails, String?> & Sendable)
    case values(any WritableKeyPath<ContactDetails, [ContactValue]> & Sendable)
    case words(any WritableKeyPath<ContactDetails, [String]> & Sendable)
    case addresses
    case photo
  }

  /// The fields in their order. The names are those of the members of a stored person.
  public static let forms: [(name: String, form: Form)] = [
    ("middleName", .text(\.middleName)), ("namePrefix", .text(\.namePrefix)), ("nameSuffix", .text(\.nameSuffix)),
    ("nickname", .text(\.nickname)), ("phoneticFirstName", .text(\.phoneticFirstName)),
    ("phoneticMiddleName", .text(\.phoneticMiddleName)), ("phoneticLastName", .text(\.phoneticLastName)),
    ("emails", .values(\.emails)), ("phones", .values(\.phones)), ("addresses", .addresses),
    ("organization", .text(\.organization)), ("departments", .words(\.departments)), ("title", .text(\.title)),
    ("role", .text(\.role)), ("urls", .values(\.urls)), ("ims", .values(\.ims)),
    ("socialProfiles", .values(\.socialProfiles)), ("relations", .values(\.relations)), ("dates", .values(\.dates)),
    ("note", .text(\.note)), ("photo", .photo), ("groups", .words(\.groups)),
  ]

  public static let schema: [RecordField] = forms.map { name, form in
    switch form {
    case .text: .optional(name)
    case .values: .list(name, ContactValue.members)
    case .words: .optional(name, .texts)
    case .addresses: .list(name, PostalAddress.members)
    case .photo: .optional(name, .object(ContactPhoto.schema))
    }
  }

  /// The lists, which are merged item by item.
  public static let lists = schema.filter { $0.kind == .objects || $0.kind == .texts }.map(\.name)

  public static let editableFields = schema.map(\.name)

  public static func form(of field: String) -> Form? { forms.first { $0.name.exact == field.exact }?.form }

  /// The stored form, in the order of `forms`. Empty texts and lists are left out.
  public var fields: JSONObject {
    var fields = JSONObject()
    appendFields(to: &fields)
    return fields
  }

  /// Names each field: reading them by their key paths copies all details for each, which was half of an import's time.
  func appendFields(to fields: inout JSONObject) {
    func append<Value>(_ name: String, _ values: [Value], _ json: (Value) -> JSONValue) {
      if !values.isEmpty { fields.append(name, .array(values.map(json))) }
    }
    fields.append("middleName", middleName)
    fields.append("namePrefix", namePrefix)
    fields.append("nameSuffix", nameSuffix)
    fields.append("nickname", nickname)
    fields.append("phoneticFirstName", phoneticFirstName)
    fields.append("phoneticMiddleName", phoneticMiddleName)
    fields.append("phoneticLastName", phoneticLastName)
    append("emails", emails) { .object($0.fields) }
    append("phones", phones) { .object($0.fields) }
    append("addresses", addresses) { .object($0.fields) }
    fields.append("organization", organization)
    append("departments", departments) { .string($0) }
    fields.append("title", title)
    fields.append("role", role)
    append("urls", urls) { .object($0.fields) }
    append("ims", ims) { .object($0.fields) }
    append("socialProfiles", socialProfiles) { .object($0.fields) }
    append("relations", relations) { .object($0.fields) }
    append("dates", dates) { .object($0.fields) }
    fields.append("note", note)
    fields.append("photo", photo.map { .object($0.fields) })
    append("groups", groups) { .string($0) }
  }

  /// Reads the stored form. Members that are not as expected count as missing, because stores of earlier versions may
  /// contain any members.
  public init(fields: JSONObject) {
    for (name, form) in Self.forms {
      guard let member = fields[name] else { continue }
      switch form {
      case .text(let path): if let text = member.string, !text.isEmpty { self[keyPath: path] = text }
      case .values(let path): self[keyPath: path] = Self.list(member) { ContactValue($0) }
      case .words(let path): self[keyPath: path] = Self.list(member) { $0.string.flatMap { $0.isEmpty ? nil : $0 } }
      case .addresses: addresses = Self.list(member) { $0.object.flatMap { PostalAddress(fields: $0) } }
      case .photo: photo = member.object.map { ContactPhoto(fields: $0) }
      }
    }
  }

  /// The details after an edit: members of `change` replace fields, and null removes them (RFC 7396).
  ///
  /// - Throws: `RecordError` if a member is not a field that can be edited, or is not as expected.
  public func changed(by change: JSONObject) throws(RecordError) -> ContactDetails {
    var fields = fields
    for member in change.members {
      let reader = FieldReader(.people, change)
      guard let form = Self.form(of: member.key) else {
        throw reader.error(member.key, "one of \(Self.editableFields.joined(separator: ", "))", member.value)
      }
      fields[member.key] = Self.preferring(member.value, as: fields[member.key])
      let isEmpty = member.value == .null || member.value.string == "" || member.value.array == []
      if !isEmpty, ContactDetails(fields: [member.key: member.value]).fields.isEmpty {
        throw reader.error(member.key, Self.expectation(form), member.value)
      }
    }
    return ContactDetails(fields: fields)
  }

  /// A list in which items that say nothing of their preference keep it, unless it goes to another one.
  private static func preferring(_ new: JSONValue, as old: JSONValue?) -> JSONValue {
    func value(_ item: JSONValue) -> JSONObject {
      var fields = item.object ?? ["value": item]
      for name in ["type", preferred] { fields[name] = nil }
      return fields
    }
    let known = (old?.array ?? []).filter { $0.object?[preferred] == true }.map(value)
    guard let items = new.array, !known.isEmpty, !items.contains(where: { $0.object?[preferred] == true }) else {
      return new
    }
    return .array(
      items.map { item in
        guard item.object?[preferred] == nil, known.contains(value(item)) else { return item }
        var fields = item.object ?? ["value": item]
        fields[preferred] = true
        return .object(fields)
      })
  }

  private static func expectation(_ form: Form) -> String {
    switch form {
    case .text: "a string"
    case .values: "a list of {\"value\": …, \"type\": …}"
    case .words: "a list of strings"
    case .addresses: "a list of {\"street\": …, \"city\": …, \"type\": …}"
    case .photo: "{\"data\": BASE64}"
    }
  }

  private static func list<Value>(_ member: JSONValue, _ read: (JSONValue) -> Value?) -> [Value] {
    let values = member.array ?? []
    let list = values.compactMap(read)
    return list.count == values.count ? list : []
  }

  /// The details after the change of their source from `old` to `new`: texts that differ from `old` here keep their value,
  /// others take that of `new`; what was added to or removed from a list there is added or removed here.
  public func merged(from old: ContactDetails, to new: ContactDetails) -> ContactDetails {
    var merged = self
    for (_, form) in Self.forms {
      switch form {
      case .text(let path): if self[keyPath: path] == old[keyPath: path] { merged[keyPath: path] = new[keyPath: path] }
      case .values(let path):
        merged[keyPath: path] = ListMerge.merged(self[keyPath: path], old[keyPath: path], new[keyPath: path])
      case .words(let path):
        func exact(_ details: ContactDetails) -> [ExactString] { details[keyPath: path].map(\.exact) }
        merged[keyPath: path] = ListMerge.merged(exact(self), exact(old), exact(new)).map(\.text)
      case .addresses: merged.addresses = ListMerge.merged(addresses, old.addresses, new.addresses)
      case .photo: if photo == old.photo { merged.photo = new.photo }
      }
    }
    return merged
  }
}

extension ContactDetails {
  /// The details of both, who are one person. No item of a list is lost; a mail address or a phone number that both have is
  /// taken once, and so is an item of `other` that lacks only the type. Of two texts, the one that is here stays.
  public func united(with other: ContactDetails) -> ContactDetails {
    var united = self
    let known = contactKeys
    for (name, form) in Self.forms {
      switch form {
      case .text(let path): united[keyPath: path] = self[keyPath: path] ?? other[keyPath: path]
      case .values(let path):
        united[keyPath: path] += other[keyPath: path].filter { value in
          let key = name == "emails" ? Self.mailKey(value.value) : name == "phones" ? Self.phoneKey(value.value) : nil
          if let key { return !known.contains(key) }
          return !self[keyPath: path].contains {
            $0 == value || value.type.isEmpty && $0.value.exact == value.value.exact
          }
        }
      case .words(let path):
        united[keyPath: path] += other[keyPath: path].filter { word in
          !self[keyPath: path].contains { $0.exact == word.exact }
        }
      case .addresses: united.addresses += other.addresses.filter { !addresses.contains($0) }
      case .photo: united.photo = photo ?? other.photo
      }
    }
    return united
  }

  /// The texts and the photo of `other` in whose places others are here, with these; but for those that `known` has as well.
  public func singles(
    insteadOf other: ContactDetails, besides known: ContactDetails = ContactDetails()
  ) -> [(field: String, here: String?, there: String)] {
    Self.forms.compactMap { name, form in
      func text(_ details: ContactDetails) -> String? {
        switch form {
        case .text(let path): details[keyPath: path]
        case .photo: details.photo?.description
        case .values, .words, .addresses: nil
        }
      }
      guard let there = text(other) else { return nil }
      let here = text(self)
      let isHere = here?.exact == there.exact || name == "note" && here?.contains(there) == true
      return isHere || text(known)?.exact == there.exact ? nil : (name, here, there)
    }
  }

  /// The texts and the photo, by field.
  public var singles: [ExactString: ExactString] {
    let all = ContactDetails().singles(insteadOf: self)
    return Dictionary(uniqueKeysWithValues: all.map { ($0.field.exact, $0.there.exact) })
  }

  /// The details of a person whom an earlier version stored, with what that version did not read of the card.
  public func completed(by card: ContactDetails) -> ContactDetails {
    var (fields, read) = (fields, card.fields)
    if let old = organization, card.organization != nil, !card.departments.isEmpty,
      old.exact == ([card.organization ?? ""] + card.departments).joined(separator: ", ").exact
    {
      fields["organization"] = read["organization"]
    } else if organization != nil {
      read["departments"] = nil
    }
    for name in Self.laterFields where fields[name] == nil { fields[name] = read[name] }
    for name in ["emails", "phones", "addresses"] {
      guard let items = fields[name]?.array, let known = read[name]?.array else { continue }
      fields[name] = .array(
        items.map { item in
          guard var preferred = item.object else { return item }
          preferred[Self.preferred] = true
          return known.contains(.object(preferred)) ? .object(preferred) : item
        })
    }
    return ContactDetails(fields: fields)
  }

  /// What the first version that stored cards did not read of them.
  private static let laterFields = [
    "phoneticFirstName", "phoneticMiddleName", "phoneticLastName", "departments", "title", "role", "urls", "ims",
    "socialProfiles", "relations", "dates",
  ]

  /// The member of an item that is preferred to the others of its list.
  static let preferred = "preferred"

  /// The members of an item after its values.
  static let itemMembers: [RecordField] = [.optional("type"), .optional(preferred, .flag)]
}

public protocol ContactItem: Hashable, Sendable, CustomStringConvertible {
  /// What it is for: `home`, `work`, `mobile`, or a label that the person chose; empty if unknown.
  var type: String { get set }
  var isPreferred: Bool { get set }
}

extension ContactItem {
  static var mark: String { " (preferred)" }

  static func unmarked(_ text: String) -> (text: String, isPreferred: Bool) {
    let text = text.trimmed
    return text.hasSuffix(mark) ? (String(text.dropLast(mark.count)).trimmed, true) : (text, false)
  }

  func described(_ value: String) -> String {
    (type.isEmpty ? value : "\(type): \(value)") + (isPreferred ? Self.mark : "")
  }

  func completed(_ fields: JSONObject) -> JSONObject {
    var fields = fields
    fields.append("type", type.isEmpty ? nil : type)
    fields.append(ContactDetails.preferred, isPreferred ? true : nil)
    return fields
  }
}

/// A mail address, a phone number or another value. Compared by bytes.
public struct ContactValue: ContactItem {
  @ExactString public var value: String
  @ExactString public var type: String
  public var isPreferred = false

  static let members = [RecordField("value")] + ContactDetails.itemMembers

  public static func isOne(_ fields: JSONObject) -> Bool {
    fields["value"] != nil && fields.keys.allSatisfy { key in members.contains { $0.name == key } }
  }

  public init(_ value: String, type: String = "", isPreferred: Bool = false) {
    (self.value, self.type, self.isPreferred) = (value, type, isPreferred)
  }

  /// Reads `{"value", "type", "preferred"}`, or the value alone.
  init?(_ json: JSONValue) {
    guard let value = json.string ?? json.object?["value"]?.string, !value.isEmpty else { return nil }
    self.init(
      value, type: json.object?["type"]?.string ?? "",
      isPreferred: json.object?[ContactDetails.preferred]?.bool ?? false)
  }

  public var fields: JSONObject { completed(["value": .string(value)]) }

  /// Reads `VALUE`, `TYPE: VALUE` or `TYPE:VALUE`, also before ` (preferred)`; `nil` without a value. Without a space, a type
  /// consists of letters, digits and `-`, and is no scheme of an address such as `tel:` and `https:`.
  public init?(_ text: String) {
    self.init(spaced: text)
    guard type.isEmpty, let colon = value.firstIndex(of: ":") else { return }
    let label = value[..<colon]
    guard !label.isEmpty, label.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }),
      !Self.schemes.contains(label.lowercased())
    else { return }
    let rest = String(value[colon...].dropFirst()).trimmed
    guard !rest.isEmpty, !rest.hasPrefix("//") else { return }
    self.init(rest, type: String(label), isPreferred: isPreferred)
  }

  /// Reads `VALUE` or `TYPE: VALUE`, with a space after the colon; `nil` without a value.
  init?(spaced text: String) {
    let (text, isPreferred) = Self.unmarked(text)
    let parts = text.split(separator: ": ", maxSplits: 1).map { String($0).trimmed }
    guard let value = parts.last, !value.isEmpty else { return nil }
    self.init(value, type: parts.count > 1 ? parts[0] : "", isPreferred: isPreferred)
  }

  private static let schemes: Set<String> = [
    "aim", "callto", "http", "https", "im", "irc", "mailto", "matrix", "sip", "sips", "skype", "sms", "tel", "urn",
    "xmpp",
  ]

  /// Why the value cannot be a mail address; `nil` if it can.
  public var notMail: String? { Self.notMail(value) }

  /// Why a text cannot be a mail address; `nil` if it can.
  public static func notMail(_ text: String) -> String? {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    if parts.count < 2 { return "it has no '@'" }
    if parts[0].isEmpty || parts[parts.count - 1].isEmpty { return "it has nothing before or after its '@'" }
    return text.contains(where: \.isWhitespace) ? "it has a space" : nil
  }

  /// Why the value cannot be a phone number; `nil` if it can.
  public var notPhone: String? { value.contains(where: \.isNumber) ? nil : "it has no digit" }

  public var description: String { described(value) }
}

/// A postal address. Compared by bytes.
public struct PostalAddress: ContactItem {
  /// The parts in the order of a card: the box, the part of the building, street, city, region, postal code, country.
  public var parts: [ExactString]
  @ExactString public var type: String
  public var isPreferred = false

  static let members = names.map { RecordField($0) } + ContactDetails.itemMembers

  private static let names = ["box", "unit", "street", "city", "region", "postalCode", "country"]

  public static func isOne(_ fields: JSONObject) -> Bool {
    fields.keys.allSatisfy { key in members.contains { $0.name == key } } && PostalAddress(fields: fields) != nil
  }

  /// Creates an address of seven parts; missing ones are empty. `nil` if all are.
  public init?(_ parts: [String], type: String = "", isPreferred: Bool = false) {
    guard parts.contains(where: { !$0.isEmpty }) else { return nil }
    self.parts = (parts + Array(repeating: "", count: Self.names.count)).prefix(Self.names.count).map(\.exact)
    (self.type, self.isPreferred) = (type, isPreferred)
  }

  public init?(fields: JSONObject) {
    self.init(
      Self.names.map { fields[$0]?.string ?? "" }, type: fields["type"]?.string ?? "",
      isPreferred: fields[ContactDetails.preferred]?.bool ?? false)
  }

  public var fields: JSONObject {
    var fields = JSONObject()
    for (name, part) in zip(Self.names, parts) where !part.text.isEmpty { fields.append(name, part.text) }
    return completed(fields)
  }

  /// Reads `STREET; CITY; REGION; POSTAL CODE; COUNTRY`, of which later ones may be missing, also after `TYPE: `; `nil` if
  /// all parts are empty or there are more of them.
  public init?(_ text: String) {
    guard let value = ContactValue(spaced: text) else { return nil }
    let parts = value.value.split(separator: ";", omittingEmptySubsequences: false).map { String($0).trimmed }
    guard parts.count <= 5 else { return nil }
    self.init(["", ""] + parts, type: value.type, isPreferred: value.isPreferred)
  }

  /// As people read it, without its type: the parts that are not empty, with commas between them.
  public var text: String { parts.map(\.text).filter { !$0.isEmpty }.joined(separator: ", ") }

  /// The form that is read from text. The box and the unit are written before the street.
  public var description: String {
    let street = parts[0...2].map(\.text).filter { !$0.isEmpty }.joined(separator: ", ")
    var words = [street] + parts[3...].map(\.text)
    while words.last?.isEmpty == true { words.removeLast() }
    return described(words.joined(separator: "; "))
  }
}

public struct ContactPhoto: Hashable, Sendable, CustomStringConvertible {
  /// Its address; `nil` if it is embedded in the card.
  public var url: String?
  /// The media type of an embedded photo.
  public var type: String?
  /// The size of an embedded photo in bytes.
  public var bytes: Int?
  /// An embedded photo that is not in the card yet, in Base64.
  @ExactString public var data: String

  public var isInCard: Bool { url == nil && data.isEmpty }

  public var description: String { url ?? (bytes ?? 0).counted("byte") }

  static let schema: [RecordField] = [
    .optional("url"), .optional("type"), .optional("bytes", .whole), .optional("data"),
  ]

  public init(url: String? = nil, type: String? = nil, bytes: Int? = nil, data: String = "") {
    (self.url, self.type, self.bytes, self.data) = (url, type, bytes, data)
  }

  /// An object with photos in it, as people read it: with the kind and the size of each, and without its bytes.
  public static func withoutData(_ fields: JSONObject) -> JSONObject {
    let isPhoto = fields["data"]?.string != nil && fields["bytes"]?.int != nil
    return JSONObject(
      members: fields.members.filter { !isPhoto || $0.key != "data" }.map {
        .init(key: $0.key, value: withoutData($0.value))
      })
  }

  private static func withoutData(_ value: JSONValue) -> JSONValue {
    if let fields = value.object { return .object(withoutData(fields)) }
    return value.array.map { .array($0.map(withoutData)) } ?? value
  }

  /// A photo from a file; `nil` if the bytes are no picture that address books show: JPEG, PNG, GIF or WebP.
  public init?(_ picture: [UInt8]) {
    guard let type = Self.type(of: picture) else { return nil }
    self.init(type: type, bytes: picture.count, data: Base64.encoded(picture))
  }

  private static func type(of picture: [UInt8]) -> String? {
    if picture.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if picture.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
    if picture.starts(with: "GIF8".utf8) { return "image/gif" }
    return picture.starts(with: "RIFF".utf8) && picture.dropFirst(8).starts(with: "WEBP".utf8) ? "image/webp" : nil
  }

  public init(fields: JSONObject) {
    self.init(
      url: fields["url"]?.string, type: fields["type"]?.string, bytes: fields["bytes"]?.int,
      data: fields["data"]?.string ?? "")
  }

  public var fields: JSONObject {
    ["url": .of(url), "type": .of(type), "bytes": .of(bytes), "data": .of(data.isEmpty ? nil : data)]
  }
}
