public import Models

/// An answer, a file or a record is not what it should be.
public struct ParsingError: FailureRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Code: String, Sendable, CaseIterable {
    /// The text breaks the grammar.
    case syntax
    /// It ends too early.
    case truncated
    /// The value has another shape than expected.
    case shape
    /// It is something else altogether: HTML, XML, nothing.
    case foreign
    /// It is nested too deeply or larger than allowed.
    case limit
  }

  /// What is wrong.
  public var code: Code
  /// The JSON path, `$` for the whole: `$.feed.entry[3].id`.
  public var path: String
  /// Bytes before the place.
  public var offset: Int
  /// The line, from 1.
  public var line: Int
  /// The column in bytes, from 1.
  public var column: Int
  /// What should stand there.
  public var expected: String
  /// What stands there.
  public var found: String
  /// The address or the file, without secrets; set by whoever knows it.
  public var source: String?
  /// How to mend it, where that is known.
  public var hint: String?

  /// Makes an error.
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
