import Models
import Ports

/// The snapshots of one chart, as they are kept: under `SERIES/observedAt`, so that they sort by time.
struct ChartSeries {
  /// `{storefront}/{chart}[/genre]`.
  let id: String
  let reader: any RecordReader
  let coder: any RecordCoder

  /// The latest snapshot that was first observed at or before `time`; the latest of all without a time.
  ///
  /// A chart of a genre has the same beginning as the chart of all genres (`us/new/6014/…` and `us/new/…`), and a scan
  /// only goes forward. So the time is found digit by digit from the left, trying the larger digits first: a few dozen
  /// lookups, however many snapshots there are.
  func newest(upTo time: Timestamp? = nil) throws(StoreError) -> ChartSnapshot? {
    let bound = time.map { Array($0.description.utf8) }
    guard let found = try newest([], bound) else { return nil }
    return try reader.record(ChartSnapshot.self, "\(id)/\(String(decoding: found, as: UTF8.self))", coder)
  }

  /// The newest snapshot that a clock which shows `now` can have seen. One of the future was taken while the clock was
  /// wrong, and counts only where there is no other.
  func latest(at now: Timestamp) throws(StoreError) -> ChartSnapshot? {
    if let past = try newest(upTo: now) { return past }
    return try newest()
  }

  func before(_ snapshot: ChartSnapshot) throws(StoreError) -> ChartSnapshot? {
    try newest(upTo: snapshot.observedAt + -1)
  }

  private static var pattern: [UInt8] { Array("0000-00-00T00:00:00Z".utf8) }

  /// The largest time that begins with `head` and is not after `bound`.
  private func newest(_ head: [UInt8], _ bound: [UInt8]?) throws(StoreError) -> [UInt8]? {
    let pattern = Self.pattern
    guard try exists("\(id)/\(String(decoding: head, as: UTF8.self))") else { return nil }
    if head.count == pattern.count { return head }
    let expected = pattern[head.count]
    guard expected == UInt8(ascii: "0") else { return try newest(head + [expected], bound) }
    // A head that equals the bound's beginning must stay below it; a smaller one is free.
    let isTight = bound.map { Array($0.prefix(head.count)) == head } ?? false
    let most = isTight ? bound?[head.count] ?? 0x39 : 0x39
    guard most >= 0x30 else { return nil }
    for digit in (0x30...most).reversed() {
      if let found = try newest(head + [digit], bound) { return found }
    }
    return nil
  }

  private func exists(_ prefix: String) throws(StoreError) -> Bool {
    var found = false
    try reader.scan(.charts, ScanRange(prefix: prefix)) { (_: RawSpan) throws(StoreError) -> ScanStep in
      found = true
      return .stop
    }
    return found
  }

  func oldest() throws(StoreError) -> ChartSnapshot? {
    var first: ChartSnapshot?
    try reader.scan(ChartSnapshot.self, ScanRange(prefix: "\(id)/"), coder) { snapshot in
      first = snapshot.seriesID.exact == id.exact ? snapshot : nil
      return first == nil ? .next : .stop
    }
    return first
  }

  /// The series' snapshots by time.
  func all() throws(StoreError) -> [ChartSnapshot] {
    try reader.all(ChartSnapshot.self, coder, in: ScanRange(prefix: "\(id)/")) {
      $0.seriesID.exact == id.exact ? $0 : nil
    }
  }
}
