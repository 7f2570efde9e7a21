public import Models
public import Ports

extension Library {
  /// Writes the records of a file of JSON Lines, as one commit. Empty lines are passed over.
  ///
  /// Every record has a string `id`, no two the same one; records of a known kind are checked to be of that kind. The
  /// file is read piece by piece: no more than its longest line and some megabytes are held.
  public func importLines(
    into collection: CollectionName, _ read: () throws(Failure) -> [UInt8]?
  ) async throws(Failure) -> ImportedRecords {
    guard catalog.contains(collection) else {
      throw Failure(
        .config, .usage, "there is no collection '\(collection)'",
        hint: "the collections are \(catalog.names.map(\.rawValue).joined(separator: ", "))",
        code: "no-collection")
    }
    // Records whose bytes are what would be written are passed on as they are, which saves most of the time.
    let known = catalog[collection]?.record.flatMap { $0.isPlain ? $0.schema : nil }
    var lines = LineReader()
    var mistake: Failure?
    do throws(StoreError) {
      let counts = try await store.load(collection) { () throws(StoreError) -> LoadedRecord? in
        do throws(Failure) {
          while try lines.advance(read) {
            if let record = try lines.withLine({ (line) throws(Failure) in
              try self.record(line, number: lines.number, collection, known)
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
      return ImportedRecords(added: counts.added, updated: counts.updated, unchanged: counts.unchanged)
    } catch {
      if let mistake { throw mistake }
      if error.code == .invalidRecord, let line = error.offset { throw Self.mistake(line, error.message, "$.id") }
      throw error.failure
    }
  }

  /// The record of a line; `nil` where it is empty.
  ///
  /// - Parameter known: the fields of records that are stored as they were written.
  private func record(
    _ line: RawSpan, number: Int, _ collection: CollectionName, _ known: [RecordField]?
  ) throws(Failure) -> LoadedRecord? {
    if let known, let id = coder.storedID(of: line, fields: known), Self.isValid(id) {
      return LoadedRecord(id: id, record: line.withUnsafeBytes { Array($0) }, place: number)
    }
    guard line.withUnsafeBytes({ $0.contains { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D } }) else { return nil }
    let fields: JSONObject
    do throws(ParsingError) {
      fields = try coder.decode(line)
    } catch {
      throw Self.mistake(
        number, "expected \(error.expected), found \(error.found) at column \(error.column)", error.path)
    }
    if fields["id"] == nil, let type = fields["type"]?.string, Self.singerTypes.contains(type) {
      throw Self.mistake(
        number, "a message of the Singer protocol, not a record", "$.type",
        hint: "nothing was imported; take the records out of the messages first:"
          + " jq -c 'select(.type == \"RECORD\") | .record' FILE | almanac import - --collection COLLECTION")
    }
    do throws(RecordError) {
      let record = try catalog.canonical(fields, in: collection)
      let id = record["id"]?.string ?? ""
      guard Self.isValid(id) else {
        throw RecordError(
          collection: collection, id: nil, field: "id", expected: "1 to 1024 bytes without control characters",
          found: "\(id.utf8.count) bytes")
      }
      return LoadedRecord(id: id, record: coder.encode(record), place: number)
    } catch {
      throw Self.mistake(number, error.description, "$.\(error.field)")
    }
  }

  private static func isValid(_ id: String) -> Bool {
    (1...1024).contains(id.utf8.count) && !id.utf8.contains { $0 < 0x20 || $0 == 0x7F }
  }

  /// The types of messages in a file that 'export --to singer' writes.
  private static let singerTypes = ["SCHEMA", "RECORD", "STATE"]

  private static func mistake(
    _ line: Int, _ message: String, _ path: String, hint: String = "nothing was imported"
  ) -> Failure {
    Failure(.parsing, .unparsable, "line \(line): \(message)", hint: hint, code: "bad-line", path: path)
  }
}
