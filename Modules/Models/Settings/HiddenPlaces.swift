/// What assistants do not see by the setting `mcp.hide`: collections with their companions, and follows.
public struct HiddenPlaces: Sendable {
  public let collections: Set<CollectionName>
  public let follows: Set<ExactString>
  private let sources: [SourceDescriptor]

  public init(_ rules: Settings.Assistants, sources: [SourceDescriptor]) {
    let (named, known) = (rules.hide, sources.flatMap(\.collections))
    let collections = Set(named.map { CollectionName(rawValue: $0) })
    let companions = known.filter { collections.contains($0.name) }.compactMap(\.companion)
    self.collections = collections.union(companions)
    follows = Set(named.filter { $0.contains("/") }.map(\.exact))
    self.sources = sources
  }

  public var isEmpty: Bool { collections.isEmpty && follows.isEmpty }

  public func hides(_ collection: CollectionName) -> Bool { collections.contains(collection) }

  /// Whether the follow is named, or brings nothing but records of hidden collections.
  public func hides(follow path: String) -> Bool {
    if follows.contains(path.exact) { return true }
    guard let brought = brought(by: path), !brought.isEmpty else { return false }
    return brought.allSatisfy(hides)
  }

  /// Whether a record that the follow brings may be hidden, so that what could not be read of it is hidden as well. That of a
  /// source which is not known any more may be.
  public func mayHide(recordsOf path: String) -> Bool {
    follows.contains(path.exact) || (brought(by: path)?.contains(where: hides) ?? !collections.isEmpty)
  }

  /// The collections that the source of a follow may write to; `nil` where there is no such source.
  public func brought(by path: String) -> [CollectionName]? {
    sources.first { $0.name.rawValue.exact == path.firstPart.exact }?.writtenCollections
  }

  /// The collection of data that belongs to the records of another.
  public func companion(of collection: CollectionName) -> CollectionName? {
    sources.flatMap(\.collections).first { $0.name == collection }?.companion
  }
}
