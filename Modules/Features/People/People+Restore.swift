public import Models
public import Ports

extension People: PersonRestorer {
  public func photo(_ photo: ContactPhoto, in cards: [StoredCard]) -> ContactPhoto? {
    cards.lazy.compactMap { contactFormat.photo(of: $0.bytes) }.first { $0.bytes == photo.bytes }
  }

  public func restore(
    _ restoration: Restoration, card: StoredCard?, in books: [FollowedBook]
  ) async throws(Failure) -> Person {
    guard restoration.kind == .post else {
      var change = PersonChange(stored: restoration.edit)
      change.wasStored = restoration.wasStored
      return try await edit(restoration.id, change, ifStored: restoration.current).person
    }
    var fields = restoration.edit
    fields["id"] = .string(restoration.id)
    var person: Person
    do throws(RecordError) { person = try Person(fields: fields) } catch {
      throw StoreError(.damaged, "people/\(restoration.id) cannot be read: \(error)").failure
    }
    let book = try Failure.from { () throws(StoreError) in
      try readOnly(person, in: store.snapshot()) == nil ? books.first { $0.follow.exact == person.origin?.exact } : nil
    }
    if book == nil, person.origin != Person.imported { person.origin = nil }
    // The server of people still has whom it has a marker of.
    person.remoteID = try Failure.from { () throws(StoreError) in
      guard book == nil, let id = person.remoteID else { return nil }
      return try store.snapshot().state(PersonKey.removed(remoteID: id), coder) == nil ? nil : id
    }
    let known: Known = restoration.isDistinct ? .all : .unequal
    return try await add(person, besides: known, to: book, card: card, alongside: nil)
  }
}
