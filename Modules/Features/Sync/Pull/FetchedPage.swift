import Models
import Ports

/// A page that a source gave, ready to be committed.
struct FetchedPage: Sendable {
  /// The page without its changes.
  let page: PullPage
  /// The page's records.
  let records: EncodedRecords
  /// The state of the store in which the page was fetched.
  let snapshot: any StoreSnapshot
  /// The state of the follow after the page.
  let next: FollowState

  /// A page whose records are encoded at once.
  init(_ page: PullPage, snapshot: any StoreSnapshot, next: FollowState, _ coder: any RecordCoder) {
    records = EncodedRecords(page.changes, coder)
    var page = page
    page.changes = []
    self.page = page
    self.snapshot = snapshot
    self.next = next
  }
}

/// The records of a page as the store keeps them, in one piece.
///
/// They are encoded by the task that fetched the page. What a parser makes of a page, tens of thousands of small
/// allocations, is freed by the thread that made it: freed by another one it costs more than the parsing, because the
/// two threads wait for each other in the allocator.
struct EncodedRecords: Sendable {
  private struct Place: Sendable {
    var record: IncomingRecord
    /// The record's place in `bytes`.
    var range: Range<Int>
  }

  private var places: [Place] = []
  private var bytes: [UInt8] = []

  /// How many there are.
  var count: Int { places.count }

  /// Encodes the changes.
  init(_ changes: [PulledChange], _ coder: any RecordCoder) {
    places.reserveCapacity(changes.count)
    for change in changes {
      let start = bytes.count
      bytes += coder.encode(change.fields)
      let record = IncomingRecord(
        collection: change.collection, id: change.id, rule: change.rule, base: change.base, memory: change.memory,
        bytes: [])
      places.append(Place(record: record, range: start..<bytes.count))
    }
  }

  /// Hands the records to `body`, in their order.
  ///
  /// - Throws: what `body` throws.
  func forEach(_ body: (IncomingRecord) throws(StoreError) -> Void) throws(StoreError) {
    for place in places {
      var record = place.record
      record.bytes = Array(bytes[place.range])
      try body(record)
    }
  }
}
