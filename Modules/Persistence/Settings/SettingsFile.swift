import CLibrary
public import Models
public import Ports

/// The settings in a file, which is replaced as a whole when it is edited.
public struct SettingsFile: SettingsStore {
  public let path: String
  private let isRequired: Bool
  private let format: @Sendable () -> any SettingsFormat
  private let environment: [String: String]
  private let lastUsed: LastUsedSettings?
  /// `fsync`, unless a test looks on.
  private let sync: @Sendable (Int32) -> Int32

  /// - Parameters:
  ///   - isRequired: whether a file that is not there is a mistake; otherwise it reads as empty settings.
  ///   - format: how the text is read and edited; made for each reading and each change.
  ///   - environment: where secrets of the form `{"env": NAME}` come from.
  ///   - lastUsed: tells a file that was lost from one that was never made.
  public init(
    path: String, isRequired: Bool, format: @autoclosure @escaping @Sendable () -> any SettingsFormat,
    environment: [String: String], lastUsed: LastUsedSettings? = nil
  ) {
    self.init(path: path, isRequired: isRequired, format: format(), environment: environment, lastUsed: lastUsed) {
      fsync($0)
    }
  }

  /// Settings in a file that is brought to the disk in another way.
  package init(
    path: String, isRequired: Bool, format: @autoclosure @escaping @Sendable () -> any SettingsFormat,
    environment: [String: String], lastUsed: LastUsedSettings? = nil, sync: @escaping @Sendable (Int32) -> Int32
  ) {
    (self.path, self.isRequired, self.format) = (path, isRequired, format)
    (self.environment, self.lastUsed, self.sync) = (environment, lastUsed, sync)
  }

  /// Reads the file: one open. One that was lost is a failure.
  public func load() -> LoadedSettings {
    do throws(FileFailure) {
      let (bytes, status) = try WholeFile.read(path)
      return bytes.isEmpty ? lost(Self.version(status)) ?? loaded(bytes, status) : loaded(bytes, status)
    } catch {
      if error.number == ENOENT, let lost = lost(nil) { return lost }
      let isMissing = error.number == ENOENT || error.number == ENOTDIR
      let failure = Failure(
        .config, .config, "the config file \(path) cannot be read: \(error.reason)",
        hint: error.number == ENOENT ? "make this file, or name another one" : nil, code: .own(.config), path: path)
      return LoadedSettings(
        path: path, isMissing: isMissing, failure: isMissing && !isRequired ? nil : failure, format: format()
      ) { $0 }
    }
  }

  /// What became of the file, as an error; `nil` where it is a file with something in it.
  public var loss: Failure? {
    func lost(_ what: String) -> Failure {
      Failure(
        .config, .config, "the config file \(path) \(what)",
        hint: """
          restore it: a backup of the store has it as config/config.json
          to begin with an empty one instead: echo '{}' > \(ShellWord.quoted(path))
          """, code: .own(.configDeleted), path: path)
    }
    var status = stat()
    guard stat(path, &status) == 0 else { return errno == ENOENT ? lost("was deleted") : nil }
    // A pipe has no size.
    return status.st_mode & S_IFMT == S_IFREG && status.st_size == 0 ? lost("is empty now") : nil
  }

  /// The settings of a file that said something when it was last used, and is gone or empty now.
  private func lost(_ version: FileVersion?) -> LoadedSettings? {
    guard let follows = lastUsed?.follows, var failure = loss else { return nil }
    if follows > 0 { failure.message += "; it had \(follows.counted("follow"))" }
    return LoadedSettings(path: path, version: version, failure: failure, format: format()) { $0 }
  }

  /// Remembers what the file says, for the case that it is lost.
  public func remember(_ settings: LoadedSettings) {
    if settings.problem() == nil { lastUsed?.note(settings.settings) }
  }

  private func loaded(_ bytes: [UInt8], _ status: stat) -> LoadedSettings {
    LoadedSettings(path: path, bytes: bytes, version: Self.version(status), format: format(), resolving: placed)
  }

  private static func version(_ status: stat) -> FileVersion {
    FileVersion(
      device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino), bytes: Int(status.st_size),
      nanoseconds: Platform.modificationTime(status))
  }

  private func placed(_ settings: Settings) -> Settings {
    var settings = settings
    settings.servers = settings.servers.mapValues { server in
      var server = server
      server.caFile = server.caFile.map(placed)
      server.certFile = server.certFile.map(placed)
      server.keyFile = server.keyFile.map(placed)
      for index in server.accounts.indices { server.accounts[index].caFile = server.accounts[index].caFile.map(placed) }
      if case .file(let file)? = server.apiKey { server.apiKey = .file(placed(file)) }
      return server
    }
    settings.daemon.sendmail = settings.daemon.sendmail.map(placed)
    return settings
  }

  /// Where a file that the settings name is: its path counts from the config file's folder.
  public func placed(_ file: String) -> String {
    if file.hasPrefix("/") { return file }
    if file == "~" || file.hasPrefix("~/"), let home { return home + file.dropFirst() }
    return path.lastIndex(of: "/").map { String(path[...$0]) + file } ?? file
  }

  /// The home folder: as the environment has it, or else as the system knows it.
  private var home: String? {
    if let home = environment["HOME"], !home.isEmpty { return home }
    return getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) }
  }

  /// Why this user cannot change the file, which is replaced as a whole; `nil` where that is possible, or there is none.
  public var refusal: Failure? {
    guard access(path, F_OK) == 0, let number = FolderPath.refusal(of: path) else { return nil }
    return Failure(
      .config, .cannotCreate, "the config file \(path) can be read and not changed", number: number,
      hint: FolderPath.owning(path, number), code: .own(.config), path: path)
  }

  /// Changes the text, and replaces the file. Others who change it wait, in this process and in others.
  public func change(
    of known: LoadedSettings, _ change: (LoadedSettings) throws(Failure) -> SettingChange?
  ) throws(Failure) -> LoadedSettings? {
    try self.change(of: known, inNewFolder: false, change)
  }

  /// - Parameter inNewFolder: whether the folder was made for this change. A change that is refused makes none, and one that
  ///   found none begins again when it is there: others may have made it at the same moment, and wait for its lock.
  private func change(
    of known: LoadedSettings, inNewFolder: Bool, _ change: (LoadedSettings) throws(Failure) -> SettingChange?
  ) throws(Failure) -> LoadedSettings? {
    let lock: FolderLock?
    do throws(FolderLock.Busy) { lock = try FolderLock.take(beside: path) } catch {
      throw Failure(
        .config, .tryLater, "another program is changing the config file \(path), and has not finished within 10 s",
        hint: "try again later", code: .own(.config), path: path, retryable: true)
    }
    defer { lock?.release() }
    var status = stat()
    let version = stat(path, &status) == 0 ? Self.version(status) : nil
    let known = version == known.version ? known : load()
    guard let edit = try change(known) else { return known }
    if let failure = known.failure, !known.isMissing { throw failure }
    let new: [UInt8]?
    do throws(SettingsProblems) { new = try changed(known.bytes, edit) } catch {
      throw failure(of: error, edit, isOld: error.problems == known.problems)
    }
    guard let new else { return nil }
    if new == known.bytes { return known }
    if lock == nil, !inNewFolder,
      (try? RealFileSystem.makeFolders(FolderPath.split(path).folder, mode: 0o700)) != nil
    {
      return try self.change(of: load(), inNewFolder: true, change)
    }
    do throws(FileFailure) {
      let status = try WholeFile.replace(path, with: new, mode: 0o600, folderMode: 0o700, sync: sync)
      let changed = loaded(new, status)
      remember(changed)
      return changed
    } catch {
      let isMade = ["write", "fsync"].contains(error.call)
      throw Failure(
        .config, isMade ? .inputOutput : .cannotCreate, "the config file \(path) cannot be written",
        number: error.number, hint: FolderPath.owning(path, error.number),
        code: SystemError(error.number).isFull ? .store(.full) : .own(.config), path: path)
    }
  }

  private func changed(_ bytes: [UInt8], _ change: SettingChange) throws(SettingsProblems) -> [UInt8]? {
    let format = format()
    return switch change {
    case .follow(let follows): try format.adding(follows, to: bytes)
    case .unfollow(let path): try format.removing(path: path, from: bytes)
    case .set(let place, let value): try format.setting(place, to: value, in: bytes)
    case .unset(let place): try format.setting(place, to: nil, in: bytes)
    }
  }

  /// - Parameter isOld: whether the file has these mistakes already, so that it cannot be changed at all.
  private func failure(of error: SettingsProblems, _ change: SettingChange, isOld: Bool) -> Failure {
    switch change {
    case _ where isOld: return LoadedSettings.failure(of: error.problems, in: path)
    case .follow, .unfollow: return LoadedSettings.failure(of: error.problems, in: path)
    case .set(let place, _), .unset(let place):
      // The lines are those of a text that was not written.
      let reasons = error.problems.map { $0.path.isEmpty ? $0.message : "\($0.path): \($0.message)" }
      return Failure(
        .config, .config, "\(place) cannot be changed; the config file \(path) is as it was",
        hint: Advice((reasons + ["nothing was changed"]).joined(separator: "\n")), code: .own(.config), path: path)
    }
  }

  public func keys(of sources: [SourceDescriptor], in settings: Settings) -> [SourceName: SourceKey] {
    var keys: [SourceName: SourceKey] = [:]
    for source in sources {
      guard let variable = source.key?.variable else { continue }
      keys[source.name] = key(of: source.name, variable: variable, in: settings)
    }
    return keys
  }

  /// The key from the file itself, the environment or another file.
  private func key(of source: SourceName, variable: String, in settings: Settings) -> SourceKey {
    guard let secret = settings.servers[source]?.apiKey else {
      guard let value = environment[variable], !value.isEmpty else { return .absent }
      return .given(value, from: "the environment variable \(variable)")
    }
    let origin =
      switch secret {
      case .literal: "servers.\(source).apiKey in \(path)"
      case .environment(let name): "the environment variable \(name)"
      case .file(let file): "the file \(file)"
      case .command(let words): "the command '\(words[0])'"
      }
    do throws(Problem) { return .given(try read(secret, kind: "key file"), from: origin) } catch {
      return .missing(
        Failure(
          .config, .denied, error.message, hint: "\(error.suggestion), or change servers.\(source).apiKey in \(path)",
          code: .own(.missingKey), path: path))
    }
  }

  public func value(of secret: Settings.Secret, at place: String) throws(Failure) -> String {
    do throws(Problem) { return try read(secret, kind: "file") } catch {
      throw Failure(
        .config, .config, error.message, hint: "change \(place) in \(path)", code: .own(.missingSecret), path: path)
    }
  }

  /// Why a secret has no value, and what to do about it.
  private struct Problem: Error {
    var message: String
    var suggestion: String
  }

  private func read(_ secret: Settings.Secret, kind: String) throws(Problem) -> String {
    switch secret {
    case .literal(let value): return value
    case .environment(let name):
      guard let value = environment[name], !value.isEmpty else {
        throw Problem(message: "the environment variable \(name) is not set", suggestion: "set it")
      }
      return value
    case .file(let file):
      let file = placed(file)
      let bytes: [UInt8]
      do throws(FileFailure) { bytes = try WholeFile.read(file).bytes } catch {
        throw Problem(message: "the \(kind) \(file) cannot be read: \(error.reason)", suggestion: "make it readable")
      }
      let line = String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
      guard line.isEmpty else { return line }
      throw Problem(message: "the first line of the \(kind) \(file) is empty", suggestion: "write the key there")
    case .command(let words):
      do throws(SecretCommand.Problem) {
        return try SecretCommand(words: words, environment: environment).firstLine()
      } catch {
        throw Problem(message: error.message, suggestion: "try it in a terminal: \(words.joined(separator: " "))")
      }
    }
  }
}
