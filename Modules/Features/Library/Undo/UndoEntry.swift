import Models
import Ports

/// What a command changed, stored in `state` under `undo/NUMBER`, in the order of the commands.
struct UndoEntry {
  struct Change {
    var collection: CollectionName
    @ExactString var id: String
    /// The record before the command; `nil` if there was none.
    var before: [UInt8]?
    /// The digest of the record after it; `nil` if the command removed it.
    var after: String?

    init(_ collection: CollectionName, _ id: String, before: [UInt8]?) {
      self.collection = collection
      self.id = id
      self.before = before
    }

    init?(_ fields: JSONObject) {
      guard let collection = fields["collection"]?.string, let id = fields["record"]?.string else { return nil }
      self.init(
        CollectionName(rawValue: collection), id, before: fields["before"]?.string.map { Array($0.utf8) })
      after = fields["after"]?.string
    }

    var fields: JSONObject {
      var fields: JSONObject = ["collection": .string(collection.rawValue), "record": .string(id)]
      fields.append("before", before.map { String(decoding: $0, as: UTF8.self) })
      fields.append("after", after)
      return fields
    }
  }

  static let prefix = "undo/"
  /// The most records of a command that are remembered.
  static let mostChanges = 1000
  /// The most commands that are remembered.
  static let mostCommands = 20

  var id: String
  /// Tells the commands apart: all commits of one have the same.
  var run: String
  var command: String
  var at: Timestamp
  var changes: [Change] = []
  /// Whether the command changed more than is remembered.
  var isTooLarge = false

  /// Creates the entry of a command.
  ///
  /// - Parameter last: the id of the entry before it.
  init(after last: String?, run: String, command: String, at: Timestamp) {
    let number = (last.flatMap { Int($0.dropFirst(Self.prefix.count)) } ?? 0) + 1
    let digits = String(number)
    self.init(
      id: Self.prefix + String(repeating: "0", count: max(0, 12 - digits.count)) + digits, run: run, command: command,
      at: at)
  }

  private init(id: String, run: String, command: String, at: Timestamp) {
    self.id = id
    self.run = run
    self.command = command
    self.at = at
  }

  init?(_ fields: JSONObject) {
    guard let id = fields["id"]?.string, let run = fields["run"]?.string, let command = fields["command"]?.string,
      let at = fields["at"]?.string.flatMap({ Timestamp(rfc3339: $0) })
    else { return nil }
    self.init(id: id, run: run, command: command, at: at)
    isTooLarge = fields["isTooLarge"]?.bool ?? false
    changes = fields["changes"]?.array?.compactMap { $0.object.flatMap { Change($0) } } ?? []
  }

  var fields: JSONObject {
    var fields: JSONObject = [
      "id": .string(id), "run": .string(run), "command": .string(command), "at": .string(at.description),
    ]
    if isTooLarge { fields.append("isTooLarge", true) }
    fields.append("changes", .array(changes.map { .object($0.fields) }))
    return fields
  }

  /// The ids of all entries, the oldest first.
  static func ids(in reader: any RecordReader, _ coder: any RecordCoder) throws(StoreError) -> [String] {
    var ids: [String] = []
    try reader.scan(.state, ScanRange(prefix: prefix)) { (bytes: RawSpan) throws(StoreError) -> ScanStep in
      do throws(ParsingError) {
        if let id = try coder.text("id", of: bytes) { ids.append(id) }
        return .next
      } catch {
        throw StoreError(.damaged, "a remembered command cannot be read: \(error)")
      }
    }
    return ids
  }

  /// All entries, the oldest first.
  static func all(in reader: any RecordReader, _ coder: any RecordCoder) throws(StoreError) -> [UndoEntry] {
    var entries: [UndoEntry] = []
    try reader.scan(.state, ScanRange(prefix: prefix)) { (bytes: RawSpan) throws(StoreError) -> ScanStep in
      if let entry = UndoEntry(try coder.object(bytes, of: .state)) { entries.append(entry) }
      return .next
    }
    return entries
  }

  /// The digest by which a record is recognized.
  static func digest(_ record: [UInt8]?) -> String? { record.map { String(SHA256.digest($0).prefix(32)) } }

  /// Adds what a commit changed: of a record that was changed before, the first state is kept.
  mutating func add(_ more: [Change]) {
    var places: [ExactString: Int] = [:]
    for (place, change) in changes.enumerated() { places["\(change.collection)/\(change.id)".exact] = place }
    for change in more {
      if let place = places["\(change.collection)/\(change.id)".exact] {
        changes[place].after = change.after
      } else {
        changes.append(change)
      }
    }
    if changes.count > Self.mostChanges { isTooLarge = true }
    if isTooLarge { changes = [] }
  }
}
