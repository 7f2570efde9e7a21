public import Models

/// Reads and writes contact cards.
public protocol ContactFormat: Sendable {
  /// Reads every card of a file; a card without a usable birthday, or one that cannot be read, is named in
  /// `ContactCards.skipped`.
  ///
  /// - Throws: `ParsingError` where the file holds no card at all.
  func read(_ bytes: [UInt8]) throws(ParsingError) -> ContactCards

  /// Writes people as cards, vCard 4.0 (RFC 6350).
  func write(_ people: [Person]) -> [UInt8]
}

/// What a file of contact cards holds.
public struct ContactCards: Hashable, Sendable {
  /// People with a birthday.
  public var people: [RemotePerson]
  /// Cards that were not taken.
  public var skipped: [Skipped]

  /// Makes a result.
  public init(people: [RemotePerson], skipped: [Skipped]) {
    self.people = people
    self.skipped = skipped
  }

  /// A card that was not taken.
  public struct Skipped: Hashable, Sendable {
    /// The line on which the card begins, from 1.
    public var line: Int
    /// The name on it, where there is one.
    public var name: String?
    /// Why it was not taken.
    public var reason: String

    /// Makes a skipped card.
    public init(line: Int, name: String?, reason: String) {
      self.line = line
      self.name = name
      self.reason = reason
    }
  }
}

/// Writes birthdays as a calendar that calendars subscribe to, iCalendar (RFC 5545).
public protocol CalendarFormat: Sendable {
  /// Writes one yearly event per person.
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
