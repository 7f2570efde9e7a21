import Models

/// Reads a collection's name.
enum CollectionArgument {
  /// The collection, or what is allowed.
  static func parse(_ text: String) throws(Failure) -> CollectionName {
    let name = CollectionName(rawValue: text)
    guard Catalog.collections.contains(name) else {
      let names = Catalog.collections.names.map(\.rawValue)
      let suggestion = NearestName.of(text, among: names).map { "did you mean '\($0)'? " } ?? ""
      throw Failure(
        .config, .usage, "there is no collection '\(text)'",
        hint: "\(suggestion)the collections are \(names.joined(separator: ", "))", code: "no-collection")
    }
    return name
  }
}
