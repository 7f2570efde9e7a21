public import Models

/// Keeps edits that an assistant proposed until a person decides. Neither the record nor the outbox has such an edit before it
/// is approved.
public protocol ProposalService: Sendable {
  /// The proposals of the last 30 days, oldest first.
  func proposals() throws(Failure) -> [Proposal]

  /// - Parameters:
  ///   - edit: the new values of fields; null removes one. Empty for a removal.
  /// - Throws: `Failure`: `notFound` if there is no such record; `usage` if the edit is not possible, changes nothing, or too
  ///   many proposals wait.
  func propose(
    _ kind: OutboxEntry.Kind, of collection: CollectionName, _ record: String?, _ edit: JSONObject, by client: String
  ) async throws(Failure) -> Proposal

  /// Lets an edit that was decided wait again: in its former place in the list, and as long as before.
  ///
  /// - Throws: as the other `propose`.
  func propose(again proposal: Proposal) async throws(Failure) -> Proposal

  /// Makes an edit as if a person had entered it: it is stored, and queued if its source takes it.
  ///
  /// - Parameters:
  ///   - theirs: what others made of its fields since, as the person has seen it; empty where nothing changed.
  ///   - kept: the fields in which the record stays as others made it.
  /// - Throws: `Failure`: `notFound` if there is no such proposal; `usage` with the code `changedSince` if `theirs` is not what
  ///   others made of the record; the errors of the edit. The proposal still waits then.
  func approve(_ id: String, over theirs: JSONObject, keeping kept: Set<ExactString>) async throws(Failure) -> Proposal

  func reject(_ id: String) async throws(Failure) -> Proposal
}

extension ProposalService {
  public func approve(_ id: String) async throws(Failure) -> Proposal { try await approve(id, over: [:], keeping: []) }
}

/// Makes the edits of records by the rules of their features.
public protocol ProposalEditor: Sendable {
  /// Checks an edit as far as that is possible without making it.
  ///
  /// - Throws: `Failure`, `usage` if the record cannot have it.
  func check(_ proposal: Proposal) throws(Failure)

  /// - Parameters:
  ///   - current: the record as it must be stored; `nil` for a new one.
  ///   - note: is written in the commit of a new record.
  /// - Throws: `Failure` if the record cannot have it, or is another one.
  func apply(_ proposal: Proposal, ifStored current: [UInt8]?, alongside note: CommitNote) async throws(Failure)
}

/// An edit that waits for approval.
public struct Proposal: Hashable, Sendable {
  /// How long it waits, in seconds.
  public static let lifetime = 30 * 86_400

  @ExactString public var id: String
  public var kind: OutboxEntry.Kind
  public var collection: CollectionName
  public var record: String?
  public var edit: JSONObject
  /// The values of these fields when it was proposed; of a removal, the whole record.
  public var base: JSONObject
  /// The client that proposed it, as it named itself.
  public var client: String
  public var createdAt: Timestamp
  /// What others made of these fields since; null for one that was removed.
  public var theirs: JSONObject = [:]

  public init(
    id: String, _ kind: OutboxEntry.Kind, of collection: CollectionName, _ record: String?, _ edit: JSONObject,
    over base: JSONObject, by client: String, at createdAt: Timestamp
  ) {
    (self.id, self.kind, self.collection, self.record) = (id, kind, collection, record)
    (self.edit, self.base, self.client, self.createdAt) = (edit, base, client, createdAt)
  }

  /// The collection and the id of the record, `people/1`; of a new record the collection.
  public var target: String { record.map { "\(collection)/\($0)" } ?? collection.rawValue }

  /// Whether both propose the same of the same state.
  public func isSame(as other: Proposal) -> Bool {
    (kind, collection, record?.exact, edit, base, client)
      == (other.kind, other.collection, other.record?.exact, other.edit, other.base, other.client)
  }

  public var fields: JSONObject {
    [
      "id": .string(id), "target": .string(target), "kind": .string(kind.rawValue),
      "state": theirs.isEmpty ? "proposed" : "conflict", "fields": .object(edit), "base": .object(base),
      "theirs": .of(theirs.isEmpty ? nil : .object(theirs)), "proposedBy": .of(client),
      "createdAt": .of(createdAt.description), "expiresAt": .of((createdAt + Self.lifetime).description),
    ]
  }

  /// Reads the stored form; `nil` if it is not that of a proposal.
  public init?(id: String, stored fields: JSONObject) {
    guard let target = fields["target"]?.string, let kind = fields["kind"]?.string.flatMap(OutboxEntry.Kind.init),
      let edit = fields["fields"]?.object, let base = fields["base"]?.object, let client = fields["proposedBy"]?.string,
      let createdAt = fields["createdAt"]?.timestamp
    else { return nil }
    let record = target.utf8.contains(UInt8(ascii: "/")) ? target.restOfParts : nil
    self.init(
      id: id, kind, of: CollectionName(rawValue: target.firstPart), record, edit, over: base, by: client, at: createdAt)
  }
}
