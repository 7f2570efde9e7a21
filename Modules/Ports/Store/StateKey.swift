public import Models

/// The id of a record of `state`, which the program keeps for itself. No other code makes such ids or writes such records.
public struct StateKey: Hashable, Sendable {
  /// What the record is, by the beginning of its id: how far a follow was pulled (`follow`), what it lists (`listed`),
  /// what came since (`arrived`) and an answer that was read (`answer`), a follow of a store on a server (`follows`), a remote's copy of a record (`remote`),
  /// the present id of one that got another (`moved`), a record that was removed here while its server keeps it
  /// (`removed`), the process that sends an edit (`sending`), edits that a remote accepted since the last pull (`sent`),
  /// the shape of responses (`shape`), what a command changed (`undo`), the calls of a budget (`budget`), an image that
  /// did not come whole (`image`), messages to receivers (`notify`), an edit that waits for approval (`proposal`), what a
  /// conflict without a question dropped (`decided`), until when a server is not asked (`limit`), two people who are not the same (`different`), runs and pictures that
  /// were asked for (`requests`, `pictures`), answers of the daemon (`daemon`), and what a file said of a person who was
  /// imported (`imported`).
  public enum Kind: String, CaseIterable, Sendable {
    case answer, arrived, budget, daemon, decided, different, follow, follows, image, imported, limit, listed, moved
    case notify, pictures, proposal, remote, removed, requests, sending, sent, shape, undo

    /// The beginning of the names of those records which may hold values of other records, and are erased with each of them;
    /// `nil` where none is. A new kind has to be decided on here.
    public var valuesPrefix: String? {
      switch self {
      case .daemon, .decided, .imported, .proposal, .removed, .sent, .undo: ""
      case .notify: StateKey.deliveryPrefix
      // The key names the one record whose values they hold, and that key is erased.
      case .moved, .remote: nil
      // Ids, addresses and numbers.
      case .answer, .arrived, .budget, .different, .follow, .follows, .image, .limit, .listed, .pictures, .requests,
        .sending, .shape:
        nil
      }
    }
  }

  /// The beginning of the names of messages that wait for their receiver; the other records of `notify` hold no values.
  public static let deliveryPrefix = "delivery/"

  public let kind: Kind
  /// The rest of the id.
  @ExactString public private(set) var name: String

  public init(_ kind: Kind, _ name: String) { (self.kind, self.name) = (kind, name) }

  /// The key of a stored record; `nil` if the id is not one of `state`.
  public init?(id: String) {
    guard let slash = id.utf8.firstIndex(of: UInt8(ascii: "/")), let kind = Kind(rawValue: String(id[..<slash])) else {
      return nil
    }
    self.init(kind, String(Substring(id.utf8[slash...].dropFirst())))
  }

  public var id: String { "\(kind.rawValue)/\(name)" }

  /// The present id of a record that had this one.
  public static func moved(_ collection: CollectionName, _ id: String) -> StateKey {
    StateKey(.moved, "\(collection)/\(id)")
  }
}

extension RecordReader {
  /// The members of a record of `state`; `nil` if there is none. Unreadable bytes are `damaged`, here and below.
  public func state(_ key: StateKey, _ coder: any RecordCoder) throws(StoreError) -> JSONObject? {
    try object(.state, key.id, coder)
  }

  /// What a source keeps with a follow; `nil` if that was never pulled.
  public func memory(ofFollow path: String, _ coder: any RecordCoder) throws(StoreError) -> JSONObject? {
    try state(StateKey(.follow, path), coder)?["memory"]?.object
  }

  public func hasState(_ key: StateKey) throws(StoreError) -> Bool { try record(.state, key.id) != nil }

  /// Calls `body` with each record of a kind whose name begins with `prefix`, by ascending name.
  public func eachState(
    _ kind: StateKey.Kind, from prefix: String = "", _ coder: any RecordCoder,
    _ body: (StateKey, JSONObject) throws(StoreError) -> ScanStep
  ) throws(StoreError) {
    try eachObject(.state, ScanRange(prefix: StateKey(kind, prefix).id), coder) { (fields) throws(StoreError) in
      guard let key = fields["id"]?.string.flatMap({ StateKey(id: $0) }) else { return .next }
      return try body(key, fields)
    }
  }

  /// What is made of each record of a kind whose name begins with `prefix`, by ascending name, without `nil`.
  ///
  /// - Throws: as `eachState`.
  public func states<Result>(
    _ kind: StateKey.Kind, from prefix: String = "", _ coder: any RecordCoder,
    _ transform: (StateKey, JSONObject) throws(StoreError) -> Result?
  ) throws(StoreError) -> [Result] {
    var results: [Result] = []
    try eachState(kind, from: prefix, coder) { (key, fields) throws(StoreError) in
      if let result = try transform(key, fields) { results.append(result) }
      return .next
    }
    return results
  }

  /// The keys of the records of a kind whose name begins with `prefix`, in order. Their other members are not decoded.
  public func stateKeys(_ kind: StateKey.Kind, from prefix: String = "") throws(StoreError) -> [StateKey] {
    var keys: [StateKey] = []
    try scan(.state, ScanRange(prefix: StateKey(kind, prefix).id)) { (bytes: RawSpan) throws(StoreError) in
      if let key = RecordRule.id(of: bytes).flatMap({ StateKey(id: $0) }) { keys.append(key) }
      return .next
    }
    return keys
  }
}

extension StoreTransaction {
  /// Writes a record of `state` with these members after its id.
  ///
  /// - Throws: `StoreError`: `invalidRecord` if the key is too long.
  public mutating func setState(_ key: StateKey, to fields: JSONObject, _ coder: any RecordCoder) throws(StoreError) {
    let id = JSONObject.Member(key: "id", value: .string(key.id))
    try put(coder.encode(JSONObject(members: [id] + fields.members.filter { $0.key != "id" })), id: key.id, in: .state)
  }

  /// Deletes a record of `state`; does nothing if there is none.
  public mutating func clearState(_ key: StateKey) throws(StoreError) { try delete(.state, key.id) }
}
