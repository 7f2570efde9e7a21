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
