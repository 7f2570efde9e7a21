import Models
import Ports
import Synchronization

/// The answers of a follow that pulls have read, in `state` under `answer/PATH HASH`, where the hash is that of the request.
///
/// An answer with the same bytes is not read again if each of its records is stored as the answer left it, which is seen in the
/// records themselves. So it does not matter who changed them: a person, another follow, a purge, a backup that was put back, or
/// another version of the program. Records that can have edits are always read.
final class KnownAnswers: Sendable {
  let follow: String
  /// Changes with the program, the definition and the options of the follow, and with them what is made of an answer.
  let reader: String
  /// The state of the store in which records are looked up.
  let snapshot: any StoreSnapshot
  let begun: Timestamp
  /// Whether answers are kept whose bytes changed and whose records did not. That is done once a day, so that a server whose
  /// answers have their own time costs no writes.
  let keepsUnchanged: Bool
  private let senders: EditSenders
  private let coder: any RecordCoder
  private let digests = Mutex(StoredDigests())

  init(
    _ follow: Follow, version: String, _ source: RedactedSource, _ senders: EditSenders, at state: FollowState,
    in snapshot: any StoreSnapshot, _ coder: any RecordCoder, begun: Timestamp, isFull: Bool
  ) {
    self.follow = follow.path
    (self.snapshot, self.senders, self.coder, self.begun) = (snapshot, senders, coder, begun)
    reader = StableHash.digest([version, source.fingerprint ?? "", FollowState.parameters(of: follow)])
    keepsUnchanged = isFull || state.answersKept.map { begun < $0 || begun - $0 >= 86_400 } ?? true
  }

  private static func name(_ follow: String, _ request: String) -> ExactString {
    var hash = StableHash()
    hash.combine(request)
    return "\(follow) \(hash.hex)".exact
  }

  private static func key(_ name: ExactString) -> StateKey { StateKey(.answer, name.text) }

  /// The answer, if its bytes are known and its records are stored as it left them.
  func answer(to request: String, _ body: [UInt8]) throws(StoreError) -> KnownAnswer? {
    guard let fields = try snapshot.state(Self.key(Self.name(follow, request)), coder),
      fields["reader"]?.string?.exact == reader.exact, fields["size"]?.int == body.count
    else { return nil }
    var answer = KnownAnswer(body, to: request, summary: fields["summary"]?.object ?? [:])
    guard let stored = fields["stored"]?.string.flatMap({ UInt64($0, radix: 16) }),
      fields["sum"]?.string.flatMap({ UInt64($0, radix: 16) }) == answer.sum
    else { return nil }
    (answer.ids, answer.count, answer.stored) = (fields["ids"]?.object ?? [:], fields["count"]?.count ?? 0, stored)
    let isStored = try digests.withLock { [snapshot, coder, senders] (digests) throws(StoreError) in
      try digests.has(answer, in: snapshot, senders, coder)
    }
    return isStored ? answer : nil
  }

  /// Whether the records of a known answer still are as it left them.
  func isStored(_ answer: KnownAnswer, in latest: any StoreSnapshot) throws(StoreError) -> Bool {
    if latest.sequence == snapshot.sequence { return true }
    var digests = StoredDigests()
    digests.scansLongLists = false
    return try digests.has(answer, in: latest, senders, coder)
  }

  /// Keeps the answer of a page that was read, if the page says no more than that.
  func keep(
    _ fetched: FetchedPage, _ merger: RecordMerger, _ list: inout AnsweredList, _ state: inout FollowState,
    in transaction: inout any StoreTransaction
  ) throws(StoreError) {
    let page = fetched.page
    guard !page.isKnown else { return }
    guard case .page(let part) = page.coverage else { return list.add(nil, nil) }
    guard var answer = page.answer, let digest = merger.digest, page.rejects.isEmpty, page.warnings.isEmpty,
      part.records.count == fetched.records.count, part.gone.isEmpty, part.sublists.isEmpty
    else {
      // What lists nothing, such as answers about records, does not make the list another one.
      if !part.records.isEmpty || !part.gone.isEmpty || !part.sublists.isEmpty || page.answer != nil {
        list.add(nil, nil)
      }
      return
    }
    answer.count = part.records.count
    answer.stored = digest
    answer.ids = JSONObject(
      members: Dictionary(grouping: part.records, by: \.collection).sorted { $0.key < $1.key }.map {
        JSONObject.Member(key: $0.key.rawValue, value: .string($0.value.map(\.id).joined(separator: " ")))
      })
    let name = Self.name(follow, answer.request)
    let fields: JSONObject = [
      "id": .of(Self.key(name).id), "reader": .of(reader), "size": .of(answer.size),
      "sum": .of(String(answer.sum, radix: 16)), "count": .of(answer.count),
      "stored": .of(String(digest, radix: 16)), "ids": .object(answer.ids), "summary": .object(answer.summary),
    ]
    let kept = try transaction.state(Self.key(name), coder)
    if kept != fields {
      let isOther = kept.map { $0["reader"] != fields["reader"] } ?? false
      guard keepsUnchanged || isOther || !merger.changedNothing else { return list.add(name, nil) }
      try transaction.setState(Self.key(name), to: fields, coder)
      if merger.changedNothing || state.answersKept == nil { state.answersKept = begun }
    }
    list.add(name, answer)
  }

  /// The list of a pull that begins, and the name of an answer in it.
  var list: AnsweredList { AnsweredList(reader: reader) }

  func note(_ answer: KnownAnswer, in list: inout AnsweredList) {
    list.add(Self.name(follow, answer.request), answer, isKnown: true)
  }

  /// Removes the answers of a follow, except those of a list.
  static func remove(
    of follow: String, except names: Set<ExactString> = [], in transaction: inout any StoreTransaction
  ) throws(StoreError) {
    let length = name(follow, "").text.utf8.count
    for key in try transaction.stateKeys(.answer, from: "\(follow) ")
    // The path of another follow may begin with this one and a space.
    where key.name.utf8.count == length && !names.contains(key.$name) { try transaction.clearState(key) }
  }
}

/// The answers that a list was made of, in order.
struct AnsweredList: Sendable {
  /// The names under which they are kept.
  private(set) var names: Set<ExactString> = []
  /// Whether none was read.
  private(set) var isKnown = true
  private var isWhole = true
  private var hash = StableHash()

  init(reader: String = "") { hash.combine(reader) }

  /// A digest of their bytes; `nil` if one of them is not kept.
  var digest: String? { isWhole && !names.isEmpty ? hash.hex : nil }

  /// - Parameter answer: the answer; `nil` if it is not kept as it is.
  mutating func add(_ name: ExactString?, _ answer: KnownAnswer?, isKnown: Bool = false) {
    if let name { names.insert(name) }
    self.isKnown = self.isKnown && isKnown
    guard let name, let answer else { return isWhole = false }
    hash.combine("\(name) \(answer.size) \(answer.sum)")
  }
}

/// Digests of stored records, in one state of the store.
private struct StoredDigests {
  var scansLongLists = true
  private var pending: Set<CollectionName>?
  /// How many records of a collection were looked up.
  private var lookups: [CollectionName: Int] = [:]
  /// The digests of all records of a collection, by that of the id.
  private var scanned: [CollectionName: [UInt64: UInt64]] = [:]

  /// A scan reads so many records in the time of one lookup.
  private static let scanSpeed = 16
  /// The most records of which digests are held: 16 MB.
  private static let mostScanned = 500_000

  /// Whether the records of an answer are stored as it left them.
  mutating func has(
    _ answer: KnownAnswer, in snapshot: any StoreSnapshot, _ senders: EditSenders, _ coder: any RecordCoder
  ) throws(StoreError) -> Bool {
    if pending == nil { pending = Set(try OutboxQueue(in: snapshot, coder).entries.map(\.targetCollection)) }
    var sum: UInt64 = 0
    for list in answer.ids.members {
      let collection = CollectionName(rawValue: list.key)
      guard pending?.contains(collection) == false, !senders.collections.contains(collection),
        !senders.dependents.contains(collection)
      else { return false }
      let known = try scan(collection, in: snapshot)
      for id in (list.value.string ?? "").utf8.split(separator: UInt8(ascii: " ")) {
        let digest: UInt64?
        if let known {
          digest = known[XXHash64.sum(Array(id))]
        } else {
          digest = try snapshot.record(collection, String(Substring(id))).map(XXHash64.sum)
          lookups[collection, default: 0] += 1
        }
        guard let digest else { return false }
        sum &+= digest
      }
    }
    return sum == answer.stored
  }

  /// The digests of a collection of which so many records were looked up that a scan takes no longer.
  private mutating func scan(
    _ collection: CollectionName, in snapshot: any StoreSnapshot
  ) throws(StoreError) -> [UInt64: UInt64]? {
    if let known = scanned[collection] { return known }
    guard scansLongLists, let lookups = lookups[collection] else { return nil }
    let count = try snapshot.count(collection)
    guard count <= Self.mostScanned, lookups * Self.scanSpeed >= count else { return nil }
    var digests: [UInt64: UInt64] = Dictionary(minimumCapacity: count)
    try snapshot.scan(collection, .all) { (record) throws(StoreError) in
      record.withUnsafeBytes { bytes in
        if let id = Self.id(of: bytes) { digests[XXHash64.sum(id)] = XXHash64.sum(bytes) }
      }
      return .next
    }
    scanned[collection] = digests
    return digests
  }

  /// The id at the beginning of a stored record; `nil` if it has escapes, and is looked at as one that is not stored.
  private static func id(of record: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    let start = 7
    guard record.count > start, record.prefix(start).elementsEqual("{\"id\":\"".utf8) else { return nil }
    var end = start
    while end < record.count, record[end] != UInt8(ascii: "\"") {
      if record[end] == UInt8(ascii: "\\") { return nil }
      end += 1
    }
    return UnsafeRawBufferPointer(rebasing: record[start..<end])
  }
}
