/// Decides the fault of each request.
struct FaultPlan {
  /// The query item that a redirect adds, so that the redirected request can be recognized.
  static let mark = "upstream-redirected=1"

  private(set) var rules: [FaultRule]
  private let mix: FaultMix
  /// The number of matching requests and of applied faults of each rule.
  private var matched: [Int]
  private var struck: [Int]
  private var asked: [String: Int] = [:]
  private var streaks: [String: Int] = [:]
  /// The number of applied faults by name.
  private(set) var counts: [String: Int] = [:]

  init(rules: [FaultRule], mix: FaultMix) {
    (self.rules, self.mix) = (rules, mix)
    matched = Array(repeating: 0, count: rules.count)
    struck = matched
  }

  /// Replaces the script; the random faults and the counts are kept.
  mutating func replace(_ rules: [FaultRule]) {
    self.rules = rules
    matched = Array(repeating: 0, count: rules.count)
    struck = matched
  }

  /// The remaining applications of each rule; nil if unlimited.
  var left: [Int?] { zip(rules, struck).map { rule, struck in rule.times.map { max(0, $0 - struck) } } }

  /// The fault of this request. Scripted rules take precedence over random faults, and earlier rules over later ones.
  mutating func next(_ request: ReceivedRequest) -> Fault? {
    guard !request.target.contains(FaultPlan.mark) else { return nil }
    let fault = scripted(request) ?? byChance(request)
    if let fault { counts[fault.name, default: 0] += 1 }
    return fault
  }

  private mutating func scripted(_ request: ReceivedRequest) -> Fault? {
    for index in rules.indices where rules[index].matches(request) {
      let rule = rules[index]
      matched[index] += 1
      guard matched[index] > rule.after else { continue }
      if let times = rule.times, struck[index] >= times { continue }
      if rule.chance < 1 {
        var dice = Dice(mix.seed, "rule \(index)", matched[index])
        guard dice.chance(rule.chance) else { continue }
      }
      struck[index] += 1
      return rule.fault
    }
    return nil
  }

  private mutating func byChance(_ request: ReceivedRequest) -> Fault? {
    guard mix.rate > 0, !mix.kinds.isEmpty else { return nil }
    let key = request.method + " " + request.target
    asked[key, default: 0] += 1
    var dice = Dice(mix.seed, "fault " + key, asked[key, default: 0])
    guard dice.chance(mix.rate), streaks[key, default: 0] < mix.longestStreak else {
      streaks[key] = nil
      return nil
    }
    streaks[key, default: 0] += 1
    return dice.pick(mix.kinds)
  }
}

/// A fault, the requests that it applies to, and the number of times.
public struct FaultRule: Sendable, Equatable {
  public var fault: Fault
  /// The method; nil for any.
  public var method: String?
  /// The path, in which `*` matches any text; nil for any.
  public var path: String?
  /// A text that the target must contain, for example `method=flickr.people.getInfo`; nil for any.
  public var contains: String?
  /// The number of matching requests to skip first.
  public var after: Int
  /// The maximum number of applications; nil if unlimited.
  public var times: Int?
  /// The probability of an application. The seed determines the requests.
  public var chance: Double

  /// Creates a rule, which applies once by default.
  public init(
    _ fault: Fault, method: String? = nil, path: String? = nil, contains: String? = nil, after: Int = 0,
    times: Int? = 1, chance: Double = 1
  ) {
    (self.fault, self.method, self.path, self.contains) = (fault, method, path, contains)
    (self.after, self.times, self.chance) = (after, times, chance)
  }

  func matches(_ request: ReceivedRequest) -> Bool {
    if let method, method != request.method { return false }
    if let path, !FaultRule.glob(path, request.path) { return false }
    if let contains, !request.target.contains(contains) { return false }
    return true
  }

  /// Whether a text matches a pattern in which `*` matches any characters.
  static func glob(_ pattern: String, _ text: String) -> Bool {
    let pieces = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard pieces.count > 1, let first = pieces.first, let last = pieces.last else { return pattern == text }
    guard text.hasPrefix(first), text.hasSuffix(last), text.count >= first.count + last.count else { return false }
    var rest = text.dropFirst(first.count).dropLast(last.count)
    for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
      guard let range = rest.firstRange(of: piece) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }
}

/// Random faults over all requests.
public struct FaultMix: Sendable, Equatable {
  public var rate: Double
  /// The kinds of faults, all equally likely.
  public var kinds: [Fault]
  /// The seed. The fault of a request depends on the seed, the method, the target and the number of earlier requests
  /// for the target, so that the order of requests for different targets does not matter.
  public var seed: UInt64
  /// The maximum number of consecutive faults of one target, so that a client that retries always succeeds.
  public var longestStreak: Int

  /// The kinds that a client survives by retrying; without `hang`.
  public static let usualKinds: [Fault] = [
    "429", "500", "502", "503", "504", "html", "redirect", "reset", "lost-reply", "close", "truncate", "drip", "delay",
    "gzip",
  ].compactMap(Fault.init(name:))

  public init(rate: Double = 0, kinds: [Fault] = usualKinds, seed: UInt64 = 1, longestStreak: Int = 2) {
    (self.rate, self.kinds, self.seed, self.longestStreak) = (rate, kinds, seed, longestStreak)
  }
}

/// Reads and writes fault scripts: a JSON array of rules.
///
/// ```json
/// [
///   {"fault": "429", "retryAfter": "2", "path": "/people", "times": 2},
///   {"fault": "lost-reply", "method": "POST", "path": "/people"},
///   {"fault": "html", "status": 200, "contains": "flickr.people.getInfo", "after": 3},
///   {"fault": "drip", "piece": 100, "ms": 20, "path": "/*/rss/*", "times": null, "chance": 0.1}
/// ]
/// ```
public enum FaultScript {
  public struct Failure: Error, Equatable, CustomStringConvertible {
    /// The place of the rule, and the expected value.
    public let description: String
  }

  /// Reads a script.
  /// - Throws: ``Failure`` with the first invalid rule.
  public static func rules(parsing bytes: [UInt8]) throws(Failure) -> [FaultRule] {
    let value: JSONValue
    do { value = try JSONValue(parsing: bytes) } catch {
      throw Failure(description: "fault script: \(error)")
    }
    guard let items = value.array else { throw Failure(description: "fault script: an array of rules is expected") }
    var rules: [FaultRule] = []
    for (index, item) in items.enumerated() { rules.append(try rule(item, index)) }
    return rules
  }

  private static let names: Set = [
    "fault", "status", "retryAfter", "location", "bytes", "piece", "ms", "method", "path", "contains", "after", "times",
    "chance",
  ]

  private static func rule(_ item: JSONValue, _ index: Int) throws(Failure) -> FaultRule {
    func failure(_ text: String) -> Failure { Failure(description: "fault script: rule \(index): \(text)") }
    guard let fields = item.fields else { throw failure("an object is expected") }
    if let unknown = fields.first(where: { !names.contains($0.name) }) { throw failure("unknown key \(unknown.name)") }
    let name = item["fault"]?.string ?? item["fault"]?.int.map(String.init) ?? ""
    guard var fault = Fault(name: name) else { throw failure("unknown fault '\(name)'") }
    switch fault {
    case .status(let status, let retryAfter):
      let given = item["retryAfter"]?.string ?? item["retryAfter"]?.int.map(String.init)
      fault = .status(item["status"]?.int ?? status, retryAfter: given ?? retryAfter)
    case .html(let status): fault = .html(item["status"]?.int ?? status)
    case .redirect(let status, _): fault = .redirect(item["status"]?.int ?? status, to: item["location"]?.string)
    case .truncate(let count): fault = .truncate(item["bytes"]?.int ?? count)
    case .drip(let piece, let milliseconds):
      fault = .drip(piece: item["piece"]?.int ?? piece, milliseconds: item["ms"]?.int ?? milliseconds)
    case .delay(let milliseconds): fault = .delay(milliseconds: item["ms"]?.int ?? milliseconds)
    default: break
    }
    let times: Int? = item["times"] == .null ? nil : item["times"]?.int ?? 1
    let chance = item["chance"]?.double ?? 1
    guard (0...1).contains(chance) else { throw failure("chance is from 0 to 1") }
    return FaultRule(
      fault, method: item["method"]?.string, path: item["path"]?.string, contains: item["contains"]?.string,
      after: item["after"]?.int ?? 0, times: times, chance: chance)
  }
}
