import Models

/// Describes the records of a collection to the targets of the Singer protocol, as a JSON Schema, and completes the
/// records.
///
/// A target drops what is not described, and some take their columns from the first record alone: so every field is
/// described that the collection's records can have or do have, and every record has every field, `null` where it is
/// absent.
struct SingerSchema {
  private let collection: CollectionName
  private var record: Node

  /// A description of the fields that the collection's records have in any store.
  init(_ collection: CollectionName, in catalog: CollectionCatalog = Catalog.collections) {
    self.collection = collection
    let fields = catalog.fields(of: collection)
    record = Node(fields.isEmpty ? [RecordField("id")] : fields)
  }

  /// Takes note of what a record has beside them: what was imported is described by what it holds.
  mutating func see(_ fields: JSONObject) { record.see(fields) }

  var message: JSONObject {
    var schema = record.schema
    schema["type"] = "object"
    if var properties = schema["properties"]?.object {
      properties["id"] = ["type": "string"]
      schema["properties"] = .object(properties)
    }
    return [
      "type": "SCHEMA", "stream": .string(collection.rawValue), "schema": .object(schema),
      "key_properties": .array(["id"]),
    ]
  }

  func completed(_ fields: JSONObject) -> JSONObject { record.completed(fields) }

  /// What is known of one place in the records.
  private struct Node {
    /// The names of JSON Schema's types.
    var types: [String] = []
    var format: String?
    var members: [(name: String, node: Node)] = []

    init() {}

    init(_ fields: [RecordField]) {
      types = ["object"]
      members = fields.map { ($0.name, Node($0.kind)) }
    }

    init(_ kind: RecordField.Kind) {
      switch kind {
      case .text, .decimal, .timeOrDay, .birthday: types = ["string"]
      case .time: (types, format) = (["string"], "date-time")
      case .whole: types = ["integer"]
      case .flag: types = ["boolean"]
      case .texts, .objects: types = ["array"]
      case .object(let fields): self = Node(fields)
      case .anyObject: types = ["object"]
      }
    }

    mutating func see(_ fields: JSONObject) {
      for member in fields.members {
        guard member.value != .null else {
          if !members.contains(where: { $0.name == member.key }) { members.append((member.key, Node())) }
          continue
        }
        let index = members.firstIndex { $0.name == member.key } ?? members.count
        if index == members.count { members.append((member.key, Node())) }
        let type = member.value.schemaType
        if !members[index].node.types.contains(type) { members[index].node.types.append(type) }
        if let object = member.value.object { members[index].node.see(object) }
      }
    }

    var schema: JSONObject {
      var schema: JSONObject = ["type": .texts(["null"] + types), "format": .of(format)]
      if types.contains("array") { schema["items"] = [:] }
      if types.contains("object") {
        schema["properties"] = .object(
          JSONObject(members: members.map { JSONObject.Member(key: $0.name, value: .object($0.node.schema)) }))
        schema["additionalProperties"] = true
      }
      return schema
    }

    func completed(_ fields: JSONObject) -> JSONObject {
      var completed = JSONObject()
      for (name, node) in members {
        switch fields[name] {
        case .object(let object)?: completed.append(name, .object(node.completed(object)))
        case nil, .null?: completed.append(name, node.members.isEmpty ? .null : .object(node.completed([:])))
        case let value?: completed.append(name, value)
        }
      }
      return completed
    }
  }
}

extension JSONValue {
  fileprivate var schemaType: String {
    guard case .number(let digits) = self else { return kind }
    return digits.utf8.contains { $0 == 0x2E || $0 | 0x20 == 0x65 } ? "number" : "integer"
  }
}
