/// Takes out the violations that an ignore lets through, and reports the ignores that have had their day.
struct IgnoreFilter {
  private let rules: Rules
  private let today: String

  init(_ rules: Rules, today: String) {
    self.rules = rules
    self.today = today
  }

  /// - Parameter upkeepOf: The checks that ran; an ignore of another one says nothing about itself.
  func apply(to violations: [Violation], upkeepOf checks: Set<Check>) -> (kept: [Violation], hidden: Int) {
    var kept = violations.sorted()
    var hidden = 0
    for ignore in rules.ignores where checks.contains(where: { $0.rawValue == ignore.check.text }) {
      let isExpired = ignore.until < today
      let matching = kept.filter { Self.covers(ignore, $0) }
      if isExpired {
        kept.append(
          upkeep(.expiredIgnore, ignore, "this ignore ended on \(ignore.until)", "mend what it hid, or renew it"))
      } else if matching.isEmpty {
        kept.append(upkeep(.staleIgnore, ignore, "this ignore hides nothing", "remove it"))
      } else {
        let covered = Set(matching.prefix(ignore.maximum))
        hidden += covered.count
        kept.removeAll(where: covered.contains)
      }
    }
    return (kept, hidden)
  }

  private func upkeep(_ check: Check, _ ignore: IgnoreRule, _ message: String, _ mend: String) -> Violation {
    Violation(
      check: check, place: ignore.check.place, message: "\(message): \(ignore.check.text) \(ignore.subject.text)",
      object: ignore.subject.text, rule: ignore.check.place, mend: mend)
  }

  private static func covers(_ ignore: IgnoreRule, _ violation: Violation) -> Bool {
    guard violation.check.rawValue == ignore.check.text, violation.check.canBeIgnored else { return false }
    let subject = NamePattern(ignore.subject.text)
    let isSubject = subject.matches(path: violation.place.path) || violation.target.map { subject.matches($0) } ?? false
    guard isSubject else { return false }
    guard let object = ignore.object else { return true }
    return violation.object.map { NamePattern(object.text).matches($0) } ?? false
  }
}
