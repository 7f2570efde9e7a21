import Models
import Ports

struct RecordMapping: Sendable {
  private enum IDPart: Sendable {
    case path(CompiledPath)
    case template(URLTemplate)
  }

  private struct Field: Sendable {
    let name: String
    let content: Content
  }

  private indirect enum Content: Sendable {
    case value(FieldReader)
    case object([Field])
  }

  private let idParts: [IDPart]
  private let fields: [Field]

  init(_ mapping: SourceDefinition.Mapping, _ trie: inout PathTrie) {
    idParts = mapping.id.map { part in
      switch part {
      case .path(let path): .path(CompiledPath(path, &trie))
      case .template(let template): .template(template)
      }
    }
    fields = Self.fields(mapping.fields, mapping.blank.map(\.exact), &trie)
  }

  private static func fields(
    _ fields: [SourceDefinition.Field], _ blank: [ExactString], _ trie: inout PathTrie
  ) -> [Field] {
    fields.map { field in
      switch field.content {
      case .object(let fields): Field(name: field.name, content: .object(Self.fields(fields, blank, &trie)))
      case .value(let value): Field(name: field.name, content: .value(FieldReader(value, blank: blank, &trie)))
      }
    }
  }

  /// The id. Of several parts, a `/` in one of them is written `%2F`; of none, it is a digest of the fields.
  func id(in position: AnswerPosition) throws(ParsingError) -> String {
    var id = ""
    if idParts.isEmpty {
      // A record without an id is what its fields hold.
      return String(SHA256.digest(Array(JSONText.compact(.object(try record(id, in: position))).utf8)).prefix(32))
    }
    for (index, part) in idParts.enumerated() {
      var text = try self.text(of: part, in: position)
      if idParts.count > 1, text.utf8.contains(0x2F) { text = text.replacing("/", with: "%2F") }
      if index > 0 { id += "/" }
      id += text
    }
    // The limits of the store.
    guard (1...1024).contains(id.utf8.count), !id.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw position.node.error(expected: "an id of 1 to 1024 bytes without control characters")
    }
    return id
  }

  private func text(of part: IDPart, in position: AnswerPosition) throws(ParsingError) -> String {
    switch part {
    case .template(let template):
      do throws(URLTemplate.MissingValue) {
        return try template.expanded(isURL: false) { position.variable($0) }
      } catch {
        throw position.node.error(expected: "a value of {\(error.name)} for the id")
      }
    case .path(let path):
      if let key = path.keyText(in: position) { return key }
      guard let node = path.first(in: position), !node.isNull else { throw path.missing("an id", in: position) }
      guard let text = node.string ?? node.digits, !text.isEmpty else {
        throw node.error(expected: "an id: a text or a number")
      }
      return text
    }
  }

  /// The error that an earlier record of the answer has the same id and other fields: only the first one is taken.
  func repeatedID(
    _ id: String, _ fields: JSONObject, _ earlier: JSONObject, in position: AnswerPosition
  ) -> ParsingError {
    let node: JSONNode? =
      if idParts.count == 1, case .path(let path) = idParts[0] { path.first(in: position) } else { nil }
    var error = (node ?? position.node).error(expected: "an id that no other record of the answer has")
    let names = fields.members.map(\.key) + earlier.members.map(\.key)
    let differing = names.first { fields[$0] != earlier[$0] } ?? "a field"
    error.found = "the id '\(id)' of an earlier record, which has another \(differing)"
    return error
  }

  func record(_ id: String, in position: AnswerPosition) throws(ParsingError) -> JSONObject {
    var record = JSONObject()
    record.members.reserveCapacity(fields.count + 1)
    record.append("id", id)
    try Self.read(fields, in: position, into: &record)
    return record
  }

  private static func read(
    _ fields: [Field], in position: AnswerPosition, into object: inout JSONObject
  ) throws(ParsingError) {
    for field in fields {
      switch field.content {
      case .value(let reader): object.append(field.name, try reader.value(in: position))
      case .object(let fields):
        var inner = JSONObject()
        try read(fields, in: position, into: &inner)
        if !inner.isEmpty { object.append(field.name, .object(inner)) }
      }
    }
  }
}

extension AnswerPosition {
  /// The value of a variable; `nil` for paths.
  func variable(_ name: URLTemplate.Name) -> String? {
    if case .variable(let name) = name { variables[name.exact] } else { nil }
  }
}

/// Reads one field of a record. An object, so that no part of it is copied for each record.
final class FieldReader: Sendable {
  private enum Origin: Sendable {
    case paths([CompiledPath])
    case template(URLTemplate, [CompiledPath])
  }

  private let kind: SourceDefinition.Kind
  private let isOptional: Bool
  /// Whether 0 stands for no time, as APIs with numbers of seconds write it.
  private let isZeroAbsent: Bool
  private let origin: Origin
  /// The slot of the value, if that is the only place of one value; -1 otherwise.
  private let slot: Int
  private let separator: String?
  private let blank: [ExactString]

  init(_ value: SourceDefinition.FieldValue, blank: [ExactString], _ trie: inout PathTrie) {
    kind = value.kind
    (separator, self.blank) = (value.separator, blank)
    isOptional = value.isOptional
    switch value.kind {
    case .time(.epoch), .time(.epochMilliseconds), .date(.epoch), .date(.epochMilliseconds):
      isZeroAbsent = value.isOptional
    default: isZeroAbsent = false
    }
    switch value.origin {
    case .paths(let paths):
      let compiled = paths.map { CompiledPath($0, &trie) }
      origin = .paths(compiled)
      let isList = if case .list = value.kind { true } else { false }
      slot = isList || value.separator != nil || compiled.count != 1 ? -1 : compiled[0].onlySlot ?? -1
    case .template(let template):
      origin = .template(template, template.paths.map { CompiledPath($0, &trie) })
      slot = -1
    }
  }

  /// The value; `nil` where it is optional and absent.
  ///
  /// - Throws: `ParsingError` where it is missing or of another kind.
  func value(in position: AnswerPosition) throws(ParsingError) -> JSONValue? {
    if slot >= 0, let node = position.slots[slot], !isAbsent(node),
      let value = try FieldConversion(kind).value(of: node)
    {
      return value
    }
    return try valueOfOrigin(in: position)
  }

  @inline(__always)
  private func isAbsent(_ node: JSONNode) -> Bool {
    node.isNull || isOptional && node.isEmptyText || isZeroAbsent && (node.int == 0 || node.string == "0")
      || !blank.isEmpty && node.string.map { blank.contains($0.exact) } == true
  }

  private func valueOfOrigin(in position: AnswerPosition) throws(ParsingError) -> JSONValue? {
    switch origin {
    case .template(let template, let paths): return try text(template, paths, in: position)
    case .paths(let paths):
      for path in paths {
        if case .list(let element) = kind {
          if let list = try list(element, path, in: position) { return list }
        } else if let separator {
          let texts = path.texts(in: position)
          if !texts.isEmpty { return .string(texts.joined(separator: separator)) }
        } else if let key = path.keyText(in: position) {
          return try FieldConversion(kind).value(text: key, at: position.node)
        } else if let node = path.first(in: position), !isAbsent(node) {
          if let value = try FieldConversion(kind).value(of: node) { return value }
        }
      }
      if isOptional { return nil }
      let found = paths[0].first(in: position)
      if let found, !found.isNull { throw found.error(expected: FieldConversion(kind).expected) }
      throw paths[0].missing(FieldConversion(kind).expected, in: position)
    }
  }

  private func list(
    _ element: SourceDefinition.Kind.Element, _ path: CompiledPath, in position: AnswerPosition
  ) throws(ParsingError) -> JSONValue? {
    guard path.hasContainer(in: position) else { return nil }
    var nodes: [JSONNode] = []
    path.forEach(in: position) { found in
      // Without [*], an array is the list, and another value its only element.
      if nodes.isEmpty, !path.isMany, found.node.isArray {
        found.node.forEachElement { _, element in nodes.append(element) }
      } else {
        nodes.append(found.node)
      }
    }
    let conversion = FieldConversion(element == .text ? .text : element == .url ? .url : .json)
    var values: [JSONValue] = []
    for node in nodes where !node.isNull {
      if let value = try conversion.value(of: node) { values.append(value) }
    }
    return .array(values)
  }

  private func text(
    _ template: URLTemplate, _ paths: [CompiledPath], in position: AnswerPosition
  ) throws(ParsingError) -> JSONValue? {
    var values = paths[...]
    let text: String
    do throws(URLTemplate.MissingValue) {
      text = try template.expanded(isURL: kind == .url) { name in
        guard case .path = name else { return position.variable(name) }
        return values.popFirst()?.texts(in: position).first
      }
    } catch {
      if isOptional { return nil }
      throw position.node.error(expected: "a value of {\(error.name)}")
    }
    return try FieldConversion(kind).value(text: text, at: position.node)
  }
}
