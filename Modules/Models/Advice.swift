/// What a message tells a user to do. The commands in it are values, which the program that shows the message completes and
/// quotes; nothing reads its text.
///
/// ```swift
/// let hint: Advice = "\(commandLine: ["todo", "repair"]) repairs the list of \(name)"
/// ```
public struct Advice: Hashable, Sendable {
  fileprivate enum Part: Sendable {
    case text(String)
    case command([String], isQuoted: Bool)
  }

  private var parts: [Part]

  public init(_ text: String) { parts = [.text(text)] }

  /// The advice in words.
  ///
  /// - Parameter options: what a command gets besides its words.
  public func text(adding options: (_ command: [String]) -> [String]) -> String {
    parts.map { part in
      switch part {
      case .text(let text): return text
      case .command(let words, let isQuoted):
        let line = (words + options(words)).map(ShellWord.inside).joined(separator: " ")
        return isQuoted ? "'\(line)'" : line
      }
    }.joined()
  }

  public func mappingText(_ change: (String) -> String) -> Advice {
    var advice = self
    advice.parts = parts.map { if case .text(let text) = $0 { .text(change(text)) } else { $0 } }
    return advice
  }

  /// Two are equal if they read the same: advice that was stored has no commands.
  public static func == (left: Advice, right: Advice) -> Bool { left.description == right.description }

  public func hash(into hasher: inout Hasher) { hasher.combine(description) }

  public static func + (left: Advice, right: Advice) -> Advice { [left, right].joined(separator: "") }
}

extension Advice: CustomStringConvertible {
  public var description: String { text { _ in [] } }
}

extension Advice: ExpressibleByStringInterpolation {
  public init(stringLiteral text: String) { self.init(text) }

  public init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ literal: String) { parts.append(.text(literal)) }

    public mutating func appendInterpolation<Value>(_ value: Value) { parts.append(.text("\(value)")) }

    public mutating func appendInterpolation(_ advice: Advice) { parts += advice.parts }

    /// A command with the name of its program, in single quotes; without them, it is the end of a line that a user copies.
    public mutating func appendInterpolation(commandLine words: [String], isQuoted: Bool = true) {
      parts.append(.command(words, isQuoted: isQuoted))
    }
  }
}

extension Sequence<Advice> {
  public func joined(separator: String) -> Advice {
    reduce(nil) { (all: Advice?, next) in all.map { "\($0)\(separator)\(next)" } ?? next } ?? ""
  }
}

/// Puts advice into the words of one run of a program: commands get the options without which they would act on another
/// store or config file.
public struct Wording: Sendable {
  private let options: @Sendable (_ command: [String]) -> [String]

  public init(options: @escaping @Sendable (_ command: [String]) -> [String] = { _ in [] }) { self.options = options }

  public func callAsFunction(_ advice: Advice) -> String { advice.text(adding: options) }

  public func callAsFunction(_ failure: Failure) -> Failure {
    var failure = failure
    failure.hint = failure.hint.map { Advice(self($0)) }
    return failure
  }
}
