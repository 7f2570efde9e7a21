/// `Modules/Parsing/…/…Parser.swift`: from the answer's bytes to records.
enum ParserTemplate {
  static func text(_ source: NewSource) -> String {
    """
    public import Models
    public import Ports

    /// Reads \(source.words): one, or a list of them\(source.wrapper.map { ", under `\($0)`" } ?? "").
    public struct \(source.parser): ResponseParser {
      /// A parser.
      public init() {}

      /// Parses one answer.
      ///
      /// - Throws: `ParsingError`: `shape` where the answer as a whole is something else; `foreign` where it is no JSON at
      ///   all; `syntax`, `truncated` or `limit` where the JSON is broken.
      public func parse(_ body: [UInt8]) throws(ParsingError) -> Parsed<[\(source.record)]> {
        try Answer.read(body) { (\(source.wrapper == nil ? "answer" : "root")) throws(ParsingError) -> Parsed<[\(source.record)]> in
    \(unwrapped(source))      guard answer.isArray else { return Parsed([try Self.\(source.value)(answer)]) }
          let (records, rejects) = answer.records(Self.\(source.value))
          return Parsed(records, rejects: rejects)
        }
      }

    \(reader(source))\(source.fields.contains { $0.kind == .time } ? time : "")}

    """
  }

  private static func unwrapped(_ source: NewSource) -> String {
    guard let wrapper = source.wrapper else { return "" }
    return """
            guard let answer = root.present("\(wrapper)") else {
              throw root.error(expected: "\(wrapper)", missing: "\(wrapper)")
            }

      """
  }

  private static func reader(_ source: NewSource) -> String {
    let guarded = source.fields.filter { !$0.isOptional && $0.kind != .text }
    let guards = guarded.map { field in
      """
          guard let \(field.name) = \(optional(field)) else {
            throw node.error(expected: "\(expected(field))", missing: "\(field.member)")
          }

      """
    }
    let arguments =
      ["id: id"]
      + source.fields.map { "\($0.name): \(guarded.contains($0) ? $0.name : value($0))" }
    return """
        private static func \(source.value)(_ node: JSONNode) throws(ParsingError) -> \(source.record) {
          guard node.isObject else { throw node.error(expected: "an object") }
          let id = try node.requiredText("\(source.id.member)")
      \(guards.joined())\(Layout.call("return \(source.record)(", arguments, ")", indentation: 4))
        }

      """
  }

  private static func value(_ field: Field) -> String {
    field.kind == .text && !field.isOptional ? "try node.requiredText(\"\(field.member)\")" : optional(field)
  }

  private static func optional(_ field: Field) -> String {
    switch field.kind {
    case .text: "try node.optionalText(\"\(field.member)\")"
    case .int: "try node[\"\(field.member)\"]?.wholeNumber()"
    case .bool: "try node[\"\(field.member)\"]?.truth()"
    case .time: "try Self.time(node, \"\(field.member)\")"
    }
  }

  private static func expected(_ field: Field) -> String {
    switch field.kind {
    case .text: "a string"
    case .int: "a whole number"
    case .bool: "true or false"
    case .time: "an RFC 3339 time"
    }
  }

  private static let time = """

      private static func time(_ node: JSONNode, _ name: StaticString) throws(ParsingError) -> Timestamp? {
        guard let text = try node.optionalText(name) else { return nil }
        guard let time = Timestamp(rfc3339: text) else {
          throw (node[name] ?? node).error(expected: "an RFC 3339 time")
        }
        return time
      }

    """
}
