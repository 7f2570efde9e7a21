import CLibrary
public import Models
public import Ports

/// Copies a whole store into another folder while other processes read and write, and puts such a copy back.
///
/// A copy is made beside its place and verified there; then it takes the place by one rename. A backup that is replaced,
/// and a store that is restored over, are therefore complete at any moment. A backup may be on a network file system.
public struct StoreBackup: Sendable {
  /// Other files in the store's folder that belong to it, if they exist. Where a backup takes the place of a store, the
  /// files of that store stay: what was revoked after the backup remains revoked.
  public var files: [String]
  /// Names of other files of the program in the store's folder, which are not copied.
  public var others: [String]
  /// Those of them that stay in the store's folder when a backup takes the place of the store.
  public var kept: [String]
  /// Files outside of the store's folder, and their paths in the backup. They are not restored.
  public var attachments: [Attachment]
  private let time: any TimeSource
  private let suggestions: StoreSuggestions

  public struct Attachment: Hashable, Sendable {
    public var file: String
    /// Its path in the backup, in one folder: `config/config.json`.
    public var name: String

    public init(file: String, name: String) { (self.file, self.name) = (file, name) }
  }

  public struct Copy: Hashable, Sendable {
    public var folder: String
    public var sequence: UInt64
    /// The number of records in the collections that are shown to users.
    public var records: Int
    /// The size of all files in bytes.
    public var bytes: Int
    /// The size of the files in bytes that were not in the earlier backup already.
    public var copied: Int
    public var previous: String?
    /// Why the time of the backup could not be noted in the store, whose metrics then tell of the one before.
    public var noteProblem: StoreError?
  }

  /// - Parameters:
  ///   - time: the clocks; those of the machine by default.
  public init(
    files: [String] = [], others: [String] = [], kept: [String] = [], attachments: [Attachment] = [],
    time: (any TimeSource)? = nil, suggestions: StoreSuggestions = StoreSuggestions()
  ) {
    (self.files, self.others, self.kept, self.attachments) = (files, others, kept, attachments)
    self.time = time ?? MachineTime()
    self.suggestions = suggestions
  }

  /// Copies the state after the last commit, without waiting for writers and without blocking them.
  ///
  /// Files that an earlier backup in the folder has already are not copied again. O(n) for n bytes of the store: all are
  /// read once, to verify the copy.
  ///
  /// - Parameters:
  ///   - path: the folder of the backup: missing, empty, or an earlier backup, which is replaced.
  ///   - replaces: whether a backup of another store is replaced, too.
  /// - Throws: `StoreError`: `cannotRead` if there is no store, `cannotCreate` if the folder has other contents too or the one above is missing,
  ///   `unsuitablePlace` if it is inside a store or another backup, `damaged` if the copy or the store is damaged, `busy` if another process makes this backup. The earlier backup is
  ///   preserved.
  @discardableResult
  public func make(of store: String, in path: String, replaces: Bool = false) throws(StoreError) -> Copy {
    try StoreFolder.checkIsOutside(path)
    let target = try FolderPath(path, makesParent: false)
    let source = try FolderPath(store)
    guard target.path != source.path else {
      throw StoreError(
        .cannotCreate, "a backup cannot be the store's own folder", hint: "choose a folder on another disk",
        path: target.path)
    }
    let from = try open(source.path)
    let folder = try target.temporary()
    defer { folder.discard() }
    let earlier = try earlierBackup(at: target, of: from, replaces: replaces)
    var copy = FolderCopy(from: from.disk, to: folder.path, earlier: earlier)
    let sequence = try copied(from) { (state) throws(StoreError) in try copy.write(state, store: state.manifest.store) }
    for name in files { try copy.write(file: source.path + "/" + name, as: name) }
    for attachment in attachments { try copy.write(file: attachment.file, as: attachment.name, followsLinks: true) }
    try copy.writeFolder(MediaFolder.folderName)
    try copy.write(Self.mark(sequence, at: time.now), as: Self.markName)
    let records = try finish(folder, sequence)
    try target.replace(with: folder)
    var made = Copy(
      folder: target.path, sequence: sequence, records: records, bytes: copy.bytes, copied: copy.bytesCopied)
    // The backup is there without the note, too.
    do throws(StoreError) { try note(from.disk, Self.mark(sequence, at: time.now)) } catch { made.noteProblem = error }
    return made
  }

  /// Puts the contents of a backup in the place of a store, which may be in use: its writers then get `moved`, and their
  /// commits are in the folder that had the place before.
  ///
  /// The restored store is a new one for the change feed: cursors of the replaced store have expired, because its later
  /// commits are different ones.
  ///
  /// - Throws: `StoreError`: `notFound` if there is no backup or store in the folder, `damaged` if it is damaged,
  ///   `cannotCreate` if the store is a mount point, `busy` if another process restores. The store is preserved.
  @discardableResult
  public func restore(_ backup: String, to path: String) throws(StoreError) -> Copy {
    let source = try FolderPath(backup)
    let target = try FolderPath(path)
    guard target.path != source.path, !target.path.hasPrefix(source.path + "/") else {
      throw StoreError(.cannotCreate, "the backup is the store itself", path: target.path)
    }
    try folder(target.path).check()
    let from = try open(source.path)
    let folder = try target.temporary()
    defer { folder.discard() }
    var copy = FolderCopy(from: from.disk, to: folder.path, earlier: nil)
    let number = from.disk.system.randomNumber()
    let sequence = try copied(from) { (state) throws(StoreError) in try copy.write(state, store: number) }
    for name in files {
      let current = target.path + "/" + name
      try copy.write(file: access(current, F_OK) == 0 ? current : source.path + "/" + name, as: name)
    }
    for name in kept { try copy.write(file: target.path + "/" + name, as: name) }
    try copy.writeFolder(MediaFolder.folderName)
    let records = try finish(folder, sequence)
    let moment = time.now.description.filter { $0 != "-" && $0 != ":" }
    let previous = try target.replace(with: folder, keepingAs: Self.keptPrefix + moment)
    return Copy(
      folder: target.path, sequence: sequence, records: records, bytes: copy.bytes, copied: copy.bytesCopied,
      previous: previous)
  }

  private func open(_ path: String) throws(StoreError) -> JSONFileStore {
    let store = try JSONFileStore(
      system: RealFileSystem(path: path, isAnywhere: true), readOnly: true, time: time, suggestions: suggestions)
    guard try store.disk.openFolder(create: false) else {
      throw StoreError(.notFound, "there is no such folder", hint: "check the path", path: path)
    }
    return store
  }

  /// Runs `body` with the newest state until all of its files are there: a writer may replace them meanwhile.
  private func copied(
    _ store: JSONFileStore, _ body: (StoreState) throws(StoreError) -> Bool
  ) throws(StoreError) -> UInt64 {
    for _ in 0..<100 {
      guard let state = try store.currentState() else {
        if let orphan = try store.loneFile() { throw orphan }
        throw StoreError(
          .notFound, "there is no store in this folder", hint: "check the path", path: store.disk.system.path)
      }
      if try body(state) { return state.sequence }
      store.withCache { $0.state = nil }
    }
    throw StateLoader(disk: store.disk, limits: store.limits).missingFile()
  }

  private func finish(_ folder: StagingFolder, _ sequence: UInt64) throws(StoreError) -> Int {
    try folder.sync()
    let store = try open(folder.path)
    if let first = try store.verify().first(where: { $0.severity == .damage }) {
      throw StoreError(
        .damaged, "the copy is damaged, and so may be what it was made of: \(first.message)", hint: suggestions.repair,
        path: first.path, offset: first.offset)
    }
    guard try store.snapshot().sequence == sequence else {
      throw StoreError(.damaged, "the copy does not contain the last commit", path: folder.path)
    }
    return try store.statistics().records
  }

  private func earlierBackup(
    at target: FolderPath, of store: JSONFileStore, replaces: Bool
  ) throws(StoreError) -> FolderCopy.Earlier? {
    guard try !target.isEmpty else { return nil }
    let disk = Disk(anywhere: target.path)
    guard try disk.openFolder(create: false), try disk.open(Self.markName) != nil else {
      throw StoreError(
        .cannotCreate, "the folder is not empty, and not a backup", hint: "name a new folder: it is made",
        path: target.path)
    }
    let attached = Set(attachments.compactMap { $0.name.split(separator: "/").first.map { String($0).exact } })
    let others = try folder(target.path).others().filter { !attached.contains($0.exact) }
    guard others.isEmpty else {
      throw StoreError(
        .cannotCreate, "the folder of the backup holds other files, which would be lost: \(StoreFolder.listed(others))",
        hint: "move them elsewhere, or choose another folder", path: target.path)
    }
    guard let manifest = try? StateLoader(disk: disk, limits: Limits()).manifest() else {
      if replaces { return nil }
      throw StoreError(
        .cannotCreate, "the folder holds a backup that cannot be read, perhaps of another store",
        hint: suggestions.replaceBackup, path: target.path)
    }
    let state = try store.currentState()
    guard replaces || state == nil || manifest.store == state?.manifest.store else {
      throw StoreError(
        .cannotCreate, "the folder holds a backup of another store, or of this one before it was restored",
        hint: suggestions.replaceBackup, path: target.path)
    }
    return FolderCopy.Earlier(disk: disk, manifest: manifest)
  }

  private func folder(_ path: String) -> StoreFolder {
    StoreFolder(path, program: files + others, suggestions: suggestions)
  }

  /// What the name of a replaced store ends with, before the time.
  static let keptPrefix = "before-restore-"

  /// The file that tells a backup from a store.
  static let markName = "backup"
  static let markOpening = "almanac-backup "

  /// Checks that the store in a folder is not a backup, which is not changed.
  ///
  /// - Throws: `StoreError`: `unsuitablePlace` for a backup.
  public static func checkIsStore(_ folder: String, suggestions: StoreSuggestions = StoreSuggestions())
    throws(StoreError)
  {
    let disk = Disk(anywhere: folder, followsLink: true, suggestions: suggestions)
    if try disk.openFolder(create: false), let error = disk.backupError { throw error }
  }

  /// When the store in a folder was last backed up; `nil` where it never was.
  public static func last(of store: String) -> Timestamp? {
    var status = stat()
    guard stat("\(store)/\(lastName)", &status) == 0 else { return nil }
    return Timestamp(secondsSinceEpoch: Platform.modificationTime(status) / 1_000_000_000)
  }

  /// The file in the store's folder whose time of change is that of the last backup.
  static let lastName = "last-backup"

  private func note(_ disk: Disk, _ mark: [UInt8]) throws(StoreError) {
    let temporary = Self.lastName + ".new"
    do throws(StoreError) {
      let file = try disk.create(temporary)
      try file.write(mark)
      try disk.rename(temporary, to: Self.lastName)
    } catch {
      try? disk.remove(temporary)
      // The time alone needs no room.
      if utimensat(AT_FDCWD, disk.path(Self.lastName), nil, 0) != 0 { throw error }
    }
  }

  private static func mark(_ sequence: UInt64, at moment: Timestamp) -> [UInt8] {
    Array("\(markOpening)1\ncommit \(sequence)\nat \(moment)\n".utf8)
  }
}

extension StoreBackup {
  /// Copies a file, unless there is one at the path already; only its owner can read the copy.
  public static func copyFile(_ file: String, to path: String) throws(StoreError) {
    if access(path, F_OK) == 0 { return }
    let (folder, name) = FolderPath.split(path)
    var copy = FolderCopy(
      from: Disk(system: RealFileSystem(path: ".")), to: FolderPath.real(folder) ?? folder, earlier: nil)
    try copy.write(file: file, as: name)
  }

  /// Copies the files of a folder, if it exists, as `copyFile`.
  public static func copyFiles(of folder: String, to path: String) throws(StoreError) {
    let disk = Disk(anywhere: folder)
    guard try disk.openFolder(create: false) else { return }
    for name in try disk.names().sorted() { try copyFile(disk.path(name), to: path + "/" + name) }
  }
}
