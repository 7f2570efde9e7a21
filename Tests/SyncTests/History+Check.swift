import AlmanacTesting
import Models
import Ports
import Sync

extension History {
  /// What must hold at the end.
  mutating func check() throws {
    let state = server.now
    tally[.faults] += faults.count
    try checkSidesAgree(state)
    try checkNoEditIsLost(state)
    try checkNothingIsOverwrittenUnseen(state)
    try checkNothingIsRemovedUnseen(state)
    try checkNotes(state)
    try checkNothingIsSentBlindly()
  }

  private func checkSidesAgree(_ state: FakeSourceServer.State) throws {
    for card in Self.cards {
      let here = try bench.card(card)
      guard here == state.cards[card.exact] else {
        throw BrokenHistory(
          "\(card) is \(String(describing: here)), there \(String(describing: state.cards[card.exact]))")
      }
    }
  }

  private func checkNoEditIsLost(_ state: FakeSourceServer.State) throws {
    for edit in edits where edit.excuse == nil {
      guard state.values["\(edit.card)/\(edit.field)".exact]?.contains(edit.value) == true else {
        throw BrokenHistory("the edit \(edit.card).\(edit.field) = \(edit.value) is lost")
      }
    }
    // A value comes back only where somebody chose it over the one that had taken its place.
    for (place, values) in state.values {
      let once = values.compactMap(\.string).filter { !chosen.contains($0) }
      if Set(once).count == once.count { continue }
      throw BrokenHistory("\(place) had a value twice: \(values)")
    }
  }

  /// A value that somebody else wrote goes only for another one of theirs, or for an edit whose maker knew of it.
  private func checkNothingIsOverwrittenUnseen(_ state: FakeSourceServer.State) throws {
    for (place, values) in state.values {
      for (old, new) in zip(values, values.dropFirst()) {
        guard let old = old.string, let new = new.string, remoteValues.contains(old), !remoteValues.contains(new) else {
          continue
        }
        guard watch.known("\(place)=\(new)").contains(old) else {
          throw BrokenHistory("\(place): \(new) took the place of \(old), which nobody here had seen")
        }
      }
    }
  }

  /// A card that we removed had no value of somebody else's that its remover had not seen.
  private func checkNothingIsRemovedUnseen(_ state: FakeSourceServer.State) throws {
    for removal in state.removals {
      for member in removal.fields.members {
        guard let value = member.value.string, remoteValues.contains(value) else { continue }
        guard watch.known("\(removal.id)/\(member.key)=removed").contains(value) else {
          throw BrokenHistory("\(removal.id) was removed with \(member.key)=\(value), which nobody here had seen")
        }
      }
    }
  }

  private func checkNotes(_ state: FakeSourceServer.State) throws {
    let there = state.notes.map(\.text)
    for text in notes {
      let count = there.filter { $0 == text }.count
      guard count == 1 else { throw BrokenHistory("the note \(text) is there \(count) times") }
    }
    for text in removedNotes where there.contains(text) { throw BrokenHistory("the removed note \(text) is there") }
    var here: [String] = []
    for id in try bench.ids(FakeSource.notes) {
      here.append(try bench.record(FakeSource.notes, id)?["text"]?.string ?? "")
    }
    guard here.sorted() == there.sorted() else {
      throw BrokenHistory("the notes here are \(here), there \(there)")
    }
  }

  /// Between two tries of one edit of which the first may have arrived, the server was read.
  private func checkNothingIsSentBlindly() throws {
    if let entry = watch.blind { throw BrokenHistory("\(entry) was sent again without a look") }
  }

  /// A second sync sends nothing and changes no record.
  func checkQuiet() async throws {
    let writes = server.now.seen.filter { $0.method != .get }.count
    let place = try bench.place()
    // A follow of a card that both sides removed fails.
    let gone = Self.cards.filter { server.now.cards[$0.exact] == nil }.map { "fake/card/\($0)".exact }
    let follows = Self.follows.filter { !gone.contains($0.$path) }
    let report = try await engine(Kill(after: nil)).sync(follows, SyncOptions())
    guard server.now.seen.filter({ $0.method != .get }).count == writes, try bench.changes(since: place).isEmpty,
      report.follows.allSatisfy({ $0.status == .unchanged })
    else {
      throw BrokenHistory("a second sync still moves something: \(report.fields)")
    }
  }
}
