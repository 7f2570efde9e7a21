public import Models
public import Ports

extension People {
  /// Imports a file of contact cards as one commit. A person who is stored already, or is in the file twice, is not added
  /// again. O(n) for n people and cards.
  public func importContacts(
    _ bytes: [UInt8], file: String, to book: FollowedBook?
  ) async throws(Failure) -> ImportedContacts {
    let cards: ContactCards
    do throws(ParsingError) {
      cards = try contactFormat.read(bytes)
    } catch {
      var failure = error.failure
      failure.message = "\(file): \(failure.message)"
      failure.url = nil
      failure.path = file
      throw failure
    }
    return try await change { (transaction) throws(StoreError) in
      var known = KnownNames()
      // With an address book, the people who are only here: they can be added to it.
      var local = KnownNames()
      let reader = transaction
      let pending = Set(try edits.edits(of: .people, in: transaction).map(\.targetID.exact))
      let wanted = Set(cards.people.map { [$0.firstName.trimmed, $0.lastName.trimmed] })
      try transaction.scan(Person.self, .all, coder) { (person) throws(StoreError) in
        if book.map({ person.origin?.exact == $0.follow.exact }) ?? true {
          known.add(person)
        } else if wanted.contains([person.firstName, person.lastName]),
          try isLocal(person, pending: pending, in: reader)
        {
          local.add(person)
        }
        return .next
      }
      let hasMarkers = try !RemovalMarker.all(in: transaction, coder).isEmpty
      var result = ImportedContacts(skipped: cards.skipped, notes: cards.notes)
      let withoutBirthday = Set(cards.people.filter { $0.birthday == nil }.map(\.line))
      for index in result.notes.indices where withoutBirthday.contains(result.notes[index].line) {
        result.notes[index].reason += "; the person is imported without it"
      }
      // Two cards with one name may be two people, but only one of them is imported.
      var lines: [[String]: Int] = [:]
      // The people whom a card of this file describes. Further cards do not change them.
      var described: Set<ExactString> = []
      for contact in cards.people {
        // The id of a card is not the id on the server.
        let person = Person(
          id: edits.newID(), firstName: contact.firstName.trimmed, lastName: contact.lastName.trimmed,
          birthday: contact.birthday, fullName: contact.fullName, details: contact.details,
          origin: book?.follow ?? Person.imported)
        if let birth = contact.birthday?.dateOfBirth, birth > time.now.date {
          result.notes.append(
            .init(
              line: contact.line, name: person.fullName,
              reason: "the birthday \(birth) is in the future; it is stored but not sent"))
        }
        let match = known.match(person)
        if case .new = match, case .known(nil) = local.match(person) {
          result.known += 1
          result.notes.append(
            .init(
              line: contact.line, name: person.fullName,
              reason: "several people of these names are here; none of them is added to the address book"))
          continue
        }
        if case .new = match, let book, let old = local.take(person) {
          described.insert(old.id.exact)
          let new = try join(book, old, from: contact, person, in: &transaction, &result)
          known.add(new)
          lines[[person.firstName, person.lastName]] = contact.line
          continue
        }
        switch match {
        case .known(let old):
          var isUpdated = false
          if let old, described.insert(old.id.exact).inserted {
            isUpdated = try learn(old, from: contact, birthday: old.birthday, in: &transaction, &result)
          }
          if !isUpdated { result.known += 1 }
          if let line = lines[[person.firstName, person.lastName]] {
            result.notes.append(
              .init(line: contact.line, name: person.fullName, reason: "the same person as on the card at line \(line)")
            )
          }
        case .withoutBirthday(let old):
          described.insert(old.id.exact)
          _ = try learn(old, from: contact, birthday: person.birthday, in: &transaction, &result)
          if let new = result.updated.last { known.add(new) }
        case .new:
          described.insert(person.id.exact)
          try transaction.put(person, coder)
          try StoredCard.put(contact.card, person.id, in: &transaction, coder)
          if let book { try queue(person, for: book, from: Person.imported, in: &transaction) }
          if hasMarkers { try RemovalMarker.link(person, in: &transaction, coder) }
          known.add(person)
          result.added.append(person)
        }
        lines[[person.firstName, person.lastName]] = contact.line
      }
      result.notes.sort { $0.line < $1.line }
      return .success(result)
    }
  }

  /// Adds a person who is only here to an address book, with what a card says.
  private func join(
    _ book: FollowedBook, _ old: Person, from contact: Contact, _ person: Person,
    in transaction: inout any StoreTransaction, _ result: inout ImportedContacts
  ) throws(StoreError) -> Person {
    let birthday = old.birthday ?? person.birthday
    let learned = try learn(old, from: contact, birthday: birthday, in: &transaction, &result)
    let before = learned ? result.updated.removeLast() : old
    var new = before
    new.origin = book.follow
    try replace(before, with: new, in: &transaction)
    try queue(new, for: book, from: old.origin, in: &transaction)
    result.updated.append(new)
    return new
  }

  /// Takes from a card what it says about a stored person, and stores the card.
  ///
  /// The first card of a person adds what is not known. From a later card, only its changes since the stored one are taken,
  /// so that an edit that was made here is kept. The card of a person of an address book is the one that its server has: a
  /// card from elsewhere only adds what is missing.
  ///
  /// - Returns: whether the person changed; then the person is added to the updated people.
  private func learn(
    _ old: Person, from contact: Contact, birthday: Birthday?, in transaction: inout any StoreTransaction,
    _ result: inout ImportedContacts
  ) throws(StoreError) -> Bool {
    let stored = try StoredCard.bytes(old.id, in: transaction, coder)
    let isForeign = try isForeign(old.id, in: transaction)
    let before = isForeign ? nil : stored.flatMap { try? contactFormat.read($0).people.first }
    var new = old
    new.birthday = birthday
    new.details = old.details.merged(from: before?.details ?? ContactDetails(), to: contact.details)
    if !isForeign, !contact.card.isEmpty, stored != contact.card {
      try StoredCard.put(contact.card, old.id, in: &transaction, coder)
    }
    guard new != old else { return false }
    try replace(old, with: new, in: &transaction)
    if isForeign { try edits.queueChange(of: .people, old.id, from: old.fields, to: new.fields, in: &transaction) }
    result.updated.append(new)
    return true
  }

  /// All people as a file of contact cards, by name. Properties of imported cards that Almanac does not know are kept.
  public func contacts() throws(Failure) -> [UInt8] {
    let people = try everybody()
    do throws(StoreError) {
      return contactFormat.write(people, cards: try StoredCard.all(in: store.snapshot(), coder))
    } catch {
      throw error.failure
    }
  }

  /// All birthdays as an iCalendar file, by name.
  public func calendar(leapDay: Birthday.LeapDayRule, alarm: Interval?) throws(Failure) -> [UInt8] {
    calendarFormat.write(try everybody(), leapDay: leapDay, alarm: alarm, stamp: time.now)
  }

  private func everybody() throws(Failure) -> [Person] {
    var people: [Person] = []
    do throws(StoreError) {
      try store.snapshot().scan(Person.self, .all, coder) { (person) throws(StoreError) in
        people.append(person)
        return .next
      }
    } catch {
      throw error.failure
    }
    return people.sorted { ($0.fullName, $0.id.exact) < ($1.fullName, $1.id.exact) }
  }
}

extension StoredCard {
  fileprivate static func put(
    _ card: [UInt8], _ id: String, in transaction: inout any StoreTransaction, _ coder: any RecordCoder
  ) throws(StoreError) {
    guard !card.isEmpty else { return }
    try transaction.put(coder.encode(StoredCard(id: id, bytes: card).fields), id: id, in: .cards)
  }

  fileprivate static func bytes(
    _ id: String, in reader: some RecordReader, _ coder: any RecordCoder
  ) throws(StoreError) -> [UInt8]? {
    try reader.object(.cards, id, coder).flatMap { StoredCard(fields: $0)?.bytes }
  }

  /// All cards by the ids of their people.
  fileprivate static func all(
    in reader: some RecordReader, _ coder: any RecordCoder
  ) throws(StoreError) -> [ExactString: [UInt8]] {
    var cards: [ExactString: [UInt8]] = [:]
    try reader.scan(.cards, .all) { (record: RawSpan) throws(StoreError) -> ScanStep in
      if let card = StoredCard(fields: try coder.object(record, of: .cards)) { cards[card.id.exact] = card.bytes }
      return .next
    }
    return cards
  }
}

/// Finds the stored person that a card describes.
struct KnownNames {
  enum Match {
    /// A person with these names and this birthday; without a birthday on the card, the only person with these names, or
    /// `nil` if there are several.
    case known(Person?)
    /// A person with these names who gets the birthday of the card.
    case withoutBirthday(Person)
    case new
  }

  private var taken: Set<ExactString> = []
  private var identities: [[String]: Person] = [:]
  /// The people by both names; `nil` if several have them.
  private var namesakes: [[String]: Person?] = [:]
  /// A person without a birthday by both names; `nil` if all people with these names have one.
  private var names: [[String]: Person?] = [:]

  mutating func add(_ person: Person) {
    identities[person.identity] = person
    let name = [person.firstName, person.lastName]
    let isOnly = namesakes[name].map { $0?.id.exact == person.id.exact } ?? true
    namesakes[name] = .some(isOnly ? person : nil)
    if person.birthday == nil {
      names[name] = .some(person)
    } else if names[name] == nil || names[name]??.id == person.id {
      names[name] = .some(nil)
    }
  }

  /// The only person whom a card describes, who is not found again.
  mutating func take(_ person: Person) -> Person? {
    let found: Person?
    switch match(person) {
    case .known(let known): found = known
    case .withoutBirthday(let known): found = known
    case .new: found = nil
    }
    guard let found, taken.insert(found.id.exact).inserted else { return nil }
    return found
  }

  /// A card with less data than the stored person is not a new person: a card without a birthday matches any person with
  /// its names, and a card with one matches a person with its names and no birthday.
  func match(_ person: Person) -> Match {
    if let known = identities[person.identity] { return .known(known) }
    let name = [person.firstName, person.lastName]
    guard let namesake = names[name] else { return .new }
    if person.birthday == nil { return .known(namesakes[name] ?? nil) }
    return namesake.map { .withoutBirthday($0) } ?? .new
  }
}

extension People {
  /// The birthdays on `day` and the `days` days after it, by day, then by name. In more than a year a person is listed
  /// more than once. Days before the date of birth are skipped. O(n log n) for n people.
  public func birthdays(
    from day: CivilDate, days: Int, leapDay: Birthday.LeapDayRule
  ) throws(Failure) -> [UpcomingBirthday] {
    guard days >= 0 else {
      throw Failure(.config, .usage, "the number of days cannot be negative", code: .own(.days))
    }
    let lastDay = CivilDate(year: 9999, month: 12, day: 31)!
    let end = day.adding(days: min(days, lastDay.daysSinceEpoch - day.daysSinceEpoch))
    var upcoming: [UpcomingBirthday] = []
    do throws(StoreError) {
      try store.snapshot().scan(.people, .all) { (record: RawSpan) throws(StoreError) -> ScanStep in
        // For most people only the birthday is read, which takes a tenth of the time of a whole person.
        if let text = try? coder.text("birthday", of: record), let birthday = Birthday(text),
          birthday.next(onOrAfter: max(day, birthday.dateOfBirth ?? day), leapDay: leapDay).map({ $0 > end }) ?? true
        {
          return .next
        }
        let person = try Person(stored: record, coder)
        guard let birthday = person.birthday else { return .next }
        var from = max(day, birthday.dateOfBirth ?? day)
        while let date = birthday.next(onOrAfter: from, leapDay: leapDay), date <= end {
          upcoming.append(UpcomingBirthday(person: person, date: date, age: birthday.age(in: date.year)))
          guard date < lastDay else { break }
          from = date.adding(days: 1)
        }
        return .next
      }
    } catch {
      throw error.failure
    }
    return upcoming.sorted { lhs, rhs in
      (lhs.date, lhs.person.fullName, lhs.person.id.exact) < (rhs.date, rhs.person.fullName, rhs.person.id.exact)
    }
  }
}
