/// A word of the rule file and where it stands.
package struct RuleWord: Sendable, Hashable {
  package var text: String
  package var place: Place
}
