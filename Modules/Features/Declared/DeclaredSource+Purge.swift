public import Models
public import Ports

extension DeclaredSource: PurgeableSource {
  /// Some records of a collection: all of them, those whose ids begin with the values of a path, or a single one.
  private struct Area {
    var collection: CollectionName
    /// How the ids begin; the whole id of a single record.
    var start: String
    var isSingle: Bool

    func overlaps(_ other: Area) -> Bool {
      guard collection == other.collection else { return false }
      return start.hasPrefix(other.start) || other.start.hasPrefix(start)
    }
  }

  /// The records of the collections that this follow alone fills; where ids begin with the values of its path, those with
  /// its values. `nil` if the engine knows what the follow lists, or if other follows fill the same collections.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  public func records(
    of follow: Follow, besides others: [Follow], in reader: any RecordReader
  ) throws(StoreError) -> [PullPage.ListedRecord]? {
    guard let (compiled, variables) = try? match(follow), compiled.definition.complete == nil else { return nil }
    let siblings = others.flatMap { other -> [Area] in
      guard let (compiled, variables) = try? match(other) else { return Self.everything(of: definition) }
      return Self.areas(compiled.definition, variables)
    }
    let own = Self.areas(compiled.definition, variables).filter { area in
      !siblings.contains { $0.overlaps(area) }
    }
    guard !own.isEmpty else { return nil }
    var records: Set<PullPage.ListedRecord> = []
    for area in own {
      try reader.scan(area.collection, ScanRange(prefix: area.start)) {
        (bytes: RawSpan) throws(StoreError) -> ScanStep in
        // A record that cannot be read has no id that could be removed.
        if let id = (try? coder.decode(bytes))?["id"]?.string, !area.isSingle || id.exact == area.start.exact {
          records.insert(.init(area.collection, id))
        }
        return .next
      }
    }
    return records.sorted { ($0.collection, $0.$id) < ($1.collection, $1.$id) }
  }

  /// What a follow fills.
  private static func areas(_ follow: SourceDefinition.FollowDefinition, _ variables: Variables) -> [Area] {
    let requests = [follow.request] + follow.request.children.map(\.request)
    return requests.flatMap(\.selections).compactMap { selection in
      guard let collection = selection.collection else { return nil }
      var start = ""
      let parts = selection.mapping.id
      for (index, part) in parts.enumerated() {
        guard case .template(let template) = part,
          template.variables.allSatisfy({ name in follow.parameters.contains { $0.exact == name.exact } }),
          var text = try? template.expanded(isURL: false, variables.value)
        else { return Area(collection: collection, start: start, isSingle: false) }
        if parts.count > 1 { text = text.replacing("/", with: "%2F") }
        start += index == parts.count - 1 ? text : text + "/"
      }
      return Area(collection: collection, start: start, isSingle: true)
    }
  }

  /// What a follow fills whose form the definition does not have any more.
  private static func everything(of definition: SourceDefinition) -> [Area] {
    definition.collections.map { Area(collection: $0.name, start: "", isSingle: false) }
  }
}
