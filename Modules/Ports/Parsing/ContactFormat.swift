public import Models

public protocol ContactFormat: Sendable {
  /// Reads all cards of a file. Cards that are about neither a person nor an organization, or cannot be read, are listed in
  /// `ContactCards.skipped`; properties that cannot be read are listed in `ContactCards.notes`. An organization becomes a person
  /// with its name as the first name.
  ///
  /// - Throws: `ParsingError` if the file contains no card.
  func read(_ bytes: [UInt8]) throws(ParsingError) -> ContactCards

  /// The files of an archive, by name, or else the file itself without one.
  func files(of bytes: [UInt8]) throws(ParsingError) -> [(name: String?, bytes: [UInt8])]

  /// Reads a file that somebody imports: cards, or a table in CSV. What a server could not keep is left out and named: text
  /// that is neither UTF-8 nor declares its character set, and control characters.
  ///
  /// - Throws: `ParsingError` if the file contains neither, or if a column is mapped that is not there.
  func read(_ bytes: [UInt8], as reading: ContactReading) throws(ParsingError) -> ContactCards

  func uid(of card: [UInt8]) -> String?

  /// The names of the properties of a card that neither a person nor another card of the person keeps, each once: those that
  /// no field has, and a photo.
  func otherProperties(of card: [UInt8]) -> [String]

  /// The card without the `UID`, for another person.
  func withoutUID(_ card: [UInt8]) -> [UInt8]

  /// The photo of the first card with its bytes; `nil` if none is embedded.
  func photo(of card: [UInt8]) -> ContactPhoto?

  /// Writes people as cards. A person with a card gets that card, with changes only where it differs from the person; the
  /// other properties keep their bytes. All others get a card of version 4.0 (RFC 6350).
  func write(_ people: [Person], cards: [ExactString: [UInt8]]) -> [UInt8]

  /// Writes a new card for an address book, of the version that every server accepts: 3.0 (RFC 6352 section 5.1).
  ///
  /// - Parameters:
  ///   - uid: identifies the card everywhere, unless `card` has an identifier.
  ///   - card: the person's card from elsewhere, which is changed only where it differs; `nil` if there is none. One of
  ///     version 2.1, which servers do not accept, is written anew.
  ///   - now: the time of the revision (`REV`).
  func newCard(of person: Person, uid: String, from card: [UInt8]?, at now: Timestamp) -> [UInt8]

  /// Writes a new card of a group in the form that most programs read: version 3.0 with Apple's properties.
  func newCard(of group: PersonGroup, uid: String, at now: Timestamp) -> [UInt8]

  /// Writes a person over the person's card, as `write` does. A card that has the time of its revision gets a new one.
  func changed(_ card: [UInt8], to person: Person, at now: Timestamp) -> [UInt8]

  /// Writes the name and the members of a group over its card. The lines of other members and properties keep their bytes.
  ///
  /// - Returns: `nil` if it is not one complete card of a group.
  func changed(_ card: [UInt8], to group: PersonGroup, at now: Timestamp) -> [UInt8]?
}

extension ContactFormat {
  public func write(_ people: [Person]) -> [UInt8] { write(people, cards: [:]) }
}

/// A person as a contact card describes it. At least one of the names is not empty.
public struct Contact: Hashable, Sendable {
  /// The first line of the card, from 1.
  public var line: Int
  /// What identifies the card everywhere (`UID`, RFC 6350 section 6.7.6), without `urn:uuid:`; `nil` if it has none.
  public var uid: String?
  public var firstName: String
  public var lastName: String
  /// The full name, if it differs from the two names joined by a space.
  public var fullName: String?
  public var birthday: Birthday?
  public var details: ContactDetails
  /// The card from `BEGIN` to `END` in UTF-8; empty if it is not complete.
  public var card: [UInt8]
  /// The single values of a row of Almanac's own table, by field, with `id`; `nil` for a card and a row without an id.
  public var row: JSONObject?

  public init(
    line: Int, uid: String? = nil, firstName: String, lastName: String, fullName: String? = nil,
    birthday: Birthday? = nil, details: ContactDetails = ContactDetails(), card: [UInt8] = []
  ) {
    (self.line, self.uid, self.firstName, self.lastName) = (line, uid, firstName, lastName)
    (self.fullName, self.birthday, self.details, self.card) = (fullName, birthday, details, card)
  }

  public func person(id: String, origin: String? = nil) -> Person {
    Person(
      id: id, firstName: firstName, lastName: lastName, birthday: birthday, fullName: fullName, details: details,
      origin: origin)
  }
}

public struct ContactGroup: Hashable, Sendable {
  public var uid: String?
  public var name: String
  /// As `PersonGroup.members`.
  public var members: [String]
  public var line: Int
  public var card: [UInt8] = []

  public init(uid: String? = nil, name: String, members: [String], line: Int = 1) {
    (self.line, self.uid, self.name, self.members) = (line, uid, name, members)
  }
}

public struct ContactCards: Hashable, Sendable {
  public var people: [Contact]
  /// The groups, whose cards are also among the skipped ones.
  public var groups: [ContactGroup] = []
  public var skipped: [Note]
  public var notes: [Note]
  /// The columns of a table; empty for cards.
  public var columns: [ReadColumn] = []

  public init(people: [Contact], skipped: [Note], notes: [Note] = []) {
    (self.people, self.skipped, self.notes) = (people, skipped, notes)
  }

  public struct Note: Hashable, Sendable {
    public var line: Int
    /// The file of an archive; `nil` for a file that is not one of an archive.
    public var file: String?
    public var name: String?
    public var reason: String
    /// Whether the card is about a person, as far as it can be read; false for a group, a location or a thing.
    public var isOfPerson = true
    /// Whether it is a value of another card: an `AGENT` (vCard 2.1).
    public var isNested = false
    /// The ids of stored people who are, or may be, the one of the card.
    public var people: [String] = []

    public init(line: Int, name: String?, reason: String) { (self.line, self.name, self.reason) = (line, name, reason) }
  }
}

/// Writes birthdays as a calendar for subscriptions, and as objects of a calendar on a server, iCalendar (RFC 5545).
public protocol CalendarFormat: Sendable {
  /// Writes one yearly event for each person with a birthday.
  ///
  /// - Parameters:
  ///   - alarm: the time of an alarm before the day; `nil` for no alarm.
  ///   - stamp: the time for `DTSTAMP`.
  func write(_ people: [Person], leapDay: Birthday.LeapDayRule, alarm: Interval?, stamp: Timestamp) -> [UInt8]

  /// Writes the event of one person as an object of a calendar on a server (RFC 4791 section 4.1), with a mark of its
  /// content; `nil` for a person without a birthday.
  func object(of person: Person, leapDay: Birthday.LeapDayRule, alarm: Interval?, stamp: Timestamp) -> CalendarObject?

  /// Reads an object of a calendar; `nil` if it contains no event with a `UID`.
  func object(_ bytes: [UInt8]) -> CalendarObject?
}

/// An object of a calendar: an event with its overridden instances.
public struct CalendarObject: Hashable, Sendable {
  /// How the `UID` of an event of Almanac ends; the id of the person is before it.
  public static let uidEnd = "@almanac"

  public var bytes: [UInt8]
  @ExactString public var uid: String
  public var summary: String
  /// A digest of what the event says. Times of changes, and what programs note for themselves, are not part of it.
  public var digest: String
  /// The digest with which Almanac wrote it; `nil` if Almanac did not write it.
  public var mark: String?

  public init(bytes: [UInt8], uid: String, summary: String, digest: String, mark: String?) {
    (self.bytes, self.uid, self.summary, self.digest, self.mark) = (bytes, uid, summary, digest, mark)
  }

  /// Whether somebody changed it since Almanac wrote it, or made it.
  public var isForeign: Bool { mark != digest }
}

/// Reads the config file, and edits it as text so that the rest of the file is preserved.
public protocol SettingsFormat: Sendable {
  func read(_ bytes: [UInt8]) throws(SettingsProblems) -> Settings

  /// Returns the text with the follows added, or with those of the same paths replaced; no two have the same path.
  ///
  /// - Throws: `SettingsProblems` if the text cannot be read, or with the mistakes of an entry that would be replaced, or of
  ///   the list. Mistakes elsewhere do not count.
  func adding(_ follows: [Follow], to bytes: [UInt8]) throws(SettingsProblems) -> [UInt8]

  /// Returns the text without the follow of that path, also if it has a mistake; `nil` if there is no such follow.
  ///
  /// - Throws: `SettingsProblems` if the text cannot be read. Mistakes elsewhere do not count.
  func removing(path: String, from bytes: [UInt8]) throws(SettingsProblems) -> [UInt8]?

  /// Returns the text with the value at a JSON path replaced, added or, for `nil`, removed; `nil` if there is none.
  ///
  /// - Throws: `SettingsProblems` if the text cannot be read, or with the mistakes that the change would make; those that
  ///   are there already do not count.
  func setting(_ place: String, to value: JSONValue?, in bytes: [UInt8]) throws(SettingsProblems) -> [UInt8]?

  /// Where the value at a JSON path begins; `nil` if there is none, or the format does not tell.
  func position(of place: String, in bytes: [UInt8]) -> TextPlace?
}

extension SettingsFormat {
  public func position(of place: String, in bytes: [UInt8]) -> TextPlace? { nil }
}

/// A position in a text, as editors show it. Both numbers begin with 1.
public struct TextPlace: Hashable, Sendable {
  public let line: Int
  /// The byte of the line.
  public let column: Int

  public init(line: Int, column: Int) { (self.line, self.column) = (line, column) }
}

public struct SettingsProblems: Error, Hashable, Sendable {
  public var problems: [SettingsProblem]
  /// The settings without what has a mistake; `nil` if the text cannot be read at all.
  public var readable: Settings?

  public init(_ problems: [SettingsProblem], readable: Settings? = nil) {
    (self.problems, self.readable) = (problems, readable)
  }
}
