#if os(Linux)
  import Dispatch
  import Models

  import CLibrary

  extension Platform {
    /// `F_OFD_GETLK` and `F_OFD_SETLK` (fcntl(2)): locks of an open file description, not of a process. The toolchain's
    /// Glibc module lacks them.
    static var getByteLock: Int32 { 36 }
    static var setByteLock: Int32 { 37 }

    static func synchronizeData(_ file: Int32) -> Int32 { fdatasync(file) }

    static func synchronize(_ file: Int32) -> Int32 { fsync(file) }

    /// Starts to write a range back. The next sync reports an error again.
    static func beginWriteBack(_ file: Int32, _ range: Range<Int>) {
      let writeOnly: UInt32 = 2  // SYNC_FILE_RANGE_WRITE
      _ = syncFileRange(file, off_t(range.lowerBound), off_t(range.count), writeOnly)
    }

    /// Lets an empty file share the blocks of another one (ioctl_ficlone(2)).
    static func shareBlocks(of source: Int32, with target: Int32) -> Bool {
      ioctl(target, 0x4004_9409, source) == 0  // FICLONE
    }

    /// Exchanges two names at once (renameat2(2)); false where the file system cannot do that.
    static func exchange(_ one: String, _ other: String) -> Bool {
      renameWithFlags(AT_FDCWD, one, AT_FDCWD, other, 2) == 0  // RENAME_EXCHANGE
    }

    /// Whether something is mounted at a path without links (proc_pid_mountinfo(5)): a folder of the same file system has
    /// the device of the one above.
    static func isMountPoint(_ path: String) -> Bool {
      guard let bytes = try? WholeFile.read("/proc/self/mountinfo").bytes else { return false }
      // Blanks and backslashes are written as octal numbers.
      let escapes: [UInt8: String] = [0x20: "\\040", 0x09: "\\011", 0x0A: "\\012", 0x5C: "\\134"]
      let wanted = path.utf8.flatMap { byte in escapes[byte].map { Array($0.utf8) } ?? [byte] }
      return bytes.split(separator: 0x0A).contains { line in
        let words = line.split(separator: 0x20, maxSplits: 5)
        return words.count > 4 && words[4].elementsEqual(wanted)
      }
    }

    /// Brings everything that was written to the file system of a folder to the disk (syncfs(2)).
    static func synchronizeAll(_ folder: Int32) -> Int32 { syncFileSystem(folder) }

    /// Whether a file of so many bytes finds no room, tried with one that has no name (open(2), `O_TMPFILE`).
    static func isFull(_ folder: Int32, _ bytes: Int) -> Bool {
      let temporaryFile: Int32 = 0o20_000_000
      let descriptor = openat(folder, ".", temporaryFile | O_DIRECTORY | O_WRONLY | O_CLOEXEC, mode_t(0o600))
      // Other file systems do not have such files, which says nothing about room.
      guard descriptor >= 0 else { return errno == ENOSPC || errno == EDQUOT }
      defer { closeFile(descriptor) }
      let number = posix_fallocate(descriptor, 0, off_t(bytes))
      return number == ENOSPC || number == EDQUOT
    }

    /// Asks for large pages, which save page faults. Without them everything works, but more slowly.
    static func adviseLargePages(_ start: UnsafeMutableRawPointer?, _ count: Int) {
      _ = madvise(start, count, Int32(MADV_HUGEPAGE))
    }

    /// In nanoseconds since 1970.
    static func modificationTime(_ information: stat) -> Int {
      information.st_mtim.tv_sec.times(1_000_000_000).plus(information.st_mtim.tv_nsec)
    }

    /// In nanoseconds since 1970.
    static func changeTime(_ information: stat) -> Int {
      information.st_ctim.tv_sec.times(1_000_000_000).plus(information.st_ctim.tv_nsec)
    }

    /// A text of at least 36 bytes that differs after every boot; nil if it is unknown.
    static func bootIdentity() -> [UInt8]? {
      guard let text = try? WholeFile.read("/proc/sys/kernel/random/boot_id").bytes, text.count >= 36 else {
        return nil
      }
      return Array(text[..<36])
    }

    /// The kind of the file system of an open folder, if locks or syncs do not do what the store needs there.
    static func unsuitableKind(_ folder: Int32) throws(FileFailure) -> String? {
      // `struct statfs` begins with the kind; its other fields (120 bytes in all) are not needed.
      let number = withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { buffer -> UInt32? in
        guard fileSystemStatistics(folder, buffer.baseAddress!) == 0 else { return nil }
        return UInt32(truncatingIfNeeded: buffer.load(as: UInt64.self))
      }
      guard let number else { throw FileFailure("fstatfs", "", errno) }
      // linux/magic.h
      return switch number {
      case 0x6969: "nfs"
      case 0x517B: "smb"
      case 0xFF53_4D42: "cifs"
      case 0xFE53_4D42: "smb2"
      case 0x564C: "ncp"
      case 0x7375_7245: "coda"
      case 0x5346_414F, 0x6B41_4653: "afs"
      case 0x0102_1997: "9p"
      case 0x00C3_6400: "ceph"
      default: nil
      }
    }

    /// A source of events for changes of the files in a folder (inotify(7)); its cancellation closes the descriptor;
    /// `nil` if all instances of the user are taken (`fs.inotify.max_user_instances`).
    static func watchFolder(
      _ path: String, _ onChange: @escaping @Sendable () -> Void
    ) throws(FileFailure) -> (any DispatchSourceProtocol)? {
      let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      if descriptor < 0, errno == EMFILE {
        // The limit of the user, unless this process has no descriptor left.
        let spare = openFile("/dev/null", O_RDONLY | O_CLOEXEC)
        guard spare >= 0 else { throw FileFailure("inotify_init1", "", EMFILE) }
        closeFile(spare)
        return nil
      }
      guard descriptor >= 0 else { throw FileFailure("inotify_init1", "", errno) }
      // Also what happens when the folder itself is moved or deleted.
      let changes = IN_MODIFY | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_MOVE_SELF | IN_DELETE_SELF
      guard inotify_add_watch(descriptor, path, UInt32(changes)) >= 0 else {
        let number = errno
        closeFile(descriptor)
        throw FileFailure("inotify_add_watch", "", number)
      }
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
      source.setEventHandler {
        // The events are read so that they do not fill the queue; their contents do not matter.
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
          while readFile(descriptor, buffer) > 0 {}
        }
        onChange()
      }
      source.setCancelHandler { closeFile(descriptor) }
      return source
    }
  }

  /// `sync_file_range(2)`, which the toolchain's Glibc module lacks.
  @_silgen_name("sync_file_range")
  private func syncFileRange(_ file: Int32, _ offset: off_t, _ count: off_t, _ flags: UInt32) -> Int32

  /// `renameat2(2)`, which the toolchain's Glibc module lacks.
  @_silgen_name("renameat2")
  private func renameWithFlags(
    _ oldFolder: Int32, _ old: UnsafePointer<CChar>, _ newFolder: Int32, _ new: UnsafePointer<CChar>, _ flags: UInt32
  ) -> Int32

  /// `syncfs(2)`, which the toolchain's Glibc module lacks.
  @_silgen_name("syncfs")
  private func syncFileSystem(_ folder: Int32) -> Int32

  /// `fstatfs(2)`; the toolchain's Glibc module lacks sys/statfs.h.
  @_silgen_name("fstatfs")
  private func fileSystemStatistics(_ file: Int32, _ buffer: UnsafeMutableRawPointer) -> Int32
#endif
