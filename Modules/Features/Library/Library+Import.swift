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
    let importer = try LineImporter(collection, of: self)
    var cutter = LineCutter()
    var ahead: [Task<Result<LineImporter.Part, Failure>, Never>] = []
    var changed: [JSONObject] = []
    var unread = UnreadMembers(catalog.fields(of: collection))
    var mistake: Failure?
    do throws(StoreError) {
      let counts = try await store.load(collection) { () async throws(StoreError) -> LoadBatch? in
        while ahead.count < Self.mostAhead, let lines = cutter.next(read) {
          ahead.append(Task { importer.part(of: lines) })
        }
        do throws(Failure) {
          guard !ahead.isEmpty else {
            if let failure = cutter.failure { throw failure }
            return nil
          }
          let part = try await ahead.removeFirst().value.get()
          changed += part.changed
          unread.add(part.unread)
          return part.records
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

  /// How many parts of a file are parsed at once, or wait to be stored; every second one is a single line.
  private static let mostAhead = min(3 * sysconf(Int32(_SC_NPROCESSORS_ONLN)), 16)

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
      guard Self.isValid(id.utf8) else {
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

  static func isValid(_ id: some Collection<UInt8>) -> Bool {
    (1...1024).contains(id.count) && !id.contains { $0 < 0x20 || $0 == 0x7F }
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
