import Models
import Ports

/// Decides which source sends the edits of a record.
///
/// It is the source that the edit names, else the one that the record came from. Only where neither is known, as in
/// stores of earlier versions, it is the only source that takes edits of the collection.
struct EditSenders: Sendable {
  /// Every source of the engine.
  private let sources: [SourceName: any Source]
  /// The collections that the sources fill, and those of every store.
  let catalog: CollectionCatalog
  /// The collections whose records can have edits.
  let collections: Set<CollectionName>

  init(_ sources: [SourceName: any Source]) {
    self.sources = sources
    catalog = CollectionCatalog(sources.values.sorted { $0.name < $1.name }.map(\.descriptor))
    collections = Set(sources.values.flatMap { ($0 as? any EditableSource)?.editableCollections ?? [] })
  }

  /// Who sends an edit.
  enum Sender {
    /// This source.
    case source(any EditableSource)
    /// None; the reason where it is worth telling.
    case none(reason: String?)
  }

  /// Who sends the edits of a record.
  ///
  /// - Parameters:
  ///   - edits: the record's edits.
  ///   - origin: the source that the record came from, where that is known.
  func sender(of edits: [OutboxEntry], in collection: CollectionName, origin: SourceName?) -> Sender {
    let candidates = sources.keys.sorted().compactMap { name -> (any EditableSource)? in
      guard let source = sources[name] as? any EditableSource else { return nil }
      return source.editableCollections.contains(collection) ? source : nil
    }
    if let name = edits.lazy.compactMap(\.source).first ?? origin {
      if let source = candidates.first(where: { $0.name == name }) { return .source(source) }
      return .none(
        reason: sources[name] == nil
          ? "the source '\(name)' is not configured" : "the source '\(name)' takes no edits of \(collection)")
    }
    if candidates.count == 1 { return .source(candidates[0]) }
    if candidates.isEmpty { return .none(reason: nil) }
    let names = candidates.map(\.name.rawValue).joined(separator: ", ")
    return .none(
      reason: "it is not known which source the record belongs to (one of: \(names)); a sync of its follow finds out")
  }

  /// Whether a record of one source may not be changed by another one: as long as its own source is configured.
  func isForeign(_ owner: SourceName?, to source: SourceName) -> Bool {
    guard let owner else { return false }
    return owner != source && sources[owner] != nil
  }
}
