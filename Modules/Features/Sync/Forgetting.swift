public import Models
public import Ports

/// What a store keeps of a record beside the record itself.
public struct Forgetting: Sendable {
  private let coder: any RecordCoder
  private let catalog: CollectionCatalog

  public init(coder: any RecordCoder, catalog: CollectionCatalog) { (self.coder, self.catalog) = (coder, catalog) }

  /// Names the record under each of its ids, its companion, its edits, rejects that contain it, and what the program
  /// remembers of it. O(n) for n records of the outbox, of rejects and of the state.
  ///
  /// - Parameter remoteID: its id on a server, where it has another one there.
  public func names(
    of collection: CollectionName, _ id: String, remoteID: String?, in reader: any RecordReader
  ) throws(StoreError) -> [RecordName] {
    var (ids, states): ([ExactString], [StateKey]) = ([id.exact], [])
    var moves = try reader.states(.moved, from: "\(collection)/", coder) { key, fields in
      (key: key, from: key.name.restOfParts.exact, to: (fields["to"]?.string ?? "").exact)
    }
    while let next = moves.firstIndex(where: { ids.contains($0.from) || ids.contains($0.to) }) {
      let move = moves.remove(at: next)
      states.append(move.key)
      ids += [move.from, move.to].filter { !ids.contains($0) }
    }
    var names = ids.map { RecordName(collection, $0.text) }
    if let companion = catalog[collection]?.companion { names += ids.map { RecordName(companion, $0.text) } }
    states += ids.map { RemoteState.key(collection, $0.text) }
    names += try OutboxQueue(in: reader, coder).entries
      .filter { $0.targetCollection == collection && ids.contains($0.targetID.exact) }.map {
        RecordName(.outbox, $0.id)
      }
    let words = (ids.map(\.text) + [remoteID].compactMap(\.self)).map { Self.quoted($0, coder) }
    for kind in StateKey.Kind.allCases {
      guard let prefix = kind.valuesPrefix else { continue }
      states += try reader.states(kind, from: prefix, coder) { key, fields in
        Self.mentions(coder.encode(fields), collection, words) ? key : nil
      }
    }
    names += states.map { RecordName(.state, $0.id) }
    try reader.eachObject(.rejects, .all, coder) { fields in
      if let id = fields["id"]?.string, Self.mentions(coder.encode(fields), collection, words) {
        names.append(RecordName(.rejects, id))
      }
      return .next
    }
    return names
  }

  /// A text as it stands in JSON, without its quotes.
  private static func quoted(_ text: String, _ coder: any RecordCoder) -> String {
    String(decoding: coder.encode(.string(text)).dropFirst().dropLast(), as: UTF8.self)
  }

  /// Whether a record has one of the words as a whole text: itself, in the text of another record, or after its collection.
  private static func mentions(_ record: [UInt8], _ collection: CollectionName, _ words: [String]) -> Bool {
    let text = String(decoding: record, as: UTF8.self)
    return words.contains { word in
      ["\"\(word)\"", "\\\"\(word)\\\"", "\"\(collection)/\(word)\""].contains { text.contains($0) }
    }
  }
}
