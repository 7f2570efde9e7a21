import Glibc
import Ports

/// The file that writers lock. It is never removed: who holds a lock on a removed file holds nothing.
struct LockFile: Sendable {
  static let name = "lock"

  let file: OpenFile

  /// Opens the file, or makes it.
  static func open(on disk: Disk) throws(StoreError) -> LockFile {
    for _ in 0..<100 {
      if let file = try disk.open(name, .write) { return LockFile(file: file) }
      do throws(FileFailure) {
        let number = try disk.repeating { () throws(FileFailure) in try disk.system.open(name, .create) }
        return LockFile(file: OpenFile(number: number, name: name, disk: disk))
      } catch {
        if error.number != EEXIST { throw disk.error(error, .cannotCreate) }
      }
    }
    throw StoreError(.cannotCreate, "the lock file comes and goes", path: disk.path(name))
  }

  /// Takes the lock, if nobody has it; shared, if no writer has it.
  func take(isShared: Bool = false) throws(StoreError) -> Bool {
    do throws(FileFailure) {
      return try file.disk.repeating { () throws(FileFailure) in
        try file.disk.system.lock(file.number, isShared: isShared)
      }
    } catch {
      throw file.disk.error(error, .cannotWrite, name: Self.name)
    }
  }

  func give() { file.disk.system.unlock(file.number) }

  var mark: Mark? {
    get throws(StoreError) { Mark(text: try file.bytes(count: Mark.byteCount)) }
  }

  func write(_ mark: Mark) throws(StoreError) {
    try mark.text.withSlice { (text) throws(StoreError) in try file.write(text.raw, at: 0) }
  }
}
