public import Models

public protocol UndoService: Sendable {
  /// The commands that can be looked at, the newest first.
  func commands() throws(Failure) -> [UndoableCommand]

  /// Restores every record that a command changed, in one commit, and forgets the command.
  ///
  /// - Throws: `Failure`: `notFound` if it is not remembered; `usage` if a record was changed since, also because an edit
  ///   of it was sent, or if the command changed too much. Nothing is written then.
  func undo(_ id: String) async throws(Failure) -> UndoableCommand

  /// Restores what a run changed that is not one of the commands.
  ///
  /// - Throws: as `undo`.
  func undo(run: String) async throws(Failure) -> UndoableCommand
}

public struct UndoableCommand: Hashable, Sendable {
  public struct Change: Hashable, Sendable {
    public var collection: CollectionName
    @ExactString public var id: String
    public var name: String?
    /// Whether the command made the record, so that it is removed again.
    public var isNew: Bool

    public init(collection: CollectionName, id: String, name: String? = nil, isNew: Bool) {
      (self.collection, self.id, self.name, self.isNew) = (collection, id, name, isNew)
    }

    public var fields: JSONObject {
      [
        "collection": .string(collection.rawValue), "id": .string(id), "name": .of(name),
        "outcome": isNew ? "removed" : "restored",
      ]
    }
  }

  @ExactString public var id: String
  /// The id as users see and type it: the number of `undo/000000000012`.
  public var number: String {
    let digits = id.split(separator: "/").last.map { $0.drop { $0 == "0" } } ?? ""
    return digits.isEmpty ? "0" : String(digits)
  }
  /// Its words: `people remove`.
  public var command: String
  public var at: Timestamp
  /// The records that it changed, without those that users do not see.
  public var changes: [Change]
  public var refusal: Failure?

  public init(id: String, command: String, at: Timestamp, changes: [Change], refusal: Failure? = nil) {
    (self.refusal, self.id, self.command, self.at, self.changes) = (refusal, id, command, at, changes)
  }

  public var fields: JSONObject {
    [
      "id": .string(number), "command": .string(command), "at": .string(at.description),
      "records": .array(changes.map { .object($0.fields) }), "obstacle": .of(refusal?.message),
    ]
  }
}
