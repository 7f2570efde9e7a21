/// Violations that are let through for a while, for a reason.
package struct IgnoreRule: Sendable {
  /// The check's id.
  package var check: RuleWord
  /// The file or target it is about.
  package var subject: RuleWord
  /// The module or target that must not be known; nil means any.
  package var object: RuleWord?
  package var reason: String = ""
  /// How many it may hide.
  package var maximum: Int = 1
  /// The last day on which it counts, as `2026-12-31`.
  package var until: String = ""
}
