public import Ports

/// The requirements for every parser of an API's responses.
public enum ResponseParserContract {
  /// A violated requirement.
  public struct Broken: Error, CustomStringConvertible {
    /// The expected and the actual result.
    public let description: String
  }

  /// Bodies that are not responses of any API. A parser must reject each with a place, and must not crash.
  public static let strangers: [String] = [
    "", " ", "<!doctype html><title>Down</title>", "<?xml version=\"1.0\"?><a/>", "{", "[", "{\"a\":", "nul", "\u{0}",
    "\"text", "{\"a\":1}{\"b\":2}",
  ]

  /// Checks one parser.
  ///
  /// - Parameter good: a valid body.
  /// - Throws: `Broken` for the first violated requirement.
  public static func check<Output: Sendable & Equatable>(
    _ parser: any ResponseParser<Output>, good: String
  ) throws {
    let bytes = Array(good.utf8)
    guard let first = try? parser.parse(bytes), let second = try? parser.parse(bytes) else {
      throw Broken(description: "the good body is refused")
    }
    guard first == second else { throw Broken(description: "the same bytes gave two results") }
    for stranger in strangers {
      switch result(of: parser, Array(stranger.utf8)) {
      case .success: throw Broken(description: "'\(stranger)' was taken")
      case .failure(let error):
        guard !error.expected.isEmpty, !error.found.isEmpty, error.line >= 1, error.column >= 1 else {
          throw Broken(description: "the error about '\(stranger)' names no place: \(error)")
        }
      }
    }
    for end in stride(from: 1, to: bytes.count - 1, by: max(1, bytes.count / 64)) {
      guard (try? parser.parse(Array(bytes[..<end]))) == nil else {
        throw Broken(description: "the body cut after \(end) bytes was taken")
      }
    }
  }

  private static func result<Output: Sendable>(
    of parser: any ResponseParser<Output>, _ body: [UInt8]
  ) -> Result<Parsed<Output>, ParsingError> {
    do throws(ParsingError) { return .success(try parser.parse(body)) } catch { return .failure(error) }
  }
}
