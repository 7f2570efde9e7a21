public import Models

extension CollectionCatalog {
  /// Every type of record, as if one source filled all collections.
  public static let everything = CollectionCatalog([
    SourceDescriptor(
      name: SourceName(rawValue: "all"), summary: "every kind of record", forms: [],
      collections: [
        .init(App.self, columns: ["id"], media: ["thumbnailURL"]), .init(ChartSnapshot.self, columns: ["id"]),
        .init(Photo.self, columns: ["id"], media: ["thumbnailURL"]),
        .init(Owner.self, columns: ["id"], media: ["iconURL"]), .init(Profile.self, columns: ["id"]),
        .init(Person.self, columns: ["id"]),
      ])
  ])
}
