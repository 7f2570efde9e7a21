/// What somebody says about a person, in a request, a form or a command: fields that are set, and fields that are taken away.
/// Whatever takes such input checks it here. That a person keeps a name, and what a card already has, is the business of the
/// service, which knows the stored person.
public struct PersonInput: Hashable, Sendable {
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
    case ("birthday", .string(let text)):
      patch[field] = .string(try Self.birthday(text).description)
      return
    case ("firstName", .string), ("lastName", .string), ("fullName", .string): break
    case _ where Self.names.contains(field): throw Mistake(field: field, message: "\(field) is a text")
    default:
      do throws(RecordError) { _ = try ContactDetails().changed(by: [field: value]) } catch {
        throw Mistake(
          field: field, message: "'\(field)' is not valid: expected \(error.expected), found \(error.found)",
          hint: "write null to remove a detail")
      }
    }
    patch[field] = try Self.checked(value, of: field)
  }

  /// Checks that the objects of a list have no other members than a stored person keeps, and completes a photo.
  private static func checked(_ value: JSONValue, of field: String) throws(Mistake) -> JSONValue {
    if let photo = value.object, field == "photo" { return .object(try self.photo(photo).fields) }
    let known = ContactDetails.schema.first { $0.name == field }?.members.map(\.name) ?? []
    guard !known.isEmpty else { return value }
    for member in (value.array ?? []).flatMap({ $0.object?.members ?? [] }) {
      guard known.contains(member.key) else {
        throw Mistake(
          field: field, message: "unknown member '\(member.key)' of '\(field)'",
          hint: "known are: \(known.joined(separator: ", "))")
      }
      guard member.key != ContactDetails.preferred || member.value.bool != nil else {
        throw Mistake(field: field, message: "'\(member.key)' of '\(field)' is true or false")
      }
    }
    return value
  }

  /// The size of the largest photo that is taken, in bytes. Servers refuse cards that are much larger.
  public static let largestPhoto = 1 << 20

  private static func photo(_ fields: JSONObject) throws(Mistake) -> ContactPhoto {
    if fields.keys == ["url"], let url = fields["url"]?.string, url.hasPrefix("https://") {
      return ContactPhoto(url: url)
    }
    guard let text = fields["data"]?.string, let bytes = Base64.decoded(text) else {
      throw Mistake(field: "photo", message: "'photo' has no 'data' in Base64, and no 'url' with https")
    }
    return try photo(bytes)
  }

  public static func photo(_ bytes: [UInt8]) throws(Mistake) -> ContactPhoto {
    guard let photo = ContactPhoto(bytes) else {
      throw Mistake(field: "photo", message: "the photo is not a JPEG, PNG, GIF or WebP picture")
    }
    guard bytes.count <= largestPhoto else {
      throw Mistake(
        field: "photo", message: "the photo has \(bytes.count >> 10) KiB",
        hint: "at most \(largestPhoto >> 10) KiB are taken, and address books show 512 x 512 points: "
          + "magick PHOTO.jpg -resize '512x512>' SMALL.jpg makes such a file")
    }
    return photo
  }

  public mutating func set(photo: ContactPhoto) { patch["photo"] = .object(photo.fields) }

  /// Checks what an edit adds to the details of a person. What is there already came from a card, and stays.
  public static func check(_ new: ContactDetails, over old: ContactDetails) throws(Mistake) {
    for (name, form) in ContactDetails.forms {
      guard case .values(let path) = form else { continue }
      for value in new[keyPath: path] where !old[keyPath: path].contains(where: { $0.$value == value.$value }) {
        guard let fault = fault(of: value, in: name) else { continue }
        throw Mistake(field: name, message: "'\(name)' is not valid: '\(value.value)': \(fault)")
      }
    }
  }

  private static func fault(of value: ContactValue, in list: String) -> String? {
    switch list {
    case "emails": value.notMail
    case "phones": value.notPhone
    case "urls": value.value.contains { $0 == "." || $0 == ":" } ? nil : "it is not an address of the web"
    case "ims": value.value.contains(":") ? nil : "it has no scheme such as 'xmpp:'"
    case "dates": Birthday(value.value) == nil ? dateFault(value.value) : nil
    default: nil
    }
  }

  private static func dateFault(_ text: String) -> String { WrittenDate.fault(of: text) ?? "it is not a day" }

  private static func example(of list: String) -> String {
    switch list {
    case "emails": "work: ada@example.org"
    case "urls": "blog: https://ada.example"
    case "ims": "xmpp:ada@example.org"
    case "socialProfiles": "mastodon: https://social.example/@ada"
    case "relations": "spouse: William King"
    case "dates": "anniversary: 1835-07-08"
    default: "cell: +44 20 7946 0000"
    }
  }

  public static func birthday(_ text: String) throws(Mistake) -> Birthday {
    guard let birthday = WrittenDate.birthday(text) else {
      throw Mistake(
        field: "birthday", message: "'\(text)' is not a birthday",
        hint: "\(dateFault(text)); write YYYY-MM-DD, or --MM-DD where the year is not known")
    }
    return birthday
  }

  /// Reads an item of a list of values that somebody wrote, perhaps after its type.
  ///
  /// - Parameter list: the field: `emails`, `dates`.
  public static func value(_ text: String, of list: String) throws(Mistake) -> ContactValue {
    let hint = "write VALUE, or TYPE: VALUE as in '\(example(of: list))'"
    // Only before a space, `xmpp:` and the like are types.
    guard var value = list == "ims" || list == "urls" ? ContactValue(spaced: text) : ContactValue(text) else {
      throw Mistake(field: list, message: "'\(text)' cannot be read", hint: hint)
    }
    if list == "dates", let day = WrittenDate.birthday(value.value) { value.value = day.description }
    guard let fault = fault(of: value, in: list) else { return value }
    throw Mistake(field: list, message: "'\(text)' cannot be read", hint: "\(fault); \(hint)")
  }

  public static func address(_ text: String) throws(Mistake) -> PostalAddress {
    guard let address = PostalAddress(text) else {
      throw Mistake(
        field: "addresses", message: "'\(text)' cannot be read",
        hint: "write 'STREET; CITY; REGION; POSTAL CODE; COUNTRY', or fewer parts")
    }
    return address
  }

  /// An element of a list as it is stored, from a line that somebody wrote.
  ///
  /// - Parameter isWhole: whether a line without the words about the preference says that the item is not preferred.
  public static func element(_ line: String, of list: String, isWhole: Bool = false) throws(Mistake) -> JSONValue {
    if isWhole, var fields = try element(line, of: list).object {
      if fields[ContactDetails.preferred] == nil { fields[ContactDetails.preferred] = false }
      return .object(fields)
    }
    return switch ContactDetails.form(of: list) {
    case .values: .object(try value(line, of: list).fields)
    case .addresses: .object(try address(line).fields)
    default: .string(try word(line, of: list))
    }
  }

  private static func word(_ line: String, of list: String) throws(Mistake) -> String {
    if line.trimmed.isEmpty { throw Mistake(field: list, message: "'\(line)' is no name", hint: "write a name") }
    return line
  }

  public static func line(_ element: JSONValue, of list: String) -> String {
    guard let fields = element.object else { return element.string ?? "" }
    if case .addresses = ContactDetails.form(of: list) { return PostalAddress(fields: fields)?.description ?? "" }
    return ContactValue(element)?.description ?? ""
  }
}

// MARK: One item of a list

extension PersonInput {
  private func items(_ list: String, _ old: ContactDetails) -> [JSONValue] {
    (patch[list] ?? old.fields[list])?.array ?? []
  }

  /// Adds an item to a list. An item that is there keeps its place, and gets the type and the preference of the new one. A
  /// preferred item takes the preference from the others.
  public mutating func add(_ line: String, to list: String, of old: ContactDetails) throws(Mistake) {
    var items = items(list, old)
    var new = try Self.element(line, of: list)
    let index = items.firstIndex { Self.isSame($0, new, list) }
    if var fields = new.object {
      for name in ["type", ContactDetails.preferred] where fields[name] == nil {
        fields[name] = index.flatMap { items[$0].object?[name] }
      }
      new = .object(fields)
      if fields[ContactDetails.preferred] == true {
        items = items.map { item in
          var other = item.object
          other?[ContactDetails.preferred] = nil
          return other.map { .object($0) } ?? item
        }
      }
    }
    if let index { items[index] = new } else { items.append(new) }
    if items != self.items(list, old) { try set(list, to: .array(items)) }
  }

  /// Whether an item is another form of the same one: of a day and of a related person, also the type counts. Mail addresses
  /// are compared without case, and phone numbers by their digits, as people are.
  private static func isSame(_ item: JSONValue, _ other: JSONValue, _ list: String) -> Bool {
    guard var old = item.object, var new = other.object else { return item == other }
    if let one = key(of: old, list), one == key(of: new, list) { new["value"] = old["value"] }
    old[ContactDetails.preferred] = nil
    new[ContactDetails.preferred] = nil
    if list != "dates", list != "relations" {
      old["type"] = nil
      new["type"] = nil
    }
    return old == new
  }

  private static func key(of item: JSONObject, _ list: String) -> ExactString? {
    guard let value = item["value"]?.string else { return nil }
    return switch list {
    case "emails": ContactDetails.mailKey(value)
    case "phones": ContactDetails.phoneKey(value)
    default: nil
    }
  }

  /// Takes an item from a list: that of a line, or the one with a value.
  public mutating func remove(_ line: String, from list: String, of old: ContactDetails) throws(Mistake) {
    var items = items(list, old)
    let texts = [line, (try? Self.element(line, of: list)).map { Self.line($0, of: list) } ?? line].map(\.exact)
    let named = (try? Self.element(line, of: list))?.object.flatMap { $0["type"] == nil ? Self.key(of: $0, list) : nil }
    let written = items.firstIndex { item in
      let written = Self.line(item, of: list)
      var plain = item.object ?? [:]
      (plain["type"], plain[ContactDetails.preferred]) = (nil, nil)
      let untyped = item.object == nil ? written : Self.line(.object(plain), of: list)
      let shown = PostalAddress(fields: plain)?.text ?? untyped
      return [written, ContactValue.unmarked(written).text, untyped, shown].contains { texts.contains($0.exact) }
    }
    let index = written ?? items.firstIndex { named != nil && $0.object.flatMap { Self.key(of: $0, list) } == named }
    guard let index else {
      let there = items.map { Self.line($0, of: list) }.joined(separator: ", ")
      throw Mistake(
        field: list, message: "'\(line)' is not there", hint: there.isEmpty ? "there is none" : "there is \(there)")
    }
    items.remove(at: index)
    try set(list, to: items.isEmpty ? .null : .array(items))
  }
}
