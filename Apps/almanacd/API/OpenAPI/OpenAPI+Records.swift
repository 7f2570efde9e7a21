import Models

/// The records as the descriptors of their collections describe them.
extension OpenAPI {
  static func recordSchemas(_ catalog: CollectionCatalog) -> [JSONObject.Member] {
    catalog.collections.flatMap { collection -> [JSONObject.Member] in
      let type = collection.recordType
      let page = schema(
        "\(type)Page",
        [
          "items": list(ref(type)),
          "next?": described(text, "where the next page begins: its 'after'; absent on the last page"),
          "total?": described(number, "how many records all pages hold; with 'total=true'"),
        ])
      // The report of a run has a schema of its own, which says more than the fields that a table shows.
      if collection.name == .runs { return [page] }
      let names = collection.editableFields + collection.newFields + collection.addressFields
      let changed = collection.fields.filter { field in names.contains { $0.exact == field.name.exact } }
      let record =
        collection.fields.isEmpty ? schema(type, ["id": text]) : .init(key: type, value: object(collection.fields))
      return [record, page] + (names.isEmpty ? [] : [.init(key: "\(type)Change", value: object(members(changed)))])
    }
  }

  /// An object with these fields. Records that were imported may have more.
  private static func object(_ fields: [RecordField]) -> JSONValue {
    object(members(fields), required: fields.filter { !$0.isOptional }.map(\.name))
  }

  private static func members(_ fields: [RecordField]) -> [JSONObject.Member] {
    fields.map { .init(key: $0.name, value: value($0.kind)) }
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
}

extension CollectionDescriptor {
  /// The name of the type of its records: that of their Swift type, or one that follows from the collection's name.
  var recordType: String {
    if let record { return String(describing: record) }
    return name == .runs ? "Run" : "\(title)Record"
  }

  /// `WatchLists` for `watch-lists`.
  var title: String {
    name.rawValue.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}
