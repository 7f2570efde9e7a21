import Models
import Ports

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The folder of a store that is a mount point: it cannot be renamed, so that its contents are exchanged file by file.
///
/// Writers are locked out meanwhile. There is no manifest from the first rename to the last one: readers, and a process
/// that begins after a kill, find a damaged store and never an empty folder, which would be taken for a new store. All
/// files of both stores are there then, and another restore completes the exchange.
struct MountedPlace {
  let place: FolderPlace
  private var path: String { place.path }

  /// The longest time to wait for a writer.
  private static let patience = Duration.seconds(10)
  /// How the folders are called in which replaced stores are kept.
  static let keptPrefix = "before-restore-"
  /// The folder that is filled before the exchange.
  static let temporaryName = "restore.part"

  /// Makes an empty folder inside of the place, for one process at a time.
  func temporary() throws(StoreError) -> TemporaryPlace {
    var here = stat()
    return try TemporaryPlace(
      path: path + "/" + Self.temporaryName, owner: lstat(path, &here) == 0 ? Ownership(here) : nil)
  }

  /// Exchanges the files of the store for those of a new one.
  ///
  /// - Parameter name: what the folder is called in which the replaced store is kept, after the prefix.
  /// - Returns: the path of that folder; `nil` if there was nothing in the place.
  func replace(
    with folder: TemporaryPlace, keepingAs name: String, _ time: any TimeSource
  ) async throws(StoreError) -> String? {
    let disk = Disk(system: RealFileSystem(path: path, isAnywhere: true))
    guard try disk.openFolder(create: false) else {
      throw StoreError(.cannotRead, "the folder cannot be opened", path: path)
    }
    let lock = try await locked(disk, time)
    defer { lock.unlock() }
    let kept = FolderPlace.unused("\(path)/\(Self.keptPrefix)\(name)")
    try place.rename(folder.path, to: kept)
    folder.release()
    let keptDisk = Disk(system: RealFileSystem(path: kept, isAnywhere: true))
    _ = try keptDisk.openFolder(create: false)
    let new = try keptDisk.names().filter { $0 != Manifest.name }
    let old = try disk.names().filter { name in
      ![Manifest.name, LockFile.name, "lost+found"].contains(name) && !name.hasPrefix(Self.keptPrefix)
    }
    // What the mark says is true of the old journal alone.
    try lock.write(CommitMark(holder: disk.system.processID, boot: 0, version: 0, journal: 0, end: 0))
    let (manifest, before) = ("\(path)/\(Manifest.name)", "\(kept)/\(Manifest.name).before")
    let hadManifest = access(manifest, F_OK) == 0
    if hadManifest { try place.rename(manifest, to: before) }
    for name in new { try exchange("\(path)/\(name)", "\(kept)/\(name)") }
    for name in old where !new.contains(name) { try place.rename("\(path)/\(name)", to: "\(kept)/\(name)") }
    // By its lock, who has the store open knows that it was replaced.
    if access("\(path)/\(LockFile.name)", F_OK) == 0 {
      try place.rename("\(path)/\(LockFile.name)", to: "\(kept)/\(LockFile.name)")
    }
    // The names must be on the disk before the one that makes a store of them.
    FolderPlace.syncFolder(path)
    try place.rename("\(kept)/\(Manifest.name)", to: manifest)
    if hadManifest { try place.rename(before, to: "\(kept)/\(Manifest.name)") }
    FolderPlace.syncFolder(path)
    FolderPlace.syncFolder(kept)
    if !hadManifest, old.isEmpty { _ = unlink("\(kept)/\(LockFile.name)") }
    return rmdir(kept) == 0 ? nil : kept
  }

  private func locked(_ disk: Disk, _ time: any TimeSource) async throws(StoreError) -> LockFile {
    let lock = try LockFile.open(on: disk)
    let begun = time.uptime
    while try !lock.tryLock() {
      var isLate = time.uptime - begun >= Self.patience
      do throws(CancellationError) { try await time.sleep(for: .milliseconds(20)) } catch { isLate = true }
      if isLate {
        throw StoreError(.busy, "another process writes to the store", hint: "try again later", path: path)
      }
    }
    return lock
  }

  /// Gives two files each other's name; the second one is moved where there is no first one.
  private func exchange(_ old: String, _ new: String) throws(StoreError) {
    guard access(old, F_OK) == 0 else { return try place.rename(new, to: old) }
    if Platform.exchange(old, new) { return }
    try place.rename(old, to: new + ".before")
    try place.rename(new, to: old)
    try place.rename(new + ".before", to: new)
  }
}
