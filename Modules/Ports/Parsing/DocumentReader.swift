public struct DocumentLimits: Sendable {
  public var bytes = 4 << 20
  public var depth = 64
  /// How many values there may be, those counted once for each place where an alias or a merge key repeats them.
  public var values = 500_000
  public var merges = 1_000

  public init() {}
}

public struct LocatedValue: Sendable {
  public enum Content: Sendable {
    case null
    case bool(Bool)
    /// A number in JSON's grammar.
    case number(String)
    case text(String)
    case list([LocatedValue])
    /// Each name occurs once.
    case map([Member])
  }

  public struct Member: Sendable {
    public var name: String
    public var value: LocatedValue

    public init(_ name: String, _ value: LocatedValue) { (self.name, self.value) = (name, value) }
  }

  public var content: Content
  /// From 1.
  public var line: Int

  public init(_ content: Content, line: Int) { (self.content, self.line) = (content, line) }
}

public struct ImportedDefinition: Sendable {
  public struct Remark: Hashable, Sendable {
    /// The stream; `nil` for all of them.
    public var stream: String?
    /// Where the stream begins, from 1; 0 where that is not known.
    public var line: Int
    public var reason: String

    public init(stream: String?, line: Int, reason: String) {
      (self.stream, self.line, self.reason) = (stream, line, reason)
    }
  }

  /// The definition; empty where no stream could be translated.
  public var text: String
  public var streams: [String]
  public var refused: [Remark]
  public var notes: [Remark]
  /// The names of the settings, and those of the given defaults that are none.
  public var settings: [String] = []
  public var unknown: [String] = []

  public init(text: String, streams: [String], refused: [Remark], notes: [Remark]) {
    (self.text, self.streams, self.refused, self.notes) = (text, streams, refused, notes)
  }
}
