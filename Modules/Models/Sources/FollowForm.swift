/// One form that the paths of a source's follows can have.
public struct FollowForm: Hashable, Sendable {
  /// The path with its parameters in braces, as in RFC 6570: `app-store/{storefront}/{chart}`. `{name}` is one part of
  /// the path, `{+name}` at the end is the whole rest, slashes included.
  public var template: String
  /// What such a follow keeps, in a few words for help texts.
  public var summary: String
  /// How many records a follow may ask for; `nil` where a limit has no meaning.
  public var limit: Limit?

  /// Makes a form.
  public init(_ template: String, _ summary: String, limit: Limit? = nil) {
    self.template = template
    self.summary = summary
    self.limit = limit
  }

  /// How many records a follow may ask for.
  public struct Limit: Hashable, Sendable {
    /// What counts where the follow names no limit.
    public var standard: Int
    /// The largest limit; the smallest is 1.
    public var largest: Int

    /// Makes a range.
    public init(standard: Int, largest: Int) {
      self.standard = standard
      self.largest = largest
    }
  }

  /// The form as users read it, with parameters in capitals: `app-store/STOREFRONT/CHART`.
  public var text: String {
    Self.parts(template).map { Self.parameter($0)?.name.uppercased() ?? $0 }.joined(separator: "/")
  }

  /// What stands before the first parameter: `flickr/person/`.
  public var prefix: String { String(template.prefix { $0 != "{" }) }

  /// The parameters of a path, in their order, as they are written; `nil` where the path has another form.
  ///
  /// A parameter has 1 to 512 bytes without control characters, and is not `.` or `..`, because it becomes part of an
  /// address. O(bytes).
  public func parameters(of path: String) -> [String]? {
    var rest = Self.parts(path)[...]
    var parameters: [String] = []
    for part in Self.parts(template) {
      guard let next = rest.first else { return nil }
      guard let parameter = Self.parameter(part) else {
        guard next.exact == part.exact else { return nil }
        rest = rest.dropFirst()
        continue
      }
      let value = parameter.isRest ? rest.joined(separator: "/") : next
      guard Self.isAllowed(value) else { return nil }
      parameters.append(value)
      rest = parameter.isRest ? [] : rest.dropFirst()
    }
    return rest.isEmpty ? parameters : nil
  }

  private static func parts(_ path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { String(Substring($0)) }
  }

  private static func parameter(_ part: String) -> (name: String, isRest: Bool)? {
    guard part.hasPrefix("{"), part.hasSuffix("}") else { return nil }
    let name = part.dropFirst().dropLast()
    return name.hasPrefix("+") ? (String(name.dropFirst()), true) : (String(name), false)
  }

  private static func isAllowed(_ value: String) -> Bool {
    (1...512).contains(value.utf8.count) && value != "." && value != ".."
      && !value.utf8.contains { $0 < 0x20 || $0 == 0x7F }
  }
}

/// An option that the follows of a source can have beside their path: a member of the follow's entry in the config file,
/// and `--option NAME=VALUE` on the command line.
public struct FollowOption: Hashable, Sendable {
  /// What the value of an option is.
  public enum Kind: Hashable, Sendable {
    /// A string that is not empty.
    case text
    /// A string that is not empty; a whole number counts as its digits.
    case label
    /// A whole number in a range.
    case whole(ClosedRange<Int>)
    /// `true` or `false`.
    case flag
  }

  /// The member's name.
  public var name: String
  /// What its value is.
  public var kind: Kind
  /// The values that are allowed; empty where there is no list of them.
  public var allowed: [String]
  /// What it does, in a sentence for help texts.
  public var help: String
  /// Whether the source makes the value part of the path, so that a checked follow does not have the option.
  public var becomesPath: Bool

  /// Makes an option.
  public init(
    _ name: String, _ kind: Kind = .text, allowed: [String] = [], help: String, becomesPath: Bool = false
  ) {
    self.name = name
    self.kind = kind
    self.allowed = allowed
    self.help = help
    self.becomesPath = becomesPath
  }

  /// What is expected in place of a value of another kind.
  public var expected: String {
    switch kind {
    case .text, .label:
      allowed.isEmpty ? "a string that is not empty" : allowed.map { "\"\($0)\"" }.joined(separator: " or ")
    case .whole(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .flag: "true or false"
    }
  }

  /// The value as the option keeps it; `nil` where it is of another kind. Whether it is one of the allowed values is
  /// checked by `accepts`.
  public func value(_ value: JSONValue) -> JSONValue? {
    switch kind {
    case .text: value.string?.isEmpty == false ? value : nil
    case .label: value.int.map { .string(String($0)) } ?? (value.string?.isEmpty == false ? value : nil)
    case .whole(let range): value.int.map { range.contains($0) } == true ? value : nil
    case .flag: value.bool == nil ? nil : value
    }
  }

  /// The value that a command line gives as a text; `nil` where it is of another kind.
  public func value(text: String) -> JSONValue? {
    switch kind {
    case .text, .label: value(.string(text))
    case .whole: Int(text).flatMap { value(.int($0)) }
    case .flag: ["true": .bool(true), "false": .bool(false)][text.exact]
    }
  }

  /// Whether the value is one of those that are allowed.
  public func accepts(_ value: JSONValue) -> Bool {
    guard self.value(value) == value else { return false }
    return allowed.isEmpty || value.string.map { text in allowed.contains { $0.exact == text.exact } } == true
  }
}

/// A follow that its source does not accept.
public struct FollowError: FailureRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The follow's path.
  public var follow: String
  /// The member of the follow's entry that is wrong, `limit` or the name of an option; `nil` for the path.
  public var member: String?
  /// What is wrong with it.
  public var message: String
  /// What is allowed.
  public var allowed: String

  /// Makes an error.
  public init(follow: String, member: String? = nil, message: String, allowed: String) {
    self.follow = follow
    self.member = member
    self.message = message
    self.allowed = allowed
  }

  /// The error in one line.
  public var description: String { "\(follow): \(message); \(allowed)" }

  /// The error as users see it.
  public var failure: Failure { Failure(.config, .usage, "\(follow): \(message)", hint: allowed, path: follow) }
}
