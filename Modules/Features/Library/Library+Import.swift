import CLibrary
public import Models
public import Ports

extension Library {
  /// Imports a file of JSON Lines, or a JSON array, as one commit. Empty lines are skipped.
  ///
  /// Each record needs a unique string `id`; records of a known collection are validated. The file is read in pieces: at most
  /// its longest line and a few megabytes are in memory.
  public func importLines(
    into collection: CollectionName, _ read: () throws(Failure) -> [UInt8]?
  ) async throws(Failure) -> ImportedRecords {
    guard catalog.contains(collection) else {
      throw Failure(
        .config, .usage, "there is no collection '\(collection)'",
        hint: "the collections are \(catalog.names.map(\.rawValue).joined(separator: ", "))",
        code: .own(.noCollection))
    }
    var base = try ImportBase(collection, of: self)
    var changed: [JSONObject] = []
    var unread = UnreadMembers(catalog.fields(of: collection))
    // Records whose bytes are what would be written are passed on as they are, which saves most of the time.
    let known = catalog[collection]?.record.flatMap { $0.isPlain ? $0.schema : nil }
    var lines = LineReader()
    var mistake: Failure?
    do throws(StoreError) {
      let counts = try await store.load(collection) { () throws(StoreError) -> LoadedRecord? in
        do throws(Failure) {
          while try lines.advance(read) {
            if let record = try lines.withLine({ (line) throws(Failure) in
              try self.record(line, number: lines.number, collection, known, &base, &changed, &unread)
            }) {
              return record
            }
          }
          return nil
        } catch {
          mistake = error
          throw StoreError(.aborted, "a line cannot be imported")
        }
      }
      var result = ImportedRecords(added: counts.added, updated: counts.updated, unchanged: counts.unchanged)
      result.changed = changed
      result.unread = unread.found
      return result
    } catch {
      if let mistake { throw mistake }
      if error.code == .invalidRecord, let line = error.offset { throw Self.mistake(line, error.message, .badID) }
      throw error.failure
    }
  }

  /// The record of a line; `nil` where it is empty, or goes to `changed`.
  ///
  /// - Parameters:
  ///   - known: the fields of records that are stored as they were written.
  ///   - base: the records that are replaced.
  private func record(
    _ line: RawSpan, number: Int, _ collection: CollectionName, _ known: [RecordField]?,
    _ base: inout ImportBase, _ changed: inout [JSONObject], _ unread: inout UnreadMembers
  ) throws(Failure) -> LoadedRecord? {
    if let same = base.next(with: line) {
      return LoadedRecord(id: same.id.text, record: same.record, place: number, isStored: true)
    }
    if let known, let id = coder.storedID(of: line, fields: known), Self.isValid(id) {
      let record = line.withUnsafeBytes { Array($0) }
      // From the same record nothing follows for this one.
      let old = base.record(id)
      let isStored = old.map { $0.hasSameBytes(as: line) } ?? false
      if old == nil || isStored || !base.hasDependents && !base.remote.contains(id.exact) {
        return LoadedRecord(id: id, record: record, place: number, isStored: isStored)
      }
    }
    var edited: JSONObject?
    let loaded = try Self.record(line, number: number, collection, catalog, coder, suggestions) {
      (record, id, written) throws(RecordError) -> LoadedRecord? in
      let (bytes, old) = (coder.encode(record), base.record(id))
      unread.add(written, record, line: number) { old.flatMap { try? coder.decode($0) } }
      let isStored = old.map { $0.hasSameBytes(as: bytes.span.bytes) } ?? false
      if old == nil || isStored { return LoadedRecord(id: id, record: bytes, place: number, isStored: isStored) }
      let isRemote = base.remote.contains(id.exact)
      guard isRemote || base.hasDependents, let before = old.flatMap({ try? coder.decode($0) }) else {
        return LoadedRecord(id: id, record: bytes, place: number)
      }
      if isRemote, before != record {
        edited = record
        return nil
      }
      let whole = base.hasDependents ? try following(record, collection, before) : record
      return LoadedRecord(id: id, record: coder.encode(whole), place: number)
    }
    if let edited { changed.append(edited) }
    return loaded ?? nil
  }

  /// The records that an import replaces.
  private struct ImportBase {
    /// `nil` where there are none.
    private var stored: SequentialReader?
    /// Whether a field of the new records may depend on them.
    let hasDependents: Bool
    /// The ids of those that a remote has: their changes are edits.
    let remote: Set<ExactString>

    init(_ collection: CollectionName, of library: Library) throws(Failure) {
      let type = library.catalog[collection]?.record
      hasDependents = type.map { !$0.dependentFields.isEmpty || !$0.assignedFields.isEmpty } ?? false
      (stored, remote) = try library.store.read { (snapshot) throws(StoreError) in
        var ids: Set<ExactString> = []
        try library.edits?.eachRemoteCopy(of: collection, in: snapshot) { id, _ in ids.insert(id.exact) }
        let isEmpty = try snapshot.count(collection) == 0
        return (isEmpty ? nil : SequentialReader(snapshot, collection), ids)
      }
    }

    mutating func record(_ id: String) -> [UInt8]? { stored?.record(id) }

    mutating func next(with line: RawSpan) -> (id: ExactString, record: [UInt8])? { stored?.next(with: line) }
  }

  /// Reads the record of a line, in its canonical form, with its id; `nil` where the line is empty.
  static func record<Value>(
    _ line: RawSpan, number: Int, _ collection: CollectionName, _ catalog: CollectionCatalog, _ coder: any RecordCoder,
    _ suggestions: Suggestions,
    _ body: (_ record: JSONObject, _ id: String, _ line: JSONObject) throws(RecordError) -> Value
  ) throws(Failure) -> Value? {
    guard line.withUnsafeBytes({ $0.contains { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D } }) else { return nil }
    let fields: JSONObject
    do throws(ParsingError) { fields = try coder.decode(line) } catch {
      if line.withUnsafeBytes({ String(validating: $0, as: UTF8.self) == nil || $0.contains(0) }) {
        throw Self.mistake(
          number, "expected text in UTF-8, found \(error.found) at column \(error.column)", .badText, path: error.path)
      }
      throw Self.mistake(
        number, "expected \(error.expected), found \(error.found) at column \(error.column)", path: error.path)
    }
    if fields["id"] == nil, let type = fields["type"]?.string, Self.singerTypes.contains(type) {
      throw Self.mistake(
        number, "a message of the Singer protocol, not a record", .badValue, path: "$.type",
        hint: "nothing was imported; take the records out of the messages first: \(suggestions(.importSingerRecords))")
    }
    do throws(RecordError) {
      let record = try catalog.canonical(fields, in: collection)
      let id = record["id"]?.string ?? ""
      guard Self.isValid(id) else {
        throw RecordError(
          collection: collection, id: nil, field: "id", expected: "1 to 1024 bytes without control characters",
          found: "\(id.utf8.count) bytes")
      }
      return try body(record, id, fields)
    } catch {
      throw Self.mistake(
        number, error.description, error.field == "id" ? .badID : .badValue, path: "$.\(error.field)")
    }
  }

  /// The record with its derived fields made anew where the file changes what they are derived from and repeats their old
  /// values: a person whose first name was edited gets the full name with it. A field that only the program sets keeps its
  /// stored value where the file does not have it: without the id on the server, a person could not be sent or synced.
  private func following(
    _ record: JSONObject, _ collection: CollectionName, _ old: JSONObject
  ) throws(RecordError) -> JSONObject {
    guard let type = catalog[collection]?.record else { return record }
    var followed = record
    for (field, sources) in type.dependentFields where record[field] != nil && record[field] == old[field] {
      guard sources.contains(where: { record[$0] != old[$0] }) else { continue }
      followed[field] = type.dependentValue(field, from: old, to: record)
    }
    for field in type.assignedFields where record[field] == nil { followed[field] = old[field] }
    return followed == record ? record : try catalog.canonical(followed, in: collection)
  }

  private static func isValid(_ id: String) -> Bool {
    (1...1024).contains(id.utf8.count) && !id.utf8.contains { $0 < 0x20 || $0 == 0x7F }
  }

  /// The types of messages in a file that 'export --to singer' writes.
  private static let singerTypes = ["SCHEMA", "RECORD", "STATE"]

  /// - Parameter code: `badLine` where the line is not a record, or else what is wrong with it.
  static func mistake(
    _ line: Int, _ message: String, _ code: OwnCode = .badLine, path: String? = nil,
    hint: Advice = "nothing was imported"
  ) -> Failure {
    Failure(
      .parsing, .unparsable, "line \(line): \(message)", hint: hint, code: .own(code),
      path: path ?? (code == .badID ? "$.id" : "$"))
  }
}

/// Looks up records that are likely to be asked for in the order of their ids: then the next ones are read ahead in one scan,
/// more of them the more were asked for.
struct SequentialReader {
  private let snapshot: any StoreSnapshot
  private let collection: CollectionName
  /// The records after the last one that was looked up alone, by ascending id.
  private var ahead: [(id: ExactString, record: [UInt8])] = []
  private var next = 0
  private var hits = 0
  private var size = 1
  private var last: (id: ExactString, record: [UInt8]?)?

  private static let most = 512

  init(_ snapshot: any StoreSnapshot, _ collection: CollectionName) {
    (self.snapshot, self.collection) = (snapshot, collection)
  }

  /// Returns the record; `nil` if there is none, or it cannot be read.
  mutating func record(_ id: String) -> [UInt8]? {
    let exact = id.exact
    if let last, last.id == exact { return last.record }
    let record = find(exact, id)
    last = (exact, record)
    return record
  }

  /// The record after the last one that was looked up, if it has these bytes and was read ahead; it is the last one then.
  mutating func next(with line: RawSpan) -> (id: ExactString, record: [UInt8])? {
    guard next < ahead.count, ahead[next].record.hasSameBytes(as: line) else { return nil }
    let found = ahead[next]
    (next, hits, last) = (next + 1, hits + 1, found)
    return found
  }

  private mutating func find(_ exact: ExactString, _ id: String) -> [UInt8]? {
    guard last.map({ $0.id < exact }) ?? true else {
      forget()
      return try? snapshot.record(collection, id)
    }
    while next < ahead.count, ahead[next].id < exact { next += 1 }
    if next < ahead.count {
      guard ahead[next].id == exact else { return nil }
      (next, hits) = (next + 1, hits + 1)
      return ahead[next - 1].record
    }
    if !ahead.isEmpty { size = 2 * hits >= ahead.count ? min(2 * size, Self.most) : max(size / 2, 1) }
    forget()
    let found = try? snapshot.record(collection, id)
    try? snapshot.scan(collection, ScanRange(after: id)) { (record) throws(StoreError) in
      guard let id = RecordRule.id(of: record) else { return .stop }
      ahead.append((id.exact, record.withUnsafeBytes { Array($0) }))
      return ahead.count < size ? .next : .stop
    }
    return found
  }

  private mutating func forget() {
    ahead.removeAll(keepingCapacity: true)
    (next, hits) = (0, 0)
  }
}

extension [UInt8] {
  /// Compared at once: `==` takes a fifth of the time of an import that changes nothing.
  fileprivate func hasSameBytes(as other: RawSpan) -> Bool {
    count == other.byteCount
      && withUnsafeBytes { one in
        other.withUnsafeBytes { other in one.isEmpty || memcmp(one.baseAddress!, other.baseAddress!, one.count) == 0 }
      }
  }
}

/// Splits pieces of a file into lines, and a JSON array into lines of its items. It holds no more than a piece and the line that is
/// begun in it.
struct LineReader {
  /// Of the line, from 1.
  private(set) var number = 0
  private var bytes: [UInt8] = []
  /// The line, without its end.
  private var line = 0..<0
  /// Where the next one begins, and up to where no end of it was found.
  private var next = 0
  private var searched = 0
  private var isAtEnd = false
  private var array = ArrayLines()

  /// Goes on to the next line; false at the end.
  ///
  /// - Parameter read: gives the next piece, `nil` at the end.
  mutating func advance(_ read: () throws(Failure) -> [UInt8]?) throws(Failure) -> Bool {
    while true {
      if let end = Self.lineEnd(in: bytes, from: searched) {
        take(next..<end, next: end + 1)
        return true
      }
      searched = bytes.count
      if isAtEnd {
        guard next < bytes.count else { return false }
        take(next..<bytes.count, next: bytes.count)
        return true
      }
      guard let piece = try read().map({ array.lines(of: $0) }) else {
        isAtEnd = true
        if array.isOpen { throw Library.mistake(number + 1, "the array does not end: a part of the file is missing") }
        continue
      }
      if next == bytes.count { bytes = piece } else { bytes.replaceSubrange(..<next, with: []); bytes += piece }
      searched -= next
      next = 0
    }
  }

  /// The place of the next newline, found eight bytes at a time.
  private static func lineEnd(in bytes: [UInt8], from start: Int) -> Int? {
    bytes.withUnsafeBytes { bytes in
      var place = start
      while place + 8 <= bytes.count {
        let word =
          UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)) ^ 0x0A0A_0A0A_0A0A_0A0A
        // The lowest set bit marks the first zero byte (Hacker's Delight, 6-1).
        let found = (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
        if found != 0 { return place + found.trailingZeroBitCount >> 3 }
        place += 8
      }
      return bytes[place...].firstIndex(of: 0x0A)
    }
  }

  /// A byte order mark says nothing in UTF-8 (RFC 8259 section 8.1 lets readers pass over it).
  private mutating func take(_ found: Range<Int>, next: Int) {
    number += 1
    let isMarked = number == 1 && bytes[found].starts(with: [0xEF, 0xBB, 0xBF])
    line = (isMarked ? found.lowerBound + 3 : found.lowerBound)..<found.upperBound
    (self.next, searched) = (next, next)
  }

  func withLine<Result>(_ body: (RawSpan) throws(Failure) -> Result) throws(Failure) -> Result {
    // The span of an array needs macOS 26, that of a slice does not.
    let slice = bytes[...]
    return try body(slice.span.bytes.extracting(line))
  }
}
