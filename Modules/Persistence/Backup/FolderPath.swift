import CLibrary
import Models
import Ports

/// The place of a folder that is replaced as a whole.
struct FolderPath {
  /// The path without links, apart from a last part that does not exist yet.
  let path: String

  /// - Parameter makesParent: whether the folder above is made if it does not exist.
  /// - Throws: `StoreError`: `cannotCreate` if the folder above is missing, or cannot be made.
  init(_ path: String, makesParent: Bool = true) throws(StoreError) {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    if let real = Self.real(path) {
      self.path = real
      return
    }
    let (parent, name) = Self.split(path)
    guard makesParent || access(parent, F_OK) == 0 || errno != ENOENT else {
      throw StoreError(
        .cannotCreate, "the folder above does not exist, so that nothing is copied there",
        hint: "mount its disk, or make the folder", path: parent)
    }
    _ = try Disk(anywhere: parent).openFolder(create: true)
    guard let real = Self.real(parent) else {
      throw StoreError(.cannotCreate, "cannot open the folder: \(String(cString: strerror(errno)))", path: parent)
    }
    self.path = real == "/" ? real + name : real + "/" + name
  }

  /// The path without links; `nil` if nothing is there.
  static func real(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }

  /// The folder of a path, `.` for a name alone, and the last part.
  static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    return (slash == path.startIndex ? "/" : String(path[..<slash]), String(path[path.index(after: slash)...]))
  }

  /// The error number with which nothing can be made beside a file; `nil` where that is possible. A folder that does not
  /// exist is made in the one above.
  static func refusal(of file: String) -> Int32? {
    var folder = split(file).folder
    while access(folder, F_OK) != 0, errno == ENOENT, folder != "/", folder != "." { folder = split(folder).folder }
    guard access(folder, W_OK) != 0 else { return nil }
    return [EACCES, EPERM, EROFS].contains(errno) ? errno : nil
  }

  /// What to do where this user may not write a file; `nil` for other errors.
  static func owning(_ file: String, _ number: Int32) -> Advice? {
    guard [EACCES, EPERM].contains(number) else { return nil }
    let folder = split(file).folder
    guard hasOnlyFiles(of: geteuid(), folder, besides: split(file).name) else {
      return "a file is replaced by a new one beside it: put it into a folder of its own that \(user) may write"
    }
    let paths = [folder, file].map { ShellWord.quoted($0) }.joined(separator: " ")
    return Advice("a file is replaced by a new one beside it: sudo chown \(user) \(paths)")
  }

  /// Whether a folder has files of this user alone, besides one.
  private static func hasOnlyFiles(of user: uid_t, _ folder: String, besides name: String) -> Bool {
    let disk = Disk(anywhere: folder, followsLink: true)
    guard (try? disk.openFolder(create: false)) == true, let names = try? disk.names() else { return false }
    return names.allSatisfy { other in
      var status = stat()
      return other.exact == name.exact || lstat("\(folder)/\(other)", &status) == 0 && status.st_uid == user
    }
  }

  /// The name of the user that runs the program.
  static var user: String { getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? "\(geteuid())" }

  private var parent: String { Self.split(path).folder }

  /// The folders that exist above a path, which need not exist itself, from the innermost to the root.
  static func above(_ path: String) -> [String] {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    var next = split(real(path) ?? path).folder
    while real(next) == nil, next != "/", next != "." { next = split(next).folder }
    guard var folder = real(next) else { return [] }
    var folders = [folder]
    while folder != "/" {
      folder = split(folder).folder
      folders.append(folder)
    }
    return folders
  }

  var isEmpty: Bool {
    get throws(StoreError) {
      let disk = Disk(anywhere: path)
      guard try disk.openFolder(create: false) else { return true }
      return try disk.names().isEmpty
    }
  }

  /// Makes an empty folder beside the place, for one process at a time; with the owner of the folder that has the place.
  ///
  /// - Throws: `StoreError`: `cannotCreate` if the place is a mount point, which cannot be replaced; `busy` if another
  ///   process fills the folder.
  func temporary() throws(StoreError) -> StagingFolder {
    var here = stat()
    guard lstat(path, &here) == 0 else { return try StagingFolder(path: path + ".part") }
    if isMountPoint {
      throw StoreError(
        .cannotCreate, "the folder is a mount point, which cannot be replaced as a whole",
        hint: "use a folder inside it, such as \(path)/almanac", path: path)
    }
    return try StagingFolder(path: path + ".part", owner: Ownership(here))
  }

  /// Whether another file system, or another folder, is mounted there: it cannot be renamed.
  private var isMountPoint: Bool {
    var (here, above) = (stat(), stat())
    guard lstat(path, &here) == 0, lstat(parent, &above) == 0 else { return false }
    return here.st_dev != above.st_dev || Platform.isMountPoint(path)
  }

  /// Gives the place to a new folder.
  ///
  /// - Parameter name: what the folder that had the place is called then, after the place's name; `nil` removes it.
  /// - Returns: the path of that folder, if it is kept.
  @discardableResult
  func replace(with folder: StagingFolder, keepingAs name: String? = nil) throws(StoreError) -> String? {
    let wasEmpty = try isEmpty
    // An empty folder is replaced by a rename.
    if wasEmpty {
      try rename(folder.path, to: path)
    } else if !Platform.exchange(folder.path, path) {
      // Not on every file system. A kill between these two leaves the former folder as `.old`.
      try rename(path, to: path + ".old")
      do throws(StoreError) { try rename(folder.path, to: path) } catch {
        try? rename(path + ".old", to: path)
        throw error
      }
      try rename(path + ".old", to: folder.path)
    }
    folder.release()
    var kept: String?
    if !wasEmpty {
      kept = name.map { path + "." + $0 }
      if let wanted = kept { kept = Self.unused(wanted) }
      if let kept { try rename(folder.path, to: kept) } else { StagingFolder.remove(folder.path) }
    }
    Self.syncFolder(parent)
    return kept
  }

  /// The path, or with a number behind it where there is something already.
  private static func unused(_ path: String) -> String {
    var (unused, number) = (path, 1)
    while access(unused, F_OK) == 0 {
      number += 1
      unused = "\(path)-\(number)"
    }
    return unused
  }

  private static func syncFolder(_ path: String) {
    let descriptor = Platform.openFile(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = Platform.synchronize(descriptor)
    Platform.closeFile(descriptor)
  }

  private func rename(_ old: String, to new: String) throws(StoreError) {
    guard CLibrary.rename(old, new) == 0 else {
      throw StoreError(.cannotWrite, "cannot rename \(old): \(String(cString: strerror(errno)))", path: new)
    }
  }
}

/// A folder that is being filled; removed unless it took its place.
final class StagingFolder {
  let path: String
  private let descriptor: Int32
  private var isHeld = true

  init(path: String, owner: Ownership? = nil) throws(StoreError) {
    self.path = path
    let system = RealFileSystem(path: path, isAnywhere: true)
    guard try Disk(system: system).openFolder(create: true) else { preconditionFailure("the folder was just made") }
    descriptor = Platform.openFile(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    // It may just have become what the other process made of it.
    guard descriptor >= 0, (try? system.lock(descriptor, isShared: false)) == true, (try? system.isInPlace) == true
    else {
      if descriptor >= 0 { Platform.closeFile(descriptor) }
      throw StoreError(.busy, "another process is filling this folder", hint: "try again later", path: path)
    }
    Self.empty(path)
    // Files get the owner of their folder.
    owner?.give(descriptor)
  }

  func sync() throws(StoreError) {
    guard Platform.synchronizeAll(descriptor) == 0 else {
      throw StoreError(
        .cannotWrite, "cannot bring the folder to the disk: \(String(cString: strerror(errno)))", path: path)
    }
  }

  func release() { isHeld = false }

  func discard() {
    if isHeld { Self.remove(path) }
    isHeld = false
  }

  deinit { Platform.closeFile(descriptor) }

  static func remove(_ path: String) {
    empty(path)
    _ = rmdir(path)
  }

  /// Removes what is in a folder, never following links.
  private static func empty(_ path: String) {
    let system = RealFileSystem(path: path, isAnywhere: true)
    guard (try? system.openFolder(create: false)) == true, let names = try? system.names() else { return }
    for name in names { if (try? system.remove(name)) == nil { remove(path + "/" + name) } }
  }
}
