public import Ports

/// The requirements for every parser of an API's responses.
public enum ResponseParserContract {
  /// Bodies that are no response of any API. A parser must reject each with a place, and must not crash.
  public static let foreignBodies: [String] = [
    "", " ", "<!doctype html><title>Down</title>", "<?xml version=\"1.0\"?><a/>", "{", "[", "{\"a\":", "nul", "\u{0}",
    "\"text", "{\"a\":1}{\"b\":2}",
  ]

  /// Checks one parser.
  ///
  /// - Parameter good: a valid body.
  /// - Throws: `ContractViolation` for the first violated requirement.
  public static func check<Output: Sendable & Equatable>(_ parser: any ResponseParser<Output>, good: String) throws {
    let bytes = Array(good.utf8)
    guard let first = try? parser.parse(bytes), let second = try? parser.parse(bytes) else {
      throw ContractViolation("the good body is refused")
    }
    guard first == second else { throw ContractViolation("the same bytes gave two results") }
    for body in foreignBodies {
      switch result(of: parser, Array(body.utf8)) {
      case .success: throw ContractViolation("'\(body)' was taken")
      case .failure(let error):
        guard !error.expected.isEmpty, !error.found.isEmpty, error.line >= 1, error.column >= 1 else {
          throw ContractViolation("the error about '\(body)' names no place: \(error)")
        }
      }
    }
    for end in stride(from: 1, to: bytes.count - 1, by: max(1, bytes.count / 64)) {
      guard (try? parser.parse(Array(bytes[..<end]))) == nil else {
        throw ContractViolation("the body cut after \(end) bytes was taken")
      }
    }
  }

  private static func result<Output: Sendable>(
    of parser: any ResponseParser<Output>, _ body: [UInt8]
  ) -> Result<Parsed<Output>, ParsingError> {
    do throws(ParsingError) { return .success(try parser.parse(body)) } catch { return .failure(error) }
  }
}
