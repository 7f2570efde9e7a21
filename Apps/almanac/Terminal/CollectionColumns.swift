import Models

/// What a table and what comma-separated values show of each collection.
enum CollectionColumns {
  /// The columns of a table: what a person looks for.
  static func table(_ collection: CollectionName) -> [Answer.Column] {
    let kinds = Dictionary(uniqueKeysWithValues: leaves(collection).map { ($0.name, $0.kind) })
    return titles(collection).map { .init($0, number: kinds[$0] == .whole || kinds[$0] == .decimal) }
  }

  private static func titles(_ collection: CollectionName) -> [String] {
    Catalog.collections[collection]?.columns ?? ["id"]
  }

  /// The fields of comma-separated values: everything, nested objects by their parts.
  static func csv(_ collection: CollectionName) -> [String] { leaves(collection).map(\.name) }

  /// The fields of every collection, as help texts have them: in 80 columns.
  static var help: String {
    Catalog.collections.names.map { name in
      var lines = ["  \(name):"]
      let fields = csv(name)
      for (index, field) in fields.enumerated() {
        let word = index == fields.count - 1 ? field : field + ","
        if lines[lines.count - 1].count + 1 + word.count > 78 { lines.append("   ") }
        lines[lines.count - 1] += " " + word
      }
      return lines.joined(separator: "\n")
    }.joined(separator: "\n")
  }

  private static func leaves(_ collection: CollectionName) -> [RecordField] {
    let fields = Catalog.collections[collection]?.leaves ?? []
    return fields.isEmpty ? [RecordField("id")] : fields
  }
}
