import Models
import Ports

/// What a command changed, stored in `state` under `undo/NUMBER`, in the order of the commands; what is not listed among them,
/// under `undo/run/RUN`.
struct UndoEntry {
  struct Change {
    var collection: CollectionName
    @ExactString var id: String
    var name: RecordName { RecordName(collection, id) }
    /// The record before the command; `nil` if there was none.
    var before: [UInt8]?
    /// The digest of the record after it; `nil` if the command removed it.
    var after: String?
    /// The fields that it changed and that had the remote's values, which an undo gives their present ones; `nil` where that
    /// is not known.
    var remoteFields: [String]?

    init(_ collection: CollectionName, _ id: String, before: [UInt8]?) {
      (self.collection, self.id, self.before) = (collection, id, before)
    }

    init?(_ fields: JSONObject) {
      guard let collection = fields["collection"]?.string, let id = fields["record"]?.string else { return nil }
      self.init(CollectionName(rawValue: collection), id, before: fields["before"]?.string.map { Array($0.utf8) })
      after = fields["after"]?.string
      remoteFields = fields["remoteFields"]?.array?.compactMap(\.string)
    }

    var fields: JSONObject {
      var fields: JSONObject = ["collection": .string(collection.rawValue), "record": .string(id)]
      fields.append("before", before.map { String(decoding: $0, as: UTF8.self) })
      fields.append("after", after)
      fields.append("remoteFields", remoteFields.map { .array($0.map { .string($0) }) })
      return fields
    }
  }

  /// The most records of a command that are remembered here.
  static let mostChanges = 1000
  /// The most of which the store's history says what they were, with those of the state of sources, which are kept here.
  static let mostInHistory = 200_000
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
  /// Whether the command changed more than is remembered here. The changes are then those of the state of sources, which
  /// has no history.
  var isTooLarge = false
  /// The last commit before the command; `nil` where the store's history does not say what it changed.
  var since: UInt64?
  /// How often a commit of the command changed a record of each collection but the state of sources.
  var counts: [CollectionName: Int] = [:]

  var isListed: Bool { !key.name.hasPrefix(Self.unlisted) }

  /// - Parameter last: the key of the entry before it.
  static func key(after last: StateKey?) -> StateKey {
    let digits = String((last.flatMap { Int($0.name) } ?? 0).plus(1))
    return StateKey(.undo, String(repeating: "0", count: max(0, 12 - digits.count)) + digits)
  }

  static func key(ofRun run: String) -> StateKey { StateKey(.undo, unlisted + run) }

  init(_ key: StateKey, run: String, command: String, at: Timestamp, since: UInt64?) {
    (self.key, self.run, self.command, self.at, self.since) = (key, run, command, at, since)
  }

  init?(_ fields: JSONObject) {
    guard let key = fields["id"]?.string.flatMap({ StateKey(id: $0) }), let run = fields["run"]?.string,
      let command = fields["command"]?.string,
      let at = fields["at"]?.timestamp
    else { return nil }
    self.init(key, run: run, command: command, at: at, since: fields["since"]?.count.map { UInt64($0) })
    for member in fields["counts"]?.object?.members ?? [] {
      counts[CollectionName(rawValue: member.key)] = member.value.count
    }
    isTooLarge = fields["isTooLarge"]?.bool ?? false
    changes = fields["changes"]?.array?.compactMap { $0.object.flatMap { Change($0) } } ?? []
  }

  var fields: JSONObject {
    var fields: JSONObject = ["run": .string(run), "command": .string(command), "at": .string(at.description)]
    if isTooLarge { fields.append("isTooLarge", true) }
    fields.append("since", since.map { Int($0) })
    fields.append(
      "counts",
      .object(
        JSONObject(
          members: counts.sorted { $0.key < $1.key }.map { .init(key: $0.key.rawValue, value: .int($0.value)) })))
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
    for change in more where change.collection != .state { counts[change.collection, default: 0] += 1 }
    merge(more)
    if isTooLarge || changes.count > Self.mostChanges { leaveToHistory() }
  }

  /// Adds changes of which only the number is known.
  mutating func add(_ count: Int, of collection: CollectionName) {
    counts[collection, default: 0] += count
    leaveToHistory()
  }

  private mutating func leaveToHistory() {
    isTooLarge = true
    changes.removeAll { $0.collection != .state }
    if counts.values.reduce(changes.count, { $0.plus($1) }) > Self.mostInHistory { lose() }
  }

  /// Remembers no more than that the command cannot be undone.
  mutating func lose() { (isTooLarge, changes, since) = (true, [], nil) }

  private mutating func merge(_ more: [Change]) {
    var places: [RecordName: Int] = [:]
    for (place, change) in changes.enumerated() { places[change.name] = place }
    for change in more {
      if let place = places[change.name] {
        changes[place].after = change.after
        let more = change.remoteFields.flatMap { more in changes[place].remoteFields.map { $0 + more } }
        changes[place].remoteFields = more
      } else {
        places[change.name] = changes.count
        changes.append(change)
      }
    }
  }

  /// The entry with what only the history of the store has of it; still too large where that does not have all of it.
  func whole(from store: any RecordStore) throws(StoreError) -> UndoEntry {
    guard isTooLarge, let since, let store = store as? any HistoricalStore else { return self }
    let last = try store.snapshot().sequence
    var (whole, isOwn) = (self, [UInt64: Bool]())
    for (collection, count) in counts where since < last {
      var found: [Change] = []
      do {
        try store.history(collection, in: since + 1...last) { (change) throws(StoreError) in
          if isOwn[change.commit] == nil {
            isOwn[change.commit] = try store.origin(of: change.commit)?.cause?.run?.exact == run.exact
          }
          guard isOwn[change.commit] == true else { return .next }
          found.append(Change(collection, change.id, before: change.before))
          found[found.count - 1].after = Self.digest(change.after)
          return .next
        }
      } catch {
        guard error.code == .notKept || error.code == .damaged else { throw error }
      }
      guard found.count == count else { return self }
      whole.merge(found)
    }
    whole.isTooLarge = false
    return whole
  }
}
