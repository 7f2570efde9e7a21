import CLibrary
import Models
import Ports

/// What an import makes of the lines of a file. A line follows from itself and the stored records alone, so that several parts
/// of a file are read at once.
struct LineImporter: Sendable {
  struct Part: Sendable {
    var records = LoadBatch()
    /// The records that a remote has: their changes are edits.
    var changed: [JSONObject] = []
    var unread: UnreadMembers
  }

  private let collection: CollectionName
  private let library: Library
  /// The fields of records that are stored as they were written, which saves most of the time.
  private let known: [RecordField]?
  /// Whether a field of the new records may depend on those that they replace.
  private let hasDependents: Bool
  /// The records that are replaced; `nil` where there are none.
  private let stored: (any StoreSnapshot)?
  /// The ids of those that a remote has.
  private let remote: Set<ExactString>

  init(_ collection: CollectionName, of library: Library) throws(Failure) {
    (self.collection, self.library) = (collection, library)
    let type = library.catalog[collection]?.record
    known = type.flatMap { $0.isPlain ? $0.schema : nil }
    hasDependents = type.map { !$0.dependentFields.isEmpty || !$0.assignedFields.isEmpty } ?? false
    (stored, remote) = try library.store.read { (snapshot) throws(StoreError) in
      var ids: Set<ExactString> = []
      try library.edits?.eachRemoteCopy(of: collection, in: snapshot) { id, _ in ids.insert(id.exact) }
      return (try snapshot.count(collection) == 0 ? nil : snapshot, ids)
    }
  }

  func part(of lines: Lines) -> Result<Part, Failure> {
    do throws(Failure) {
      var work = Work(lines: lines, part: Part(unread: UnreadMembers(library.catalog.fields(of: collection))))
      work.base = stored.map { SequentialReader($0, collection) }
      try lines.forEach { (place, number) throws(Failure) in
        try lines.withLine(place) { (line) throws(Failure) in try add(line, at: place, number, to: &work) }
      }
      let bytes = work.written.isEmpty ? lines.bytes : lines.bytes + work.written
      work.part.records = LoadBatch(bytes: bytes, entries: work.entries)
      return .success(work.part)
    } catch { return .failure(error) }
  }

  private struct Work {
    let lines: Lines
    var part: Part
    var base: SequentialReader?
    var entries: [LoadBatch.Entry] = []
    /// What does not stand in the lines as it is stored; it follows them.
    var written: [UInt8] = []

    mutating func add(_ id: Range<Int>, _ record: Range<Int>, _ number: Int, isStored: Bool) {
      entries.append(LoadBatch.Entry(id: id, record: record, place: number, isStored: isStored))
    }

    mutating func add(_ record: LoadedRecord) {
      let start = lines.bytes.count + written.count
      written += record.record
      let end = lines.bytes.count + written.count
      written += record.id.utf8
      add(end..<lines.bytes.count + written.count, start..<end, record.place, isStored: record.isStored)
    }
  }

  private func add(_ line: RawSpan, at place: Range<Int>, _ number: Int, to work: inout Work) throws(Failure) {
    if work.base?.isNext(line) == true, let id = RecordRule.idPlace(of: line) {
      return work.add(id.shifted(by: place.lowerBound), place, number, isStored: true)
    }
    if addStored(line, at: place, number, to: &work) { return }
    var edited: JSONObject?
    let coder = library.coder
    let loaded = try Library.record(line, number: number, collection, library.catalog, coder, library.suggestions) {
      (record, id, written) throws(RecordError) -> LoadedRecord? in
      let (bytes, old) = (coder.encode(record), work.base?.record(id))
      work.part.unread.add(written, record, line: number) { old.flatMap { try? coder.decode($0) } }
      let isStored = old.map { $0 == bytes } ?? false
      if old == nil || isStored { return LoadedRecord(id: id, record: bytes, place: number, isStored: isStored) }
      let isRemote = remote.contains(id.exact)
      guard isRemote || hasDependents, let before = old.flatMap({ try? coder.decode($0) }) else {
        return LoadedRecord(id: id, record: bytes, place: number)
      }
      if isRemote, before != record {
        edited = record
        return nil
      }
      let whole = hasDependents ? try following(record, before) : record
      return LoadedRecord(id: id, record: coder.encode(whole), place: number)
    }
    if let edited { work.part.changed.append(edited) }
    if let record = loaded ?? nil { work.add(record) }
  }

  /// Adds the record of a line without decoding it; false where that has to be done.
  private func addStored(_ line: RawSpan, at place: Range<Int>, _ number: Int, to work: inout Work) -> Bool {
    let start = work.written.count
    guard let known, let form = library.coder.appendStored(line, fields: known, to: &work.written) else { return false }
    let (id, record) =
      switch form {
      case .given(let id): (work.lines.bytes[id.shifted(by: place.lowerBound)], work.lines.bytes[place])
      case .appended(let id): (work.written[id], work.written[start...])
      }
    let isGiven = work.written.count == start
    var isStored = false
    var isNew = Library.isValid(id)
    if isNew, let old = work.base?.record(String(decoding: id, as: UTF8.self)) {
      isStored = old.withUnsafeBytes { record.hasSameBytes(as: $0) }
      // From the same record nothing follows for this one.
      isNew = isStored || !hasDependents && !remote.contains(String(decoding: id, as: UTF8.self).exact)
    }
    guard isNew else {
      work.written.removeLast(work.written.count - start)
      return false
    }
    let offset = isGiven ? 0 : work.lines.bytes.count
    work.add(id.indices.shifted(by: offset), record.indices.shifted(by: offset), number, isStored: isStored)
    return true
  }

  /// The record with its derived fields made anew where the file changes what they are derived from and repeats their old
  /// values: a person whose first name was edited gets the full name with it. A field that only the program sets keeps its
  /// stored value where the file does not have it: without the id on the server, a person could not be sent or synced.
  private func following(_ record: JSONObject, _ old: JSONObject) throws(RecordError) -> JSONObject {
    guard let type = library.catalog[collection]?.record else { return record }
    var followed = record
    for (field, sources) in type.dependentFields where record[field] != nil && record[field] == old[field] {
      guard sources.contains(where: { record[$0] != old[$0] }) else { continue }
      followed[field] = type.dependentValue(field, from: old, to: record)
    }
    for field in type.assignedFields where record[field] == nil { followed[field] = old[field] }
    return followed == record ? record : try library.catalog.canonical(followed, in: collection)
  }
}

extension Range<Int> {
  fileprivate func shifted(by offset: Int) -> Self { lowerBound + offset..<upperBound + offset }
}

extension ArraySlice<UInt8> {
  /// Compared at once: `==` takes a fifth of the time of an import that changes nothing.
  fileprivate func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    count == other.count
      && withUnsafeBytes { isEmpty || memcmp($0.baseAddress!, other.baseAddress!, other.count) == 0 }
  }
}

/// Looks up records that are likely to be asked for in the order of their ids: then the next ones are read ahead in one scan,
/// more of them the more were asked for.
private struct SequentialReader {
  private let snapshot: any StoreSnapshot
  private let collection: CollectionName
  /// The records after the last one that was looked up alone, by ascending id, with their ends in `bytes`.
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private var next = 0
  private var hits = 0
  private var size = 1
  /// The last one that was looked up; `nil` if it is the one before the next.
  private var last: (id: ExactString, record: [UInt8]?)?

  private static let most = 512

  init(_ snapshot: any StoreSnapshot, _ collection: CollectionName) {
    (self.snapshot, self.collection) = (snapshot, collection)
  }

  /// Returns the record; `nil` if there is none, or it cannot be read.
  mutating func record(_ id: String) -> [UInt8]? {
    let exact = id.exact
    if last == nil, next > 0 { last = (self.id(next - 1), Array(bytes[place(next - 1)])) }
    if let last, last.id == exact { return last.record }
    let record = find(exact, id)
    last = (exact, record)
    return record
  }

  /// Whether the record after the last one that was looked up has these bytes and was read ahead; it is the last one then.
  mutating func isNext(_ line: RawSpan) -> Bool {
    guard next < ends.count else { return false }
    let isSame = line.withUnsafeBytes { bytes[place(next)].hasSameBytes(as: $0) }
    if isSame { (next, hits, last) = (next + 1, hits + 1, nil) }
    return isSame
  }

  private func place(_ index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }

  private func id(_ index: Int) -> ExactString {
    let slice = bytes[place(index)]
    return (RecordRule.id(of: slice.span.bytes) ?? "").exact
  }

  private mutating func find(_ exact: ExactString, _ id: String) -> [UInt8]? {
    guard last.map({ $0.id < exact }) ?? true else {
      forget()
      return try? snapshot.record(collection, id)
    }
    while next < ends.count, self.id(next) < exact { next += 1 }
    if next < ends.count {
      guard self.id(next) == exact else { return nil }
      (next, hits) = (next + 1, hits + 1)
      return Array(bytes[place(next - 1)])
    }
    if !ends.isEmpty { size = 2 * hits >= ends.count ? min(4 * size, Self.most) : max(size / 2, 1) }
    forget()
    let found = try? snapshot.record(collection, id)
    try? snapshot.scan(collection, ScanRange(after: id)) { (record) throws(StoreError) in
      record.withUnsafeBytes { bytes += $0 }
      ends.append(bytes.count)
      return ends.count < size ? .next : .stop
    }
    return found
  }

  private mutating func forget() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    (next, hits) = (0, 0)
  }
}
