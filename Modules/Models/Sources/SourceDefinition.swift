/// A source that is described by data alone: which requests it sends, how an answer becomes records, and how a list goes
/// on. `Modules/Parsing/Definitions` reads it from a file; the language is described in `Apps/Sources.md`.
public struct SourceDefinition: Hashable, Sendable {
  public var name: SourceName
  /// What the source reads, in a few words.
  public var title: String?
  public var docs: String?
  /// Where the API is, without a trailing `/`; empty where a program prints the records.
  public var url: String
  /// The folder whose files are read in place of an API; `nil` for an API.
  public var folder: String?
  /// The program that prints the records, with its arguments; empty where an API has them.
  public var command: [String] = []
  /// How long the program may print nothing.
  public var timeout: Interval?
  public var headers: [Header]
  public var auth: Authentication?
  public var settings: [Setting] = []
  public var budget: Budget?
  /// What errors mean; the first rule that matches counts.
  public var errors: [ErrorRule]
  public var collections: [Collection]
  public var follows: [FollowDefinition]
  public var edits: [Edits]
  /// Identifies the text of the definition: with another one, what was remembered of a follow is of no use.
  public var fingerprint: String
  /// What may be a mistake, in the order of the text.
  public var warnings: [SettingsProblem] = []

  public init(
    name: SourceName, title: String? = nil, docs: String? = nil, url: String, headers: [Header] = [],
    auth: Authentication? = nil, budget: Budget? = nil, errors: [ErrorRule] = [], collections: [Collection],
    follows: [FollowDefinition], edits: [Edits] = [], fingerprint: String = ""
  ) {
    (self.name, self.title, self.docs, self.url) = (name, title, docs, url)
    (self.headers, self.auth, self.budget, self.errors) = (headers, auth, budget, errors)
    (self.collections, self.follows, self.edits, self.fingerprint) = (collections, follows, edits, fingerprint)
  }

  public struct Header: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  /// How requests prove who asks. The secret itself is in the config file.
  public struct Authentication: Hashable, Sendable {
    public struct Placement: Hashable, Sendable {
      public enum Place: Hashable, Sendable {
        case header(String)
        /// `Authorization: Basic …` (RFC 7617), of `USER:PASSWORD`.
        case basic
        case query(String)
        case body(String)
        /// The addresses of requests that have it as a variable.
        case address
      }

      public var place: Place
      /// Its variables are the parts of the key, or the token.
      public var value: URLTemplate

      public init(_ place: Place, _ value: URLTemplate) { (self.place, self.value) = (place, value) }
    }

    public struct OAuth2: Hashable, Sendable {
      public enum Grant: String, Sendable, CaseIterable {
        /// With the client's own secret (RFC 6749 section 4.4).
        case client
        /// With a refresh token, which a new one may replace at each use (RFC 6749 section 6).
        case refresh
      }

      public var grant: Grant
      public var token: String
      public var scope: String?
      /// Whether id and secret go into the body of the request, and not into `Authorization`.
      public var isInBody: Bool
      public var send: [Header] = []
      /// The page on which a person logs in (RFC 6749 section 3.1), with parameters of its own.
      public var authorize: String?
      /// The address that gives codes for another device (RFC 8628 section 3.1).
      public var device: String?
      /// Whether the refresh token comes from a login, unless the key has one.
      public var hasLogin: Bool { authorize != nil || device != nil }

      public init(_ grant: Grant = .client, token: String, scope: String? = nil, isInBody: Bool = false) {
        (self.grant, self.token, self.scope, self.isInBody) = (grant, token, scope, isInBody)
      }
    }

    /// A request that gives a token, which is used until it ends or is refused.
    public struct Login: Hashable, Sendable {
      /// It may be that of another server.
      public var address: URLTemplate
      /// The body of a POST, whose texts have the parts of the key as variables; `nil` for a GET.
      public var body: JSONValue?
      public var isForm: Bool
      public var placements: [Placement]
      public var token: Place
      public var lasts: Interval?

      public init(
        _ address: URLTemplate, body: JSONValue?, isForm: Bool, placements: [Placement], token: Place, lasts: Interval?
      ) {
        (self.address, self.body, self.isForm) = (address, body, isForm)
        (self.placements, self.token, self.lasts) = (placements, token, lasts)
      }
    }

    /// The names of the parts of the key, which have a `:` between; `key` is a key of one part.
    public var parts: [String]
    /// Where the parts go, or the token.
    public var placements: [Placement]
    public var oauth2: OAuth2?
    public var login: Login?
    public var isOptional: Bool

    public init(
      parts: [String] = ["key"], _ placements: [Placement], oauth2: OAuth2? = nil, login: Login? = nil,
      isOptional: Bool = false
    ) {
      (self.parts, self.placements, self.oauth2) = (parts, placements, oauth2)
      (self.login, self.isOptional) = (login, isOptional)
    }

    private static func placed(_ place: Placement.Place, _ prefix: String = "", isOptional: Bool) -> Self {
      let literal: [URLTemplate.Part] = prefix.isEmpty ? [] : [.literal(prefix)]
      return .init([.init(place, URLTemplate(literal + [.variable("key")]))], isOptional: isOptional)
    }

    /// `Authorization: Bearer KEY` (RFC 6750).
    public static func bearer(isOptional: Bool = false) -> Self {
      placed(.header("Authorization"), "Bearer ", isOptional: isOptional)
    }

    /// `Authorization: Basic …` (RFC 7617); the key is `USER:PASSWORD`.
    public static func basic(isOptional: Bool = false) -> Self { placed(.basic, isOptional: isOptional) }

    /// A header field; `prefix` comes before the key.
    public static func header(_ name: String, prefix: String = "", isOptional: Bool = false) -> Self {
      placed(.header(name), prefix, isOptional: isOptional)
    }

    public static func query(_ name: String, isOptional: Bool = false) -> Self {
      placed(.query(name), isOptional: isOptional)
    }

    /// The parts of a key by their names; `nil` if it has fewer.
    public func values(of key: String) -> [ExactString: String]? {
      let values = key.split(separator: ":", maxSplits: parts.count - 1, omittingEmptySubsequences: false)
      guard values.count == parts.count else { return nil }
      return Dictionary(zip(parts.map(\.exact), values.map(String.init))) { first, _ in first }
    }

    public func secrets(in key: String) -> [String] {
      if parts.count > 1 { return [key] + (values(of: key)?.values.map { $0 } ?? []) }
      // The id of a client is shown in addresses.
      if oauth2?.hasLogin == true, !key.contains(":") { return [] }
      guard oauth2 != nil || placements.contains(where: { $0.place == .basic }) else { return [key] }
      // Of USER:PASSWORD and ID:SECRET, the first part is no secret.
      return [key] + key.split(separator: ":", maxSplits: 2).dropFirst().map(String.init)
    }
  }

  public struct Budget: Hashable, Sendable {
    /// With a key.
    public var standard: RateBudget
    /// Calls in a window without a key; `nil` where that makes no difference.
    public var callsWithoutKey: Int?

    public init(_ standard: RateBudget, callsWithoutKey: Int? = nil) {
      (self.standard, self.callsWithoutKey) = (standard, callsWithoutKey)
    }
  }

  public struct ErrorRule: Hashable, Sendable {
    public enum Meaning: String, Sendable, CaseIterable {
      case notFound
      case denied
      /// The API asks to come back later.
      case tryLater
      case refused
      /// A list without records.
      case empty
      /// What was asked for has been removed.
      case gone
      /// The server does not know the point, or the place in the list, any more: the list is read from the beginning.
      case restart
    }

    /// The statuses; empty where any matches.
    public var statuses: [Int]
    /// Header fields with these values.
    public var headers: [Header]
    public var body: [Condition]
    public var meaning: Meaning
    public var code: ValuePath?
    public var message: ValuePath?
    public var after: RetryTime?
    /// How many seconds later the next try is, where no header field says it.
    public var delay: Int?
    public var text: String?

    /// A header field with the time of the next try.
    public struct RetryTime: Hashable, Sendable {
      public var header: String
      /// Whether it holds seconds since 1970, and not seconds from now.
      public var isEpoch: Bool

      public init(header: String, isEpoch: Bool) { (self.header, self.isEpoch) = (header, isEpoch) }
    }

    public init(
      statuses: [Int] = [], headers: [Header] = [], body: [Condition] = [], meaning: Meaning, code: ValuePath? = nil,
      message: ValuePath? = nil, after: RetryTime? = nil
    ) {
      (self.statuses, self.headers, self.body, self.meaning) = (statuses, headers, body, meaning)
      (self.code, self.message, self.after) = (code, message, after)
    }
  }

  public struct Condition: Hashable, Sendable {
    public var path: ValuePath
    /// What it may be. `true` means everything but `false`, `null`, 0, an empty text and nothing at all.
    public var values: [JSONValue]
    /// Whether it may be everything but these.
    public var isNot: Bool

    public init(_ path: ValuePath, _ values: [JSONValue], isNot: Bool = false) {
      (self.path, self.values, self.isNot) = (path, values, isNot)
    }

    /// Whether a value meets it; `nil` means no value.
    public func isMet(by value: JSONValue?) -> Bool { Self.allows(value, values) != isNot }

    static func allows(_ value: JSONValue?, _ values: [JSONValue]) -> Bool {
      values.contains { $0 == .bool(true) ? value?.isSignificant == true : $0 == value ?? .null }
    }
  }
}

extension JSONValue {
  /// Whether the value says something: everything but `false`, `null`, 0 and an empty text.
  public var isSignificant: Bool {
    switch self {
    case .null, .bool(false): false
    case .string(let text): !text.isEmpty
    case .number(let digits): digits.utf8.contains { (0x31...0x39).contains($0) }
    default: true
    }
  }
}
