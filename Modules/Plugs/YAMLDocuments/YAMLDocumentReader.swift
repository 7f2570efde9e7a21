import CYaml
import Models
public import Ports

/// Reads YAML documents (YAML 1.1) from the events of libyaml, so that the limits hold before anything is built. Tags are
/// refused; dates, and times such as 10:30, stay texts.
public struct YAMLDocumentReader: Sendable {
  private let limits: DocumentLimits

  public init(limits: DocumentLimits = DocumentLimits()) { self.limits = limits }

  /// O(bytes), and O(values that aliases and merge keys repeat).
  public func read(_ bytes: [UInt8]) throws(ParsingError) -> LocatedValue {
    guard bytes.count <= limits.bytes else {
      throw ParsingError(.limit, expected: "a document of at most \(limits.bytes) bytes", found: "\(bytes.count) bytes")
    }
    return try bytes.withUnsafeBufferPointer { (input) throws(ParsingError) in
      var parser = yaml_parser_t()
      guard yaml_parser_initialize(&parser) == 1 else {
        throw ParsingError(.limit, expected: "memory for a document", found: "none")
      }
      defer { yaml_parser_delete(&parser) }
      yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
      yaml_parser_set_input_string(&parser, input.baseAddress, input.count)
      var builder = DocumentBuilder(limits: limits)
      while true {
        var event = yaml_event_t()
        guard yaml_parser_parse(&parser, &event) == 1 else { throw Self.error(of: parser) }
        defer { yaml_event_delete(&event) }
        if event.type == YAML_STREAM_END_EVENT { return try builder.document(endingAt: event.start_mark) }
        try builder.add(event)
      }
    }
  }

  private static func error(of parser: yaml_parser_t) -> ParsingError {
    let mark = parser.problem_mark.index > 0 ? parser.problem_mark : parser.mark
    let problem = parser.problem.map { String(cString: $0) } ?? "what is no YAML"
    return mark.error(.syntax, "a YAML document", problem)
  }
}

extension yaml_mark_t {
  fileprivate func error(_ code: ParsingError.Code, _ expected: String, _ found: String) -> ParsingError {
    ParsingError(code, offset: index, line: line + 1, column: column + 1, expected: expected, found: found)
  }
}

/// Puts a document together from events.
private struct DocumentBuilder {
  /// A value with what its repetition costs.
  private struct Counted {
    var value: LocatedValue
    var count = 1
    var height = 0
  }

  /// A list or a map that is open.
  private struct Level {
    var isMap: Bool
    var line: Int
    var anchor: String?
    var count = 1
    var height = 0
    var elements: [LocatedValue] = []
    var members: [LocatedValue.Member] = []
    var merged: [[LocatedValue.Member]] = []
    var key: String?
    var isMerge = false
  }

  let limits: DocumentLimits
  private var levels: [Level] = []
  private var anchors: [String: Counted] = [:]
  private var count = 0
  private var merges = 0
  private var root: LocatedValue?

  init(limits: DocumentLimits) { self.limits = limits }

  func document(endingAt mark: yaml_mark_t) throws(ParsingError) -> LocatedValue {
    if let root { return root }
    throw mark.error(.truncated, "a YAML document", "none")
  }

  mutating func add(_ event: yaml_event_t) throws(ParsingError) {
    let mark = event.start_mark
    switch event.type {
    case YAML_DOCUMENT_START_EVENT:
      if root != nil { throw mark.error(.syntax, "one document", "another one") }
    case YAML_ALIAS_EVENT:
      let name = Self.text(event.data.alias.anchor) ?? ""
      guard let known = anchors[name] else { throw mark.error(.syntax, "an anchor above", "the alias *\(name)") }
      try append(known, mark)
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      try checkTag(scalar.tag, mark)
      let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
      if let level = levels.indices.last, levels[level].isMap, levels[level].key == nil {
        levels[level].isMerge = isPlain && text == "<<"
        levels[level].key = text
        return
      }
      let value = LocatedValue(isPlain ? Self.content(of: text) : .text(text), line: mark.line + 1)
      let counted = Counted(value: value)
      if let anchor = Self.text(scalar.anchor) { anchors[anchor] = counted }
      try append(counted, mark)
    case YAML_SEQUENCE_START_EVENT:
      try open(false, event.data.sequence_start.anchor, event.data.sequence_start.tag, mark)
    case YAML_MAPPING_START_EVENT:
      try open(true, event.data.mapping_start.anchor, event.data.mapping_start.tag, mark)
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
      let level = levels.removeLast()
      let content: LocatedValue.Content = level.isMap ? .map(Self.members(of: level)) : .list(level.elements)
      let counted = Counted(value: LocatedValue(content, line: level.line), count: level.count, height: level.height)
      if let anchor = level.anchor { anchors[anchor] = counted }
      // What is in it was counted when it was read.
      count -= level.count
      try append(counted, mark)
    default: break
    }
  }

  private mutating func open(
    _ isMap: Bool, _ anchor: UnsafeMutablePointer<yaml_char_t>?, _ tag: UnsafeMutablePointer<yaml_char_t>?,
    _ mark: yaml_mark_t
  ) throws(ParsingError) {
    try checkTag(tag, mark)
    try checkKey(mark)
    guard levels.count < limits.depth else { throw tooDeep(mark) }
    count += 1
    levels.append(Level(isMap: isMap, line: mark.line + 1, anchor: Self.text(anchor)))
  }

  private mutating func append(_ counted: Counted, _ mark: yaml_mark_t) throws(ParsingError) {
    try checkKey(mark)
    count += counted.count
    guard count <= limits.values else {
      throw mark.error(.limit, "at most \(limits.values) values", "more, with those that aliases repeat")
    }
    guard levels.count + counted.height <= limits.depth else { throw tooDeep(mark) }
    guard let level = levels.indices.last else {
      root = counted.value
      return
    }
    levels[level].count += counted.count
    levels[level].height = max(levels[level].height, counted.height + 1)
    guard levels[level].isMap else { return levels[level].elements.append(counted.value) }
    let name = levels[level].key ?? ""
    levels[level].key = nil
    guard levels[level].isMerge else { return levels[level].members.append(.init(name, counted.value)) }
    merges += 1
    let sources = if case .list(let list) = counted.value.content { list } else { [counted.value] }
    // Of several maps, the first that has a name gives its value.
    for source in sources.reversed() {
      guard merges <= limits.merges, case .map(let members) = source.content else {
        throw mark.error(
          merges > limits.merges ? .limit : .syntax, "at most \(limits.merges) merge keys, each of maps",
          merges > limits.merges ? "more" : "a merge key of another value")
      }
      levels[level].merged.append(members)
    }
  }

  /// The merged members, and then those that are written, which replace them.
  private static func members(of level: Level) -> [LocatedValue.Member] {
    var members: [LocatedValue.Member] = []
    var places: [String: Int] = [:]
    for member in level.merged.joined() + level.members {
      if let place = places[member.name] {
        members[place] = member
      } else {
        places[member.name] = members.count
        members.append(member)
      }
    }
    return members
  }

  private func checkKey(_ mark: yaml_mark_t) throws(ParsingError) {
    guard let level = levels.last, level.isMap, level.key == nil else { return }
    throw mark.error(.syntax, "a name of a member", "a list, a map or an alias")
  }

  private func checkTag(_ tag: UnsafeMutablePointer<yaml_char_t>?, _ mark: yaml_mark_t) throws(ParsingError) {
    if let tag = Self.text(tag) { throw mark.error(.syntax, "a value without a tag", "the tag \(tag)") }
  }

  private func tooDeep(_ mark: yaml_mark_t) -> ParsingError {
    mark.error(.limit, "values nested at most \(limits.depth) deep", "deeper ones")
  }

  private static func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    pointer.map { String(cString: UnsafePointer($0)) }
  }

  /// What a plain scalar means.
  private static func content(of text: String) -> LocatedValue.Content {
    switch text {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON": return .bool(true)
    case "false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF": return .bool(false)
    default: return number(text).map { .number($0) } ?? .text(text)
    }
  }

  /// The number in JSON's grammar: `0x1F`, `017` and `1_000` are integers, `.5` and `1.` have a fraction.
  private static func number(_ text: String) -> String? {
    guard let first = text.utf8.first, (0x30...0x39).contains(first) || "+-.".utf8.contains(first) else { return nil }
    var digits = text.filter { $0 != "_" }
    if digits.hasPrefix("+") { digits.removeFirst() }
    let sign = digits.hasPrefix("-") ? "-" : ""
    let plain = digits.dropFirst(sign.count)
    if plain.hasPrefix("0x") { return Int(plain.dropFirst(2), radix: 16).map { "\(sign)\($0)" } }
    if plain.count > 1, plain.first == "0", plain.allSatisfy(\.isWholeNumber) {
      return Int(plain, radix: 8).map { "\(sign)\($0)" }
    }
    guard plain.contains(".") else { return plain.allSatisfy { "0"..."9" ~= $0 } && !plain.isEmpty ? digits : nil }
    let fixed = (plain.hasPrefix(".") ? "0" : "") + plain + (plain.hasSuffix(".") ? "0" : "")
    return JSONValue(number: sign + fixed) == nil || fixed == "0.0" && plain == "." ? nil : sign + fixed
  }
}
