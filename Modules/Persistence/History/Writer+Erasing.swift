import Models
import Ports

struct Erasure {
  /// Digests of the names, which the manifest has until it is done. Only who knows an id can tell that it was one of them.
  private(set) var digests: [String] = []
  private var ids: [String: Set<[UInt8]>] = [:]

  var collections: [String] { ids.keys.sorted() }
  func ids(of collection: String) -> [[UInt8]] { (ids[collection] ?? []).sorted { $0.lexicographicallyPrecedes($1) } }

  mutating func add(_ collection: String, _ id: [UInt8]) {
    guard ids[collection, default: []].insert(id).inserted else { return }
    digests.append(Self.digest(collection, id))
  }

  func holds(_ collection: String, _ key: ByteSlice) -> Bool { ids[collection]?.contains(key.array) ?? false }

  /// A cause without its moves, where they name one of the ids; `nil` where it can stay.
  func without(_ cause: ByteSlice) -> ChangeCause? {
    guard !ids.isEmpty, var known = CauseLine.cause(in: cause) else { return nil }
    let isNamed = known.moved.contains { move in
      [move.from, move.to].contains { ids[move.collection.rawValue]?.contains(Array($0.utf8)) ?? false }
    }
    if !isNamed { return nil }
    known.moved = []
    return known
  }

  static func digest(_ collection: String, _ id: [UInt8]) -> String {
    String(SHA256.digest(Array("\(collection)/".utf8) + id).prefix(32))
  }
}

extension Writer {
  /// Completes an erasure that the manifest names, of which the ids are not known any more.
  func completeErasure() throws(StoreError) {
    let digests = Set(state.manifest.erased)
    var erasure = Erasure()
    func look(_ collection: String, _ key: ByteSlice) {
      if digests.contains(Erasure.digest(collection, key.array)) { erasure.add(collection, key.array) }
    }
    for part in state.manifest.allParts where part.collection != History.notes {
      guard let file = try CollectionFile(part, on: disk) else { continue }
      var cursor = try LineCursor(file)
      while cursor.line != nil {
        look(part.collection, cursor.key.slice)
        try cursor.advance()
      }
    }
    if let changes = try JournalChanges(of: state, on: disk, store.limits, { _ in true }) {
      for name in changes.collections {
        try changes.each(of: name) { (key, _) throws(StoreError) in
          look(name, key)
          return .next
        }
      }
    }
    _ = try complete(erasure)
  }

  /// Erases records: from the first manifest on it is done, and the last one says that nothing of them is left.
  func erase(_ erasure: Erasure) throws(StoreError) -> ErasedRecords {
    if erasure.digests.isEmpty { return ErasedRecords() }
    // The changes of the journal are counted once they are in runs.
    try compact(at: store.time.now.secondsSinceEpoch)
    try replaceManifest { writer in
      writer.state.manifest.version += 1
      writer.state.manifest.erased += erasure.digests
    }
    publish()
    return try complete(erasure)
  }

  private func complete(_ erasure: Erasure) throws(StoreError) -> ErasedRecords {
    var erased = ErasedRecords()
    let before = state.manifest.history?.runs.reduce(0) { $0 + $1.changes } ?? 0
    if !erasure.digests.isEmpty {
      for name in erasure.collections {
        guard var table = state.tables[name] else { continue }
        var arenas: [Arena] = []
        for id in erasure.ids(of: name) {
          if try id.withByteSlice({ (id) throws(StoreError) in try table.record(id) }) != nil {
            erased.records += 1
            table.count -= 1
          }
          arenas.append(Arena(id))
        }
        table.runs.append(
          SortedRun(sorted: arenas.map { SortedRun.Entry(key: $0.slice, record: $0.slice[0..<0]) }, owners: arenas))
        state.tables[name] = table
      }
      try renew(sequence: state.sequence + 1, at: store.time.now.secondsSinceEpoch, erasing: erasure)
      erased.changes = max(0, before - (state.manifest.history?.runs.reduce(0) { $0 + $1.changes } ?? 0))
    } else {
      // The files are there; who was killed may have left names of the old ones.
      try publishCollectionFiles()
      try removeOrphans()
    }
    try publishHistory()
    erased.remaining = try remaining(erasure)
    try store.syncingFolder()
    try replaceManifest { writer in
      writer.state.manifest.version += 1
      writer.state.manifest.erased = []
    }
    publish()
    return erased
  }

  /// Writes runs without the records that are erased, and notes that do not name them.
  func erase(_ erasure: Erasure, _ version: UInt64, _ history: inout History) throws(StoreError) {
    if erasure.digests.isEmpty { return }
    var number = version << 12 + 256
    for run in history.runs where run.part.version >> 12 != version {
      number += 1
      let name = run.part.collection
      guard let file = try CollectionFile(run.part, on: disk) else { continue }
      if name == History.notes {
        try eraseMoves(erasure, of: run, file, number, &history)
        continue
      }
      var isHeld = false
      for id in erasure.ids(of: name) where !isHeld {
        isHeld = try id.withByteSlice { (id) throws(StoreError) in try file.record(id) != nil }
      }
      guard isHeld else { continue }
      let rest = try RunWriter(name, number: number, on: disk).join([run], syncing) { erasure.holds(name, $0) }
      history.replace([run], with: rest)
    }
  }

  private func eraseMoves(
    _ erasure: Erasure, of run: History.Run, _ file: CollectionFile, _ number: UInt64, _ history: inout History
  ) throws(StoreError) {
    var cursor = try LineCursor(file)
    let output = RunWriter(History.notes, number: number, on: disk)
    var isHeld = false
    while let line = cursor.line {
      var note = CommitNotes.note(line)
      if let kept = erasure.without(line) {
        isHeld = true
        note.replace(kept)
      }
      try output.add(note)
      try cursor.advance()
    }
    if let rest = try output.finish(syncing), isHeld { history.replace([run], with: rest) }
  }

  /// The files with an id that are no part of the store: what repairs and restored backups put aside.
  private func remaining(_ erasure: Erasure) throws(StoreError) -> [String] {
    var found: [String] = []
    for name in try disk.names().sorted() {
      if name.hasPrefix(StoreBackup.keptPrefix) {
        found.append(name)
        continue
      }
      guard name.hasPrefix("cut.") || name.contains(Self.changedSuffix) || name.hasSuffix(Salvage.suffix),
        let file = try? disk.open(name), let size = try? file.information().size
      else { continue }
      let bytes = try file.bytes(count: size)
      let isNamed = erasure.collections.contains { name in
        erasure.ids(of: name).contains { id in
          var text: [UInt8] = [0x22]
          id.withByteSlice { RecordKey.escape($0, into: &text) }
          return bytes.firstRange(of: text + [0x22]) != nil
        }
      }
      if isNamed { found.append(name) }
    }
    return found
  }
}
