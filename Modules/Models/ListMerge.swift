/// Merges two changes of a list as a multiset: what one side added is added once, what one side removed is removed.
public enum ListMerge {
  /// The list of this side with the changes of the other side: in the order of `here`, followed by what the other side
  /// added. An item that both sides added is kept once.
  public static func merged<Item: Hashable>(_ here: [Item], _ base: [Item], _ theirs: [Item]) -> [Item] {
    var (removed, added) = changes(from: base, to: theirs)
    var (_, own) = changes(from: base, to: here)
    var unchanged = counts(base)
    var merged: [Item] = []
    for item in here {
      if unchanged[item, default: 0] > 0 {
        unchanged[item, default: 0] -= 1
        if removed[item, default: 0] > 0 {
          removed[item, default: 0] -= 1
          continue
        }
      }
      merged.append(item)
    }
    for item in theirs where added[item, default: 0] > 0 {
      added[item, default: 0] -= 1
      if own[item, default: 0] > 0 { own[item, default: 0] -= 1 } else { merged.append(item) }
    }
    return merged
  }

  /// Whether both sides replaced one item differently: both removed it, and each added something that the other did not.
  public static func isConflict<Item: Hashable>(_ here: [Item], _ base: [Item], _ theirs: [Item]) -> Bool {
    let (mine, other) = (changes(from: base, to: here), changes(from: base, to: theirs))
    guard mine.removed.contains(where: { other.removed[$0.key] != nil }) else { return false }
    func exceeds(_ lhs: [Item: Int], _ rhs: [Item: Int]) -> Bool { lhs.contains { $0.value > rhs[$0.key, default: 0] } }
    return exceeds(mine.added, other.added) && exceeds(other.added, mine.added)
  }

  private static func counts<Item: Hashable>(_ items: [Item]) -> [Item: Int] {
    items.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// How many of each item were removed and added; no item is zero.
  private static func changes<Item: Hashable>(
    from base: [Item], to new: [Item]
  ) -> (removed: [Item: Int], added: [Item: Int]) {
    var removed = counts(base)
    var added: [Item: Int] = [:]
    for item in new {
      if removed[item, default: 0] > 0 { removed[item, default: 0] -= 1 } else { added[item, default: 0] += 1 }
    }
    return (removed.filter { $0.value > 0 }, added)
  }
}
