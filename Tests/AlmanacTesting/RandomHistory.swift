public import Ports

#if canImport(Glibc)
  import Glibc
#endif

/// What two sides and the line between them do at random, and what must hold at the end.
public protocol RandomHistory {
  /// What is counted.
  associatedtype Count: HistoryCount

  /// What was played so far.
  var tally: HistoryTally<Count> { get }
  /// What happened, for whoever reads a history that failed.
  var log: [String] { get }

  /// A history that is the same for the same seed.
  init(seed: Int)

  /// Plays it, and checks it.
  ///
  /// - Throws: `BrokenHistory` where something does not hold, and what is thrown on the way.
  mutating func play() async throws
}

extension RandomHistory {
  /// Plays `ALMANAC_HISTORIES` histories (100 by default), or the one that `ALMANAC_HISTORY` names, and prints what was
  /// played and the log of the first one that breaks.
  ///
  /// - Throws: `BrokenHistory`, which names every history that broke, after the last one was played.
  public static func playAll(_ name: String) async throws {
    let only = number("ALMANAC_HISTORY")
    let seeds = only.map { $0..<($0 + 1) } ?? 0..<(number("ALMANAC_HISTORIES") ?? 100)
    var total = HistoryTally<Count>()
    var broken: [String] = []
    for seed in seeds {
      var history = Self(seed: seed)
      do {
        try await history.play()
      } catch {
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

/// Something that must not be at the end of a history.
public struct BrokenHistory: Error, CustomStringConvertible {
  /// What it is.
  public let description: String

  /// Names it.
  public init(_ description: String) { self.description = description }
}

/// What is counted while a history is played; the raw values are printed.
public protocol HistoryCount: RawRepresentable<String>, CaseIterable, Hashable, Sendable {}

/// How often what happened.
public struct HistoryTally<Count: HistoryCount>: Sendable, CustomStringConvertible {
  private var counts: [Count: Int] = [:]

  /// Nothing happened yet.
  public init() {}

  /// How often it happened.
  public subscript(_ count: Count) -> Int {
    get { counts[count, default: 0] }
    set { counts[count] = newValue }
  }

  /// Adds what another history counted.
  public static func += (lhs: inout Self, rhs: Self) { lhs.counts.merge(rhs.counts, uniquingKeysWith: +) }

  /// All of them, in their order.
  public var description: String { Count.allCases.map { "\($0.rawValue): \(self[$0])" }.joined(separator: ", ") }
}

extension RandomSource {
  /// A number from 0 up to, but not including, `count`.
  public func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }

  /// One of the elements.
  public func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
