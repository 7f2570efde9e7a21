import Models
public import Ports

extension JSONFileStore {
  /// The changes after the cursor; without one, first the records of the collection files.
  public func changes(since cursor: ChangeCursor?, limit: Int) throws(StoreError) -> [StoreChange] {
    for _ in 0..<100 {
      guard let state = try currentState() else {
        if let cursor { throw StoreError(.cursorExpired, "not a cursor of this store: \(cursor)") }
        return []
      }
      let place = try cursor.map { (cursor) throws(StoreError) in try FeedPlace(cursor, store: state.manifest.store) }
      if let found = try FeedReader(state: state, disk: disk, limits: limits).read(place, max(0, limit)) {
        return found
      }
      withCache { $0.state = nil }
    }
    let path = disk.path(Manifest.name)
    throw StoreError(.damaged, "the journal files that the manifest names are not there", path: path)
  }
}

/// A place in the feed: within what was folded, or within the journal.
enum FeedPlace: Hashable {
  /// After this record, while the collection files are handed out; then the journal after `sequence`.
  case folded(sequence: UInt64, collection: String, id: [UInt8])
  /// After so many changes of a commit, whose first line stands at `offset` as a hint.
  case journal(sequence: UInt64, changes: Int, offset: Int)

  /// Reads a cursor.
  init(_ cursor: ChangeCursor, store: UInt64) throws(StoreError) {
    let text = cursor.description
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let refused = StoreError(.cursorExpired, "not a cursor of this store: \(text)", hint: "begin without a cursor")
    guard parts.count >= 4, parts[0] == Self.tag(store), let sequence = UInt64(parts[1]) else { throw refused }
    if parts.count == 4, parts[2] == "end" {
      self = .journal(sequence: sequence, changes: .max, offset: 0)
      return
    }
    if let changes = Int(parts[2]), let offset = Int(parts[3]), parts.count == 4, changes > 0, offset >= 0 {
      self = .journal(sequence: sequence, changes: changes, offset: offset)
      return
    }
    // `f`, the id in hexadecimal, and the name, which may hold hyphens.
    guard parts[2].first == "f", parts[2].count % 2 == 1 else { throw refused }
    let digits = Array(parts[2].dropFirst().utf8)
    var id: [UInt8] = []
    for place in stride(from: 0, to: digits.count, by: 2) {
      let byte = digits[place..<place + 2].withUnsafeBufferPointer { hexadecimal(Slice($0)) }
      guard let byte else { throw refused }
      id.append(UInt8(byte))
    }
    self = .folded(sequence: sequence, collection: parts[3...].joined(separator: "-"), id: id)
  }

  /// The cursor as it is printed.
  func cursor(store: UInt64) -> ChangeCursor {
    switch self {
    case .journal(let sequence, .max, _):
      return ChangeCursor("\(Self.tag(store))-\(sequence)-end-0")
    case .journal(let sequence, let changes, let offset):
      return ChangeCursor("\(Self.tag(store))-\(sequence)-\(changes)-\(offset)")
    case .folded(let sequence, let collection, let id):
      var text = "\(Self.tag(store))-\(sequence)-f"
      for byte in id { text += String(hexadecimalText(UInt64(byte)).suffix(2)) }
      return ChangeCursor(text + "-" + collection)
    }
  }

  private static func tag(_ store: UInt64) -> String { String(hexadecimalText(store).suffix(8)) }
}
