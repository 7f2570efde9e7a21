/// Finds the newest change of an id within a transaction: open addressing over hashes, no key copied.
struct KeyTable {
  // The lower half of the hash, then the index of the change plus one; 0 is free. With the hash here a key is looked at
  // only where it is most likely the right one, and growing touches nothing else.
  private var slots: [UInt64] = Array(repeating: 0, count: 64)
  private var count = 0

  private static let indexBits: UInt64 = 0xFFFF_FFFF

  /// Finds the place of a key, or of the free slot where it belongs.
  @inline(__always)
  private func slot(_ hash: UInt64, _ isSame: (Int) -> Bool) -> Int {
    let mask = slots.count - 1
    let tag = hash & Self.indexBits
    var place = Int(truncatingIfNeeded: tag) & mask
    while true {
      let entry = slots[place]
      if entry == 0 || entry >> 32 == tag && isSame(Int(entry & Self.indexBits) - 1) { return place }
      place = (place + 1) & mask
    }
  }

  @inline(__always)
  func find(_ hash: UInt64, _ isSame: (Int) -> Bool) -> Int? {
    let found = slots[slot(hash, isSame)]
    return found == 0 ? nil : Int(found & Self.indexBits) - 1
  }

  /// Keeps a change as the newest of its key; the one that was it before.
  @inline(__always)
  mutating func replace(_ hash: UInt64, with index: Int, _ isSame: (Int) -> Bool) -> Int? {
    let place = slot(hash, isSame)
    let old = slots[place]
    slots[place] = hash << 32 | UInt64(index + 1)
    if old != 0 { return Int(old & Self.indexBits) - 1 }
    count += 1
    if count * 2 > slots.count { grow() }
    return nil
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: 0, count: old.count * 2)
    let mask = slots.count - 1
    for entry in old where entry != 0 {
      var place = Int(truncatingIfNeeded: entry >> 32) & mask
      while slots[place] != 0 { place = (place + 1) & mask }
      slots[place] = entry
    }
  }
}
