import CLibrary
import Models
import Ports

/// System calls that differ between platforms, or whose names `FileSystem` uses for its own methods.
///
/// The other parts are in `Platform+Linux.swift` and `Platform+Darwin.swift`, which the tests do not build.
enum Platform {
  static func openFile(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }

  static func isRunning(_ process: Int32) -> Bool { kill(process, 0) == 0 || errno == EPERM }

  static func closeFile(_ file: Int32) { _ = close(file) }

  /// Reads where the file stands; repeated after a signal.
  static func readFile(_ file: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      let count = read(file, bytes.baseAddress, bytes.count)
      if count >= 0 || errno != EINTR { return count }
    }
  }

  /// Writes all bytes where the file stands; false with the reason in `errno`.
  static func writeAll(_ file: Int32, _ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno != EINTR { return false }
        rest = rest.dropFirst(max(count, 0))
      }
      return true
    }
  }

  /// What a process that ended left: its status, or 128 and the signal that ended it.
  static func exitStatus(_ word: Int32) -> Int32 { word & 0x7F == 0 ? (word >> 8) & 0xFF : 128 + (word & 0x7F) }
}

/// The clocks of the machine, for programs that do not bring a `TimeSource` of their own.
struct MachineTime: TimeSource {
  var now: Timestamp { Timestamp(secondsSinceEpoch: time(nil)) }

  var uptime: Duration {
    var value = timespec()
    clock_gettime(CLOCK_MONOTONIC, &value)
    return .seconds(value.tv_sec) + .nanoseconds(value.tv_nsec)
  }

  func sleep(for duration: Duration) async throws(CancellationError) {
    do { try await Task.sleep(for: duration) } catch { throw CancellationError() }
  }
}

/// Owner and group that new files get where root makes them in a folder of another user: as with SQLite's journal, that user
/// could not read them otherwise, for instance after `sudo`.
struct Ownership {
  private let owner: uid_t
  private let group: gid_t

  /// Those of an open file or folder; `nil` unless this process is root.
  init?(of descriptor: Int32) {
    var information = stat()
    guard geteuid() == 0, fstat(descriptor, &information) == 0 else { return nil }
    self.init(information)
  }

  /// Those of a file's metadata; `nil` unless this process is root.
  init?(_ information: stat) {
    guard geteuid() == 0 else { return nil }
    (owner, group) = (information.st_uid, information.st_gid)
  }

  // A file system without owners refuses, and needs none.
  func give(_ descriptor: Int32) { _ = fchown(descriptor, owner, group) }
  func give(_ path: String) { _ = lchown(path, owner, group) }
}
