/// Why a commit was made. It names no person and holds no secrets.
public struct ChangeCause: Hashable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case sync
    /// A remote answered an edit that was sent.
    case sent
    case edit
    /// A person, or the setting `mcp.approve`, approved what an assistant had proposed.
    case proposal
    case `import`
    case undo
    case restore
    /// The records of a follow that ended were removed.
    case purge
    case forget
    case copy
    case repair
  }

  public struct Move: Hashable, Sendable {
    public var collection: CollectionName
    @ExactString public var from: String
    @ExactString public var to: String

    public init(_ collection: CollectionName, from: String, to: String) {
      (self.collection, self.from, self.to) = (collection, from, to)
    }
  }

  public enum Tool: Hashable, Sendable {
    /// The words of a command: `people edit`.
    case command(String)
    /// The method of a request to the API: `PATCH`.
    case request(String)
    case page
  }

  public var kind: Kind
  /// The canonical path of the follow.
  public var follow: String?
  /// What all commits of one sync or one command have in common.
  public var run: String?
  /// Of a proposal, the assistant and what approved it: the command `claude, outbox approve`, or `claude, mcp` for the setting.
  public var tool: Tool?
  /// The run that was undone.
  public var of: String?
  /// The records that got another id in this commit: their removal and addition are one change.
  public var moved: [Move]

  public init(
    _ kind: Kind, follow: String? = nil, run: String? = nil, tool: Tool? = nil, of: String? = nil, moved: [Move] = []
  ) { (self.kind, self.follow, self.run, self.tool, self.of, self.moved) = (kind, follow, run, tool, of, moved) }
}

extension ChangeCause.Tool {
  /// The stored form: `people edit`, `PATCH` or `page`.
  public var text: String {
    switch self {
    case .command(let words): words
    case .request(let method): method
    case .page: "page"
    }
  }

  /// Reads the stored form. No command has the name of a method, or `page`.
  public init(text: String) {
    switch text {
    case "page": self = .page
    case "GET", "POST", "PUT", "PATCH", "DELETE": self = .request(text)
    default: self = .command(text)
    }
  }
}

extension ChangeCause {
  /// For people: `sync people`, `edit (people edit)`.
  public var words: String { kind.rawValue + (follow.map { " \($0)" } ?? "") + (tool.map { " (\($0.text))" } ?? "") }

  /// Whether a text names its kind, its follow, its command or its run.
  public func isNamed(_ text: String) -> Bool {
    [kind.rawValue, follow, tool?.text, run, words].contains { $0?.exact == text.exact }
  }

  /// The stored form: `{"by":"edit","command":"people edit","moved":[["people","a","b"]]}`. Absent members are left out.
  public var fields: JSONObject {
    let moves = moved.map { JSONValue.array([.string($0.collection.rawValue), .string($0.from), .string($0.to)]) }
    return [
      "by": .string(kind.rawValue), "follow": .of(follow), "run": .of(run), "command": .of(tool?.text), "of": .of(of),
      "moved": .of(moves.isEmpty ? nil : .array(moves)),
    ]
  }
}
