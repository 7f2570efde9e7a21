public import Ports

/// Reads the answer to a POST of a person: the person as the server made it, bare or under `data`.
public struct PersonAnswerParser: ResponseParser {
  /// A parser.
  public init() {}

  /// Parses one person.
  ///
  /// - Throws: `ParsingError`: `shape` where it is no person; `foreign` where it is no JSON at all; `syntax`,
  ///   `truncated` or `limit` where the JSON is broken.
  public func parse(_ body: [UInt8]) throws(ParsingError) -> Parsed<RemotePerson> {
    try Answer.read(body) { (root) throws(ParsingError) -> Parsed<RemotePerson> in
      let person = root["data"]?.firstOfOneOrMany ?? root
      return Parsed(try PersonRecord.person(person))
    }
  }
}
