import CLibrary

/// Files at any path, such as those of the settings, which are read whole and replaced whole.
enum WholeFile {
  /// The bytes of a file, and its status before they were read: one that is changed meanwhile has another.
  ///
  /// - Parameter most: more bytes than this are an error (`EFBIG`).
  static func read(_ path: String, most: Int = .max) throws(FileFailure) -> (bytes: [UInt8], status: stat) {
    let file = Platform.openFile(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw FileFailure("open", path, errno) }
    defer { Platform.closeFile(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw FileFailure("fstat", path, errno) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= most {
      let count = buffer.withUnsafeMutableBytes { Platform.readFile(file, $0) }
      guard count >= 0 else { throw FileFailure("read", path, errno) }
      if count == 0 { return (bytes, status) }
      bytes += buffer[..<count]
    }
    throw FileFailure("read", path, EFBIG)
  }

  /// Writes beside the file and renames. Where this returns, the bytes and the name are on the disk; where it throws, the
  /// file is as it was, unless it is the name that could not be synced.
  ///
  /// A link stays a link, and the file keeps its mode. Where root writes, it keeps its owner as well, and a new file belongs
  /// to the owner of its folder.
  ///
  /// - Parameters:
  ///   - folderMode: that of the folders above, which are made if they are missing.
  ///   - sync: `fsync`, unless a test looks on.
  @discardableResult
  static func replace(
    _ path: String, with bytes: [UInt8], mode: mode_t, folderMode: mode_t, sync: (Int32) -> Int32 = { fsync($0) }
  ) throws(FileFailure) -> stat {
    let target = FolderPath.real(path) ?? path
    let folder = FolderPath.split(target).folder
    try RealFileSystem.makeFolders(folder, mode: folderMode)
    var status = stat()
    let isThere = stat(target, &status) == 0
    let mode = isThere ? status.st_mode & 0o777 : mode
    if !isThere, stat(folder, &status) != 0 { throw FileFailure("stat", folder, errno) }
    let temporary = "\(target).\(getpid()).new"
    unlink(temporary)
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    guard file >= 0 else { throw FileFailure("open", temporary, errno) }
    Ownership(status)?.give(file)
    let isOnDisk =
      Platform.writeAll(file, bytes) && (!isThere || fchmod(file, mode) == 0) && sync(file) == 0
      && fstat(file, &status) == 0
    let code = errno
    guard close(file) == 0, isOnDisk, rename(temporary, target) == 0 else {
      let number = isOnDisk ? errno : code
      unlink(temporary)
      throw FileFailure("write", path, number)
    }
    let descriptor = Platform.openFile(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure("fsync", folder, errno) }
    defer { Platform.closeFile(descriptor) }
    // Some file systems have nothing to sync in a folder, and say so.
    if sync(descriptor) != 0, errno != EINVAL { throw FileFailure("fsync", folder, errno) }
    return status
  }
}
