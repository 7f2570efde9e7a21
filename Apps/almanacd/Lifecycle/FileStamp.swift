import Glibc

/// What changes when a file is written or replaced.
struct FileStamp: Equatable, Sendable {
  /// Inode, size, and when content and entry changed; empty where there is no file.
  private let facts: [UInt64]

  /// The file as it is now; a link counts as what it leads to.
  init(_ path: String) {
    // STATX_MTIME, STATX_CTIME, STATX_INO and STATX_SIZE; the places of these fields are in statx(2).
    facts = withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { buffer in
      guard fileStatus(AT_FDCWD, path, 0, 0x3C0, buffer.baseAddress!) == 0 else { return [] }
      return [32, 40, 96, 112].map { buffer.load(fromByteOffset: $0, as: UInt64.self) }
        + [104, 120].map { UInt64(buffer.load(fromByteOffset: $0, as: UInt32.self)) }
    }
  }

  /// What tells a file or folder from its copies; `nil` where there is none.
  static func place(of path: String) -> (device: String, inode: UInt64)? {
    withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { buffer in
      // STATX_INO; the device is always there.
      guard fileStatus(AT_FDCWD, path, 0, 0x100, buffer.baseAddress!) == 0 else { return nil }
      let device = [136, 140].map { String(buffer.load(fromByteOffset: $0, as: UInt32.self)) }
      return (device.joined(separator: ":"), buffer.load(fromByteOffset: 32, as: UInt64.self))
    }
  }

  /// The folders in which the file, and where it is a link what it leads to, can be replaced.
  static func folders(_ path: String) -> [String] {
    var folders = [folder(path)]
    if let whole = realpath(path, nil) {
      defer { free(whole) }
      let real = folder(String(cString: whole))
      if real != folders[0] { folders.append(real) }
    }
    return folders
  }

  private static func folder(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

/// `statx(2)`, without its struct: NIO's own modules hold a second one, and a member of either is refused.
@_silgen_name("statx")
private func fileStatus(
  _ folder: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32, _ mask: UInt32, _ buffer: UnsafeMutableRawPointer
) -> Int32
