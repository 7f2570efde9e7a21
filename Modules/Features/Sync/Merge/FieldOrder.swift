import Models

/// In which order the fields of a record stand that was put together from several.
enum FieldOrder {
  /// The keys of the first list in their order; those of the others each after the key that it follows there.
  static func merged(_ first: [String], _ others: [String]...) -> [String] {
    var keys = first
    for list in others {
      var place = 0
      for key in list {
        if let known = keys.firstIndex(where: { $0.exact == key.exact }) {
          place = known + 1
        } else {
          keys.insert(key, at: place)
          place += 1
        }
      }
    }
    return keys
  }
}
