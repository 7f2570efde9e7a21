public import Models
public import Ports

extension DeclaredSource: PurgeableSource {
  /// The records of the collections that this follow alone fills; where ids begin with the values of its path, those with
  /// its values. `nil` if other follows fill the same collections.
  public func records(
    of follow: Follow, besides others: [Follow], in reader: any RecordReader
  ) throws(StoreError) -> [RecordName]? {
    // A follow whose form the definition does not have any more may have filled any collection.
    let siblings = others.flatMap { areas(of: $0) ?? definition.collections.map { RecordArea($0.name) } }
    let own = (areas(of: follow) ?? []).filter { area in !siblings.contains { $0.overlaps(area) } }
    guard !own.isEmpty else { return nil }
    var records: Set<RecordName> = []
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

  /// What a follow fills: the records of a collection whose ids begin with the values of its path.
  public func areas(of follow: Follow) -> [RecordArea]? {
    guard let (compiled, variables) = try? match(check(follow)) else { return nil }
    let (request, parameters) = (compiled.definition.request, compiled.definition.parameters)
    return request.all.flatMap { $0.areas(variables, known: parameters) }
  }
}

extension SourceDefinition.Request {
  /// The records that the answers may have, as far as their ids follow from the variables alone.
  ///
  /// - Parameter names: the variables whose values are known.
  func areas(_ variables: Variables, known names: [String]) -> [RecordArea] {
    selections.compactMap { selection in
      guard let collection = selection.collection else { return nil }
      var start = ""
      let parts = selection.mapping.id
      for (index, part) in parts.enumerated() {
        guard case .template(let template) = part,
          template.variables.allSatisfy({ name in names.contains { $0.exact == name.exact } }),
          var text = try? template.expanded(isURL: false, variables.value)
        else { return RecordArea(collection, start: start) }
        if parts.count > 1 { text = text.replacing("/", with: "%2F") }
        start += index == parts.count - 1 ? text : text + "/"
      }
      return RecordArea(collection, start: start, isSingle: true)
    }
  }
}
