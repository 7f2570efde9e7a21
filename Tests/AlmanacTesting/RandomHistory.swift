import CLibrary
public import Ports

/// A random sequence of operations of two sides and faults of the connection, with invariants that are checked at the
/// end.
public protocol RandomHistory {
  /// The kinds of counted operations.
  associatedtype Count: HistoryCount

  var tally: HistoryTally<Count> { get }
  /// A log of the operations, to analyse a history that failed.
  var log: [String] { get }

  /// Creates a history that depends only on the seed.
  init(seed: Int)

  /// Runs the history and checks its invariants.
  ///
  /// - Throws: `BrokenHistory` if an invariant does not hold, and unexpected errors.
  mutating func play() async throws
}

extension RandomHistory {
  /// Runs `ALMANAC_HISTORIES` histories (25 by default), or only `ALMANAC_HISTORY`. Prints the counts and the log of
  /// the first history that fails.
  ///
  /// - Throws: `BrokenHistory` with all failed histories, after the last one was run.
  public static func playAll(_ name: String) async throws {
    let only = number("ALMANAC_HISTORY")
    let seeds = only.map { $0..<($0 + 1) } ?? 0..<(number("ALMANAC_HISTORIES") ?? 25)
    var total = HistoryTally<Count>()
    var broken: [String] = []
    for seed in seeds {
      var history = Self(seed: seed)
      do { try await history.play() } catch {
        if broken.isEmpty { print(history.log.joined(separator: "\n")) }
        broken.append("history \(seed): \(error)")
      }
      total += history.tally
    }
    print("\(name): \(seeds.count), \(total), broken: \(broken.count)")
    if !broken.isEmpty { throw BrokenHistory(broken.joined(separator: "\n")) }
  }

  private static func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }
}

public struct BrokenHistory: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}

/// A kind of counted operation. The raw values are printed.
public protocol HistoryCount: RawRepresentable<String>, CaseIterable, Hashable, Sendable {}

/// The counts of a history's operations.
public struct HistoryTally<Count: HistoryCount>: Sendable, CustomStringConvertible {
  private var counts: [Count: Int] = [:]

  public init() {}

  public subscript(_ count: Count) -> Int {
    get { counts[count, default: 0] }
    set { counts[count] = newValue }
  }

  /// Adds the counts of another history.
  public static func += (lhs: inout Self, rhs: Self) { lhs.counts.merge(rhs.counts, uniquingKeysWith: +) }

  /// All counts, in the order of their kinds.
  public var description: String { Count.allCases.map { "\($0.rawValue): \(self[$0])" }.joined(separator: ", ") }
}

extension RandomSource {
  /// A random number from 0 up to, but not including, `count`.
  public func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }

  public func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
