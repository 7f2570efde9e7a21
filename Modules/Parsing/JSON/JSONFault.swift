import Models
import Ports

/// A syntax error that the scanner found, before it becomes a `ParsingError`.
struct JSONFault {
  /// What was expected, in words.
  enum Expectation: String {
    case none = "nothing else"
    case value = "a value"
    case valueOrBracket = "a value or ']'"
    case name = "a member name in double quotes"
    case nameOrBrace = "a member name in double quotes, or '}'"
    case colon = "':'"
    case commaOrBrace = "',' or '}'"
    case commaOrBracket = "',' or ']'"
    case end = "the end of the text"
    /// The rest of `true`, `false` or `null`.
    case literal = "true, false or null"
    case digit = "a digit"
    case stringEnd = "the string's closing quote"
    case escape = "one of \" \\ / b f n r t u after the backslash"
    case hexDigit = "four hexadecimal digits"
    case noControl = "control characters written as escapes"
    case utf8 = "UTF-8"
    /// The limits of nesting and size.
    case depth, tooLarge
  }

  var expected: Expectation
  var offset: Int

  @inline(__always) init(_ expected: Expectation, at offset: Int) {
    self.expected = expected
    self.offset = offset
  }

  /// The error with its message and position.
  ///
  /// - Parameters:
  ///   - text: the whole text.
  ///   - path: the path of the error.
  ///   - depthLimit: the limit of nesting.
  func error(in text: UnsafeBufferPointer<UInt8>, path: String, depthLimit: Int) -> ParsingError {
    let place = TextPlace(of: offset, in: text)
    let code: ParsingError.Code =
      switch expected {
      case .depth, .tooLarge: .limit
      default: offset >= text.count ? .truncated : .syntax
      }
    return ParsingError(
      code, path: path, offset: offset, line: place.line, column: place.column,
      expected: words(depthLimit: depthLimit), found: found(in: text))
  }

  private func words(depthLimit: Int) -> String {
    switch expected {
    case .depth: "at most \(depthLimit) levels of nesting"
    case .tooLarge: "less than \(JSONWord.sizeLimit >> 20) MiB"
    default: expected.rawValue
    }
  }

  private func found(in text: UnsafeBufferPointer<UInt8>) -> String {
    switch expected {
    case .depth: return "more"
    case .tooLarge: return "\(text.count) bytes"
    default: break
    }
    guard offset < text.count else { return text.isEmpty ? "nothing" : "the end of the text" }
    let byte = text[offset]
    switch byte {
    case 0x27: return "\"'\""
    case 0x5D where isAfterComma(text), 0x7D where isAfterComma(text):
      return "'\(Character(Unicode.Scalar(byte)))' after a comma"
    case 0x20...0x7E: return "'\(Character(Unicode.Scalar(byte)))'"
    case 0..<0x20, 0x7F: return "the raw control character 0x\(hexadecimal(byte))"
    default: return "byte 0x\(hexadecimal(byte))"
    }
  }
}

extension JSONFault {
  /// Whether a comma comes before the fault, as after the last item of a list in other languages.
  private func isAfterComma(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    text[..<offset].last { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == 0x2C
  }
}

func hexadecimal(_ byte: UInt8) -> String { padded(byte, 2, radix: 16).uppercased() }
