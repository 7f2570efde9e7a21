public struct Person: Record {
  public var id: String
  /// The given name; empty if nobody gave one. A full name that was given does not follow it: see `fullName(renamedTo:)`.
  public var firstName: String
  /// The family name; empty if nobody gave one. A full name that was given does not follow it: see `fullName(renamedTo:)`.
  public var lastName: String
  public var birthday: Birthday?
  /// The id on the server; `nil` until the person has been sent.
  public var remoteID: String?
  public var details: ContactDetails
  /// Where the person comes from: `import` for a file of contact cards, the path of the follow for an address book; `nil`
  /// for a person who was added by hand or comes from a server of people.
  public var origin: String?
  /// The full name, if it differs from the two names joined.
  private var formattedName: String?

  /// - Parameter fullName: the full name; `nil` to derive it from the names.
  public init(
    id: String, firstName: String, lastName: String, birthday: Birthday?, fullName: String? = nil,
    remoteID: String? = nil, details: ContactDetails = ContactDetails(), origin: String? = nil
  ) {
    (self.id, self.firstName, self.lastName, self.birthday) = (id, firstName, lastName, birthday)
    (self.remoteID, self.details, self.origin) = (remoteID, details, origin)
    self.fullName = fullName ?? ""
  }

  public static let collection = CollectionName.people

  public static let isPlain = true

  public static let schema: [RecordField] =
    [
      .init("id"), .optional("firstName"), .optional("lastName"), .optional("birthday", .birthday), .init("fullName"),
      .optionalID("remoteID"),
    ] + ContactDetails.schema + [.optional("origin")]

  /// The value of `origin` for cards from a file.
  public static let imported = "import"

  /// A photo without its bytes, which only the card has.
  public static func accepted(_ field: String, _ value: JSONValue) -> JSONValue {
    guard field == "photo", var photo = value.object else { return value }
    photo["data"] = nil
    return .object(photo)
  }

  public static let dependentFields = ["fullName": ["firstName", "lastName"]]

  /// Several values of one kind are independent of each other.
  public static let listFields = ContactDetails.lists

  /// `remoteID` comes from the server, `origin` from the follow.
  public static let assignedFields = ["remoteID", "origin"]

  /// A given full name keeps its order, its titles and its missing space when one of the names changes.
  public static func dependentValue(_ field: String, from old: JSONObject, to new: JSONObject) -> JSONValue? {
    guard field == "fullName", let old = try? Person(fields: old), let new = try? Person(fields: new) else {
      return nil
    }
    return old.fullName(renamedTo: new).map { .string($0) }
  }

  /// Returns the given full name with the old names replaced by those of `new`: '王小明' becomes '王大明', and 'Dr. Ada
  /// Byron' becomes 'Dr. Ada Lovelace'. Returns `nil` if no full name was given, or if it is ambiguous which part to
  /// replace; the full name is then derived from the names.
  public func fullName(renamedTo new: Person) -> String? {
    guard let text = formattedName else { return nil }
    var places: [(range: Range<String.Index>, name: String)] = []
    for (before, after) in [(firstName, new.firstName), (lastName, new.lastName)] where before != after {
      let ranges = before.isEmpty ? [] : text.ranges(of: before)
      // A full name without the name does not follow it: 'Mum', 'Lady Lovelace'.
      if ranges.isEmpty, !before.isEmpty { continue }
      guard ranges.count == 1, !after.isEmpty else { return nil }
      places.append((ranges[0], after))
    }
    places.sort { $0.range.lowerBound > $1.range.lowerBound }
    if places.count == 2, places[0].range.overlaps(places[1].range) { return nil }
    var renamed = text
    for place in places { renamed.replaceSubrange(place.range, with: place.name) }
    return renamed
  }

  /// The displayed name, in the order of its language and with titles: 'Dr. Ada Lovelace', '李小龙'. If none was given,
  /// the two names joined by a space, or the only one that is not empty. Names in Chinese, Japanese and Korean characters are
  /// joined without one, the family name first.
  public var fullName: String {
    get { formattedName ?? joinedName }
    set { formattedName = newValue.isEmpty || newValue.utf8.elementsEqual(joinedName.utf8) ? nil : newValue }
  }

  private var joinedName: String {
    if firstName.isEmpty || lastName.isEmpty { return firstName + lastName }
    return Self.hasFamilyNameFirst(firstName + lastName) ? lastName + firstName : "\(firstName) \(lastName)"
  }

  /// Whether a name is in Chinese, Japanese or Korean characters alone.
  private static func hasFamilyNameFirst(_ name: String) -> Bool {
    name.allSatisfy { $0.isWrittenWithoutSpaces || $0.isWhitespace }
  }

  /// The names in a full name: the last of several words is the family name, or the first one in Chinese, Japanese and Korean
  /// characters. A single word is the first name.
  public static func names(of fullName: String) -> (first: String, last: String) {
    let isTurned = hasFamilyNameFirst(fullName)
    let space = isTurned ? fullName.firstIndex(where: \.isWhitespace) : fullName.lastIndex(where: \.isWhitespace)
    guard let space else { return (fullName, "") }
    let before = String(fullName[..<space]).trimmed
    let after = String(fullName[fullName.index(after: space)...]).trimmed
    return isTurned ? (after, before) : (before, after)
  }

  /// Whether two records are equal. Earlier versions stored a name that nobody gave as an empty text.
  public static func areEqual(_ lhs: JSONObject, _ rhs: JSONObject) -> Bool {
    var (lhs, rhs) = (lhs, rhs)
    for name in ["firstName", "lastName"] {
      if lhs[name] == "" { lhs[name] = nil }
      if rhs[name] == "" { rhs[name] = nil }
    }
    return lhs == rhs
  }

  public var fields: JSONObject {
    var fields = JSONObject()
    fields.append("id", id)
    fields.append("firstName", firstName.isEmpty ? nil : firstName)
    fields.append("lastName", lastName.isEmpty ? nil : lastName)
    fields.append("birthday", birthday?.description)
    fields.append("fullName", fullName)
    fields.append("remoteID", remoteID)
    details.appendFields(to: &fields)
    fields.append("origin", origin)
    return fields
  }

  /// Reads the stored form. A missing `fullName` is derived from the names.
  public init(fields: JSONObject) throws(RecordError) {
    let reader = FieldReader(Self.collection, fields)
    id = try reader.string("id")
    firstName = try reader.optionalString("firstName") ?? ""
    lastName = try reader.optionalString("lastName") ?? ""
    if let text = try reader.optionalString("birthday") {
      guard let birthday = Birthday(text) else {
        throw reader.error("birthday", "YYYY-MM-DD or --MM-DD", fields["birthday"])
      }
      self.birthday = birthday
    }
    remoteID = try reader.optionalString("remoteID")
    details = ContactDetails(fields: fields)
    origin = fields["origin"]?.string
    fullName = try reader.optionalString("fullName") ?? ""
    if fullName.isEmpty { throw reader.error("firstName", "a first, last or full name", fields["firstName"]) }
  }
}

extension Character {
  /// Whether it is a Chinese character, a Japanese kana or a Korean syllable.
  public var isWrittenWithoutSpaces: Bool {
    unicodeScalars.allSatisfy { scalar in
      scalar.properties.isIdeographic || (0x3041...0x30FF).contains(scalar.value)
        || (0xAC00...0xD7A3).contains(scalar.value)
    }
  }
}

public struct Birthday: Hashable, Sendable, CustomStringConvertible {
  /// From 1 to 9999; `nil` if it is not known.
  public let year: Int?
  public let month: Int
  /// From 1 to the length of the month. February 29 is valid without a year.
  public let day: Int

  public init?(year: Int?, month: Int, day: Int) {
    guard year != 0, CivilDate(year: year ?? 2000, month: month, day: day) != nil else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// Reads `YYYY-MM-DD` or `--MM-DD` (ISO 8601:2000 5.2.1.3 d); `nil` for other text.
  public init?(_ text: some StringProtocol) {
    if text.utf8.count == 7, text.hasPrefix("--") {
      guard let date = CivilDate("2000\(text.dropFirst())") else { return nil }
      self.init(year: nil, month: date.month, day: date.day)
    } else {
      guard let date = CivilDate(text) else { return nil }
      self.init(year: date.year, month: date.month, day: date.day)
    }
  }

  /// The day of a February 29 birthday in years without that day.
  public enum LeapDayRule: String, Sendable, CaseIterable {
    case feb28
    case mar1
  }

  public func date(in year: Int, leapDay: LeapDayRule) -> CivilDate? {
    if month == 2, day == 29, !CivilDate.isLeap(year) {
      return leapDay == .feb28 ? CivilDate(year: year, month: 2, day: 28) : CivilDate(year: year, month: 3, day: 1)
    }
    return CivilDate(year: year, month: month, day: day)
  }

  /// The next birthday on or after `day`; `nil` after the year 9999.
  public func next(onOrAfter day: CivilDate, leapDay: LeapDayRule) -> CivilDate? {
    guard let thisYear = date(in: day.year, leapDay: leapDay) else { return nil }
    return thisYear >= day ? thisYear : date(in: day.year + 1, leapDay: leapDay)
  }

  public var dateOfBirth: CivilDate? { year.flatMap { CivilDate(year: $0, month: month, day: day) } }

  /// What to know of a birthday in the future, which a server of people does not get; `nil` for another one. East of
  /// Greenwich, a day begins earlier than in UTC.
  ///
  /// - Parameters:
  ///   - today: the day in UTC.
  ///   - isOfBook: whether the person is one of an address book, which takes any birthday.
  public func futureNote(today: CivilDate, isOfBook: Bool = false) -> String? {
    guard let birth = dateOfBirth, birth > today.adding(days: 1) else { return nil }
    return "the birthday \(birth) is in the future" + (isOfBook ? "" : "; it is stored but not sent")
  }

  /// What programs of Apple write where the year is not known, also into files of others.
  public static let unknownYear = 1604

  /// The age reached in `year`; `nil` without a known year of birth or before it.
  public func age(in year: Int) -> Int? {
    self.year.flatMap { $0 != Self.unknownYear && year >= $0 ? year - $0 : nil }
  }

  public var description: String {
    let rest = "\(padded(month, 2))-\(padded(day, 2))"
    return year.map { "\(padded($0, 4))-\(rest)" } ?? "--\(rest)"
  }
}
