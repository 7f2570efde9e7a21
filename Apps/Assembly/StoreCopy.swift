public import Models
public import Ports

/// Copies a store into an empty one of any kind, also while the first is in use.
///
/// The copy has the records, the internal ones too, the images, and the history with its times, causes and policies. Its
/// commits have numbers of their own, so that cursors of the first store expire. Leases for sending are left out: their
/// holders work on the first store.
public struct StoreCopy: Sendable {
  private let source: any RecordStore
  private let target: any RecordStore
  private let images: (source: any MediaStore, target: any MediaStore)
  private let coder: any RecordCoder
  private let catalog: CollectionCatalog
  private let now: Timestamp

  public struct Report: Sendable {
    /// Records that users can list.
    public var records = 0
    public var collections: [CollectionName: Int] = [:]
    public var images = 0
    public var commits = 0
    /// The addresses of images that are damaged in the first store, and were left out.
    public var damagedImages: [String] = []
    /// The SHA-256 of all records of the copy, which is that of the first store.
    public var digest = ""
  }

  /// The most changes in a commit.
  private static let commitSize = 5000
  /// How often the end of the first store is looked for while others write to it.
  private static let mostRounds = 100

  public init(
    from source: any RecordStore, _ sourceImages: any MediaStore, to target: any RecordStore,
    _ targetImages: any MediaStore, coder: any RecordCoder, catalog: CollectionCatalog, now: Timestamp
  ) {
    (self.source, self.target, self.coder, self.catalog, self.now) = (source, target, coder, catalog, now)
    images = (sourceImages, targetImages)
  }

  /// Copies everything, and compares both stores.
  ///
  /// - Throws: `StoreError`: `notFound` if there is nothing to copy, `cannotCreate` if the target is not empty, `damaged`
  ///   if the copy differs.
  public func run() async throws(StoreError) -> Report {
    var snapshot = try source.snapshot()
    guard var cursor = snapshot.end else { throw StoreError(.notFound, "there is no store to copy") }
    guard try target.snapshot().end == nil else {
      throw StoreError(
        .cannotCreate, "the target of the copy is not empty",
        hint: "name a new folder, or another schema of the server")
    }
    var replay = try HistoryReplay(from: source, to: target, coder: coder, now: now)
    try await replay?.run(to: snapshot)
    for collection in snapshot.collections { try await copy(collection, of: snapshot) }
    for _ in 0..<Self.mostRounds {
      while case let changes = try source.changes(since: cursor, limit: Self.commitSize), let last = changes.last {
        try await apply(changes)
        cursor = last.cursor
      }
      snapshot = try source.snapshot()
      // Without changes after the cursor, the snapshot is the state at the cursor, which is that of the copy.
      if try source.changes(since: cursor, limit: 1).isEmpty {
        var report = try await compared(snapshot)
        report.commits = replay?.commits ?? 0
        return report
      }
    }
    throw StoreError(
      .busy, "other processes write to the store faster than it is copied", hint: "end them, and copy it again")
  }

  private static func isLeft(_ collection: CollectionName, _ id: String) -> Bool {
    collection == .state && StateKey(id: id)?.kind == .sending
  }

  private func copy(_ collection: CollectionName, of snapshot: any StoreSnapshot) async throws(StoreError) {
    var after: String?
    while true {
      var records: [(id: String, bytes: [UInt8])] = []
      try snapshot.scan(collection, ScanRange(after: after)) { (record: RawSpan) throws(StoreError) -> ScanStep in
        records.append((try coder.id(of: record, collection), record.withUnsafeBytes(Array.init)))
        return records.count < Self.commitSize ? .next : .stop
      }
      guard let last = records.last else { return }
      after = last.id
      let kept = records.filter { !Self.isLeft(collection, $0.id) }
      _ = try await target.write { (transaction) throws(StoreError) in
        transaction.explain(ChangeCause(.copy))
        try transaction.expect(collection, kept.map(\.id))
        // What the history left is there already.
        for record in kept where try transaction.record(collection, record.id) != record.bytes {
          try transaction.put(record.bytes, id: record.id, in: collection)
        }
      }
    }
  }

  private func apply(_ changes: [StoreChange]) async throws(StoreError) {
    _ = try await target.write { (transaction) throws(StoreError) in
      transaction.explain(ChangeCause(.copy))
      for change in changes where !Self.isLeft(change.collection, change.id) {
        if let record = change.record {
          try transaction.put(record, id: change.id, in: change.collection)
        } else {
          try transaction.delete(change.collection, change.id)
        }
      }
    }
  }

  private func compared(_ snapshot: any StoreSnapshot) async throws(StoreError) -> Report {
    var report = try summary(of: snapshot)
    let copy = try summary(of: target.snapshot())
    guard copy.digest == report.digest, copy.collections == report.collections else {
      throw StoreError(
        .damaged, "the copy differs from the store: \(copy.collections) and \(report.collections)",
        hint: "remove the copy; \(command: "doctor") checks both stores")
    }
    for collection in catalog.collections where !collection.media.isEmpty {
      try await copyImages(collection, of: snapshot, &report)
    }
    return report
  }

  private func summary(of snapshot: any StoreSnapshot) throws(StoreError) -> Report {
    var report = Report()
    var digests: [UInt8] = []
    for collection in snapshot.collections {
      var count = 0
      var piece: [UInt8] = []
      try snapshot.scan(collection, .all) { (record: RawSpan) throws(StoreError) -> ScanStep in
        if collection == .state, Self.isLeft(collection, try coder.id(of: record, collection)) { return .next }
        count += 1
        record.withUnsafeBytes { piece += $0 }
        piece.append(10)
        if piece.count > 1 << 20 {
          digests += SHA256.bytes(piece)
          piece.removeAll(keepingCapacity: true)
        }
        return .next
      }
      if count == 0 { continue }
      digests += SHA256.bytes(piece)
      report.collections[collection] = count
      if !collection.isInternal { report.records += count }
    }
    report.digest = SHA256.digest(digests)
    return report
  }

  private func copyImages(
    _ collection: CollectionDescriptor, of snapshot: any StoreSnapshot, _ report: inout Report
  ) async throws(StoreError) {
    var urls: [String] = []
    try snapshot.scan(collection.name, .all) { (record: RawSpan) throws(StoreError) -> ScanStep in
      let fields = try coder.object(record, of: collection.name)
      urls += collection.media.compactMap { fields[$0]?.string }
      return .next
    }
    for url in urls {
      let image: (type: String, bytes: [UInt8])
      do throws(StoreError) {
        guard let item = try images.source.item(for: url) else { continue }
        image = (item.type, try images.source.bytes(of: item))
      } catch {
        guard error.code == .damaged else { throw error }
        report.damagedImages.append(url)
        continue
      }
      _ = try await images.target.keep(image.bytes, type: image.type, for: url)
      report.images += 1
    }
  }
}

extension RecordCoder {
  /// The id of a stored record; empty where it has none.
  func id(of record: RawSpan, _ collection: CollectionName) throws(StoreError) -> String {
    try object(record, of: collection)["id"]?.string ?? ""
  }
}
