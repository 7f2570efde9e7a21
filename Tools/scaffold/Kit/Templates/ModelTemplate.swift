/// `Modules/Models/Records/….swift`: the record and its stored form.
enum ModelTemplate {
  static func text(_ source: NewSource) -> String {
    let fields = source.fields
    let parameters = ["id: String"] + fields.map { "\($0.name): \($0.type)\($0.isOptional ? " = nil" : "")" }
    return """
      /// What \(source.name) tells about one \(source.parameters.last ?? "thing").
      public struct \(source.record): Record {
        /// The API's `\(source.id.member.text)`.
        public var id: String
      \(fields.map { "  /// The API's `\($0.member.text)`.\n  public var \($0.name): \($0.type)\n" }.joined())
        /// Makes a record.
      \(Layout.call("public init(", parameters, ") {", indentation: 2))
          self.id = id
      \(fields.map { "    self.\($0.name) = \($0.name)\n" }.joined())  }

        /// `\(source.collection)`.
        public static let collection = CollectionName(rawValue: "\(source.collection)")

        /// The fields of its records.
      \(schema(source))

        /// The record as it is written.
        public var fields: JSONObject {
          var fields = JSONObject()
          fields.append("id", id)
      \(fields.map { "    fields.append(\"\($0.name)\", \(written($0)))\n" }.joined())    return fields
        }

        /// Reads a record in its stored form.
        public init(fields: JSONObject) throws(RecordError) {
          let reader = FieldReader(Self.collection, fields)
          id = try reader.string("id")
      \(fields.map { "    \(read($0))\n" }.joined())  }
      }

      """
  }

  private static func schema(_ source: NewSource) -> String {
    let items = [".init(\"id\")"] + source.fields.map(\.schema)
    let line = "  public static let schema: [RecordField] = [\(items.joined(separator: ", "))]"
    guard line.utf8.count > Layout.width else { return line }
    return "  public static let schema: [RecordField] = [\n\(Layout.fill(items, indentation: 4, tail: ","))\n  ]"
  }

  private static func written(_ field: Field) -> String {
    guard field.kind == .time else { return field.name }
    return field.isOptional ? "\(field.name)?.description" : "\(field.name).description"
  }

  private static func read(_ field: Field) -> String {
    let (name, call) = (field.name, field.isOptional ? "optional" : "")
    switch field.kind {
    case .text: return "\(name) = try reader.\(call.isEmpty ? "string" : "optionalString")(\"\(name)\")"
    case .int: return "\(name) = try reader.\(call.isEmpty ? "int" : "optionalInt")(\"\(name)\")"
    case .time: return "\(name) = try reader.\(call.isEmpty ? "timestamp" : "optionalTimestamp")(\"\(name)\")"
    case .bool:
      guard !field.isOptional else { return "\(name) = try reader.optionalBool(\"\(name)\")" }
      return """
        guard let \(name) = try reader.optionalBool("\(name)") else {
              throw reader.error("\(name)", "true or false", nil)
            }
            self.\(name) = \(name)
        """
    }
  }
}

extension Field {
  /// The field in the schema of the record.
  fileprivate var schema: String {
    let call = isOptional ? ".optional" : ".init"
    return switch kind {
    case .text: "\(call)(\"\(name)\")"
    case .int: "\(call)(\"\(name)\", .whole)"
    case .bool: "\(call)(\"\(name)\", .flag)"
    case .time: "\(call)(\"\(name)\", .time)"
    }
  }
}
