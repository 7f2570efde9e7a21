import Models

/// Reads a collection's name.
enum CollectionArgument {
  /// The collection, or what is allowed.
  static func parse(_ text: String) throws(Failure) -> CollectionName {
    let name = CollectionName(rawValue: text)
    guard CollectionName.listed.contains(name) else {
      throw Failure(
        .config, .usage, "there is no collection '\(text)'",
        hint: "one of \(CollectionName.listed.map(\.rawValue).joined(separator: ", "))")
    }
    return name
  }
}
