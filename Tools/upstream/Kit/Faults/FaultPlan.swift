/// Decides which request meets which fault.
struct FaultPlan {
  /// The query item that a redirect adds, so that the request is known when it comes back.
  static let mark = "upstream-redirected=1"

  private(set) var rules: [FaultRule]
  private let mix: FaultMix
  /// Per rule: how many requests it matched, and how often it struck.
  private var matched: [Int]
  private var struck: [Int]
  private var asked: [String: Int] = [:]
  private var streaks: [String: Int] = [:]
  /// How often each fault struck, by name.
  private(set) var counts: [String: Int] = [:]

  init(rules: [FaultRule], mix: FaultMix) {
    self.rules = rules
    self.mix = mix
    matched = Array(repeating: 0, count: rules.count)
    struck = matched
  }

  /// Replaces the script; the mix and the counts stay.
  mutating func replace(_ rules: [FaultRule]) {
    self.rules = rules
    matched = Array(repeating: 0, count: rules.count)
    struck = matched
  }

  /// How many strikes each rule has left; nil is without limit.
  var left: [Int?] {
    zip(rules, struck).map { rule, struck in rule.times.map { max(0, $0 - struck) } }
  }

  /// The fault that this request meets; scripted rules come before chance, an earlier rule before a later one.
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
