import Models
import Networking
import Persistence
import Ports
import PostgreSQLStore

/// Measures what a sync does to a store, in a folder or on a server alike: pages of 500 records, pages without changes, small
/// commits, lookups, scans and the feed.
enum PlaceBench {
  /// The records of a commit, as many as a page of a source has.
  private static let page = 500

  /// - Parameter place: a folder, or the address of a store on a server.
  static func run(_ place: String, _ count: Int, _ report: (String, Int, String) -> Void) async throws(StoreError) {
    if StoreAddress.isAddress(place) {
      try await measure(PostgreSQLStore(StoreAddress(place), time: SystemTimeSource()), count, report)
    } else {
      try await measure(JSONFileStore(folder: place), count, report)
    }
  }

  private static func measure(
    _ store: some RecordStore, _ count: Int, _ report: (String, Int, String) -> Void
  ) async throws(StoreError) {
    let pages = max(1, count / page)
    for round in ["ingest", "unchanged"] {
      var spent = 0
      for number in 0..<pages {
        let records = (0..<page).map { Sample.record(number * page + $0) }
        let begun = StoreBench.now()
        _ = try await store.write { (transaction) throws(StoreError) in
          try transaction.expect(.people, records.map(\.id))
          for (id, record) in records where try transaction.record(.people, id) != record {
            try transaction.put(record, id: id, in: .people)
          }
        }
        spent += StoreBench.now() - begun
      }
      report(round, spent / (pages * page), "ns")
    }
    var times: [Int] = []
    for number in 0..<min(count, 200) {
      let (id, record) = Sample.record(number, version: 1)
      let begun = StoreBench.now()
      _ = try await store.write { (transaction) throws(StoreError) in
        try transaction.put(record, id: id, in: .people)
      }
      times.append(StoreBench.now() - begun)
    }
    report("commit", times.sorted()[times.count / 2], "ns")
    try read(store, pages * page, report)
  }

  private static func read(
    _ store: some RecordStore, _ total: Int, _ report: (String, Int, String) -> Void
  ) throws(StoreError) {
    let snapshot = try store.snapshot()
    let lookups = min(total, 2000)
    var (begun, bytes) = (StoreBench.now(), 0)
    for number in 0..<lookups { bytes += try snapshot.record(.people, Sample.id(number * 7919 % total))?.count ?? 0 }
    report("lookup", (StoreBench.now() - begun) / lookups, "ns")
    begun = StoreBench.now()
    try snapshot.scan(.people, .all) { (record: RawSpan) throws(StoreError) -> ScanStep in
      bytes += record.byteCount
      return .next
    }
    report("scan", (StoreBench.now() - begun) / total, "ns")
    begun = StoreBench.now()
    var (cursor, changes): (ChangeCursor?, Int) = (nil, 0)
    while true {
      let batch = try store.changes(since: cursor, limit: 1000)
      guard let last = batch.last else { break }
      changes += batch.count
      cursor = last.cursor
    }
    report("feed", (StoreBench.now() - begun) / max(1, changes), "ns")
    report("read", bytes, "bytes")
  }
}
