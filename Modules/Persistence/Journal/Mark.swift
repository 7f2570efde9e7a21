/// What the last writer left in the lock file: who it is, and how far the journal counts.
///
/// It spares readers the manifest, and hides from them what is written but not yet on the disk. It is never brought
/// to the disk itself: after a start of the machine it is not believed, and every whole transaction counts.
struct Mark: Hashable, Sendable {
  /// The process that has, or had, the lock.
  var holder: Int32
  /// The start of the machine at which it was written; 0 where it says nothing about the journal.
  var boot: UInt64
  /// The version of the manifest.
  var version: UInt64
  /// The number of the journal file that is appended to.
  var journal: UInt64
  /// Where its last transaction ends that is on the disk.
  var end: Int

  static let byteCount = 104

  /// `holder` and five numbers, as text of fixed length.
  var text: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Self.byteCount) { buffer, count in
      count = Self.byteCount
      func write(_ number: UInt64, _ index: Int) {
        writeHexadecimal(number, to: buffer.baseAddress! + index * 17)
        buffer[index * 17 + 16] = 0x20
      }
      write(UInt64(UInt32(bitPattern: holder)), 0)
      write(boot, 1)
      write(version, 2)
      write(journal, 3)
      write(UInt64(end), 4)
      let sum = XXHash64.sum(UnsafeRawBufferPointer(start: buffer.baseAddress, count: 85))
      writeHexadecimal(sum, to: buffer.baseAddress! + 85)
      for place in 101..<Self.byteCount { buffer[place] = 0x0A }
    }
  }

  init(holder: Int32, boot: UInt64, version: UInt64, journal: UInt64, end: Int) {
    self.holder = holder
    self.boot = boot
    self.version = version
    self.journal = journal
    self.end = end
  }

  /// Reads a mark; `nil` where there is none.
  init?(text: [UInt8]) {
    guard text.count >= Self.byteCount else { return nil }
    let found = text.withUnsafeBufferPointer { buffer -> Mark? in
      let slice = Slice(buffer)
      func number(_ index: Int) -> UInt64? { hexadecimal(slice[index * 17..<index * 17 + 16]) }
      guard let holder = number(0), let boot = number(1), let version = number(2), let journal = number(3),
        let end = number(4), end < 1 << 60,
        hexadecimal(slice[85..<101]) == XXHash64.sum(UnsafeRawBufferPointer(start: slice.base, count: 85))
      else { return nil }
      return Mark(
        holder: Int32(bitPattern: UInt32(truncatingIfNeeded: holder)), boot: boot, version: version, journal: journal,
        end: Int(end))
    }
    guard let found else { return nil }
    self = found
  }
}
