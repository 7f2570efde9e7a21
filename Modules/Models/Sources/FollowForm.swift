public struct FollowForm: Hashable, Sendable {
  /// The path with its parameters in braces, as in RFC 6570: `app-store/{storefront}/{chart}`. `{name}` matches one
  /// component of the path; `{+name}` at the end matches the rest, including slashes.
  public var template: String
  /// The data that such a follow keeps, in a few words for help texts.
  public var summary: String
  /// The range of the follow's limit; `nil` if a limit is not supported.
  public var limit: Limit?
  /// A path of this form that can be followed as it is: `lichess/player/DrNykterstein`; `nil` if none is known.
  public var example: String?
  /// Values of parameters that have few of them, with the titles that people read. Others may be valid, too.
  public var choices: [Choice]

  public init(_ template: String, _ summary: String, limit: Limit? = nil, choices: [Choice] = []) {
    (self.template, self.summary, self.limit, self.choices) = (template, summary, limit, choices)
  }

  /// A value of a parameter: `6014` with the title `Games`.
  public struct Choice: Hashable, Sendable {
    public var parameter: String
    public var value: String
    public var title: String

    public init(_ parameter: String, _ value: String, _ title: String) {
      (self.parameter, self.value, self.title) = (parameter, value, title)
    }
  }

  /// The title of a value; the value itself where it has none.
  public func title(of value: String, for parameter: String) -> String {
    choices.first { $0.parameter.exact == parameter.exact && $0.value.exact == value.exact }?.title ?? value
  }

  public struct Limit: Hashable, Sendable {
    public var standard: Int
    /// The largest limit. The smallest is 1.
    public var largest: Int

    public init(standard: Int, largest: Int) { (self.standard, self.largest) = (standard, largest) }
  }

  /// The form as shown to users, with parameters in capitals: `app-store/STOREFRONT/CHART`.
  public var text: String {
    template.parts.map { Self.parameter($0)?.name.uppercased() ?? $0 }.joined(separator: "/")
  }

  public var parameterNames: [String] { template.parts.compactMap { Self.parameter($0)?.name } }

  /// The part before the first parameter: `flickr/person/`.
  public var prefix: String { String(template.prefix { $0 != "{" }) }

  public func takes(_ path: String) -> Bool { parameters(of: path) != nil }

  /// Returns the parameters of a path in order, as written; `nil` if the path does not match.
  ///
  /// A parameter has 1 to 512 bytes without control characters, and is not `.` or `..`: it is part of a URL. O(bytes).
  public func parameters(of path: String) -> [String]? {
    var rest = path.parts[...]
    var parameters: [String] = []
    for part in template.parts {
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

  /// The paths that go on from a beginning with one of the choices of its last part: `app-store/us/top-free` from `app-store/us/t`.
  public func choices(after beginning: String) -> [(path: String, title: String)] {
    let (typed, form) = (beginning.parts, template.parts)
    guard typed.count <= form.count, let name = Self.parameter(form[typed.count - 1])?.name,
      zip(typed.dropLast(), form).allSatisfy({
        Self.parameter($1) == nil ? $0.exact == $1.exact : Self.isAllowed($0)
      })
    else { return [] }
    let start = typed.dropLast().map { $0 + "/" }.joined()
    return choices.filter { $0.parameter.exact == name.exact && $0.value.hasPrefix(typed[typed.count - 1]) }
      .map { (start + $0.value, $0.title) }
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

/// An option of a source's follows: a member of the follow's entry in the config file, or `--option NAME=VALUE`.
public struct FollowOption: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// A nonempty string.
    case text
    /// A nonempty string; an integer is accepted and converted to its digits.
    case label
    case whole(ClosedRange<Int>)
    case flag
  }

  public var name: String
  public var kind: Kind
  /// The allowed values; empty if every value of the type is allowed.
  public var allowed: [String]
  /// The effect of the option, in one sentence for help texts.
  public var help: String
  /// Whether the source moves the value into the path, so that a canonical follow does not contain the option.
  public var becomesPath: Bool

  public init(_ name: String, _ kind: Kind = .text, allowed: [String] = [], help: String, becomesPath: Bool = false) {
    (self.name, self.kind, self.allowed, self.help, self.becomesPath) = (name, kind, allowed, help, becomesPath)
  }

  public var expected: String {
    switch kind {
    case .text, .label:
      allowed.isEmpty ? "a string that is not empty" : allowed.map { "\"\($0)\"" }.joined(separator: " or ")
    case .whole(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .flag: "true or false"
    }
  }

  /// Returns the value in its canonical form; `nil` if it is of the wrong type. `accepts` checks whether it is one of
  /// the allowed values.
  public func value(_ value: JSONValue) -> JSONValue? {
    switch kind {
    case .text: value.string?.isEmpty == false ? value : nil
    case .label: value.int.map { .string(String($0)) } ?? (value.string?.isEmpty == false ? value : nil)
    case .whole(let range): value.int.map { range.contains($0) } == true ? value : nil
    case .flag: value.bool == nil ? nil : value
    }
  }

  /// Returns the value of a command-line argument; `nil` if it is of the wrong type.
  public func value(text: String) -> JSONValue? {
    switch kind {
    case .text, .label: value(.string(text))
    case .whole: Int(text).flatMap { value(.int($0)) }
    case .flag: ["true": .bool(true), "false": .bool(false)][text.exact]
    }
  }

  public func accepts(_ value: JSONValue) -> Bool {
    guard self.value(value) == value else { return false }
    return allowed.isEmpty || value.string.map { text in allowed.contains { $0.exact == text.exact } } == true
  }
}

public struct FollowError: FailureRepresentable, Hashable, Sendable, CustomStringConvertible {
  public var follow: String
  /// The invalid member of the follow's entry, `limit` or the name of an option; `nil` for the path.
  public var member: String?
  public var message: String
  public var allowed: String
  /// Whether the path is valid, and its server has nothing there.
  public var isMissing: Bool

  public init(follow: String, member: String? = nil, message: String, allowed: String, isMissing: Bool = false) {
    (self.follow, self.member, self.message) = (follow, member, message)
    (self.allowed, self.isMissing) = (allowed, isMissing)
  }

  public var description: String { "\(place): \(message); \(allowed)" }

  /// The path, cut where it is so long that it would hide the rest.
  private var place: String { follow.utf8.count <= 100 ? follow : "\(follow.prefix(60))…" }

  public var failure: Failure {
    Failure(.config, isMissing ? .notFound : .usage, "\(place): \(message)", hint: Advice(allowed), path: follow)
  }
}
