public import Models

public struct ProposedDefinition: Sendable {
  public struct Note: Hashable, Sendable {
    /// What was chosen: `records`, `id`, `pages`.
    public var part: String
    public var choice: String
    public var isSure: Bool
    public var reason: String

    public init(part: String, choice: String, isSure: Bool, reason: String) {
      (self.part, self.choice, self.isSure, self.reason) = (part, choice, isSure, reason)
    }
  }

  public var text: String
  public var notes: [Note]
  public var records: Int
  public var rejected: Int

  public init(text: String, notes: [Note], records: Int, rejected: Int) {
    (self.text, self.notes, self.records, self.rejected) = (text, notes, records, rejected)
  }
}

public protocol AnswerReaderCompiler: Sendable {
  func reader(of request: SourceDefinition.Request) -> any AnswerReader

  /// A body as JSON. O(bytes).
  func json(_ body: [UInt8], _ format: SourceDefinition.Format) throws(ParsingError) -> [UInt8]

  /// The values at several paths of a body; `nil` for each that has none. A body without content is read as null.
  ///
  /// - Returns: `nil` if the body is not JSON.
  func values(_ paths: [ValuePath], in body: [UInt8]) -> [JSONValue?]?
}

public protocol AnswerReader: Sendable {
  /// Reads an answer. O(bytes).
  ///
  /// Records that are not as the definition says are rejected; the others are returned.
  /// - Throws: `ParsingError` where the body is not JSON.
  func read(_ body: [UInt8], variables: [ExactString: String]) throws(ParsingError) -> Parsed<DeclaredAnswer>
}

public struct DeclaredAnswer: Hashable, Sendable {
  /// The records, in the order of the selections.
  public var records: [DeclaredRecord] = []
  /// How many records the longest list has, those included that were rejected or not taken.
  public var count = 0
  /// The values of the body that say how the list continues, in the order of `SourceDefinition.Paging.places`.
  public var places: [JSONValue?] = []
  /// The value of the body that becomes the next point.
  public var point: JSONValue?
  /// The path of a list that the answer does not have, although it has another one.
  public var missingList: String?
  /// Whether a record was rejected before its id was known.
  public var hasUnknownID = false
  public var rejectedIDs: [DeclaredRecord.ID] = []

  public init() {}
}

public struct DeclaredRecord: Hashable, Sendable {
  public struct ID: Hashable, Sendable {
    public var collection: CollectionName
    @ExactString public var text: String

    public init(_ collection: CollectionName, _ text: String) { (self.collection, self.text) = (collection, text) }
  }

  /// Which record it is; `nil` where it is only looked at for the requests that it makes.
  public var id: ID?
  public var fields: JSONObject
  /// Whether it carries the mark of a removed record.
  public var isGone: Bool
  /// The values of each child request: one list for each variable that has a place in the record.
  public var children: [[[String]]]

  public init(id: ID?, fields: JSONObject = [:], isGone: Bool = false, children: [[[String]]] = []) {
    (self.id, self.fields, self.isGone, self.children) = (id, fields, isGone, children)
  }
}
