public import Models
public import Ports

extension People {
  /// Imports a file of contact cards as one commit. A person who is stored already, or is in the file twice, is not added
  /// again. O(n) for n people and cards.
  public func importContacts(_ bytes: [UInt8], file: String) async throws(Failure) -> ImportedContacts {
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
      try transaction.scan(Person.self, .all, coder) { (person) throws(StoreError) in
        known.add(person)
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
      for contact in cards.people {
        // The id of a card is not the id on the server.
        let person = Person(
          id: newID(), firstName: Self.trimmed(contact.firstName), lastName: Self.trimmed(contact.lastName),
          birthday: contact.birthday, fullName: contact.fullName)
        if let birth = contact.birthday?.dateOfBirth, birth > time.now.date {
          result.notes.append(
            .init(
              line: contact.line, name: person.fullName,
              reason: "the birthday \(birth) is in the future; it is stored but not sent"))
        }
        switch known.match(person) {
        case .known:
          result.known += 1
          if let line = lines[[person.firstName, person.lastName]] {
            result.notes.append(
              .init(line: contact.line, name: person.fullName, reason: "the same person as on the card at line \(line)")
            )
          }
        case .withoutBirthday(let old):
          var new = old
          new.birthday = person.birthday
          try replace(old, with: new, in: &transaction)
          known.add(new)
          result.updated.append(new)
        case .new:
          try transaction.put(person, coder)
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

  /// All people as a file of contact cards, by name.
  public func contacts() throws(Failure) -> [UInt8] { contactFormat.write(try everybody()) }

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

/// Finds the stored person that a card describes.
private struct KnownNames {
  enum Match {
    case known
    /// A person with these names who gets the birthday of the card.
    case withoutBirthday(Person)
    case new
  }

  private var identities: Set<[String]> = []
  /// A person without a birthday by both names; `nil` if all people with these names have one.
  private var names: [[String]: Person?] = [:]

  mutating func add(_ person: Person) {
    identities.insert(person.identity)
    let name = [person.firstName, person.lastName]
    if person.birthday == nil {
      names[name] = .some(person)
    } else if names[name] == nil || names[name]??.id == person.id {
      names[name] = .some(nil)
    }
  }

  /// A card with less data than the stored person is not a new person: a card without a birthday matches any person with
  /// its names, and a card with one matches a person with its names and no birthday.
  func match(_ person: Person) -> Match {
    if identities.contains(person.identity) { return .known }
    guard let namesake = names[[person.firstName, person.lastName]] else { return .new }
    if person.birthday == nil { return .known }
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
      throw Failure(.config, .usage, "the number of days cannot be negative", code: "days")
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
