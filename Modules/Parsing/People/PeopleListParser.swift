public import Ports

/// Reads people: a list, or a list under `data`, alone or with paging members beside it. A single person stands for a
/// list of one, `{"data": {}}` and null for an empty list.
public struct PeopleListParser: ResponseParser {
  /// A parser.
  public init() {}

  /// Parses one list.
  ///
  /// - Throws: `ParsingError`: `shape` where there are no people; `foreign` where it is no JSON at all; `syntax`,
  ///   `truncated` or `limit` where the JSON is broken.
  public func parse(_ body: [UInt8]) throws(ParsingError) -> Parsed<[RemotePerson]> {
    try Answer.read(body) { (root) throws(ParsingError) -> Parsed<[RemotePerson]> in
      let list = try people(root)
      if list.isObject, list.elementCount == 0 { return Parsed([]) }
      let (records, rejects) = list.records(PersonRecord.person)
      return Parsed(records, rejects: rejects)
    }
  }

  private func people(_ root: JSONNode) throws(ParsingError) -> JSONNode {
    if root.isArray { return root }
    guard root.isObject else { throw root.error(expected: "a list of people") }
    if let error = root.failure { throw error.error(expected: "a list of people") }
    guard let list = root["data"] ?? root["people"] ?? root["results"] else {
      guard PersonRecord.isPerson(root) else { throw root.error(expected: "a list of people", missing: "data") }
      return root
    }
    guard list.isArray || list.isObject || list.isNull else { throw list.error(expected: "a list of people") }
    return list
  }
}
