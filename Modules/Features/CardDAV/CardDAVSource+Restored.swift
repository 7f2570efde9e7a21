import Models
import Ports

extension CardDAVSource {
  /// What became of the edits that an address book accepted since the last pull.
  ///
  /// Each of them is a change since that pull. One that the server does not report is looked up: a server that was restored
  /// from a backup may have the token of the last pull, and not the edit. In a list of the whole book, the card has the entity
  /// tag that it had before.
  ///
  /// - Parameter changes: what the server reports; `nil` for no change.
  func outcomes(
    _ changes: BookChanges?, since state: BookState, _ book: BookCards, _ client: DAVClient, _ context: PullContext
  ) async throws(SourceError) -> [AcceptedEdits.Outcome] {
    let listed = Dictionary((changes?.cards ?? []).map { ($0.key, $0.tag) }) { first, _ in first }
    let removed = Set((changes?.removed ?? []).map { DAVAddress.decoded($0).exact })
    var outcomes: [AcceptedEdits.Outcome] = []
    func note(_ accepted: AcceptedEdits, isLost: Bool) { outcomes.append(.init(accepted.record, isLost: isLost)) }
    var open: [(edits: AcceptedEdits, now: CardState, content: String?)] = []
    for accepted in try SourceError.from({ () throws(StoreError) in
      try editableCollections.map { (collection) throws(StoreError) in
        try edits.acceptedEdits(of: collection, in: context.snapshot)
      }.flatMap(\.self)
    }) {
      let copy =
        try SourceError.from { () throws(StoreError) in
          try edits.remoteCopy(of: accepted.record.collection, accepted.record.id, in: context.snapshot)
        } ?? accepted.before
      let (now, before) = (CardState(copy.sourceState), CardState(accepted.before.sourceState))
      guard now.isIn(book.key), now.href != nil else { continue }
      if changes?.isComplete == true {
        let tag = listed[now.path.exact]
        // A token that the server does not know any more may be one of after the backup.
        let isMissing = accepted.isNew && !accepted.isRemoval && tag == nil && state.token != nil
        note(accepted, isLost: isMissing || before.tag != nil && tag??.exact == before.tag?.exact)
      } else if listed[now.path.exact] != nil || removed.contains(now.path.exact) {
        note(accepted, isLost: false)
      } else {
        open.append((accepted, now, copy.sourceState.recordContent))
      }
    }
    guard !open.isEmpty else { return outcomes }
    var found: [ExactString: BookCards.Content] = [:]
    for content in try await client.cards(
      open.compactMap(\.now.href), of: book.path, read: { [contacts] in book.content(of: $0, contacts) })
    { found[DAVAddress.decoded(content.path).exact] = content }
    for (accepted, now, known) in open {
      let content = found[now.path.exact]
      if content?.isRefused == true { continue }
      let contents = content.map { ($0.people.map(\.card) + $0.groups.map(\.card)).map(BookCards.content) } ?? []
      if accepted.isRemoval {
        note(accepted, isLost: content != nil && (!now.isShared || contents.contains { $0 == known }))
      } else {
        note(accepted, isLost: content == nil || !accepted.isNew && !contents.contains { $0 == known })
      }
    }
    return outcomes
  }
}
