public import Models
public import Ports

extension People {
  /// Adds everybody of a file of contact cards, as one commit; who is here already, or stands twice in the file, is
  /// added once.
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
      var known: Set<[String]> = []
      try transaction.scan(Person.self, .all, coder) { (person) throws(StoreError) in
        known.insert(person.identity)
        return .next
      }
      var result = ImportedContacts(added: [], known: 0, skipped: cards.skipped)
      for card in cards.people.map(\.trimmed) {
        guard !card.firstName.isEmpty || !card.lastName.isEmpty else {
          result.skipped.append(ContactCards.Skipped(line: 0, name: nil, reason: "the card has no name"))
          continue
        }
        guard known.insert(card.identity).inserted else {
          result.known += 1
          continue
        }
        // The card's own id is no id on the server.
        var person = card.person(id: newID())
        person.remoteID = nil
        try transaction.put(person, coder)
        result.added.append(person)
      }
      return .success(result)
    }
  }

  /// Everybody as a file of contact cards, by name.
  public func contacts() throws(Failure) -> [UInt8] { contactFormat.write(try everybody()) }

  /// Everybody's birthday as an iCalendar file, by name.
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
    return people.sorted { ($0.fullName, $0.id) < ($1.fullName, $1.id) }
  }
}
