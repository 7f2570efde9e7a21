import AlmanacTesting
import Models
import Testing

@Suite struct ListMergeTests {
  struct Case: Sendable {
    var here, base, theirs: String
    /// `nil` for a conflict.
    var merged: String?
  }

  @Test(arguments: [
    Case(here: "ab", base: "a", theirs: "ac", merged: "abc"), Case(here: "ab", base: "a", theirs: "ab", merged: "ab"),
    Case(here: "", base: "a", theirs: "ab", merged: "b"), Case(here: "ab", base: "ab", theirs: "b", merged: "b"),
    Case(here: "a", base: "ab", theirs: "b", merged: ""), Case(here: "", base: "a", theirs: "", merged: ""),
    // One side replaced an item; the other did not touch it.
    Case(here: "xb", base: "ab", theirs: "abc", merged: "xbc"), Case(here: "x", base: "a", theirs: "x", merged: "x"),
    // Both replaced the same item.
    Case(here: "x", base: "a", theirs: "y", merged: nil), Case(here: "xb", base: "ab", theirs: "yb", merged: nil),
    // Both replaced different items.
    Case(here: "xb", base: "ab", theirs: "ay", merged: "xy"),
    // An item can be there several times.
    Case(here: "aaa", base: "aa", theirs: "a", merged: "aa"), Case(here: "aa", base: "a", theirs: "aa", merged: "aa"),
    // One side removed what the other replaced: the new item stays.
    Case(here: "", base: "a", theirs: "y", merged: "y"), Case(here: "y", base: "a", theirs: "", merged: "y"),
  ]) func changesOfBothSidesAreMerged(_ one: Case) {
    let (here, base, theirs) = (Array(one.here), Array(one.base), Array(one.theirs))
    #expect(ListMerge.isConflict(here, base, theirs) == (one.merged == nil))
    #expect(ListMerge.isConflict(theirs, base, here) == (one.merged == nil))
    if let merged = one.merged { #expect(String(ListMerge.merged(here, base, theirs)) == merged) }
  }

  @Test func bothOrdersGiveTheSameMultiset() {
    let random = SeededRandom(seed: 7)
    func list() -> [Int] { (0..<Int(random.next() % 5)).map { _ in Int(random.next() % 4) } }
    for _ in 0..<2000 {
      let (here, base, theirs) = (list(), list(), list())
      let merged = ListMerge.merged(here, base, theirs)
      #expect(merged.sorted() == ListMerge.merged(theirs, base, here).sorted())
      #expect(ListMerge.merged(here, base, base) == here)
      #expect(ListMerge.merged(base, base, theirs).sorted() == theirs.sorted())
      // A merge that arrives again changes nothing.
      #expect(ListMerge.merged(merged, theirs, theirs) == merged)
    }
  }
}
