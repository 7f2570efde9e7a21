import Models
import Persistence
import Ports
import TestSupport

/// What a store must hold: the contents after every commit that was begun.
struct StoreModel: Sendable {
  typealias Contents = [String: [String: String]]

  /// By sequence; the first is the empty store.
  var states: [Contents] = [[:]]
  /// The last commit that was acknowledged.
  var acknowledged = 0

  var newest: Contents { states[states.count - 1] }
}

/// A change that a test makes.
struct Step: Sendable {
  var collection: String
  var id: String
  /// `nil` removes the record.
  var value: String?

  static let collections = ["people", "apps", "outbox"]
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
      var last = ""
      var failure: String?
      try scan(collection, .all) { (record: RawSpan) throws(StoreError) -> ScanStep in
        let (text, id) = record.withUnsafeBytes { bytes in
          (
            String(decoding: bytes, as: UTF8.self),
            String(decoding: bytes.dropFirst(7).prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
          )
        }
        if !last.isEmpty, !(last < id) { failure = "\(id) comes after \(last)" }
        last = id
        records[id] = text
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
}

extension StoreModel.Contents {
  /// The contents after some steps.
  func after(_ steps: [Step]) -> Self {
    var contents = self
    for step in steps {
      if let value = step.value {
        contents[step.collection, default: [:]][step.id] = line(step.id, value)
      } else {
        contents[step.collection]?[step.id] = nil
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
      let id = ["a", "b", "k\(below(12))", "p/\(below(6))", "z"][below(5)]
      let length = below(20) == 0 ? 900 : below(30)
      let value = below(5) == 0 ? nil : String(repeating: "v", count: length) + "\(below(100))"
      return Step(collection: collection, id: id, value: value)
    }
  }
}

extension Limits {
  /// So small that everything happens within a few commits.
  static var tiny: Limits {
    var limits = Limits()
    limits.foldJournal = 1500
    limits.foldShare = 4
    limits.foldAlways = 6000
    limits.keptJournal = 6000
    limits.journalWindow = 16 << 10
    return limits
  }
}
