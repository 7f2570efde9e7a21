import CLibrary
public import Ports

extension StoreBackup {
  /// Makes a store of a backup that was renamed or copied to the place of a store: it can be changed, and no backup replaces
  /// it.
  ///
  /// - Returns: whether the folder was a backup.
  /// - Throws: `StoreError`: `unsuitablePlace` where the path is a link to a backup, which the next one would replace;
  ///   `cannotWrite` if its mark cannot be removed.
  public static func adopt(
    _ folder: String, suggestions: StoreSuggestions = StoreSuggestions()
  ) throws(StoreError) -> Bool {
    var path = folder
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    let disk = Disk(
      system: RealFileSystem(path: path, isAnywhere: true, followsLink: true), suggestions: suggestions)
    guard try disk.openFolder(create: false), let error = disk.backupError else { return false }
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFLNK else { throw error }
    try disk.remove(markName)
    try disk.syncFolder()
    return true
  }
}
