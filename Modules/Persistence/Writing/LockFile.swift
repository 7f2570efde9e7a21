import Models
import Ports

/// The file that writers lock. It is never removed: a lock on a removed file excludes no other process.
struct LockFile: Sendable {
  static let name = "lock"

  let file: OpenFile

  static func open(on disk: Disk) throws(StoreError) -> LockFile {
    for _ in 0..<100 {
      if let file = try disk.open(name, .write) { return LockFile(file: file) }
      do throws(FileFailure) {
        let number = try disk.repeating { () throws(FileFailure) in try disk.system.open(name, .create) }
        return LockFile(file: OpenFile(number: number, name: name, disk: disk))
      } catch { if !error.isTaken { throw disk.error(error, .cannotCreate) } }
    }
    throw StoreError(.cannotCreate, "the lock file comes and goes", path: disk.path(name))
  }

  /// Takes the lock, unless another process has it; a shared lock, unless a writer has it.
  func tryLock(isShared: Bool = false) throws(StoreError) -> Bool {
    do throws(FileFailure) {
      return try file.disk.repeating { () throws(FileFailure) in
        try file.disk.system.lock(file.number, isShared: isShared)
      }
    } catch { throw file.disk.error(error, .cannotWrite, name: Self.name) }
  }

  func unlock() { file.disk.system.unlock(file.number) }

  var mark: CommitMark? { get throws(StoreError) { CommitMark(text: try file.bytes(count: CommitMark.fullByteCount)) } }

  func write(_ mark: CommitMark) throws(StoreError) { try file.write(mark.text) }
}

/// What the last writer left in the lock file: its process, and where the durable part of the journal ends.
///
/// It saves readers from reading the manifest, and hides from them what is written but not yet durable. It is never synced:
/// after a boot of the machine it is not believed, and every whole transaction counts.
struct CommitMark: Hashable, Sendable {
  /// The process that has, or had, the lock.
  var holder: Int32
  /// The start of the machine at which it was written; 0 where it says nothing about the journal.
  var boot: UInt64
  var version: UInt64
  /// The number of the journal file that is appended to.
  var journal: UInt64
  /// Where its last transaction ends that is on the disk.
  var end: Int
  /// That file as its writer left it; `nil` where it is not known, as after a writer of an earlier version.
  var file: Stamp?

  /// What tells a file from its copies, and whether something was written to it.
  struct Stamp: Hashable {
    var identity: UInt64
    var changed: Int
  }

  /// The length of a mark without the stamp, which earlier versions write and read.
  static let byteCount = 104
  static let fullByteCount = 156

  /// `holder` and five numbers, as text of fixed length; then the stamp, if there is one.
  var text: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Self.fullByteCount) { buffer, count in
      count = file == nil ? Self.byteCount : Self.fullByteCount
      func write(_ number: UInt64, at offset: Int) {
        writeHexadecimal(number, to: buffer.baseAddress! + offset)
        buffer[offset + 16] = 0x20
      }
      let numbers = [UInt64(UInt32(bitPattern: holder)), boot, version, journal, UInt64(end)]
      for (index, number) in numbers.enumerated() { write(number, at: index * 17) }
      write(XXHash64.sum(UnsafeRawBufferPointer(start: buffer.baseAddress, count: 85)), at: 85)
      for offset in 101..<Self.byteCount { buffer[offset] = 0x0A }
      guard let file else { return }
      write(file.identity, at: Self.byteCount)
      write(UInt64(bitPattern: Int64(file.changed)), at: Self.byteCount + 17)
      // Of all before it, so that the stamp of an earlier mark is not taken for this one's.
      write(XXHash64.sum(UnsafeRawBufferPointer(start: buffer.baseAddress, count: 138)), at: 138)
      for offset in 154..<Self.fullByteCount { buffer[offset] = 0x0A }
    }
  }

  /// Whether a journal file is the one that the mark was written for, with nothing written to it since.
  func describes(_ information: FileInformation) -> Bool {
    information.size == end && file == Stamp(identity: information.identity, changed: information.changed)
  }

}

extension CommitMark {
  /// Reads a mark; `nil` if there is none.
  init?(text: [UInt8]) {
    guard text.count >= Self.byteCount else { return nil }
    let found = text.withUnsafeBufferPointer { buffer -> CommitMark? in
      let slice = ByteSlice(buffer)
      func number(_ index: Int) -> UInt64? { hexadecimal(slice[index * 17..<index * 17 + 16]) }
      guard let holder = number(0), let boot = number(1), let version = number(2), let journal = number(3),
        let end = number(4), end < 1 << 60,
        hexadecimal(slice[85..<101]) == XXHash64.sum(UnsafeRawBufferPointer(start: slice.base, count: 85))
      else { return nil }
      var mark = CommitMark(
        holder: Int32(bitPattern: UInt32(truncatingIfNeeded: holder)), boot: boot, version: version, journal: journal,
        end: Int(end))
      if slice.count >= Self.fullByteCount, let identity = hexadecimal(slice[104..<120]),
        let changed = hexadecimal(slice[121..<137]),
        hexadecimal(slice[138..<154]) == XXHash64.sum(UnsafeRawBufferPointer(start: slice.base, count: 138))
      {
        mark.file = Stamp(identity: identity, changed: Int(Int64(bitPattern: changed)))
      }
      return mark
    }
    guard let found else { return nil }
    self = found
  }
}
