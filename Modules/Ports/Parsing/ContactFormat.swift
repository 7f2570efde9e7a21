public import Models

/// Reads and writes contact cards.
public protocol ContactFormat: Sendable {
  /// Reads every card of a file. A card that is not a person's, or that cannot be read, is named in
  /// `ContactCards.skipped`; what of a card could not be understood is named in `ContactCards.notes`.
  ///
  /// - Throws: `ParsingError` where the file holds no card at all.
  func read(_ bytes: [UInt8]) throws(ParsingError) -> ContactCards

  /// Writes people as cards, vCard 4.0 (RFC 6350).
  func write(_ people: [Person]) -> [UInt8]
}

/// A person as a contact card describes one; at least one of the names is not empty.
public struct Contact: Hashable, Sendable {
  /// The line on which the card begins, from 1.
  public var line: Int
  /// The given name.
  public var firstName: String
  /// The family name.
  public var lastName: String
  /// The whole name, where it is not the two names with a space between.
  public var fullName: String?
  /// The birthday.
  public var birthday: Birthday?

  /// Makes a contact.
  public init(line: Int, firstName: String, lastName: String, fullName: String? = nil, birthday: Birthday? = nil) {
    self.line = line
    self.firstName = firstName
    self.lastName = lastName
    self.fullName = fullName
    self.birthday = birthday
  }
}

/// What a file of contact cards holds.
public struct ContactCards: Hashable, Sendable {
  /// The people, in the order of their cards.
  public var people: [Contact]
  /// Cards that were not taken.
  public var skipped: [Note]
  /// What was left out of cards that were taken.
  public var notes: [Note]

  /// Makes a result.
  public init(people: [Contact], skipped: [Note], notes: [Note] = []) {
    self.people = people
    self.skipped = skipped
    self.notes = notes
  }

  /// Something to tell about a card.
  public struct Note: Hashable, Sendable {
    /// The line on which the card begins, from 1.
    public var line: Int
    /// The name on it, where there is one.
    public var name: String?
    /// Why it was not taken, or what is to be known about it.
    public var reason: String

    /// Makes a note.
    public init(line: Int, name: String?, reason: String) {
      self.line = line
      self.name = name
      self.reason = reason
    }
  }
}

/// Writes birthdays as a calendar that calendars subscribe to, iCalendar (RFC 5545).
public protocol CalendarFormat: Sendable {
  /// Writes one yearly event for each person who has a birthday.
  ///
  /// - Parameters:
  ///   - people: whose birthdays.
  ///   - leapDay: where February 29 falls in other years.
  ///   - alarm: how long before the day an alarm rings; none where absent.
  ///   - stamp: the time that `DTSTAMP` gets.
  func write(
    _ people: [Person], leapDay: Birthday.LeapDayRule, alarm: Interval?, stamp: Timestamp
  ) -> [UInt8]
}

/// Reads and edits the config file as text, so that what it does not touch stays as it was.
public protocol SettingsFormat: Sendable {
  /// Reads the settings.
  ///
  /// - Throws: `SettingsProblems` with every mistake at once.
  func read(_ bytes: [UInt8]) throws(SettingsProblems) -> Settings

  /// The text with one follow more; one with the same path is replaced.
  ///
  /// - Throws: `SettingsProblems` where the text cannot be read.
  func adding(_ follow: Follow, to bytes: [UInt8]) throws(SettingsProblems) -> [UInt8]

  /// The text without the follow of that path; `nil` where there is none.
  ///
  /// - Throws: `SettingsProblems` where the text cannot be read.
  func removing(path: String, from bytes: [UInt8]) throws(SettingsProblems) -> [UInt8]?
}

/// Every mistake of a config file.
public struct SettingsProblems: Error, Hashable, Sendable {
  /// At least one, in the order of the file.
  public var problems: [SettingsProblem]

  /// Makes the error.
  public init(_ problems: [SettingsProblem]) { self.problems = problems }
}
