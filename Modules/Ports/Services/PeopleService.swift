public import Models

/// Keeps people and their birthdays.
public protocol PeopleService: Sendable {
  /// Adds a person here.
  ///
  /// - Throws: `Failure`, `usage` where both names are empty or the same person is there already.
  func add(firstName: String, lastName: String, birthday: Birthday) async throws(Failure) -> Person

  /// Changes a person here.
  ///
  /// - Throws: `Failure`, `notFound` where there is no such person.
  func edit(_ id: String, _ change: PersonChange) async throws(Failure) -> Person

  /// Removes a person here; one that came from a server does not come back with the next sync. The person's
  /// unsent outbox entries go in the same commit.
  ///
  /// - Throws: `Failure`, `notFound` where there is no such person.
  func remove(_ id: String) async throws(Failure) -> Person

  /// Adds everybody of a file of contact cards, as one commit, and nobody twice.
  ///
  /// - Throws: `Failure` where the file cannot be read; then nobody was added.
  func importContacts(_ bytes: [UInt8], file: String) async throws(Failure) -> ImportedContacts

  /// Queues people for sending: those with the ids, or everybody whom the server does not have.
  ///
  /// - Returns: the ids of the outbox entries, also of those that waited already.
  /// - Throws: `Failure`, `notFound` where there is no such person.
  func queue(_ ids: [String]) async throws(Failure) -> [String]

  /// The birthdays of `day` and the `days` days after it, in order, then by name.
  ///
  /// - Throws: `Failure` where the store cannot be read.
  func birthdays(
    from day: CivilDate, days: Int, leapDay: Birthday.LeapDayRule
  ) throws(Failure) -> [UpcomingBirthday]

  /// Everybody's birthday as an iCalendar file.
  ///
  /// - Throws: `Failure` where the store cannot be read.
  func calendar(leapDay: Birthday.LeapDayRule, alarm: Interval?) throws(Failure) -> [UInt8]

  /// Everybody as a file of contact cards.
  ///
  /// - Throws: `Failure` where the store cannot be read.
  func contacts() throws(Failure) -> [UInt8]
}

/// What changes about a person; absent means that it stays.
public struct PersonChange: Hashable, Sendable {
  /// The new given name.
  public var firstName: String?
  /// The new family name.
  public var lastName: String?
  /// The new birthday.
  public var birthday: Birthday?

  /// Makes a change.
  public init(firstName: String? = nil, lastName: String? = nil, birthday: Birthday? = nil) {
    self.firstName = firstName
    self.lastName = lastName
    self.birthday = birthday
  }
}

/// What an import of contact cards did.
public struct ImportedContacts: Hashable, Sendable {
  /// People who are new.
  public var added: [Person]
  /// How many were there already.
  public var known: Int
  /// Cards that were not taken.
  public var skipped: [ContactCards.Skipped]

  /// Makes a result.
  public init(added: [Person], known: Int, skipped: [ContactCards.Skipped]) {
    self.added = added
    self.known = known
    self.skipped = skipped
  }
}

/// A birthday that comes.
public struct UpcomingBirthday: Hashable, Sendable {
  /// Whose.
  public var person: Person
  /// On which day.
  public var date: CivilDate
  /// The age reached, where the year is known.
  public var age: Int?

  /// Makes an upcoming birthday.
  public init(person: Person, date: CivilDate, age: Int?) {
    self.person = person
    self.date = date
    self.age = age
  }

  /// The birthday as it is printed.
  public var fields: JSONObject {
    var fields: JSONObject = [
      "id": .string(person.id), "fullName": .string(person.fullName),
      "birthday": .string(person.birthday.description), "date": .string(date.description),
    ]
    fields.append("age", age)
    return fields
  }
}
