public import Models

/// Parses the body of a response. It does no I/O and has no state.
public protocol ResponseParser<Output>: Sendable {
  associatedtype Output: Sendable

  /// Invalid records of a list are collected in `Parsed.rejects`; the others are returned.
  /// - Throws: `ParsingError` if the response as a whole is not as expected.
  func parse(_ body: [UInt8]) throws(ParsingError) -> Parsed<Output>
}

public struct Parsed<Output: Sendable>: Sendable {
  public var value: Output
  public var rejects: RejectedRecords

  public init(_ value: Output, rejects: RejectedRecords = []) { (self.value, self.rejects) = (value, rejects) }
}

extension Parsed: Equatable where Output: Equatable {}

public struct RejectedRecord: Hashable, Sendable {
  /// The index in the list, from 0.
  public var index: Int
  /// The JSON path of the invalid value: `$.feed.entry[3].id`.
  public var path: String
  public var expected: String
  public var found: String
  /// The record as received, truncated to 64 KiB.
  public var raw: String

  public init(index: Int, path: String, expected: String, found: String, raw: String) {
    (self.index, self.path, self.expected, self.found, self.raw) = (index, path, expected, found, raw)
  }

  /// A request for a part of a record that has no answer, under its URL.
  public init(request url: String, expected: String, found: String) {
    self.init(index: 0, path: "$", expected: expected, found: found, raw: url)
  }
}

/// The rejected records of a response: the first ones, and their total number.
///
/// The limit keeps memory and store small when a server sends a million invalid records.
public struct RejectedRecords: Hashable, Sendable, ExpressibleByArrayLiteral {
  public static let limit = 1_000

  public private(set) var kept: [RejectedRecord] = []
  /// The total number, including those that are not kept.
  public private(set) var total = 0

  public init(arrayLiteral records: RejectedRecord...) {
    kept = Array(records.prefix(Self.limit))
    total = records.count
  }

  public var isEmpty: Bool { total == 0 }
  public var isFull: Bool { kept.count >= Self.limit }

  public func changed(_ change: (RejectedRecord) -> RejectedRecord) -> RejectedRecords {
    var records = self
    records.kept = kept.map(change)
    return records
  }

  /// Counts a record, and keeps it while there are fewer than `limit`. `record` is evaluated only then.
  public mutating func append(_ record: @autoclosure () -> RejectedRecord) {
    total += 1
    if !isFull { kept.append(record()) }
  }

  /// Counts the records of another list, and keeps them while there are fewer than `limit`.
  public mutating func append(contentsOf others: RejectedRecords) {
    kept += others.kept.prefix(max(0, Self.limit - kept.count))
    total += others.total
  }
}

/// The response of an API that reports errors in the body, possibly under HTTP 200.
public enum APIAnswer<Value: Sendable>: Sendable {
  case success(Value)
  case failure(APIFailure)
}

extension APIAnswer: Equatable where Value: Equatable {}

public struct APIFailure: Error, Hashable, Sendable {
  public var code: String
  public var message: String
  /// Whether the API reported it; otherwise it was noticed here, and the message is a sentence of its own.
  public var isReported: Bool

  public init(code: String, message: String, isReported: Bool = true) {
    (self.code, self.message, self.isReported) = (code, message, isReported)
  }

  public init(_ code: OwnCode, _ message: String) {
    self.init(code: code.rawValue, message: message, isReported: false)
  }
}

public struct AppStoreFeed: Hashable, Sendable {
  public var apps: [App]
  public var updatedAt: Timestamp?

  public init(apps: [App], updatedAt: Timestamp? = nil) { (self.apps, self.updatedAt) = (apps, updatedAt) }
}

public struct PhotoPage: Hashable, Sendable {
  public var photos: [Photo]
  /// The number of the page, from 1.
  public var page: Int
  /// The number of pages; 0 or 1 if the response does not contain it.
  public var pages: Int
  /// The number of photos on all pages, if the response contains it.
  public var total: Int?

  public init(photos: [Photo], page: Int, pages: Int, total: Int? = nil) {
    (self.photos, self.page, self.pages, self.total) = (photos, page, pages, total)
  }
}

/// A person as a server describes it, without a local id.
public struct RemotePerson: Hashable, Sendable {
  public var remoteID: String?
  public var firstName: String
  public var lastName: String
  public var birthday: Birthday?

  public init(remoteID: String? = nil, firstName: String, lastName: String, birthday: Birthday?) {
    (self.remoteID, self.firstName, self.lastName, self.birthday) = (remoteID, firstName, lastName, birthday)
  }
}

public struct ParsingError: FailureRepresentable, Hashable, Sendable, CustomStringConvertible {
  public typealias Code = ParsingCode

  public var code: Code
  /// The JSON path: `$.feed.entry[3].id`; `$` for the whole text. In XML, the open elements: `/multistatus/response`.
  public var path: String
  public var offset: Int
  /// The line, from 1.
  public var line: Int
  /// The column in bytes, from 1.
  public var column: Int
  public var expected: String
  public var found: String
  /// The URL or the file, without secrets. The caller of a parser sets it.
  public var source: String?
  public var hint: String?

  public init(
    _ code: Code, path: String = "$", offset: Int = 0, line: Int = 1, column: Int = 1, expected: String, found: String,
    source: String? = nil, hint: String? = nil
  ) {
    (self.code, self.path, self.offset, self.line, self.column) = (code, path, offset, line, column)
    (self.expected, self.found, self.source, self.hint) = (expected, found, source, hint)
  }

  /// Without the path of the whole text, and without the position of its beginning, which is that of an error without one.
  public var description: String {
    let place = offset == 0 && line == 1 ? "" : " (line \(line), column \(column), byte \(offset))"
    return "expected \(expected), found \(found)\(path == "$" ? "" : " at \(path)")\(place)"
  }

  public var failure: Failure {
    Failure(
      .parsing, .unparsable, description, hint: hint.map { Advice($0) }, url: source, code: .parsing(code), path: path)
  }
}
