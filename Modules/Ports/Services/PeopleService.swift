public import Models

public protocol PeopleService: Sendable {
  /// Adds a person locally.
  ///
  /// - Parameters:
  ///   - fullName: `nil` if it is the two names joined by a space. If both names are empty, they are derived from it.
  ///   - details: fields of `ContactDetails`.
  ///   - book: the address book that gets a card of the person, which is queued; `nil` for a person who is only here.
  ///   - isNew: whether this is another person than any who is stored, also one whom nothing tells apart.
  /// - Throws: `Failure`: `usage` if all names are empty, the same person already exists, or a detail is not as expected.
  func add(
    firstName: String, lastName: String, birthday: Birthday?, fullName: String?, details: JSONObject,
    to book: FollowedBook?, isNew: Bool, alongside note: CommitNote?
  ) async throws(Failure) -> Person

  /// Changes a person locally. The change of a person of an address book is queued; a server of people does not support
  /// changes, so its copy remains unchanged.
  ///
  /// - Parameter current: the expected stored record; `nil` for any.
  /// - Throws: `Failure`: `notFound` if there is no such person; `usage` with `changed` if another record is stored.
  func edit(_ id: String, _ change: PersonChange, ifStored current: [UInt8]?) async throws(Failure) -> ChangedPerson

  /// Removes a person locally, with the unsent outbox entries, in one commit. The removal of a person of an address book is
  /// queued; the copy of a server of people remains, and the next sync does not restore the person.
  ///
  /// - Throws: as `edit`.
  func remove(_ id: String, ifStored current: [UInt8]?) async throws(Failure) -> ChangedPerson

  /// Imports the people of a file of contact cards, or of a table, as one commit, without duplicates; of an archive, each file
  /// is one. A card with a birthday sets that of a
  /// person of the same names who has none. The first card of a stored person adds the details that are missing; a later
  /// one changes the details that differ from the earlier card. The cards are stored. A card of a person of an address book
  /// only adds what is missing, and the change is queued.
  ///
  /// - Parameter book: the address book that gets the cards of new people, which are queued. Only its people are looked
  ///   for then, and those who are on no server: they are added to it. `nil` to keep the people only here.
  /// - Throws: `Failure` if the file cannot be read; no person was added then.
  func importContacts(
    _ bytes: [UInt8], file: String, _ reading: ContactReading, to book: FollowedBook?
  ) async throws(Failure) -> ImportedContacts

  /// Queues people for sending: those with the ids, or all who were added by hand and can be sent, and are not there.
  ///
  /// - Parameter book: the address book that gets cards of the people; `nil` for the server of people.
  /// - Throws: `Failure`: `notFound`; `usage` if a person with an id cannot be sent. Nothing is queued then.
  func queue(_ ids: [String], to book: FollowedBook?) async throws(Failure) -> QueuedPeople

  /// Moves a person to an address book. The card in the former one is removed once the book has it; both are queued as one edit.
  ///
  /// - Throws: `Failure`: `notFound` if there is no such person; `usage` if the book has the person already, or if the person
  ///   is one of a server of people.
  func move(_ id: String, to book: FollowedBook) async throws(Failure) -> ChangedPerson

  /// Adds a copy of a person, with the card, to an address book, which is queued. The copy is a person of its own.
  ///
  /// - Throws: as `move`, also for people of whom the book is.
  func copy(_ id: String, to book: FollowedBook) async throws(Failure) -> ChangedPerson

  func groups() throws(Failure) -> PeopleGroups

  /// The birthdays from `day` to `days` days later, by date and then by name.
  func birthdays(from day: CivilDate, days: Int, leapDay: Birthday.LeapDayRule) throws(Failure) -> [UpcomingBirthday]

  /// Birthdays as an iCalendar file, by name.
  ///
  /// - Parameter ids: the people; `nil` for all.
  func calendar(of ids: Set<ExactString>?, leapDay: Birthday.LeapDayRule, alarm: Interval?) throws(Failure) -> [UInt8]

  /// All people as contact cards, by name. Imported cards keep the properties that Almanac does not know.
  func cards() throws(Failure) -> [StoredCard]

  /// How many of these people have a card that was received, with properties that no field has.
  func cardCount(of ids: Set<ExactString>) throws(Failure) -> Int

  /// The photo that is embedded in the card of a person, with its bytes; `nil` if there is none.
  ///
  /// - Throws: `Failure`: `notFound` if there is no such person.
  func photo(of id: String) throws(Failure) -> ContactPhoto?
}

/// A followed address book, to which people can be added.
public struct FollowedBook: Hashable, Sendable {
  /// The path of the follow: `carddav/home/contacts`.
  @ExactString public var follow: String
  public var source: SourceName

  public init(follow: String, source: SourceName) { (self.follow, self.source) = (follow, source) }

  /// The address books among follows: those of sources that have accounts and people.
  public static func all(among follows: [Follow], of sources: [SourceDescriptor]) -> [FollowedBook] {
    follows.compactMap { follow in
      let name = SourceName(rawValue: String(follow.path.prefix { $0 != "/" }))
      guard let source = sources.first(where: { $0.name == name }), source.hasAccounts,
        source.collections.contains(where: { $0.name == .people })
      else { return nil }
      return FollowedBook(follow: follow.path, source: name)
    }
  }

  /// - Throws: `Failure`: `usage` if it is none of `books`.
  public init(_ path: String, among books: [FollowedBook]) throws(Failure) {
    guard let book = books.first(where: { $0.follow.exact == path.exact }) else {
      let known = books.map(\.follow).joined(separator: ", ")
      throw Failure(
        .config, .usage, "'\(path)' is not a followed address book",
        hint: books.isEmpty
          ? "no address book is followed: follow it first" : "the followed address books are \(known)",
        code: .own(.noBook), path: path)
    }
    self = book
  }
}

extension PeopleService {
  public func add(
    firstName: String, lastName: String, birthday: Birthday?, fullName: String? = nil, details: JSONObject = [:],
    to book: FollowedBook? = nil
  ) async throws(Failure) -> Person {
    try await add(
      firstName: firstName, lastName: lastName, birthday: birthday, fullName: fullName, details: details, to: book,
      isNew: false, alongside: nil)
  }

  public func contacts() throws(Failure) -> [UInt8] { try cards().flatMap(\.bytes) }

  public func calendar(leapDay: Birthday.LeapDayRule, alarm: Interval?) throws(Failure) -> [UInt8] {
    try calendar(of: nil, leapDay: leapDay, alarm: alarm)
  }

  public func importContacts(
    _ bytes: [UInt8], file: String, to book: FollowedBook? = nil
  ) async throws(Failure) -> ImportedContacts {
    try await importContacts(bytes, file: file, ContactReading(), to: book)
  }

  public func queue(_ ids: [String]) async throws(Failure) -> QueuedPeople { try await queue(ids, to: nil) }

  public func edit(_ id: String, _ change: PersonChange) async throws(Failure) -> ChangedPerson {
    try await edit(id, change, ifStored: nil)
  }

  public func remove(_ id: String) async throws(Failure) -> ChangedPerson { try await remove(id, ifStored: nil) }
}

/// A change of a person. Properties that are `nil` do not change.
public struct PersonChange: Hashable, Sendable {
  public var firstName: String?
  public var lastName: String?
  public var birthday: Birthday?
  /// The new full name; an empty one is derived from the names. If only a name changes, a given full name keeps its
  /// form with the new name in it.
  public var fullName: String?
  public var clearsBirthday: Bool
  /// The new values of fields of `ContactDetails`; null removes one.
  public var details: JSONObject
  public var staysHere = false
  /// Whether this is another person than any namesake, also one whom nothing tells apart.
  public var isDistinct = false
  /// Whether the values were stored before, so that they are not checked.
  public var wasStored = false

  public init(
    firstName: String? = nil, lastName: String? = nil, birthday: Birthday? = nil, fullName: String? = nil,
    clearsBirthday: Bool = false, details: JSONObject = [:]
  ) {
    (self.firstName, self.lastName, self.birthday) = (firstName, lastName, birthday)
    (self.fullName, self.clearsBirthday, self.details) = (fullName, clearsBirthday, details)
  }
}

extension PersonChange {
  public init(_ input: PersonInput) { self.init(patch: input.patch) }

  public init(stored patch: JSONObject) {
    self.init(patch: patch)
    wasStored = true
  }

  private init(patch: JSONObject) {
    func text(_ field: String) -> String? { patch[field].map { $0.string ?? "" } }
    self.init(
      firstName: text("firstName"), lastName: text("lastName"),
      birthday: patch["birthday"]?.string.flatMap { Birthday($0) }, fullName: text("fullName"),
      clearsBirthday: patch["birthday"] == .null,
      details: JSONObject(members: patch.members.filter { !PersonInput.names.contains($0.key) }))
  }
}

public struct ChangedPerson: Hashable, Sendable {
  /// The person after the change, or before the removal.
  public var person: Person
  /// Whether the server has, or may have, a copy of this person, which now differs from the local one.
  public var isOnServer: Bool
  public var isSent: Bool
  public var isChanged: Bool
  /// Whether an earlier edit of the person waits to be sent.
  public var waits: Bool

  public init(person: Person, isOnServer: Bool, isSent: Bool = false, isChanged: Bool = true, waits: Bool = false) {
    (self.isChanged, self.waits, self.person) = (isChanged, waits, person)
    (self.isOnServer, self.isSent) = (isOnServer, isSent)
  }
}

public struct QueuedPeople: Hashable, Sendable {
  public enum Reason: Hashable, Sendable, CustomStringConvertible {
    /// The server accepts only people with a birthday.
    case noBirthday
    case futureBirthday(CivilDate)
    /// The server has the person already, who is stored under this id.
    case listed(as: String)

    public var description: String {
      switch self {
      case .noBirthday: "the server takes only people with a birthday"
      case .futureBirthday(let day): "the birthday \(day) is in the future"
      case .listed(let other): "the server has the person already, stored here as \(other)"
      }
    }
  }

  public struct LeftOut: Hashable, Sendable {
    public var person: Person
    public var reason: Reason

    public init(person: Person, reason: Reason) { (self.person, self.reason) = (person, reason) }
  }

  /// The ids of the outbox entries, including those that were already queued.
  public var entries: [String]
  /// The people whom these entries send.
  public var people: [Person] = []
  /// The people who cannot be sent; empty if ids were given.
  public var leftOut: [LeftOut]

  public init(entries: [String], leftOut: [LeftOut] = []) { (self.entries, self.leftOut) = (entries, leftOut) }
}

public struct ImportedContacts: Hashable, Sendable {
  public var added: [Person]
  /// Stored people who changed: a missing birthday was set, or details were added or changed.
  public var updated: [Person]
  public var known: Int
  public var skipped: [ContactCards.Note]
  public var notes: [ContactCards.Note]
  public var columns: [ReadColumn] = []

  public init(
    added: [Person] = [], updated: [Person] = [], known: Int = 0, skipped: [ContactCards.Note] = [],
    notes: [ContactCards.Note] = []
  ) { (self.added, self.updated, self.known, self.skipped, self.notes) = (added, updated, known, skipped, notes) }
}

public struct UpcomingBirthday: Hashable, Sendable {
  public var person: Person
  public var date: CivilDate
  /// The age reached; `nil` if the year of birth is unknown.
  public var age: Int?

  public init(person: Person, date: CivilDate, age: Int?) { (self.person, self.date, self.age) = (person, date, age) }

  public var fields: JSONObject {
    [
      "id": .string(person.id), "fullName": .string(person.fullName), "birthday": .of(person.birthday?.description),
      "date": .of(date.description), "age": .of(age),
    ]
  }
}
