import Models
public import Ports

/// Tells by the names in a folder whether it is a store, could become one, or holds other files.
public struct StoreFolder: Sendable {
  let disk: Disk
  let program: [String]

  init(_ disk: Disk, program: [String]) { (self.disk, self.program) = (disk, program) }

  /// - Parameter program: the names of files that the program keeps in its store's folder.
  public init(_ path: String, program: [String] = [], suggestions: StoreSuggestions = StoreSuggestions()) {
    self.init(Disk(anywhere: path, followsLink: true, suggestions: suggestions), program: program)
  }

  /// The names that belong to no store, sorted; none where there is no folder.
  ///
  /// - Throws: `StoreError`: `cannotRead` if the folder cannot be listed.
  public func others() throws(StoreError) -> [String] {
    guard try disk.openFolder(create: false) else { return [] }
    return try disk.names().filter { !isOfStore($0) }.sorted()
  }

  /// Checks that the folder is a store, also a damaged one, or has no files of others.
  ///
  /// - Throws: `StoreError`: `unsuitablePlace` if it holds other files, or would be made inside another store or a backup.
  public func check() throws(StoreError) {
    let path = disk.system.path
    guard try disk.openFolder(create: false) else { return try Self.checkIsOutside(path) }
    // What cannot be listed is said by whoever reads it.
    guard let names = try? disk.names(), !isStore(names) else { return }
    try Self.checkIsOutside(path)
    let others = names.filter { !isLeft($0) }.sorted()
    guard !others.isEmpty else { return }
    let records = others.first { $0.hasSuffix(Manifest.Part.publishedSuffix) }
    throw StoreError(
      .unsuitablePlace, "the folder holds other files, and is not a store: \(Self.listed(others))",
      hint: "name an empty folder or a new one, such as \(path.hasSuffix("/") ? path : path + "/")almanac"
        + (records.map { "; the records of \(disk.path($0)) can be imported into it" } ?? ""), path: path)
  }

  /// Checks that no folder above is a store or a backup: a store in it would be in the way of the next backup.
  ///
  /// - Throws: `StoreError`: `unsuitablePlace`.
  static func checkIsOutside(_ path: String) throws(StoreError) {
    for folder in FolderPath.above(path) {
      let disk = Disk(anywhere: folder)
      guard (try? disk.openFolder(create: false)) == true, disk.hasManifest() else { continue }
      throw StoreError(
        .unsuitablePlace, "the folder would be inside \(disk.isBackup ? "the backup" : "the store") \(folder)",
        hint: "choose a folder beside it", path: path)
    }
  }

  private func isStore(_ names: [String]) -> Bool {
    if names.contains(where: Self.isNumbered) { return true }
    guard names.contains(Manifest.name) else { return false }
    // One that cannot be read is judged by whoever opens the store.
    guard let file = try? disk.open(Manifest.name), let opening = try? file.bytes(count: Manifest.opening.utf8.count)
    else { return true }
    // Also one that was cut off.
    return Array(Manifest.opening.utf8).starts(with: opening)
  }

  /// Whether a file or folder is part of a store or a backup, or was made by a program that opened it as a store.
  func isOfStore(_ name: String) -> Bool {
    [
      StoreBackup.markName, Manifest.name, MediaFolder.folderName, Writer.historyFolder, PublishedLog.name,
      PublishedLog.temporaryName,
    ].contains(name) || isLeft(name) || Self.isNumbered(name)
      || [
        Manifest.Part.publishedSuffix, Manifest.Part.publishedSuffix + ".new", Writer.changedSuffix, Salvage.suffix,
      ].contains { name.hasSuffix($0) }
  }

  /// Whether a file or folder may be in a folder that is not a store yet: a process that was killed while it made the store
  /// left it, or the program or the system put it there.
  private func isLeft(_ name: String) -> Bool {
    [
      LockFile.name, Manifest.temporaryName, StoreBackup.lastName, StoreBackup.lastName + ".new", "lost+found",
      ".DS_Store",
    ].contains(name) || program.contains { name == $0 || name == $0 + ".new" } || name.hasPrefix(LoadSorter.prefix)
  }

  /// Whether a name is that of a journal or a collection file, which contains its number.
  private static func isNumbered(_ name: String) -> Bool {
    let words = name.split(separator: ".")
    guard words.count >= 2,
      words[0] == "journal" || words[0] == "cut" || ["records", "sums", "history", "hsums"].contains(words.last)
    else { return false }
    return words.contains { $0.utf8.count == 16 && $0.allSatisfy(\.isHexDigit) }
  }

  static func listed(_ names: [String]) -> String {
    names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
  }
}
