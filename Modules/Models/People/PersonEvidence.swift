/// What is known of a person, as far as it tells whether two are the same.
public struct PersonEvidence: Hashable, Sendable {
  /// The local id, also as a table says it; `nil` if the person is not stored.
  public var id: ExactString?
  /// What identifies the person's card everywhere: its `UID` (RFC 6350 section 6.7.6).
  public var uid: ExactString?
  public var remoteID: ExactString?
  /// The local id of the person whom the same input was imported as before; `nil` for a stored person.
  public var importedAs: ExactString?
  /// The path of the card on its server.
  public var path: ExactString?
  public var firstName: String
  public var lastName: String
  public var birthday: Birthday?
  /// The mail addresses and phone numbers, in the form in which they are compared.
  public var contacts: Set<ExactString>
  /// First and last name on the stored card, which another name of the person may have replaced since.
  public var cardNames: [String]?
  /// The values of which a card of a file has one each, such as title and photo, by field.
  public var singles: [ExactString: ExactString] = [:]

  public init(
    remoteID: String? = nil, firstName: String, lastName: String, birthday: Birthday?, contacts: Set<ExactString> = []
  ) {
    self.remoteID = remoteID?.exact
    (self.firstName, self.lastName, self.birthday, self.contacts) = (firstName, lastName, birthday, contacts)
  }

  /// What a person and the person's card tell.
  public init(_ person: Person, uid: String? = nil, path: String? = nil) {
    self.init(
      remoteID: person.remoteID, firstName: person.firstName, lastName: person.lastName, birthday: person.birthday,
      contacts: person.details.contactKeys)
    (id, self.uid, self.path) = (person.id.exact, uid?.exact, path?.exact)
  }

  public init?(identity: JSONValue?) {
    guard let texts = identity?.array?.compactMap(\.string), texts.count == 3 else { return nil }
    self.init(firstName: texts[0], lastName: texts[1], birthday: Birthday(texts[2]))
  }

  public var identityFields: JSONValue { .array(identity.map { .string($0) }) }

  public func identityHash(_ suffix: [String] = []) -> String { StableHash.digest(["identity"] + identity + suffix) }

  var names: [String] { [firstName, lastName] }

  var folded: PersonEvidence {
    var folded = self
    (folded.firstName, folded.lastName) = (FoldedText.folded(firstName), FoldedText.folded(lastName))
    return folded
  }

  /// First name and birthday, to find a person whose last name changed; `nil` without one of them.
  var withoutLastName: [String]? { firstName.isEmpty ? nil : birthday.map { [firstName, $0.description] } }

  /// Last name and birthday, to find a person whose first name changed; `nil` without one of them.
  var withoutFirstName: [String]? { lastName.isEmpty ? nil : birthday.map { [lastName, $0.description] } }

  /// The properties by which two people count as the same if nothing else is known.
  var identity: [String] { names + [birthday?.description ?? ""] }

  /// The properties by which two people count as the same, one for each mail address and phone number.
  var contactIdentities: [[String]] {
    let names = contacts.isEmpty ? [] : folded.names
    return contacts.sorted().map { names + [$0.text] }
  }

  /// All that a card of a file says, but for the local id.
  public var content: [String] {
    identity + [uid?.text ?? ""] + contacts.sorted().map(\.text)
      + singles.sorted { $0.key < $1.key }.flatMap { [$0.key.text, $0.value.text] }
  }

  /// Whether nothing says that they are two people: two different `UID`s or birthdays do.
  func agrees(with other: PersonEvidence) -> Bool {
    (uid == nil || other.uid == nil || uid == other.uid)
      && (birthday == nil || other.birthday == nil || birthday == other.birthday)
  }

  /// Whether both have a name, a mail address or a phone number in common.
  func hasCommon(with other: PersonEvidence) -> Bool {
    !firstName.isEmpty && firstName == other.firstName || !lastName.isEmpty && lastName == other.lastName
      || !contacts.isDisjoint(with: other.contacts)
  }

  func united(with other: PersonEvidence) -> PersonEvidence {
    var united = self
    united.id = id ?? other.id
    united.uid = uid ?? other.uid
    united.birthday = birthday ?? other.birthday
    united.contacts.formUnion(other.contacts)
    united.singles.merge(other.singles) { own, _ in own }
    return united
  }
}

extension ContactDetails {
  /// The mail addresses in lower case, and the digits of the phone numbers.
  public var contactKeys: Set<ExactString> {
    Set(emails.map { Self.mailKey($0.value) } + phones.compactMap { Self.phoneKey($0.value) })
  }

  static func mailKey(_ value: String) -> ExactString { "@\(value.lowercased())".exact }

  /// The digits; `nil` for a value without any.
  static func phoneKey(_ value: String) -> ExactString? {
    let digits = value.compactMap(\.wholeNumberValue).map(String.init).joined()
    return digits.isEmpty ? nil : digits.exact
  }

  /// Whether two numbers, without zeros at their beginning, are the same but for the code of the country: '0049 30 …' and
  /// '030 …'.
  static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    let (short, long) = one.count < other.count ? (one, other) : (other, one)
    return short == long || short.count >= 7 && long.suffix(short.count).elementsEqual(short)
  }

  /// The digits that are the same with and without the code of the country.
  static func significant(_ digits: ExactString) -> [UInt8] { Array(digits.text.utf8.drop { $0 == 0x30 }) }

  /// The first phone number that has the digits of the text, which is typed with or without spaces and signs; `nil` also for a
  /// text that is not a number of four digits or more. Zeros at its beginning stand for the code of a country.
  public func phone(containing text: String) -> String? {
    guard let number = Self.typedNumber(text) else { return nil }
    return phones.first { Self.phoneKey($0.value)?.text.contains(number) ?? false }?.value
  }

  /// The digits of a text that may be a part of a phone number, without zeros at its beginning.
  public static func typedNumber(_ text: String) -> String? {
    guard text.allSatisfy({ $0.isNumber || $0.isWhitespace || "+-/().".contains($0) }), let key = phoneKey(text) else {
      return nil
    }
    let digits = key.text.drop { $0 == "0" }
    return digits.utf8.count > 3 ? String(digits) : nil
  }
}
