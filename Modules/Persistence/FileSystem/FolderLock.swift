import CLibrary

/// Excludes other processes, and other tasks of this one, that edit a file of the same folder: each reads the file, changes
/// what it read, and replaces the file. It is the lock of flock(2) on the folder, which leaves no file behind.
struct FolderLock {
  private let folder: Int32

  /// Another process has kept the lock for too long.
  struct Busy: Error {}

  /// How often it is asked for, and the time between in microseconds: 10 s in all.
  private static let attempts = 2000
  private static let pause: UInt32 = 5000

  /// Waits for the lock of the folder in which a file is, or would be.
  ///
  /// Without it an edit is made as well: some file systems have no such locks, as NFS has none for folders, and a folder that
  /// cannot be opened cannot be written either.
  ///
  /// - Returns: `nil` where there is no such lock.
  /// - Throws: `Busy` if another process has kept it for 10 s.
  static func take(beside file: String) throws(Busy) -> FolderLock? {
    let descriptor = Platform.openFile(
      FolderPath.split(FolderPath.real(file) ?? file).folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    for _ in 0..<attempts {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return FolderLock(folder: descriptor) }
      guard errno == EWOULDBLOCK || errno == EINTR else {
        Platform.closeFile(descriptor)
        return nil
      }
      usleep(pause)
    }
    Platform.closeFile(descriptor)
    throw Busy()
  }

  /// Gives the lock to the next one.
  func release() { Platform.closeFile(folder) }
}
