#if canImport(Darwin)
  import CLibrary
  import Dispatch
  import Models

  extension Platform {
    /// `F_OFD_GETLK` and `F_OFD_SETLK` (sys/fcntl.h): locks of an open file description, not of a process.
    static var getByteLock: Int32 { 92 }
    static var setByteLock: Int32 { 90 }

    /// fsync(2) leaves bytes in the drive's cache here; `F_FULLFSYNC` does not. Some file systems lack it.
    static func synchronizeData(_ file: Int32) -> Int32 { fcntl(file, F_FULLFSYNC) == 0 ? 0 : fsync(file) }

    static func synchronize(_ file: Int32) -> Int32 { synchronizeData(file) }

    /// A hint without a counterpart here.
    static func beginWriteBack(_ file: Int32, _ range: Range<Int>) {}

    /// APFS shares blocks only with a file that clonefile(2) creates.
    static func shareBlocks(of source: Int32, with target: Int32) -> Bool { false }

    /// Exchanges two names at once (renamex_np(2)); false where the file system cannot do that.
    static func exchange(_ one: String, _ other: String) -> Bool { renamex_np(one, other, UInt32(RENAME_SWAP)) == 0 }

    /// The device of a mounted folder tells enough: folders cannot be mounted in two places.
    static func isMountPoint(_ path: String) -> Bool { false }

    /// Brings everything that was written to the disk; sync(2) does not report errors.
    static func synchronizeAll(_ folder: Int32) -> Int32 {
      sync()
      return synchronize(folder)
    }

    /// The free bytes of the disk tell enough here.
    static func isFull(_ folder: Int32, _ bytes: Int) -> Bool { false }

    /// A hint without a counterpart here.
    static func adviseLargePages(_ start: UnsafeMutableRawPointer?, _ count: Int) {}

    /// In nanoseconds since 1970.
    static func modificationTime(_ information: stat) -> Int {
      information.st_mtimespec.tv_sec.times(1_000_000_000).plus(information.st_mtimespec.tv_nsec)
    }

    /// In nanoseconds since 1970.
    static func changeTime(_ information: stat) -> Int {
      information.st_ctimespec.tv_sec.times(1_000_000_000).plus(information.st_ctimespec.tv_nsec)
    }

    /// A text of at least 36 bytes that differs after every boot; nil if it is unknown.
    static func bootIdentity() -> [UInt8]? {
      var text = [UInt8](repeating: 0, count: 64)
      var count = text.count
      guard sysctlbyname("kern.bootsessionuuid", &text, &count, nil, 0) == 0, count >= 36 else { return nil }
      return Array(text[..<36])
    }

    /// The kind of the file system of an open folder, if locks or syncs do not do what the store needs there.
    static func unsuitableKind(_ folder: Int32) throws(FileFailure) -> String? {
      var information = statfs()
      guard fstatfs(folder, &information) == 0 else { throw FileFailure("fstatfs", "", errno) }
      let kind = withUnsafeBytes(of: &information.f_fstypename) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      return ["nfs", "smbfs", "afpfs", "webdav", "ftp"].contains(kind) ? kind : nil
    }

    /// A source of events for changes of the files in a folder; its cancellation closes the descriptor.
    ///
    /// A writer leaves its mark in the lock file: kqueue(2) reports changes of a file to those who watch that file only.
    static func watchFolder(
      _ path: String, _ onChange: @escaping @Sendable () -> Void
    ) throws(FileFailure) -> (any DispatchSourceProtocol)? {
      let descriptor = openFile(path + "/" + LockFile.name, O_EVTONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw FileFailure("open", LockFile.name, errno) }
      let source = DispatchSource.makeFileSystemObjectSource(fileDescriptor: descriptor, eventMask: .write)
      source.setEventHandler(handler: onChange)
      source.setCancelHandler { closeFile(descriptor) }
      return source
    }
  }
#endif
