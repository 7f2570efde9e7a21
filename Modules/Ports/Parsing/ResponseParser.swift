/// Turns the bytes of an answer into values. It does no I/O and remembers nothing.
public protocol ResponseParser<Output>: Sendable {
  /// What it gives.
  associatedtype Output: Sendable

  /// Parses one whole body.
  ///
  /// One bad record of a list is set aside in `Parsed.rejects`; the others are kept.
  /// - Throws: `ParsingError` where the answer as a whole is not what it should be.
  func parse(_ body: [UInt8]) throws(ParsingError) -> Parsed<Output>
}

/// What a parser gives: the value, and what was set aside.
public struct Parsed<Output: Sendable>: Sendable {
  /// The value.
  public var value: Output
  /// Records that were not what they should be.
  public var rejects: RejectedRecords

  /// Makes a result.
  public init(_ value: Output, rejects: RejectedRecords = []) {
    self.value = value
    self.rejects = rejects
  }
}

extension Parsed: Equatable where Output: Equatable {}

/// A record of a list that was set aside.
public struct RejectedRecord: Hashable, Sendable {
  /// Its place in the list, from 0.
  public var index: Int
  /// The JSON path of what is wrong: `$.feed.entry[3].id`.
  public var path: String
  /// What should stand there.
  public var expected: String
  /// What stands there.
  public var found: String
  /// The record as it came, cut at 64 KiB.
  public var raw: String

  /// Makes a rejected record.
  public init(index: Int, path: String, expected: String, found: String, raw: String) {
    self.index = index
    self.path = path
    self.expected = expected
    self.found = found
    self.raw = raw
  }
}

/// The records of one answer that were set aside: the first ones, and how many there were in all.
///
/// A server that answers with a million broken records must not fill the memory and the store with a million reasons.
public struct RejectedRecords: Hashable, Sendable, ExpressibleByArrayLiteral {
  /// How many are kept, of an answer as of a follow.
  public static let limit = 1_000

  /// The first ones, at most `limit`.
  public private(set) var kept: [RejectedRecord] = []
  /// How many there were, those included that are not kept.
  public private(set) var total = 0

  /// The records of a list.
  public init(arrayLiteral records: RejectedRecord...) {
    kept = Array(records.prefix(Self.limit))
    total = records.count
  }

  /// Whether there was none.
  public var isEmpty: Bool { total == 0 }
  /// Whether what follows is only counted.
  public var isFull: Bool { kept.count >= Self.limit }

  /// The records, each changed; the count stays.
  public func changed(_ change: (RejectedRecord) -> RejectedRecord) -> RejectedRecords {
    var records = self
    records.kept = kept.map(change)
    return records
  }

  /// Counts a record, and keeps it while there are fewer than `limit`; `record` is asked for then only.
  public mutating func append(_ record: @autoclosure () -> RejectedRecord) {
    total += 1
    if !isFull { kept.append(record()) }
  }
}

/// What an API answers: the thing, or an error of its own, also under HTTP 200.
public enum APIAnswer<Value: Sendable>: Sendable {
  /// The thing.
  case success(Value)
  /// The API's own error.
  case failure(APIFailure)
}

extension APIAnswer: Equatable where Value: Equatable {}

/// An error that an API reports in its own words.
public struct APIFailure: Error, Hashable, Sendable {
  /// The API's code.
  public var code: String
  /// The API's message.
  public var message: String

  /// Makes a failure.
  public init(code: String, message: String) {
    self.code = code
    self.message = message
  }
}
