/// `Modules/Parsing/…/…Parser.swift`: parses responses.
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
        try ResponseBody.read(body) { (\(source.under == nil ? "answer" : "root")) throws(ParsingError) -> Parsed<[\(source.record)]> in
    \(unwrapped(source))      guard answer.isArray else { return Parsed([try Self.\(source.value)(answer)]) }
          return answer.records(Self.\(source.value))
        }
      }

    \(reader(source))\(time(source))}

    """
  }

  private static func unwrapped(_ source: NewSource) -> String {
    guard let under = source.under else { return "" }
    var holder = "root"
    return (under.parents + [under]).map { place in
      let variable = place == under ? "answer" : place.variable
      defer { holder = variable }
      return entering(place, as: variable, from: holder, indentation: 6)
    }
    .joined()
  }

  /// Enters a required value.
  private static func entering(
    _ place: MemberPath, as variable: String, from holder: String, indentation: Int
  ) -> String {
    let space = String(repeating: " ", count: indentation)
    let (value, error) =
      switch place.steps.last {
      case .index(let index): ("\(holder)[\(index)]", "expected: \"a list of more than \(index)\"")
      case .name, nil:
        ("\(holder).nonNull(\"\(place.last)\")", "expected: \"\(place.last)\", missing: \"\(place.last)\"")
      }
    return """
      \(space)guard let \(variable) = \(value) else {
      \(space)  throw \(holder).error(\(error))
      \(space)}

      """
  }

  private static func reader(_ source: NewSource) -> String {
    let guarded = source.fields.filter { !$0.isOptional && $0.kind != .text }
    let guards = guarded.map { field in
      """
          guard let \(field.name) = \(optional(field, source)) else {
            throw \(holder(of: field)).error(expected: "\(expected(field))", missing: "\(field.member.last)")
          }

      """
    }
    let arguments =
      ["id: id"]
      + source.fields.map { "\($0.name): \(guarded.contains($0) ? $0.name : value($0, source))" }
    let aboveID = source.parents.filter(source.id.member.parents.contains)
    let others = source.parents.filter { !aboveID.contains($0) }
    return """
        private static func \(source.value)(_ node: JSONNode) throws(ParsingError) -> \(source.record) {
          guard node.isObject else { throw node.error(expected: "an object") }
      \(aboveID.map { inside($0, source) }.joined())\
          let id = try \(holder(of: source.id)).requiredText("\(source.id.member.last)")
      \(others.map { inside($0, source) }.joined())\
      \(guards.joined())\(Layout.call("return \(source.record)(", arguments, ")", indentation: 4))
        }

      """
  }

  /// Enters the value that encloses a field, required or optional.
  private static func inside(_ place: MemberPath, _ source: NewSource) -> String {
    let holder = place.parent?.variable ?? "node"
    guard !source.isRequired(place) else {
      return entering(place, as: place.variable, from: holder, indentation: 4)
    }
    let mark = place.parent.map { source.isRequired($0) ? "" : "?" } ?? ""
    let key =
      switch place.steps.last {
      case .index(let index): "\(index)"
      case .name, nil: "\"\(place.last)\""
      }
    return "    let \(place.variable) = \(holder)\(mark)[\(key)]\n"
  }

  private static func holder(of field: Field) -> String { field.member.parent?.variable ?? "node" }

  private static func value(_ field: Field, _ source: NewSource) -> String {
    field.kind == .text && !field.isOptional
      ? "try \(holder(of: field)).requiredText(\"\(field.member.last)\")" : optional(field, source)
  }

  private static func optional(_ field: Field, _ source: NewSource) -> String {
    let (name, plain) = (field.member.last, holder(of: field))
    let holder = mayBeMissing(field, source) ? plain + "?" : plain
    switch field.kind {
    case .text: return "try \(holder).optionalText(\"\(name)\")"
    case .int: return "try \(holder)[\"\(name)\"]?.wholeNumber()"
    case .bool: return "try \(holder)[\"\(name)\"]?.boolean()"
    case .time: return "try Self.time(\(plain), \"\(name)\")"
    }
  }

  private static func mayBeMissing(_ field: Field, _ source: NewSource) -> Bool {
    field.member.parent.map { !source.isRequired($0) } ?? false
  }

  private static func expected(_ field: Field) -> String {
    switch field.kind {
    case .text: "a string"
    case .int: "a whole number"
    case .bool: "true or false"
    case .time: "an RFC 3339 time"
    }
  }

  private static func time(_ source: NewSource) -> String {
    let times = source.fields.filter { $0.kind == .time }
    guard !times.isEmpty else { return "" }
    let mayBeMissing = times.contains { Self.mayBeMissing($0, source) }
    let (mark, present) = mayBeMissing ? ("?", "let node, ") : ("", "")
    return """

        private static func time(_ node: JSONNode\(mark), _ name: StaticString) throws(ParsingError) -> Timestamp? {
          guard \(present)let text = try node.optionalText(name) else { return nil }
          guard let time = Timestamp(rfc3339: text) else {
            throw (node[name] ?? node).error(expected: "an RFC 3339 time")
          }
          return time
        }

      """
  }
}
