import Models
import Ports

/// The records of a page as the store keeps them, in one piece.
///
/// They are encoded by the task that asked for the page: what a parser makes of a page, tens of thousands of small
/// pieces, is let go of by the thread that made it. Handed to another one they cost more than the parsing, because the
/// allocator has the two threads wait for each other.
struct EncodedChanges: Sendable {
  /// A record that a pull brought.
  struct Change: Sendable {
    var collection: CollectionName
    var id: String
    var rule: PulledChange.Rule
    var base: JSONObject?
    var memory: JSONObject?
    /// The record, in `bytes`.
    var record: Range<Int>
  }

  private(set) var changes: [Change] = []
  private var bytes: [UInt8] = []

  /// Encodes the changes.
  init(_ pulled: [PulledChange], _ coder: any RecordCoder) {
    changes.reserveCapacity(pulled.count)
    for change in pulled {
      let start = bytes.count
      bytes += coder.encode(change.fields)
      changes.append(
        Change(
          collection: change.collection, id: change.id, rule: change.rule, base: change.base,
          memory: change.memory, record: start..<bytes.count))
    }
  }

  /// The record of a change.
  func record(_ change: Change) -> [UInt8] { Array(bytes[change.record]) }
}

extension PageCommit {
  /// Applies the changes of a page. Most records are new or as they were: of these the bytes are enough.
  ///
  /// - Throws: `StoreError` where the store cannot be read or written.
  mutating func apply(_ page: EncodedChanges, in transaction: inout any StoreTransaction) throws(StoreError) {
    for change in page.changes {
      let (collection, id) = (change.collection, change.id)
      let record = page.record(change)
      if change.rule != .remove, !editable.contains(collection), outbox[collection, id].isEmpty {
        let stored = try transaction.record(collection, id)
        if stored == nil || stored == record {
          if stored == nil {
            try transaction.put(record, id: id, in: collection)
            counts.add(to: collection)
            if plans {
              let fields = try coder.fields(of: record, collection, id)
              plan(PlannedChange(operation: .add, collection: collection, id: id, changed: fields))
            }
          } else {
            counts.unchanged += 1
          }
          try remember(change.base, change.memory, collection, id, in: &transaction)
          continue
        }
      }
      let fields = try coder.fields(of: record, collection, id)
      try apply(
        PulledChange(
          collection: collection, id: id, fields: fields, change.rule, base: change.base, memory: change.memory),
        in: &transaction)
    }
  }
}
