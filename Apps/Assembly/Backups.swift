import CLibrary
public import Models
public import Persistence
public import Ports

/// What the programs keep in the store's folder besides the store.
enum StoreFiles {
  /// What a backup contains. Nobody can sign in with it: it has no secrets, only their digests.
  static let copied = ["access.json"]
  /// The secret of the daemon, what assistants asked for, and which config file was used: no backup contains them, and they
  /// stay where a backup takes the place of the store.
  static let kept = ["token", "mcp.log", "mcp.log.1", LastUsedSettings.name]
  /// What belongs to the folder: besides, where the daemon can be reached, and that a demo made the store.
  static let left = kept + ["daemon.json", "daemon.sock", "made-by-demo"]
  static let all = copied + left
}

/// Backups of a store, with the config file and the definitions of sources.
public struct Backups {
  private let invocation: Invocation
  private let backup: StoreBackup

  public init(_ invocation: Invocation, time: any TimeSource) {
    self.invocation = invocation
    var backup = StoreBackup(
      files: StoreFiles.copied, others: StoreFiles.left, kept: StoreFiles.kept, time: time,
      suggestions: CommandWording.store)
    backup.attachments.append(.init(file: invocation.places.config, name: "\(Self.configFolder)/config.json"))
    for path in invocation.definitions.paths() {
      backup.attachments.append(.init(file: path, name: "\(Self.configFolder)/sources/\(Self.lastPart(path))"))
    }
    self.backup = backup
  }

  /// Copies the store into a folder.
  ///
  /// - Parameter replaces: whether the backup of another store is replaced, and one with files that were changed by hand.
  /// - Throws: `Failure` if there is no store, or the folder is not empty and not a backup of it.
  public func make(in folder: String, replaces: Bool) async throws(Failure) -> StoreBackup.Copy {
    if !replaces, let changed = changed(in: folder) { throw changed }
    var backup = backup
    let (name, folder) = ("\(Self.configFolder)/config.json", Places.absolute(folder))
    // The config file that was lost stays in the backup that has it.
    if invocation.settingsFile.load().failure?.code == .own(.configDeleted), access("\(folder)/\(name)", F_OK) == 0,
      let index = backup.attachments.firstIndex(where: { $0.name == name })
    {
      backup.attachments[index].file = "\(folder)/\(name)"
    }
    let copy = try Failure.from { () throws(StoreError) in
      try backup.make(of: invocation.places.store, in: folder, replaces: replaces)
    }
    await publish(copy)
    return copy
  }

  /// The files of a backup that another program changed, as an error; `nil` where there is none.
  ///
  /// Nothing reads them: a restore takes what the store of the backup has.
  public func changed(in folder: String) -> Failure? {
    let store = try? JSONFileStore(folder: folder, mustExist: true)
    guard let first = try? store?.changedFiles().first else { return nil }
    let path = "\(folder)/\(first).jsonl"
    return Failure(
      .store, .cannotCreate, "\(path) of the backup was changed by another program, and is not what the backup holds",
      hint: """
        copy it elsewhere; \(command: "import", path) takes its records over, and --replace replaces the backup with it
        """, code: .store(.unsuitablePlace), path: path)
  }

  /// Puts a backup in the place of the store. The config file and the definitions are copied if there is no config file, or an
  /// empty one.
  ///
  /// - Returns: the copy, and the path of the config file if it was copied.
  /// - Throws: `Failure` if the backup is damaged; the store is preserved.
  public func restore(_ folder: String) async throws(Failure) -> (copy: StoreBackup.Copy, config: String?) {
    let copy: StoreBackup.Copy
    do throws(StoreError) { copy = try backup.restore(folder, to: invocation.places.store) } catch {
      var failure = error.failure
      if error.code == .damaged {
        failure.message = "the backup is damaged, and the store stays as it is: \(failure.message)"
        failure.hint =
          "take another backup; \(command: "doctor", "--repair", "--store", "COPY") repairs a copy of this one"
      }
      throw failure
    }
    await publish(copy)
    let path = invocation.places.config
    guard invocation.settingsFile.loss != nil, access("\(folder)/\(Self.configFolder)/config.json", F_OK) == 0 else {
      return (copy, nil)
    }
    // What is there is empty.
    unlink(path)
    return (copy, try restoreConfig(from: "\(folder)/\(Self.configFolder)", to: path))
  }

  /// The names in a folder that belong neither to a store nor to what the programs keep beside it.
  public static func others(in folder: String) throws(Failure) -> [String] {
    try Failure.from { () throws(StoreError) in try StoreFolder(folder, program: StoreFiles.all).others() }
  }

  private static let configFolder = "config"

  /// Writes the files that other programs read, up to 64 MiB each, which are not copied. The copy is complete without them,
  /// also in a place where no store can be written, such as a network file system.
  private func publish(_ copy: StoreBackup.Copy) async {
    guard let store = try? JSONFileStore(folder: copy.folder, mustExist: true) else { return }
    try? await store.publish(.background)
  }

  private func restoreConfig(from folder: String, to path: String) throws(Failure) -> String {
    do throws(StoreError) {
      let place = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
      // The definitions first, because the config names their sources.
      try StoreBackup.copyFiles(of: folder + "/sources", to: place + "/sources")
      try StoreBackup.copyFile(folder + "/config.json", to: path)
      return path
    } catch {
      throw Failure(
        .config, .cannotCreate, "the store is restored, but the config file is not: \(error)",
        hint: "copy \(folder)/config.json to its place", path: path)
    }
  }

  private static func lastPart(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}
