public import Models

/// Keeps people and their birthdays.
public protocol PeopleService: Sendable {
  /// Adds a person here.
  ///
  /// - Parameter fullName: `nil` where it is both names with a space between. Where both names are empty, they are taken
  ///   from it.
  /// - Throws: `Failure`, `usage` where all names are empty or the same person is there already.
  func add(
    firstName: String, lastName: String, birthday: Birthday?, fullName: String?
  ) async throws(Failure) -> Person

  /// Changes a person here. The server takes no changes of people: what it has stays as it is there, and the change
  /// stays here.
  ///
  /// - Throws: `Failure`, `notFound` where there is no such person.
  func edit(_ id: String, _ change: PersonChange) async throws(Failure) -> ChangedPerson

  /// Removes a person here; one whom the server has stays there, and does not come back with the next sync. The
  /// person's unsent outbox entries go in the same commit.
  ///
  /// - Throws: `Failure`, `notFound` where there is no such person.
  func remove(_ id: String) async throws(Failure) -> ChangedPerson

  /// Adds everybody of a file of contact cards, as one commit, and nobody twice. A card without a birthday adds nothing
  /// to people of the same names; one with a birthday gives it to a person of the same names who has none.
  ///
  /// - Throws: `Failure` where the file cannot be read; then nobody was added.
  func importContacts(_ bytes: [UInt8], file: String) async throws(Failure) -> ImportedContacts

  /// Queues people for sending: those with the ids, or everybody whom the server does not have and who can be sent.
  ///
  /// - Throws: `Failure`, `notFound` where there is no such person; `usage` where one with such an id cannot be sent.
  ///   Then nothing is queued.
  func queue(_ ids: [String]) async throws(Failure) -> QueuedPeople

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
  /// The new full name; an empty one follows from the names. Where only a name changes, a full name that was given
  /// keeps its form with the new name in it.
  public var fullName: String?
  /// Whether the birthday is taken away.
  public var clearsBirthday: Bool

  /// Makes a change.
  public init(
    firstName: String? = nil, lastName: String? = nil, birthday: Birthday? = nil, fullName: String? = nil,
    clearsBirthday: Bool = false
  ) {
    self.firstName = firstName
    self.lastName = lastName
    self.birthday = birthday
    self.fullName = fullName
    self.clearsBirthday = clearsBirthday
  }
}

/// A person who was changed or removed here.
public struct ChangedPerson: Hashable, Sendable {
  /// The person: changed, or as it was before it was removed.
  public var person: Person
  /// Whether the server has this person, or may have, so that it differs from what is here now.
  public var isOnServer: Bool

  /// Makes a result.
  public init(person: Person, isOnServer: Bool) {
    self.person = person
    self.isOnServer = isOnServer
  }
}

/// People who wait to be sent.
public struct QueuedPeople: Hashable, Sendable {
  /// Why a person cannot be sent.
  public enum Reason: Hashable, Sendable, CustomStringConvertible {
    /// The server takes only people with a birthday.
    case noBirthday
    /// The birthday is after today.
    case futureBirthday(CivilDate)

    /// The reason in words.
    public var description: String {
      switch self {
      case .noBirthday: "the server takes only people with a birthday"
      case .futureBirthday(let day): "the birthday \(day) is in the future"
      }
    }
  }

  /// Somebody who was left out.
  public struct LeftOut: Hashable, Sendable {
    /// The person.
    public var person: Person
    /// Why the person cannot be sent.
    public var reason: Reason

    /// Makes an entry of the list.
    public init(person: Person, reason: Reason) {
      self.person = person
      self.reason = reason
    }
  }

  /// The ids of the outbox entries, also of those that waited already.
  public var entries: [String]
  /// Who cannot be sent; only where no ids were named.
  public var leftOut: [LeftOut]

  /// Makes a result.
  public init(entries: [String], leftOut: [LeftOut] = []) {
    self.entries = entries
    self.leftOut = leftOut
  }
}

/// What an import of contact cards did.
public struct ImportedContacts: Hashable, Sendable {
  /// People who are new.
  public var added: [Person]
  /// People who had no birthday and got one.
  public var updated: [Person]
  /// How many were there already.
  public var known: Int
  /// Cards that were not taken.
  public var skipped: [ContactCards.Note]
  /// What is to be known about cards that were taken, in the order of the file.
  public var notes: [ContactCards.Note]

  /// Makes a result.
  public init(
    added: [Person] = [], updated: [Person] = [], known: Int = 0, skipped: [ContactCards.Note] = [],
    notes: [ContactCards.Note] = []
  ) {
    self.added = added
    self.updated = updated
    self.known = known
    self.skipped = skipped
    self.notes = notes
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
    ]
    fields.append("birthday", person.birthday?.description)
    fields.append("date", date.description)
    fields.append("age", age)
    return fields
  }
}
