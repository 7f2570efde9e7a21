/// Why a commit was made. It names no person and holds no secrets.
public struct ChangeCause: Hashable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    /// Records of a source were pulled.
    case sync
    /// A remote answered an edit that was sent.
    case sent
    case edit
    case `import`
    case undo
    case restore
    /// The records of a follow that ended were removed.
    case purge
    case forget
    /// Records were copied from another store.
    case copy
    /// A damaged store was repaired.
    case repair
  }

  /// A record that got another id.
  public struct Move: Hashable, Sendable {
    public var collection: CollectionName
    @ExactString public var from: String
    @ExactString public var to: String

    public init(_ collection: CollectionName, from: String, to: String) {
      self.collection = collection
      self.from = from
      self.to = to
    }
  }

  public var kind: Kind
  /// The canonical path of the follow.
  public var follow: String?
  /// What all commits of one sync or one command have in common.
  public var run: String?
  /// What a person used: the words of a command (`people edit`), the method of the API (`PATCH`), or `page`.
  public var command: String?
  /// The run that was undone.
  public var of: String?
  /// The records that got another id in this commit: their removal and addition are one change.
  public var moved: [Move]

  public init(
    _ kind: Kind, follow: String? = nil, run: String? = nil, command: String? = nil, of: String? = nil,
    moved: [Move] = []
  ) {
    self.kind = kind
    self.follow = follow
    self.run = run
    self.command = command
    self.of = of
    self.moved = moved
  }
}

extension ChangeCause {
  /// For people: `sync people`, `edit (people edit)`.
  public var words: String {
    kind.rawValue + (follow.map { " \($0)" } ?? "") + (command.map { " (\($0))" } ?? "")
  }

  /// Whether a text names its kind, its follow, its command or its run.
  public func isNamed(_ text: String) -> Bool {
    [kind.rawValue, follow, command, run, words].contains { $0?.exact == text.exact }
  }

  /// The stored form: `{"by":"edit","command":"people edit","moved":[["people","a","b"]]}`. Absent members are left out.
  public var fields: JSONObject {
    var members = [JSONObject.Member(key: "by", value: .string(kind.rawValue))]
    for (key, value) in [("follow", follow), ("run", run), ("command", command), ("of", of)] {
      if let value { members.append(JSONObject.Member(key: key, value: .string(value))) }
    }
    if !moved.isEmpty {
      let moves = moved.map { JSONValue.array([.string($0.collection.rawValue), .string($0.from), .string($0.to)]) }
      members.append(JSONObject.Member(key: "moved", value: .array(moves)))
    }
    return JSONObject(members: members)
  }

  /// Reads the stored form; `nil` where `by` is missing or not known. Other members are ignored.
  public init?(fields: JSONObject) {
    guard let kind = fields["by"]?.string.flatMap(Kind.init) else { return nil }
    self.init(
      kind, follow: fields["follow"]?.string, run: fields["run"]?.string, command: fields["command"]?.string,
      of: fields["of"]?.string)
    for case .array(let move) in fields["moved"]?.array ?? [] where move.count == 3 {
      guard let name = move[0].string, let from = move[1].string, let to = move[2].string else { continue }
      moved.append(Move(CollectionName(rawValue: name), from: from, to: to))
    }
  }
}
