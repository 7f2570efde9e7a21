import Models
import Ports

extension RemoteCard {
  /// Moves the card to another address book, with what else the edit changes.
  ///
  /// The new card is made before the old one is removed, so that the person is always in a book. An attempt that follows one
  /// of unknown outcome continues it: a card with the same `UID` in the other book is then the one that was made.
  ///
  /// - Parameter target: the place of the new card.
  func move(_ entry: OutboxEntry, to target: RemoteCard, round: Int = 1) async throws(SourceError) -> PushOutcome {
    let id = entry.targetID
    let continues = entry.outcomeUnknown || round > 1
    let old: Resource
    do throws(SourceError) { old = try await fetch(id) } catch {
      guard error.isNotFound else { throw error }
      guard let made = try await target.made(uid: known?.uid?.text) else { return .removed }
      return try await made.moved(id)
    }
    let isNewer = entry.edit.members.contains { member in
      let value = old.record.fields[member.key] ?? .null
      return member.key != "origin" && value != Person.accepted(member.key, member.value)
        && value != entry.base[member.key] ?? .null
    }
    if isNewer {
      // Another attempt begins anew.
      if continues, let made = try await target.made(uid: contacts.uid(of: old.card)) { try await made.takeBack(id) }
      return .remoteIsNewer(old.record)
    }
    let person: Person
    do throws(RecordError) { person = try Person(fields: old.record.fields.applying(edit: entry.edit)) } catch {
      throw .refused(message: "the person cannot be sent: \(error)")
    }
    let bytes = contacts.newCard(
      of: person, uid: String(DAVAddress.name(target.path).dropLast(4)), from: old.card, at: now)
    var made = target
    if let there = try await target.made(uid: contacts.uid(of: bytes)) {
      let url = client.start.at(there.path).url
      guard continues else { throw Self.hasUID(url, person.fullName) }
      made = there
      let copy = try await made.fetch(id)
      if copy.record.fields != person.fields {
        // The old card was changed after the new one was made.
        let response = try await made.put(copy, with: bytes)
        guard response.isSuccess else { throw made.error(response) }
      }
    } else {
      let response = try await target.putNew(bytes)
      guard response.isSuccess else { throw made.error(response) }
      made.path = target.place(response) ?? target.path
    }
    do throws(SourceError) {
      switch try await remove(id, ifMatch: old.whole.tag) {
      case .removed: break
      case .preconditionFailed:
        // The old card changed meanwhile, and the new one gets the change.
        if round < 3 { return try await move(entry, to: target, round: round + 1) }
        try await made.takeBack(id)
        return .remoteIsNewer(try await fetch(id).record)
      }
    } catch {
      // It stays where it was.
      if error.disposition == .refused { try await made.takeBack(id) }
      throw error
    }
    var outcome = try await made.moved(id)
    if case .accepted(var record) = outcome {
      note(bytes, try await made.fetch(id).card, in: &record)
      outcome = .accepted(record)
    }
    return outcome
  }

  private func takeBack(_ id: String) async throws(SourceError) {
    _ = try await remove(id, ifMatch: fetch(id).whole.tag)
  }

  /// The card with a `UID`, or the one at this place; `nil` if there is neither.
  private func made(uid: String?) async throws(SourceError) -> RemoteCard? {
    var made = self
    if let uid, let owner = try await owner(of: uid) {
      made.path = owner.path
      return made
    }
    do throws(SourceError) {
      guard let card = try await client.cards([path], of: cards.path, read: { $0 }).first, case .card = card else {
        return nil
      }
      return made
    } catch {
      if error.isNotFound { return nil }
      throw error
    }
  }

  private func moved(_ id: String) async throws(SourceError) -> PushOutcome {
    var record = try await fetch(id).record
    // The next pull fetches the card, and keeps it.
    record.sourceState?.entityTag = nil
    return .accepted(record)
  }
}
