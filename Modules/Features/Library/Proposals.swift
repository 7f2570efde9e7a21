public import Models
public import Ports

/// Keeps proposals beside the records, where no sync reads them.
public struct Proposals: ProposalService {
  /// How many wait at most: a client that proposes without end fills neither the store nor the list.
  static let most = 200
  /// How many bytes an edit has at most.
  static let largest = 65_536

  private let store: any RecordStore
  private let coder: any RecordCoder
  private let edits: any PendingEdits
  private let editor: any ProposalEditor
  private let time: any TimeSource

  public init(
    store: any RecordStore, coder: any RecordCoder, edits: any PendingEdits, editor: any ProposalEditor,
    time: any TimeSource
  ) {
    (self.store, self.coder, self.edits, self.editor, self.time) = (store, coder, edits, editor, time)
  }

  /// O(n) for n proposals.
  public func proposals() throws(Failure) -> [Proposal] {
    try store.read { (snapshot) throws(StoreError) in
      try Self.waiting(in: snapshot, coder, at: time.now).waiting.map { (proposal) throws(StoreError) in
        try compared(proposal, in: snapshot).proposal
      }
    }
  }

  private static func waiting(
    in reader: some RecordReader, _ coder: any RecordCoder, at now: Timestamp
  ) throws(StoreError) -> (waiting: [Proposal], over: [StateKey]) {
    var (waiting, over): ([Proposal], [StateKey]) = ([], [])
    try reader.eachState(.proposal, coder) { (key, fields) throws(StoreError) -> ScanStep in
      if let proposal = Proposal(id: key.name, stored: fields), proposal.createdAt + Proposal.lifetime > now {
        waiting.append(proposal)
      } else {
        over.append(key)
      }
      return .next
    }
    return (waiting, over)
  }

  /// The proposal with what changed since, and the record under its present id.
  private func compared(
    _ proposal: Proposal, in reader: some RecordReader
  ) throws(StoreError) -> (proposal: Proposal, record: [UInt8]?) {
    guard let record = proposal.record else { return (proposal, nil) }
    var proposal = proposal
    let id = try edits.currentID(of: proposal.collection, record, in: reader)
    proposal.record = id
    let current = try reader.object(proposal.collection, id, coder)
    let names = proposal.kind == .delete ? (current ?? [:]).keys + proposal.base.keys : proposal.edit.keys
    for name in names where proposal.theirs[name] == nil {
      let value = current?[name] ?? .null
      // A removed record has nothing that a removal would change.
      guard value != proposal.base[name] ?? .null, value != proposal.edit[name], proposal.kind == .put || current != nil
      else { continue }
      proposal.theirs[name] = value
    }
    return (proposal, try reader.record(proposal.collection, id))
  }

  public func propose(
    _ kind: OutboxEntry.Kind, of collection: CollectionName, _ record: String?, _ edit: JSONObject, by client: String
  ) async throws(Failure) -> Proposal {
    try await propose(
      again: Proposal(id: edits.newID(), kind, of: collection, record, edit, over: [:], by: client, at: time.now))
  }

  /// Drops what is over.
  public func propose(again proposal: Proposal) async throws(Failure) -> Proposal {
    let (now, kind, collection, edit) = (time.now, proposal.kind, proposal.collection, proposal.edit)
    guard coder.encode(edit).count <= Self.largest else {
      throw Failure(
        .config, .usage, "the edit has more than \(Self.largest) bytes", hint: "propose less at once",
        code: .own(.tooLarge))
    }
    try editor.check(proposal)
    return try await store.change { [proposal] (transaction) throws(StoreError) -> Result<Proposal, Failure> in
      var proposal = proposal
      let (waiting, over) = try Self.waiting(in: transaction, coder, at: now)
      for key in over { try transaction.clearState(key) }
      guard waiting.count < Self.most else {
        return .failure(
          Failure(
            .store, .usage, "\(Self.most) proposals wait already", hint: "approve or reject some first",
            code: .own(.tooLarge)))
      }
      if let record = proposal.record {
        let id = try edits.currentID(of: collection, record, in: transaction)
        guard let stored = try transaction.object(collection, id, coder) else {
          return .failure(Library.missing(collection, record))
        }
        proposal.record = id
        proposal.base =
          kind == .delete
          ? stored : JSONObject(members: edit.keys.map { .init(key: $0, value: stored[$0] ?? .null) })
        guard kind == .delete || proposal.base != edit else {
          return .failure(Failure(.store, .usage, "\(proposal.target) has these values already", code: .own(.nothing)))
        }
      }
      // A client that repeats itself has proposed it once.
      if let same = waiting.first(where: { $0.isSame(as: proposal) }) { return .success(same) }
      try transaction.setState(StateKey(.proposal, proposal.id), to: proposal.fields, coder)
      return .success(proposal)
    }
  }

  /// The proposal of an edit that was made is dropped in a second commit; a new record marks it in its own commit, so that it
  /// cannot be added twice.
  public func approve(
    _ id: String, over theirs: JSONObject, keeping kept: Set<ExactString>
  ) async throws(Failure) -> Proposal {
    let found = try store.read { (snapshot) throws(StoreError) -> (proposal: Proposal, record: [UInt8]?)? in
      guard let found = try waiting(id, in: snapshot) else { return nil }
      return try compared(found, in: snapshot)
    }
    guard let (known, current) = found else { throw Self.missing(id) }
    var proposal = known
    guard proposal.theirs == theirs else {
      let fields = (proposal.theirs.isEmpty ? theirs : proposal.theirs).keys.joined(separator: ", ")
      throw Failure(
        .store, .usage, "\(proposal.target) changed since the edit was proposed: \(fields)",
        code: .own(.changedSince), path: "\(proposal.target)")
    }
    let key = StateKey(.proposal, id)
    if !kept.isEmpty { proposal.edit.members.removeAll { kept.contains($0.key.exact) } }
    if proposal.kind == .delete ? current != nil && kept.isEmpty : !proposal.edit.isEmpty {
      let note = CommitNote(key, isInUse: { $0["approved"] != nil }, fields: { id, _ in ["approved": .string(id)] })
      try await editor.apply(proposal, ifStored: current, alongside: note)
    }
    try await clear(key)
    return proposal
  }

  public func reject(_ id: String) async throws(Failure) -> Proposal {
    let found = try Failure.reading(waiting(id, in: store.snapshot()))
    guard let found else { throw Self.missing(id) }
    try await clear(StateKey(.proposal, id))
    return found
  }

  private func waiting(_ id: String, in reader: some RecordReader) throws(StoreError) -> Proposal? {
    try Self.waiting(in: reader, coder, at: time.now).waiting.first { $0.$id == id.exact }
  }

  private func clear(_ key: StateKey) async throws(Failure) {
    try await store.change { (transaction) throws(StoreError) -> Result<Void, Failure> in
      try transaction.clearState(key)
      return .success(())
    }
  }

  private static func missing(_ id: String) -> Failure {
    Failure(.store, .notFound, "there is no proposal \(id)", code: .own(.notFound))
  }
}
