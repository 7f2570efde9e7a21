public import Models
public import Ports

extension People {
  /// Imports a file as one commit. A person who is stored already, or is in the file twice, is not added again. O(n) for n
  /// people and cards.
  public func importContacts(
    _ bytes: [UInt8], file: String, _ reading: ContactReading, to book: FollowedBook?
  ) async throws(Failure) -> ImportedContacts {
    var all = ImportedContacts()
    let files = try Self.named(file) { () throws(ParsingError) in try contactFormat.files(of: bytes) }
    // Nothing is imported of an archive with a file that cannot be read.
    var contents: [ContactCards] = []
    for one in files {
      let path = one.name.map { "\(file)/\($0)" } ?? file
      var cards = try Self.named(path) { () throws(ParsingError) in try contactFormat.read(one.bytes, as: reading) }
      addGroups(to: &cards)
      for index in cards.skipped.indices { cards.skipped[index].file = one.name }
      contents.append(cards)
    }
    for (one, cards) in zip(files, contents) {
      var imported = try await importContacts(cards, to: book)
      for index in imported.notes.indices { imported.notes[index].file = one.name }
      all.added += imported.added
      all.updated += imported.updated
      all.known += imported.known
      all.skipped += imported.skipped
      all.notes += imported.notes
      all.columns += cards.columns
    }
    return all
  }

  /// Puts the members of the file's groups into groups of these names. A group of which nobody is in the file stays among the
  /// skipped cards.
  private func addGroups(to cards: inout ContactCards) {
    var places: [ExactString: [Int]] = [:]
    for (index, contact) in cards.people.enumerated() {
      if let uid = contact.uid { places[uid.exact, default: []].append(index) }
      for mail in contact.details.emails { places["mailto:\(mail.value)".exact, default: []].append(index) }
    }
    for group in cards.groups {
      let members = Set(group.members.map(\.exact))
      let missing = members.count { places[$0] == nil }
      let found = Set(members.flatMap { places[$0] ?? [] })
      for index in found.sorted() {
        var contact = cards.people[index]
        guard !contact.details.groups.contains(where: { $0.exact == group.name.exact }) else { continue }
        contact.details.groups.append(group.name)
        // Removed from the group here, the person does not return with the same file.
        if !contact.card.isEmpty { contact.card = written(contact) }
        cards.people[index] = contact
      }
      let place = cards.skipped.firstIndex { $0.line == group.line && !$0.isOfPerson }
      if missing > 0 {
        let words = "\(missing.counted("member")) of the group \(missing == 1 ? "is" : "are") not in the file"
        if found.isEmpty, let place {
          cards.skipped[place].reason = "a group: \(words)"
        } else {
          cards.notes.append(.init(line: group.line, name: group.name, reason: words))
        }
      }
      if !found.isEmpty, let place { cards.skipped.remove(at: place) }
    }
  }

  private static func named<Value>(_ file: String, _ read: () throws(ParsingError) -> Value) throws(Failure) -> Value {
    do throws(ParsingError) { return try read() } catch {
      var failure = error.failure
      failure.message = "\(file): \(failure.message)"
      failure.url = nil
      failure.path = file
      throw failure
    }
  }

  private func importContacts(_ cards: ContactCards, to book: FollowedBook?) async throws(Failure) -> ImportedContacts {
    let united = try Failure.from { () throws(StoreError) in try unitedCards(cards.people, to: book) }
    return try await change { (transaction) throws(StoreError) in
      var result = ImportedContacts(known: united.known, skipped: cards.skipped, notes: cards.notes + united.notes)
      var (known, local): ([Person], [Person]) = ([], [])
      let (reader, pending) = (transaction, try pending(in: transaction))
      let wanted = Set(united.people.map { Self.foldedNames($0.person) })
      var evidence = united.people.map(\.contact.evidence)
      let keys = evidence.map { $0.uid == nil && $0.id == nil ? PersonKey.imported($0) : nil }
      let counts = Dictionary(keys.compactMap { $0 }.map { ($0, 1) }, uniquingKeysWith: +)
      let inputs = try zip(united.people, keys).map { (one, key) throws(StoreError) in
        let isShared = key.map { counts[$0]! > 1 } ?? false
        return try ImportedInput(one.contact, key, isShared: isShared, in: reader, coder)
      }
      for (index, input) in inputs.enumerated() { evidence[index].importedAs = input?.person?.exact }
      let uids = Set(evidence.compactMap(\.uid))
      var contactOwners = ContactOwners(of: united.people.map(\.person.details))
      let wantedIDs = Set(evidence.compactMap(\.id) + evidence.compactMap(\.importedAs))
        .union(try owners(of: uids, in: transaction))
      try transaction.scan(Person.self, .all, coder) { (person) throws(StoreError) in
        contactOwners.see(person)
        guard wanted.contains(Self.foldedNames(person)) || wantedIDs.contains(person.id.exact) else {
          return .next
        }
        if book.map({ person.origin?.exact == $0.follow.exact }) ?? true {
          known.append(person)
        } else if try isLocal(person, pending: pending, in: reader) {
          // With an address book, the people who are only here: they can be added to it.
          local.append(person)
        }
        return .next
      }
      let matches = try match(evidence, known, in: transaction)
      let open = matches.indices.filter { matches[$0].match == .new }
      let localMatches = Dictionary(
        uniqueKeysWithValues: zip(open, try match(open.map { evidence[$0] }, local, in: transaction)))
      let hasMarkers = try !RemovalMarker.all(in: transaction, coder).isEmpty
      for (index, (contact, person)) in united.people.enumerated() {
        func note(_ reason: String, _ people: [Person] = []) {
          var note = ContactCards.Note(line: contact.line, name: person.fullName, reason: reason)
          note.people = people.map(\.id)
          result.notes.append(note)
        }
        /// Says for whom a card was taken that names alone give to somebody, where others have them, too.
        func noteChoice(_ one: Person, _ others: [Person]) {
          guard !others.isEmpty, !(inputs[index]?.hasSaid(contact.details, of: one.id) ?? false) else { return }
          note("taken for \(Self.named([one])), but \(Self.named(others)) may be meant as well", [one] + others)
        }
        if let birth = contact.birthday?.dateOfBirth, birth > time.now.date {
          // An address book takes any birthday; a server of people does not.
          note("the birthday \(birth) is in the future" + (book == nil ? "; it is stored but not sent" : ""))
        }
        let (match, localMatch) = (matches[index], localMatches[index])
        if let merged = match.merged ?? (book == nil ? nil : localMatch?.merged),
          let old = try transaction.record(Person.self, merged.id, coder)
        {
          if try !learn(old, from: contact, inputs[index], in: &transaction, &result) { result.known += 1 }
          try inputs[index]?.keep(contact, as: old.id, in: &transaction, coder)
          continue
        }
        switch (match.match, localMatch?.match) {
        case (.same(let place, _), _):
          let old = known[place]
          noteChoice(old, match.others)
          if try !learn(old, from: contact, inputs[index], in: &transaction, &result) { result.known += 1 }
          try inputs[index]?.keep(contact, as: old.id, in: &transaction, coder)
        case (_, .same(let place, _)?) where book != nil:
          noteChoice(local[place], localMatch?.others ?? [])
          try join(book!, local[place], from: contact, inputs[index], in: &transaction, &result)
          try inputs[index]?.keep(contact, as: local[place].id, in: &transaction, coder)
        case (_, .several?) where book != nil:
          result.known += 1
          let people = localMatch?.others ?? []
          note("it may be \(Self.named(people)): none of them is added to the address book", people)
        case (.several, _) where contact.details == ContactDetails() && contact.birthday == nil:
          result.known += 1
          note("it may be \(Self.named(match.others)), and says nothing else: nobody is added", match.others)
        case (let kind, _):
          if kind == .several {
            note("it may be \(Self.named(match.others)): added as another one", match.others)
          }
          if let (contact, isPhone, owner) = contactOwners.owner(of: person.details) {
            note("has the \(isPhone ? "number" : "mail address") \(contact) of \(Self.named([owner]))", [owner])
          }
          try transaction.put(person, coder)
          try StoredCard.put(contact.card, person.id, in: &transaction, coder)
          try inputs[index]?.keep(contact, as: person.id, in: &transaction, coder)
          if let book { try queue(person, for: book, from: Person.imported, in: &transaction) }
          if hasMarkers { try RemovalMarker.link(person, in: &transaction, coder) }
          result.added.append(person)
        }
      }
      result.notes.sort { $0.line < $1.line }
      return .success(result)
    }
  }

  static func foldedNames(_ person: Person) -> [String] {
    [FoldedText.folded(person.firstName), FoldedText.folded(person.lastName)]
  }

  /// The people of a file's cards, each once, and what is said about cards of one name.
  private struct UnitedCards: Sendable {
    var people: [(contact: Contact, person: Person)] = []
    /// The number of cards that say nothing of their own.
    var known = 0
    var notes: [ContactCards.Note] = []
  }

  /// Unites the cards of one person, so that no detail is lost.
  private func unitedCards(_ cards: [Contact], to book: FollowedBook?) throws(StoreError) -> UnitedCards {
    var united = UnitedCards()
    var firsts: [[String]: Contact] = [:]
    let names = cards.map { Self.foldedNames($0.person(id: "")) }
    let wanted = Set(Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +).filter { $0.value > 1 }.keys)
    let evidence = zip(cards, names).map { wanted.contains($1) ? $0.wholeEvidence : $0.evidence }
    for group in PersonMatcher.people(of: evidence, besides: try storedNamesakes(wanted)) {
      let contact = self.united(group.cards.map { cards[$0] })
      for other in group.cards.dropFirst().map({ cards[$0] }) {
        united.known += 1
        let added = contact.details == cards[group.cards[0]].details ? "" : "; its details are added"
        let kept = Self.kept(contact.details, insteadOf: other.details).map { "; \($0)" } ?? ""
        united.notes.append(
          .init(
            line: other.line, name: contact.displayName,
            reason: "the same person as on the card at line \(contact.line)\(added)\(kept)"))
      }
      let name = [contact.firstName.trimmed, contact.lastName.trimmed]
      if group.isUnclear, contact.uid == nil, contact.details == ContactDetails() {
        // Nothing of the card is lost.
        united.known += 1
        continue
      }
      if let first = firsts[name] {
        united.notes.append(
          .init(
            line: contact.line, name: contact.displayName,
            reason: "another person than on the card at line \(first.line): \(contact.difference(from: first))"))
      }
      firsts[name] = firsts[name] ?? contact
      // The id of a card is not the id on the server.
      let person = Person(
        id: edits.newID(), firstName: name[0], lastName: name[1], birthday: contact.birthday,
        fullName: contact.fullName, details: contact.details, origin: book?.follow ?? Person.imported)
      united.people.append((contact, person))
    }
    return united
  }

  /// The stored people of the folded names that several cards have.
  private func storedNamesakes(_ wanted: Set<[String]>) throws(StoreError) -> [PersonEvidence] {
    var found: [PersonEvidence] = []
    if wanted.isEmpty { return found }
    try store.snapshot().scan(Person.self, .all, coder) { (person) throws(StoreError) in
      if wanted.contains(Self.foldedNames(person)) { found.append(PersonEvidence(person)) }
      return .next
    }
    return found
  }

  /// One card for several of one person: the first complete one, with what the others add.
  private func united(_ cards: [Contact]) -> Contact {
    var united = cards.first { !$0.card.isEmpty } ?? cards[0]
    let base = united
    united.line = cards[0].line
    for card in cards {
      let notes = [united.details.note, card.details.note].compactMap { $0 }
      // Of two texts, that of the first card counts; only notes can be joined.
      united.details = united.details.united(with: card.details)
      if notes.count == 2, notes[0].exact != notes[1].exact { united.details.note = notes.joined(separator: "\n") }
      united.birthday = united.birthday ?? card.birthday
      united.uid = united.uid ?? card.uid
    }
    if united.details != base.details || united.birthday != base.birthday { united.card = written(united) }
    return united
  }

  private func written(_ contact: Contact) -> [UInt8] {
    let person = contact.person(id: contact.uid ?? "card")
    return contactFormat.write([person], cards: contact.card.isEmpty ? [:] : [person.id.exact: contact.card])
  }

  /// The ids of the people whose cards have one of the identifiers. O(n) for n cards.
  private func owners(of uids: Set<ExactString>, in reader: some RecordReader) throws(StoreError) -> Set<ExactString> {
    var owners: Set<ExactString> = []
    if uids.isEmpty { return owners }
    try reader.eachObject(.cards, .all, coder) { fields in
      if let card = StoredCard(fields: fields), let uid = contactFormat.uid(of: card.bytes), uids.contains(uid.exact) {
        owners.insert(card.id.exact)
      }
      return .next
    }
    return owners
  }

  /// Whom a card was taken for, and who may be meant as well.
  private struct CardMatch {
    var match: PersonMatch
    var others: [Person]
    /// The person of another card of the file, with whom that of this card was merged here.
    var merged: Person?
  }

  /// `Ada Lovelace (people/r-1), Ada Lovelace (people/r-2)`.
  private static func named(_ people: [Person]) -> String {
    people.map { "\($0.fullName) (\(CollectionName.people)/\($0.id))" }.joined(separator: " or ")
  }

  /// Whom `PersonMatcher` takes the people of cards for.
  private func match(
    _ list: [PersonEvidence], _ known: [Person], in reader: some RecordReader
  ) throws(StoreError) -> [CardMatch] {
    var matcher = PersonMatcher(.file)
    for person in known {
      let card = try StoredCard.bytes(person.id, in: reader, coder)
      var evidence = PersonEvidence(person, uid: card.flatMap { contactFormat.uid(of: $0) })
      if evidence.uid != nil, let contact = card.flatMap({ try? contactFormat.read($0).people.first }) {
        evidence.cardNames = [contact.firstName.trimmed, contact.lastName.trimmed]
      }
      matcher.add(evidence)
    }
    let matches = matcher.match(list)
    return zip(matches, matcher.alternatives(to: matches, of: list)).map { match, others in
      var merged: Person?
      if case .repeated(let first) = match, case .same(let place, _) = matches[first] { merged = known[place] }
      return CardMatch(match: match, others: others.map { known[$0] }, merged: merged)
    }
  }

  /// Adds a person who is only here to an address book, with what a card says.
  private func join(
    _ book: FollowedBook, _ old: Person, from contact: Contact, _ input: ImportedInput?,
    in transaction: inout any StoreTransaction, _ result: inout ImportedContacts
  ) throws(StoreError) {
    let learned = try learn(old, from: contact, input, in: &transaction, &result)
    let before = learned ? result.updated.removeLast() : old
    var new = before
    new.origin = book.follow
    try replace(before, with: new, in: &transaction)
    try queue(new, for: book, from: old.origin, in: &transaction)
    result.updated.append(new)
  }

  /// What stays where an input says something else; `nil` where it does not.
  private static func kept(
    _ details: ContactDetails, insteadOf other: ContactDetails, besides said: ContactDetails = ContactDetails()
  ) -> String? {
    func short(_ text: String) -> String { "\"\(text.count > 40 ? text.prefix(40) + "…" : text)\"" }
    let texts = details.singles(insteadOf: other, besides: said).map { field, here, there in
      "\(field) stays \(here.map(short) ?? "empty"), not \(short(there))"
    }
    return texts.isEmpty ? nil : texts.joined(separator: "; ")
  }

  /// Takes from a card what it says about a stored person.
  ///
  /// From a later version of the stored card, which has the same `UID`, its changes are taken, so that an edit that was made
  /// here is kept. Everything else only adds what is missing, and leaves the stored card as it is: the first one, until one
  /// with a `UID` comes. What was said before, and was removed here since, is not missing. The card of a person of an address
  /// book is the one that its server has.
  ///
  /// - Returns: whether the person changed; then the person is added to the updated people.
  private func learn(
    _ old: Person, from contact: Contact, _ input: ImportedInput?, in transaction: inout any StoreTransaction,
    _ result: inout ImportedContacts
  ) throws(StoreError) -> Bool {
    let old = try completed(old, in: &transaction)
    if let row = contact.row, row["id"]?.string?.exact == old.id.exact {
      return try correct(old, row, from: contact, in: &transaction, &result)
    }
    let kept = try transaction.object(.cards, old.id, coder).flatMap { StoredCard(fields: $0) }
    let isForeign = try isForeign(old.id, in: transaction)
    let isKnown = input?.person?.exact == old.id.exact
    let stored = kept.map { $0.original ?? $0.bytes }
    let before = isForeign ? nil : stored.flatMap { try? contactFormat.read($0).people.first }
    let isLater = before?.uid != nil && before?.uid?.exact == contact.uid?.exact
    var said = (isKnown ? input?.said : nil) ?? ContactDetails()
    if let before { said = before.details.united(with: said) }
    var new = old
    if let before, isLater {
      new.takeNames(of: contact, insteadOf: before)
      new.details = old.details.merged(from: before.details, to: contact.details)
    } else {
      new.details = old.details.united(
        with: ContactDetails().merged(from: said, to: said.united(with: contact.details)))
    }
    if isLater, old.birthday == before?.birthday { new.birthday = contact.birthday ?? old.birthday }
    if !isKnown { new.birthday = new.birthday ?? contact.birthday }
    if let reason = Self.kept(new.details, insteadOf: contact.details, besides: said) {
      result.notes.append(.init(line: contact.line, name: new.fullName, reason: reason))
    }
    // The card of an export has the edits that were made here. The card before it stays, so that its file is known again.
    let isExport =
      isLater && new == old && before.map { $0.person(id: "").fields != contact.person(id: "").fields } ?? false
    let takesCard =
      !isForeign && !contact.card.isEmpty && stored != contact.card && !isExport
      && (isLater || before == nil || before?.uid == nil && contact.uid != nil)
    if takesCard { try StoredCard.put(contact.card, old.id, in: &transaction, coder) }
    if let photo = new.details.photo, photo.isInCard, takesCard || photo != old.details.photo {
      // Its bytes are only in a card.
      let whole = (photo == old.details.photo ? kept?.bytes : contact.card).flatMap { contactFormat.photo(of: $0) }
      if isForeign {
        // The photo of the server's card is written from this one.
        new.details.photo = whole ?? photo
      } else if let whole, (takesCard ? contact.card : kept?.bytes).flatMap({ contactFormat.photo(of: $0) }) != whole {
        new.details.photo = whole
        try keepPhoto(of: &new, in: &transaction)
      }
    }
    return try update(old, to: new, isForeign: isForeign, in: &transaction, &result)
  }

  private func update(
    _ old: Person, to new: Person, isForeign: Bool, in transaction: inout any StoreTransaction,
    _ result: inout ImportedContacts
  ) throws(StoreError) -> Bool {
    guard new != old else { return false }
    try replace(old, with: new, in: &transaction)
    if isForeign {
      try edits.queueChange(of: .people, old.id, from: old.fields, to: new.fields, in: &transaction)
    } else if Self.sent(old) != Self.sent(new) {
      try requeue(new, in: &transaction)
    }
    result.updated.append(new)
    return true
  }

  /// Changes a person by the row of the person in a table: single values take the place of others, and lists get what is
  /// missing. An empty cell says nothing.
  ///
  /// - Returns: whether the person changed; then the person is added to the updated people.
  private func correct(
    _ old: Person, _ row: JSONObject, from contact: Contact, in transaction: inout any StoreTransaction,
    _ result: inout ImportedContacts
  ) throws(StoreError) -> Bool {
    var new = old
    if let name = row["firstName"]?.string { new.firstName = name }
    if let name = row["lastName"]?.string { new.lastName = name }
    new.fullName = old.fullName(renamedTo: new) ?? ""
    if let name = row["fullName"]?.string, name.exact != old.fullName.exact {
      // That of a row whose names were corrected is still the former one.
      let words = [new.firstName, new.lastName].map { FoldedText.folded($0) }
      if words.allSatisfy({ $0.isEmpty || FoldedText.folded(name).contains($0) }) {
        new.fullName = name
      } else {
        let reason = "the full name \"\(name)\" is left out: it does not have the first and the last name"
        result.notes.append(.init(line: contact.line, name: new.fullName, reason: reason))
      }
    }
    new.birthday = contact.birthday ?? old.birthday
    let fields = old.details.fields
    let texts = ContactDetails(
      fields: JSONObject(
        members: row.members.filter { $0.value.string?.exact != fields[$0.key]?.string?.trimmed.exact }))
    new.details = texts.united(with: old.details.united(with: contact.details))
    return try update(old, to: new, isForeign: isForeign(old.id, in: transaction), in: &transaction, &result)
  }

  /// All people as contact cards, by name. Properties of imported cards that Almanac does not know are kept.
  public func cards() throws(Failure) -> [StoredCard] {
    let people = try all()
    return try Failure.from { () throws(StoreError) in
      let cards = try StoredCard.all(in: store.snapshot(), coder)
      return people.map { person in
        let card = cards[person.id.exact]
        let whole = card.map { completed(person, by: $0) } ?? person
        let known = card.map { [person.id.exact: $0.bytes] } ?? [:]
        return StoredCard(id: person.id, bytes: contactFormat.write([whole], cards: known))
      }
    }
  }

  public func cardCount(of ids: Set<ExactString>) throws(Failure) -> Int {
    try Failure.reading(StoredCard.all(in: store.snapshot(), coder).keys.count { ids.contains($0) })
  }

  /// The person with what an earlier version did not read of the card; then both are written.
  func completed(_ person: Person, in transaction: inout any StoreTransaction) throws(StoreError) -> Person {
    guard let card = try transaction.object(.cards, person.id, coder).flatMap({ StoredCard(fields: $0) }), !card.isRead
    else { return person }
    let completed = completed(person, by: card)
    try StoredCard.put(card.bytes, card.id, in: &transaction, coder)
    if completed != person { try replace(person, with: completed, in: &transaction) }
    return completed
  }

  private func completed(_ person: Person, by card: StoredCard) -> Person {
    guard !card.isRead, let contact = try? contactFormat.read(card.bytes).people.first else { return person }
    var completed = person
    completed.details = person.details.completed(by: contact.details)
    let read = Person(id: "", firstName: contact.firstName, lastName: contact.lastName, birthday: nil)
    // A company had a last name, and 1604 was a year.
    if contact.lastName.isEmpty, person.fullName.exact == read.fullName.exact {
      (completed.firstName, completed.lastName) = (contact.firstName, "")
    }
    if let day = contact.birthday, person.birthday?.year == Birthday.unknownYear,
      person.birthday == Birthday(year: Birthday.unknownYear, month: day.month, day: day.day)
    {
      completed.birthday = day
    }
    return completed
  }

  /// Writes the photo of a person who is only here into the card, where its bytes are kept.
  func keepPhoto(of person: inout Person, in transaction: inout any StoreTransaction) throws(StoreError) {
    guard let photo = person.details.photo, !photo.data.isEmpty else { return }
    let stored = try transaction.object(.cards, person.id, coder).flatMap { StoredCard(fields: $0) }
    var whose = person
    // The card keeps what the file said, so that the same file changes nothing.
    if let stored, let contact = try? contactFormat.read(stored.bytes).people.first {
      whose = contact.person(id: person.id)
      whose.details.photo = photo
    }
    let written = contactFormat.write([whose], cards: stored.map { [person.id.exact: $0.bytes] } ?? [:])
    var card = stored ?? StoredCard(id: person.id, bytes: written)
    card.bytes = written
    card.original = stored.map { $0.original ?? $0.bytes }
    try transaction.put(coder.encode(card.fields), id: person.id, in: .cards)
    person.details.photo = (try? contactFormat.read(written).people.first)?.details.photo
  }

  /// The photo of a person: one that waits to be sent is still in the record.
  public func photo(of id: String) throws(Failure) -> ContactPhoto? {
    let found = try store.read { (snapshot) throws(StoreError) -> (person: Person, card: [UInt8]?)? in
      guard let person = try snapshot.record(Person.self, id, coder) else { return nil }
      return (person, try StoredCard.bytes(id, in: snapshot, coder))
    }
    guard let found else { throw notFound(id) }
    guard let photo = found.person.details.photo else { return nil }
    return photo.data.isEmpty ? found.card.flatMap { contactFormat.photo(of: $0) } : photo
  }

  public func calendar(
    of ids: Set<ExactString>?, leapDay: Birthday.LeapDayRule, alarm: Interval?
  ) throws(Failure) -> [UInt8] {
    let people = try all().filter { ids?.contains($0.id.exact) ?? true }
    return calendarFormat.write(people, leapDay: leapDay, alarm: alarm, stamp: time.now)
  }

  private func all() throws(Failure) -> [Person] {
    try Failure.reading(store.snapshot().all(Person.self, coder))
      .sorted { ($0.fullName, $0.id.exact) < ($1.fullName, $1.id.exact) }
  }
}

extension StoredCard {
  static func put(
    _ card: [UInt8], _ id: String, in transaction: inout any StoreTransaction, _ coder: any RecordCoder
  ) throws(StoreError) {
    guard !card.isEmpty else { return }
    try transaction.put(coder.encode(StoredCard(id: id, bytes: card).fields), id: id, in: .cards)
  }

  static func bytes(
    _ id: String, in reader: some RecordReader, _ coder: any RecordCoder
  ) throws(StoreError) -> [UInt8]? {
    try reader.object(.cards, id, coder).flatMap { StoredCard(fields: $0)?.bytes }
  }

  static func all(
    in reader: some RecordReader, _ coder: any RecordCoder
  ) throws(StoreError) -> [ExactString: StoredCard] {
    var cards: [ExactString: StoredCard] = [:]
    try reader.eachObject(.cards, .all, coder) { fields in
      if let card = StoredCard(fields: fields) { cards[card.id.exact] = card }
      return .next
    }
    return cards
  }
}

extension Person {
  /// Takes the names of a later version of a card, but for those that were edited since the former one was read.
  fileprivate mutating func takeNames(of card: Contact, insteadOf former: Contact) {
    let (old, was, now) = (self, former.person(id: id), card.person(id: id))
    if firstName.exact == was.firstName.trimmed.exact { firstName = now.firstName.trimmed }
    if lastName.exact == was.lastName.trimmed.exact { lastName = now.lastName.trimmed }
    fullName = old.fullName.exact == was.fullName.exact ? now.fullName : old.fullName(renamedTo: self) ?? ""
  }
}

extension Contact {
  /// What the card tells of whom it is, with its `UID`.
  public var evidence: PersonEvidence {
    var evidence = PersonEvidence(
      firstName: firstName.trimmed, lastName: lastName.trimmed, birthday: birthday, contacts: details.contactKeys)
    evidence.uid = uid?.exact
    evidence.id = row?["id"]?.string?.exact
    return evidence
  }

  /// With the values of which the card has one each.
  var wholeEvidence: PersonEvidence {
    var evidence = evidence
    evidence.singles = details.singles
    return evidence
  }

  fileprivate var displayName: String {
    Person(id: "", firstName: firstName.trimmed, lastName: lastName.trimmed, birthday: nil, fullName: fullName).fullName
  }

  /// Why two of one name are two people.
  fileprivate func difference(from other: Contact) -> String {
    if let birthday, let theirs = other.birthday, birthday != theirs { return "the birthdays differ" }
    if let uid, let theirs = other.uid, uid.exact != theirs.exact { return "the UIDs differ" }
    let (contacts, theirs) = (details.contactKeys, other.details.contactKeys)
    if !contacts.isEmpty, !theirs.isEmpty, contacts.isDisjoint(with: theirs) {
      return "they have no mail address and no number in common"
    }
    let fields = details.singles(insteadOf: other.details).filter { $0.here != nil }.map(\.field)
    return fields.isEmpty ? "it is not clear which of several it is" : "other \(fields.joined(separator: ", "))"
  }
}

extension People {
  /// The birthdays on `day` and the `days` days after it, by day, then by name. In more than a year a person is listed
  /// more than once. Days before the date of birth are skipped. O(n log n) for n people.
  public func birthdays(
    from day: CivilDate, days: Int, leapDay: Birthday.LeapDayRule
  ) throws(Failure) -> [UpcomingBirthday] {
    guard days >= 0 else { throw Failure(.config, .usage, "the number of days cannot be negative", code: .own(.days)) }
    let lastDay = CivilDate(year: 9999, month: 12, day: 31)!
    let end = day.adding(days: min(days, lastDay.daysSinceEpoch - day.daysSinceEpoch))
    var upcoming: [UpcomingBirthday] = []
    try Failure.from { () throws(StoreError) in
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
    }
    return upcoming.sorted { lhs, rhs in
      (lhs.date, lhs.person.fullName, lhs.person.id.exact) < (rhs.date, rhs.person.fullName, rhs.person.id.exact)
    }
  }
}
