import Models
import Ports

/// What a command changed, stored in `state` under `undo/NUMBER`, in the order of the commands; what is not listed among them,
/// under `undo/run/RUN`.
struct UndoEntry {
  struct Change {
    var collection: CollectionName
    @ExactString var id: String
    /// The record before the command; `nil` if there was none.
    var before: [UInt8]?
    /// The digest of the record after it; `nil` if the command removed it.
    var after: String?

    init(_ collection: CollectionName, _ id: String, before: [UInt8]?) {
      (self.collection, self.id, self.before) = (collection, id, before)
    }

    init?(_ fields: JSONObject) {
      guard let collection = fields["collection"]?.string, let id = fields["record"]?.string else { return nil }
      self.init(CollectionName(rawValue: collection), id, before: fields["before"]?.string.map { Array($0.utf8) })
      after = fields["after"]?.string
    }

    var fields: JSONObject {
      var fields: JSONObject = ["collection": .string(collection.rawValue), "record": .string(id)]
      fields.append("before", before.map { String(decoding: $0, as: UTF8.self) })
      fields.append("after", after)
      return fields
    }
  }

  /// The most records of a command that are remembered.
  static let mostChanges = 1000
  static let mostCommands = 20
  /// The beginnings of the names of both.
  static let (listed, unlisted) = ("0", "run/")

  var key: StateKey
  var id: String { key.id }
  /// Tells the commands apart: all commits of one have the same.
  var run: String
  var command: String
  var at: Timestamp
  var changes: [Change] = []
  /// Whether the command changed more than is remembered.
  var isTooLarge = false

  var isListed: Bool { !key.name.hasPrefix(Self.unlisted) }

  /// - Parameter last: the key of the entry before it.
  static func key(after last: StateKey?) -> StateKey {
    let digits = String((last.flatMap { Int($0.name) } ?? 0).plus(1))
    return StateKey(.undo, String(repeating: "0", count: max(0, 12 - digits.count)) + digits)
  }

  static func key(ofRun run: String) -> StateKey { StateKey(.undo, unlisted + run) }

  init(_ key: StateKey, run: String, command: String, at: Timestamp) {
    (self.key, self.run, self.command, self.at) = (key, run, command, at)
  }

  init?(_ fields: JSONObject) {
    guard let key = fields["id"]?.string.flatMap({ StateKey(id: $0) }), let run = fields["run"]?.string,
      let command = fields["command"]?.string,
      let at = fields["at"]?.string.flatMap({ Timestamp(rfc3339: $0) })
    else { return nil }
    self.init(key, run: run, command: command, at: at)
    isTooLarge = fields["isTooLarge"]?.bool ?? false
    changes = fields["changes"]?.array?.compactMap { $0.object.flatMap { Change($0) } } ?? []
  }

  var fields: JSONObject {
    var fields: JSONObject = ["run": .string(run), "command": .string(command), "at": .string(at.description)]
    if isTooLarge { fields.append("isTooLarge", true) }
    fields.append("changes", .array(changes.map { .object($0.fields) }))
    return fields
  }

  /// The entry with an id; `nil` if there is none.
  init?(id: String, in reader: some RecordReader, _ coder: any RecordCoder) throws(StoreError) {
    guard let key = StateKey(id: id), key.kind == .undo, let fields = try reader.state(key, coder) else { return nil }
    self.init(fields)
  }

  /// The commands.
  static func all(in reader: any RecordReader, _ coder: any RecordCoder) throws(StoreError) -> [UndoEntry] {
    try reader.states(.undo, from: listed, coder) { _, fields in UndoEntry(fields) }
  }

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
