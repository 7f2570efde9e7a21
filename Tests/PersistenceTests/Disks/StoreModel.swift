import AlmanacTesting
import Models
import Persistence
import Ports
import Testing

/// What a store must hold: the contents after every commit that was begun.
struct StoreModel: Sendable {
  /// Collections, ids as `spelledOut`, records.
  typealias Contents = [String: [String: String]]

  /// By sequence; the first is the empty store.
  var states: [Contents] = [[:]]
  /// The last commit that was acknowledged.
  var acknowledged = 0

  var newest: Contents { states[states.count - 1] }
}

struct Step: Sendable {
  var collection: String
  var id: String
  /// `nil` removes the record.
  var value: String?

  static let collections = ["people", "apps", "outbox"]
}

extension String {
  /// The text with a number for every scalar that is not ASCII, so that two spellings of one text differ; it sorts as
  /// the bytes of the text do.
  var spelledOut: String {
    unicodeScalars.map { $0.isASCII ? String($0) : "~\(String($0.value + 0x100_0000, radix: 16))" }.joined()
  }
}

func line(_ id: String, _ value: String) -> String { "{\"id\":\"\(id)\",\"value\":\"\(value)\"}" }

extension StoreSnapshot {
  /// Everything, in order, as one dictionary a collection.
  func contents() throws(StoreError) -> StoreModel.Contents { try contents(of: collections) }
}

extension RecordReader {
  /// Everything in some collections, in order, as one dictionary for each that holds something.
  func contents(of collections: [CollectionName]) throws(StoreError) -> StoreModel.Contents {
    var contents: StoreModel.Contents = [:]
    for collection in collections {
      var records: [String: String] = [:]
      var last: ExactString = ""
      var failure: String?
      try scan(collection, .all) { (record: RawSpan) throws(StoreError) -> ScanStep in
        let (text, id) = record.withUnsafeBytes { bytes in
          (
            String(decoding: bytes, as: UTF8.self),
            String(decoding: bytes.dropFirst(7).prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self).exact
          )
        }
        if !last.text.isEmpty, !(last < id) { failure = "\(id) comes after \(last)" }
        last = id
        records[id.text.spelledOut] = text
        return .next
      }
      if let failure { throw StoreError(.damaged, failure) }
      if try count(collection) != records.count {
        throw StoreError(.damaged, "\(try count(collection)) counted, \(records.count) scanned in \(collection)")
      }
      if !records.isEmpty { contents[collection.rawValue] = records }
    }
    return contents
  }
}

extension JSONFileStore {
  /// Commits one record of people; `nil` removes it.
  @discardableResult
  func put(_ id: String, _ value: String? = "1") async throws(StoreError) -> Committed<Bool> {
    try await apply([Step(collection: "people", id: id, value: value)])
  }

  /// Commits steps; the model of what must be there then.
  func apply(_ steps: [Step]) async throws(StoreError) -> Committed<Bool> {
    try await write { (transaction) throws(StoreError) in
      for step in steps {
        let collection = CollectionName(rawValue: step.collection)
        if let value = step.value {
          try transaction.put(Array(line(step.id, value).utf8), id: step.id, in: collection)
        } else {
          try transaction.delete(collection, step.id)
        }
      }
      return true
    }
  }

  /// Puts the records of steps together, as an import does.
  func load(_ steps: [Step]) async throws(StoreError) -> LoadCounts {
    var rest = steps.enumerated().map { number, step in
      LoadedRecord(id: step.id, record: Array(line(step.id, step.value!).utf8), place: number + 1)
    }[...]
    return try await load(CollectionName(rawValue: steps[0].collection)) { () throws(StoreError) in rest.popFirst() }
  }
}

extension StoreModel.Contents {
  func file(_ collection: String) -> [UInt8] {
    (self[collection] ?? [:]).sorted { $0.key < $1.key }.flatMap { Array(($0.value + "\n").utf8) }
  }

  func after(_ steps: [Step]) -> Self {
    var contents = self
    for step in steps {
      if let value = step.value {
        contents[step.collection, default: [:]][step.id.spelledOut] = line(step.id, value)
      } else {
        contents[step.collection]?[step.id.spelledOut] = nil
        if contents[step.collection]?.isEmpty == true { contents[step.collection] = nil }
      }
    }
    return contents
  }
}

extension Chance {
  /// A transaction at random, over few enough ids that they meet again.
  mutating func steps() -> [Step] {
    let count = below(8) == 0 ? 1 + below(24) : 1 + below(3)
    return (0..<count).map { _ in
      let collection = Step.collections[below(3)]
      let id = ["a", "b", "k\(below(12))", "p/\(below(6))", "z", LookAlikes.ids[below(4)]][below(6)]
      let length = below(20) == 0 ? 900 : below(30)
      let value = below(5) == 0 ? nil : String(repeating: "v", count: length) + "\(below(100))"
      return Step(collection: collection, id: id, value: value)
    }
  }
}

extension Chance {
  /// Records of one collection at random, each id once.
  mutating func records() -> [Step] {
    let collection = Step.collections[below(3)]
    let ids = Set((0..<2 + below(20)).map { _ in ["k\(below(12))", "l\(below(30))", "a"][below(3)] })
    return ids.sorted().reversed().map { Step(collection: collection, id: $0, value: "loaded \(below(4))") }
  }
}

/// Expects an error of the store, at a path or an offset, and with words in its message where they are given.
func expectError(
  _ code: StoreError.Code, path: String? = nil, offset: Int? = nil, saying words: String? = nil, in what: String = "",
  _ body: () async throws -> Void
) async {
  await #expect("\(what)") { try await body() } throws: { error in
    guard let error = error as? StoreError, error.code == code else { return false }
    return path.map { $0 == error.path } ?? true && offset.map { $0 == error.offset } ?? true
      && words.map { error.message.contains($0) } ?? true
  }
}

extension Limits {
  /// So small that everything happens within a few commits.
  static var tiny: Limits {
    var limits = Limits()
    limits.compactJournal = 1500
    limits.compactShare = 4
    limits.compactAlways = 6000
    limits.keptJournal = 6000
    limits.journalWindow = 16 << 10
    limits.loadBuffer = 150
    limits.loadOverhead = 0
    limits.publishAlways = 300
    limits.publishShare = 2
    limits.copyMost = 1000
    limits.publishMost = 2000
    return limits
  }
}
