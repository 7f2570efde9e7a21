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
  public var rejects: [RejectedRecord]

  /// Makes a result.
  public init(_ value: Output, rejects: [RejectedRecord] = []) {
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
