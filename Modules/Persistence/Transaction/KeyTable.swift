/// Finds the newest change of an id within a transaction: open addressing over hashes, no key copied.
struct KeyTable {
  // Index of the change plus one; 0 is free.
  private var slots: [UInt32] = Array(repeating: 0, count: 64)
  private var count = 0

  /// Finds the place of a key, or of the free slot where it belongs.
  @inline(__always)
  private func slot(_ hash: UInt64, _ isSame: (Int) -> Bool) -> Int {
    let mask = slots.count - 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while slots[place] != 0, !isSame(Int(slots[place]) - 1) { place = (place + 1) & mask }
    return place
  }

  func find(_ hash: UInt64, _ isSame: (Int) -> Bool) -> Int? {
    let found = slots[slot(hash, isSame)]
    return found == 0 ? nil : Int(found) - 1
  }

  /// Keeps a change as the newest of its key; the one that was it before.
  mutating func replace(
    _ hash: UInt64, with index: Int, hashes: (Int) -> UInt64, _ isSame: (Int) -> Bool
  ) -> Int? {
    let place = slot(hash, isSame)
    let old = slots[place]
    slots[place] = UInt32(index + 1)
    if old != 0 { return Int(old) - 1 }
    count += 1
    if count * 2 > slots.count { grow(hashes) }
    return nil
  }

  private mutating func grow(_ hashes: (Int) -> UInt64) {
    let old = slots
    slots = Array(repeating: 0, count: old.count * 2)
    for entry in old where entry != 0 {
      slots[slot(hashes(Int(entry) - 1)) { _ in false }] = entry
    }
  }
}
