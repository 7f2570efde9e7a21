import CLibrary
import Models
import Synchronization

/// The file system of the machine: one folder, held open, and files opened relative to it.
package final class RealFileSystem: FileSystem {
  package let path: String
  private let folder = Mutex<HeldFolder?>(nil)
  private let isSuitable: Atomic<Bool>
  private let linkFlag: Int32
  private let syncs: Bool

  /// A folder that need not be there yet.
  ///
  /// - Parameters:
  ///   - isAnywhere: whether network file systems are accepted, where locks and syncs are not reliable: enough for files
  ///     that no process writes to, such as those of a backup.
  ///   - followsLink: whether the path may be a link to the folder, because a person named it. Files in the folder
  ///     are never opened through links.
  ///   - syncs: whether what is synced survives a power cut; without it, it survives the end of the program.
  package init(path: String, isAnywhere: Bool = false, followsLink: Bool = false, syncs: Bool = true) {
    (self.path, self.syncs) = (path, syncs)
    linkFlag = followsLink ? 0 : O_NOFOLLOW
    isSuitable = Atomic(isAnywhere)
  }

  deinit { if let held = folder.withLock({ $0 }) { Platform.closeFile(held.descriptor) } }

  package func subfolder(_ name: String) -> (any FileSystem)? { RealFileSystem(path: "\(path)/\(name)") }

  package func openFolder(create: Bool) throws(FileFailure) -> Bool {
    if folder.withLock({ $0 }) != nil { return true }
    var descriptor = Platform.openFile(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | linkFlag)
    if descriptor < 0, errno == ENOENT {
      guard create else { return false }
      try Self.makeFolders(path)
      descriptor = Platform.openFile(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | linkFlag)
    }
    var information = stat()
    guard descriptor >= 0, fstat(descriptor, &information) == 0 else {
      let number = errno
      if descriptor >= 0 { Platform.closeFile(descriptor) }
      throw FileFailure("open", "", number)
    }
    let opened = HeldFolder(descriptor: descriptor, device: information.st_dev, inode: information.st_ino)
    let isSurplus = folder.withLock { held in
      if held != nil { return true }
      held = opened
      return false
    }
    if isSurplus { Platform.closeFile(descriptor) }
    return true
  }

  /// The folder that is open. Device and inode tell it from its copies: no inode is used again while it is open.
  private struct HeldFolder {
    var descriptor: Int32
    var device: dev_t
    var inode: ino_t
  }

  package var isInPlace: Bool {
    get throws(FileFailure) {
      guard let held = folder.withLock({ $0 }) else { return true }
      var there = stat()
      // Through a link, as it was opened: one that leads elsewhere now has moved the store.
      if fstatat(AT_FDCWD, path, &there, linkFlag == 0 ? 0 : AT_SYMLINK_NOFOLLOW) == 0 {
        return there.st_dev == held.device && there.st_ino == held.inode
      }
      try Self.checkMissing("")
      return false
    }
  }

  package func isNamed(_ name: String, _ identity: UInt64) throws(FileFailure) -> Bool {
    guard let held = folder.withLock({ $0 }) else { return false }
    var there = stat()
    if fstatat(held.descriptor, name, &there, AT_SYMLINK_NOFOLLOW) == 0 { return UInt64(there.st_ino) == identity }
    try Self.checkMissing(name)
    return false
  }

  /// Throws the failure of the last call unless the reason is that nothing has the name.
  private static func checkMissing(_ name: String) throws(FileFailure) {
    if errno != ENOENT, errno != ENOTDIR { throw FileFailure("fstat", name, errno) }
  }

  /// Makes a folder and those above it, and brings each new name to the disk.
  static func makeFolders(_ path: String, mode: mode_t = 0o700) throws(FileFailure) {
    var missing: [String] = []
    var current = path
    while current.count > 1, current.hasSuffix("/") { current.removeLast() }
    while current != ".", access(current, F_OK) != 0 {
      missing.append(current)
      current = FolderPath.split(current).folder
    }
    for folder in missing.reversed() {
      let isNew = mkdir(folder, mode) == 0
      guard isNew || errno == EEXIST else { throw FileFailure("mkdir", "", errno) }
      let descriptor = Platform.openFile(FolderPath.split(folder).folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { Platform.closeFile(descriptor) }
      if isNew, let ownership = Ownership(of: descriptor) { ownership.give(folder) }
      if Platform.synchronize(descriptor) != 0 { throw FileFailure("fsync", "", errno) }
    }
  }

  package func unsuitableKind() throws(FileFailure) -> String? {
    // The answer cannot change while the folder is held open, and is not asked for where any is accepted.
    if isSuitable.load(ordering: .relaxed) { return nil }
    let kind = try Platform.unsuitableKind(try held())
    if kind == nil { isSuitable.store(true, ordering: .relaxed) }
    return kind
  }

  package func open(_ name: String, _ access: FileAccess) throws(FileFailure) -> Int32 {
    let flags: Int32 =
      switch access {
      case .read: O_RDONLY
      case .write: O_RDWR
      case .create: O_RDWR | O_CREAT | O_EXCL
      }
    // O_NONBLOCK: a pipe in the place of a file must not stop us; it has no effect on files.
    let descriptor = openat(try held(), name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, mode_t(0o600))
    guard descriptor >= 0 else { throw FileFailure("open", name, errno) }
    if access == .create { Ownership(of: try held())?.give(descriptor) }
    return descriptor
  }

  package func close(_ file: Int32) { Platform.closeFile(file) }

  package func read(_ file: Int32, _ bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
    let count = pread(file, bytes.baseAddress, bytes.count, off_t(offset))
    guard count >= 0 else { throw FileFailure("pread", "", errno) }
    return count
  }

  package func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
    let count = pwrite(file, bytes.baseAddress, bytes.count, off_t(offset))
    guard count >= 0 else { throw FileFailure("pwrite", "", errno) }
    return count
  }

  package func sync(_ file: Int32) throws(FileFailure) {
    if syncs, Platform.synchronizeData(file) != 0 { throw FileFailure("fdatasync", "", errno) }
  }

  package func beginSync(_ file: Int32, _ range: Range<Int>) { if syncs { Platform.beginWriteBack(file, range) } }

  package func syncFolder() throws(FileFailure) {
    if syncs, Platform.synchronize(try held()) != 0 { throw FileFailure("fsync", "", errno) }
  }

  package func truncate(_ file: Int32, to size: Int) throws(FileFailure) {
    if ftruncate(file, off_t(size)) != 0 { throw FileFailure("ftruncate", "", errno) }
  }

  package func information(_ file: Int32) throws(FileFailure) -> FileInformation {
    var information = stat()
    guard fstat(file, &information) == 0 else { throw FileFailure("fstat", "", errno) }
    guard information.st_mode & S_IFMT == S_IFREG else { throw FileFailure("fstat", "", EINVAL) }
    return FileInformation(
      size: Int(information.st_size), identity: UInt64(information.st_ino),
      isReadOnly: information.st_mode & 0o222 == 0, modified: Platform.modificationTime(information),
      changed: Platform.changeTime(information), isRemoved: information.st_nlink == 0)
  }

  package func room(for bytes: Int) -> (free: Int, isEnough: Bool)? {
    var statistics = statvfs()
    guard let folder = try? held(), fstatvfs(folder, &statistics) == 0 else { return nil }
    let free = Int(statistics.f_bavail) * Int(statistics.f_frsize)
    return (free, free >= bytes && !Platform.isFull(folder, bytes))
  }

  package func shareBlocks(of source: Int32, with target: Int32) -> Bool {
    Platform.shareBlocks(of: source, with: target)
  }

  package func makeReadOnly(_ file: Int32) throws(FileFailure) {
    if fchmod(file, 0o400) != 0 { throw FileFailure("fchmod", "", errno) }
  }

  package func touch(_ file: Int32) { _ = futimens(file, nil) }

  package func rename(_ old: String, to new: String) throws(FileFailure) {
    let folder = try held()
    if renameat(folder, old, folder, new) != 0 { throw FileFailure("rename", new, errno) }
  }

  package func link(_ old: String, to new: String) throws(FileFailure) {
    let folder = try held()
    if linkat(folder, old, folder, new, 0) != 0 { throw FileFailure("link", new, errno) }
  }

  package func remove(_ name: String) throws(FileFailure) {
    if unlinkat(try held(), name, 0) != 0 { throw FileFailure("unlink", name, errno) }
  }

  package func names() throws(FileFailure) -> [String] {
    // A descriptor of its own: reading a folder moves the descriptor's place.
    let descriptor = openat(try held(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0, let stream = fdopendir(descriptor) else { throw FileFailure("opendir", "", errno) }
    defer { closedir(stream) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw FileFailure("readdir", "", errno) }
    return names
  }

  package func map(_ file: Int32, capacity: Int) throws(FileFailure) -> Mapping {
    guard let base = mmap(nil, max(capacity, 1), PROT_READ, MAP_SHARED, file, 0), base != MAP_FAILED else {
      throw FileFailure("mmap", "", errno)
    }
    let rest = { @Sendable (base: UnsafeRawPointer, count: Int) in
      _ = madvise(UnsafeMutableRawPointer(mutating: base), count, Int32(MADV_DONTNEED))
    }
    return Mapping(base: UnsafeRawPointer(base), capacity: capacity, rest: rest) { base, capacity in
      munmap(UnsafeMutableRawPointer(mutating: base), max(capacity, 1))
    }
  }

  package func watch(_ onChange: @escaping @Sendable () -> Void) throws(FileFailure) -> FolderWatch {
    try FolderWatch.start(path, onChange)
  }

  package func lock(_ file: Int32, isShared: Bool) throws(FileFailure) -> Bool {
    if flock(file, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 { return true }
    guard errno == EWOULDBLOCK else { throw FileFailure("flock", "", errno) }
    return false
  }

  package func unlock(_ file: Int32) { _ = flock(file, LOCK_UN) }

  package func lockByte(_ file: Int32, _ offset: Int) throws(FileFailure) -> Bool {
    var lock = byteLock(F_WRLCK, offset..<offset + 1)
    if fcntl(file, Platform.setByteLock, &lock) == 0 { return true }
    guard errno == EAGAIN || errno == EACCES else { throw FileFailure("fcntl", "", errno) }
    return false
  }

  package func unlockByte(_ file: Int32, _ offset: Int) {
    var lock = byteLock(F_UNLCK, offset..<offset + 1)
    _ = fcntl(file, Platform.setByteLock, &lock)
  }

  package func lockedByte(_ file: Int32, in range: Range<Int>) throws(FileFailure) -> Int? {
    var lock = byteLock(F_WRLCK, range)
    guard fcntl(file, Platform.getByteLock, &lock) == 0 else { throw FileFailure("fcntl", "", errno) }
    return lock.l_type == Int16(F_UNLCK) ? nil : Int(lock.l_start)
  }

  private func byteLock(_ kind: Int32, _ range: Range<Int>) -> flock {
    var lock = flock()
    lock.l_type = Int16(kind)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = off_t(range.lowerBound)
    lock.l_len = off_t(range.count)
    return lock
  }

  package var bootID: UInt64? { Platform.bootIdentity()?.withUnsafeBytes { XXHash64.sum($0) } }

  package func randomNumber() -> UInt64 { UInt64.random(in: 1...UInt64.max) }

  package let processID: Int32 = getpid()

  private func held() throws(FileFailure) -> Int32 {
    guard let held = folder.withLock({ $0 }) else { throw FileFailure("open", "", ENOENT) }
    return held.descriptor
  }
}
