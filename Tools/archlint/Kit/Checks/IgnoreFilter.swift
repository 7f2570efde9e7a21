import Foundation

/// Removes the violations that an `ignore` hides, and reports those that have expired or hide nothing.
struct IgnoreFilter {
  private let rules: Rules
  private let today: String

  init(_ rules: Rules, today: String) {
    (self.rules, self.today) = (rules, today)
  }

  /// - Parameter upkeepOf: The checks that ran. An `ignore` of another check is not reported as unused.
  func apply(to violations: [Violation], upkeepOf checks: Set<Check>) -> (kept: [Violation], hidden: Int) {
    var kept = violations.sorted()
    var hidden = 0
    for ignore in rules.ignores where checks.contains(where: { $0.rawValue == ignore.check.text }) {
      let isExpired = ignore.until < today
      let matching = kept.filter { Self.covers(ignore, $0) }
      if isExpired {
        kept.append(
          upkeep(.expiredIgnore, ignore, "this ignore ended on \(ignore.until)", "fix what it hid, or renew it"))
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

  private func upkeep(_ check: Check, _ ignore: IgnoreRule, _ message: String, _ suggestion: String) -> Violation {
    Violation(
      check: check, place: ignore.check.place, message: "\(message): \(ignore.check.text) \(ignore.subject.text)",
      object: ignore.subject.text, rule: ignore.check.place, suggestion: suggestion)
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

/// Violations that are hidden until a date, with a reason.
package struct IgnoreRule: Sendable {
  package var check: RuleWord
  package var subject: RuleWord
  /// The module or target that must not be used; nil means any.
  package var object: RuleWord?
  package var reason: String = ""
  /// The maximum number of violations that it may hide.
  package var maximum: Int = 1
  /// The last day on which it applies, as `2026-12-31`.
  package var until: String = ""
}

/// Dates as `2026-12-31`, which sort as text.
package enum CalendarDay {
  package static func isValid(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard text.utf8.count == 10, parts.count == 3, parts[0].count == 4, parts[1].count == 2,
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
    else { return false }
    return DateComponents(calendar: Calendar(identifier: .gregorian), year: year, month: month, day: day).isValidDate
  }

  package static func today() -> String { Date.now.formatted(.iso8601.year().month().day()) }
}
