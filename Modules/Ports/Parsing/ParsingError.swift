public import Models

/// A response, a file or a record is not as expected.
public struct ParsingError: FailureRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public enum Code: String, Sendable, CaseIterable {
    /// The text violates the grammar.
    case syntax
    /// The text ends too early.
    case truncated
    /// A value is not of the expected kind, or is missing.
    case shape
    /// The text is in another format, such as HTML or XML, or empty.
    case foreign
    /// The text is too large or nested too deeply.
    case limit
  }

  /// The kind of error.
  public var code: Code
  /// The JSON path: `$.feed.entry[3].id`; `$` for the whole text.
  public var path: String
  /// The offset in bytes.
  public var offset: Int
  /// The line, from 1.
  public var line: Int
  /// The column in bytes, from 1.
  public var column: Int
  /// The expected value.
  public var expected: String
  /// The value that was found.
  public var found: String
  /// The URL or the file, without secrets. The caller of a parser sets it.
  public var source: String?
  /// How to fix it.
  public var hint: String?

  /// Creates an error.
  public init(
    _ code: Code, path: String = "$", offset: Int = 0, line: Int = 1, column: Int = 1, expected: String, found: String,
    source: String? = nil, hint: String? = nil
  ) {
    self.code = code
    self.path = path
    self.offset = offset
    self.line = line
    self.column = column
    self.expected = expected
    self.found = found
    self.source = source
    self.hint = hint
  }

  /// The error in one line.
  public var description: String {
    "expected \(expected), found \(found) at \(path) (line \(line), column \(column), byte \(offset))"
  }

  /// The error as users see it.
  public var failure: Failure {
    Failure(.parsing, .unparsable, description, hint: hint, url: source, code: code.rawValue, path: path)
  }
}
