import Glibc

/// What changes when a file is written or replaced.
struct FileStamp: Equatable, Sendable {
  private var number: UInt64?
  private var size: Int?
  private var seconds: Int?
  private var nanoseconds: Int?

  /// The file as it is now; a link counts as what it leads to.
  init(_ path: String) {
    var information = stat()
    guard stat(path, &information) == 0 else { return }
    number = UInt64(information.st_ino)
    size = Int(information.st_size)
    seconds = Int(information.st_mtim.tv_sec)
    nanoseconds = Int(information.st_mtim.tv_nsec)
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
