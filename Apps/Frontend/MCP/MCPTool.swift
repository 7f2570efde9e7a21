import Models
import Ports

struct MCPTool: Sendable {
  static let longestResult = 400_000
  static let all = reading + proposing

  let name: String
  let title: String
  let explanation: String
  let parameters: [MCPParameter]
  /// The members of the result, in JSON Schema.
  let result: JSONObject
  /// Whether it changes nothing at all; the others propose.
  let isReading: Bool
  let run: @Sendable (MCPCall) async throws(Failure) -> JSONObject

  init(
    _ name: String, _ title: String, _ explanation: String, _ parameters: [MCPParameter] = [], result: JSONObject,
    isReading: Bool = true, run: @escaping @Sendable (MCPCall) async throws(Failure) -> JSONObject
  ) {
    (self.name, self.title, self.explanation, self.parameters) = (name, title, explanation, parameters)
    (self.result, self.isReading, self.run) = (result, isReading, run)
  }

  /// The tool as `tools/list` describes it.
  var description: JSONObject {
    let needed = parameters.filter(\.isNeeded).map { JSONValue.string($0.name) }
    let properties = parameters.map { JSONObject.Member(key: $0.name, value: .object($0.schema)) }
    return [
      "name": .string(name), "title": .string(title), "description": .string(explanation),
      "inputSchema": [
        "type": "object", "properties": .object(JSONObject(members: properties)), "required": .array(needed),
        "additionalProperties": false,
      ],
      "outputSchema": ["type": "object", "properties": .object(result)],
      "annotations": [
        "readOnlyHint": .bool(isReading), "destructiveHint": false, "idempotentHint": .bool(isReading),
        "openWorldHint": false,
      ],
    ]
  }
}

struct MCPParameter: Sendable {
  enum Kind: Sendable {
    case text
    case texts
    case flag
    case object
    case number(ClosedRange<Int>)
  }

  let name: String
  let kind: Kind
  let explanation: String
  let isNeeded: Bool

  init(_ name: String, _ explanation: String, _ kind: Kind = .text, isNeeded: Bool = false) {
    (self.name, self.kind, self.explanation, self.isNeeded) = (name, kind, explanation, isNeeded)
  }

  /// The maximum number of items of a result.
  static func limit(_ most: Int, standard: Int) -> MCPParameter {
    MCPParameter("limit", "the maximum number; \(standard) by default", .number(1...most))
  }

  var schema: JSONObject {
    var schema = form.schema
    schema["description"] = .string(explanation)
    return schema
  }

  /// What a value should have been; `nil` for one that fits.
  func expected(insteadOf value: JSONValue) -> String? { form.holds(value) ? nil : form.words }

  private var form: (schema: JSONObject, words: String, holds: (JSONValue) -> Bool) {
    switch kind {
    case .text: (["type": "string"], "a text", { $0.string != nil })
    case .texts:
      (
        ["type": "array", "items": ["type": "string"]], "a list of texts",
        { $0.array?.allSatisfy { $0.string != nil } == true }
      )
    case .flag: (["type": "boolean"], "true or false", { $0.bool != nil })
    case .object: (["type": "object"], "an object", { $0.object != nil })
    case .number(let range):
      (
        ["type": "integer", "minimum": .int(range.lowerBound), "maximum": .int(range.upperBound)],
        "a whole number from \(range.lowerBound) to \(range.upperBound)", { $0.int.map(range.contains) == true }
      )
    }
  }
}

struct MCPCall {
  let arguments: JSONObject
  let services: AssistantServices
  /// The client, as it names itself.
  let client: String

  /// Checks the arguments.
  ///
  /// - Throws: `Failure`, `usage`, with what the tool takes.
  func check(_ tool: MCPTool) throws(Failure) {
    for member in arguments.members {
      guard let parameter = tool.parameters.first(where: { $0.name.exact == member.key.exact }) else {
        let names = tool.parameters.map(\.name)
        throw Self.wrong(
          "\(tool.name) has no argument '\(member.key.prefix(80))'",
          Advice(names.isEmpty ? "it has no arguments" : "its arguments are \(names.joined(separator: ", "))"))
      }
      if let expected = parameter.expected(insteadOf: member.value) {
        throw Self.wrong("'\(parameter.name)' is \(expected)", Advice(parameter.explanation))
      }
    }
    if let missing = tool.parameters.first(where: { $0.isNeeded && arguments[$0.name] == nil }) {
      throw Self.wrong("\(tool.name) needs the argument '\(missing.name)'", Advice(missing.explanation))
    }
  }

  static func wrong(_ message: String, _ hint: Advice? = nil) -> Failure {
    Failure(.config, .usage, message, hint: hint, code: .own(.usage))
  }

  /// The name of a client as a proposal has it.
  static func name(of client: String) -> String { String(UntrustedText.escaped(client).prefix(80)) }

  subscript(name: String) -> String? { arguments[name]?.string }

  /// The text of an argument that the tool needs.
  func needed(_ name: String) -> String { self[name] ?? "" }

  func texts(_ name: String) -> [String] { arguments[name]?.array?.compactMap(\.string) ?? [] }

  func number(_ name: String, _ standard: Int) -> Int { arguments[name]?.int ?? standard }

  func collection() throws(Failure) -> CollectionName {
    try CollectionArgument.parse(needed("collection"), services)
  }

  /// The record, and its collection.
  func record(as precision: NamePrecision = .part) throws(Failure) -> (collection: CollectionName, id: String) {
    let collection = try collection()
    return (collection, try RecordArgument.id(needed("record"), in: collection, as: precision, services))
  }

  /// The beginning of the time that is asked for.
  func start() throws(Failure) -> Timestamp? {
    try self["since"].map { (text) throws(Failure) in
      services.time.now + -(try Interval(since: text, now: services.time.now)).seconds
    }
  }
}
