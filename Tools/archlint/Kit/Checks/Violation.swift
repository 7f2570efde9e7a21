/// One finding.
package struct Violation: Sendable, Hashable {
  package var check: Check
  package var place: Place
  package var message: String
  /// The target that it is about, and what that must not know.
  package var target: String? = nil
  package var object: String? = nil
  /// Where the rule stands that was broken.
  package var rule: Place? = nil
  /// The way from one target to another, where it takes more than a step.
  package var chain: [String] = []
  /// What to do about it.
  package var mend: String
}

extension Violation: Comparable {
  package static func < (left: Violation, right: Violation) -> Bool {
    if left.place != right.place { return left.place < right.place }
    if left.check != right.check { return left.check.rawValue < right.check.rawValue }
    return left.message < right.message
  }
}
