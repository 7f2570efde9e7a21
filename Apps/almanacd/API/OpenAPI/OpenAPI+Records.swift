import Models

/// The collections as their descriptors describe them: a type for each kind of record, and two operations for each
/// collection.
extension OpenAPI {
  /// The operations that read records.
  static func recordPaths(_ catalog: CollectionCatalog) -> [JSONObject.Member] {
    catalog.collections.flatMap { collection -> [JSONObject.Member] in
      let (name, type) = (collection.name.rawValue, recordType(collection))
      return [
        path(
          "/api/v1/collections/\(name)",
          get: operation(
            "Records of the collection \(name), page by page", "list\(capitalized(name))", parameters: listParameters,
            answers: [("200", ref("\(type)Page"))], refusals: ["400"]),
          post: collection.newFields.isEmpty
            ? nil
            : operation(
              "Adds a record to \(name) here and queues it for its source", "add\(capitalized(name))Record",
              body: ref("\(type)Change"), bodyIsRequired: true, answers: [("201", ref(type))],
              refusals: ["400", "409", "413", "415", "422"])),
        path(
          "/api/v1/collections/\(name)/{id}",
          get: operation(
            "One record of the collection \(name)", "get\(capitalized(name))Record",
            parameters: [id("the record's id; slashes may be escaped or not")], answers: [("200", ref(type))],
            refusals: ["400", "404"]),
          patch: collection.editableFields.isEmpty
            ? nil
            : operation(
              "Edits a record of \(name) here and queues the edit", "edit\(capitalized(name))Record",
              parameters: [id("the record's id; slashes may be escaped or not")], body: ref("\(type)Change"),
              answers: [("200", ref(type))], refusals: ["400", "404", "412", "413", "415", "422"]),
          delete: !collection.isRemovable
            ? nil
            : operation(
              "Removes a record of \(name) here and queues the removal", "remove\(capitalized(name))Record",
              parameters: [id("the record's id; slashes may be escaped or not"), ifMatch], empty: "204",
              refusals: ["400", "404", "412", "422"])),
      ]
    }
  }

  /// The types of the records, and of the pages that hold them.
  static func recordSchemas(_ catalog: CollectionCatalog) -> [JSONObject.Member] {
    catalog.collections.flatMap { collection -> [JSONObject.Member] in
      let type = recordType(collection)
      let page = schema(
        "\(type)Page",
        [
          "items": list(ref(type)),
          "next": described(text, "where the next page begins: its 'after'; absent on the last page"),
          "total": described(number, "how many records all pages hold; with 'total=true'"),
        ], required: ["items"])
      // The report of a run has a schema of its own, which says more than the fields that a table shows.
      if collection.name == .runs { return [page] }
      let names = collection.editableFields + collection.newFields + collection.addressFields
      let changed = collection.fields.filter { field in names.contains { $0.exact == field.name.exact } }
      let change = schema(
        "\(type)Change",
        JSONObject(members: changed.map { JSONObject.Member(key: $0.name, value: value($0.kind)) }))
      return [record(type, collection.fields), page] + (names.isEmpty ? [] : [change])
    }
  }

  /// The name of the type: that of the record's Swift type, or one that follows from the collection's name.
  private static func recordType(_ collection: CollectionDescriptor) -> String {
    if let type = collection.record { return String(describing: type) }
    return collection.name == .runs ? "Run" : "\(capitalized(collection.name.rawValue))Record"
  }

  /// `WatchLists` for `watch-lists`.
  private static func capitalized(_ name: String) -> String {
    name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  private static func record(_ type: String, _ fields: [RecordField]) -> JSONObject.Member {
    guard !fields.isEmpty else { return schema(type, ["id": text], required: ["id"]) }
    return JSONObject.Member(key: type, value: object(fields))
  }

  /// An object with these fields. Records that were imported may have more.
  private static func object(_ fields: [RecordField]) -> JSONValue {
    var schema: JSONObject = [
      "type": "object",
      "properties": .object(
        JSONObject(members: fields.map { JSONObject.Member(key: $0.name, value: value($0.kind)) })),
    ]
    let required = fields.filter { !$0.isOptional }
    if !required.isEmpty { schema.append("required", .array(required.map { .string($0.name) })) }
    return .object(schema)
  }

  private static func value(_ kind: RecordField.Kind) -> JSONValue {
    switch kind {
    case .text: text
    case .whole: number
    case .decimal: described(text, "a decimal number with its original digits")
    case .flag: flag
    case .time: time
    case .timeOrDay: described(text, "a time, or a day alone: YYYY-MM-DD")
    case .birthday: birthday
    case .texts: list(text)
    case .objects: list(["type": "object"])
    case .object(let fields): object(fields)
    case .anyObject: ["type": "object", "additionalProperties": true]
    }
  }

  private static func described(_ schema: JSONValue, _ description: String) -> JSONValue {
    guard var object = schema.object else { return schema }
    object.append("description", description)
    return .object(object)
  }

  private static let listParameters: [JSONValue] = [
    parameter(
      "limit", "how many records at most",
      ["type": "integer", "minimum": 1, "maximum": .int(API.largestPage), "default": 100]),
    parameter("after", "only what comes after this place: 'next' of the page before", text),
    parameter("prefix", "only ids that begin with this", text),
    parameter(
      "where",
      "a condition, as 'almanac list --where' takes it: FIELD OP VALUE with = != < <= > >= ~ (contains), where a "
        + "list is met by one of its values, and a value by one of its members (emails ~ example.org); all of them "
        + "must be met", list(text)),
    parameter("search", "words, each of which is in a text of the record, ignoring ASCII case", text),
    parameter("sort", "a field to sort by, with - before it for the largest first", text),
    parameter("total", "whether to count the records of all pages", ["type": "boolean", "default": false]),
  ]
}
