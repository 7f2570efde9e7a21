public import Models
public import Ports

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The settings in a file, which is replaced as a whole when it is edited.
public struct SettingsFile: SettingsStore {
  /// The file.
  public let path: String
  private let isRequired: Bool
  private let format: @Sendable () -> any SettingsFormat
  private let environment: [String: String]
  /// `fsync`, unless a test looks on.
  private let sync: @Sendable (Int32) -> Int32

  /// Settings in the file at `path`.
  ///
  /// - Parameters:
  ///   - isRequired: whether a file that is not there is a mistake; otherwise it reads as empty settings.
  ///   - format: how the text is read and edited; made for each reading and each change.
  ///   - environment: where secrets of the form `{"env": NAME}` come from.
  public init(
    path: String, isRequired: Bool, format: @autoclosure @escaping @Sendable () -> any SettingsFormat,
    environment: [String: String]
  ) {
    self.init(path: path, isRequired: isRequired, format: format(), environment: environment) { fsync($0) }
  }

  /// Settings in a file that is brought to the disk in another way.
  package init(
    path: String, isRequired: Bool, format: @autoclosure @escaping @Sendable () -> any SettingsFormat,
    environment: [String: String],
    sync: @escaping @Sendable (Int32) -> Int32
  ) {
    self.path = path
    self.isRequired = isRequired
    self.format = format
    self.environment = environment
    self.sync = sync
  }

  /// Reads the file: one open.
  public func load() -> LoadedSettings {
    var status = stat()
    let bytes = read(path, &status)
    let code = errno
    if let bytes { return loaded(bytes, status) }
    let isMissing = code == ENOENT || code == ENOTDIR
    let failure = Failure(
      .config, .config, "the config file \(path) cannot be read: \(lastError(code))",
      hint: code == ENOENT ? "make this file, or name another one" : nil, code: .own(.config), path: path)
    return LoadedSettings(
      path: path, isMissing: isMissing, failure: isMissing && !isRequired ? nil : failure, format: format()
    ) { $0 }
  }

  private func loaded(_ bytes: [UInt8], _ status: stat) -> LoadedSettings {
    LoadedSettings(path: path, bytes: bytes, version: Self.version(status), format: format(), resolving: placed)
  }

  private static func version(_ status: stat) -> FileVersion {
    FileVersion(
      device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino), bytes: Int(status.st_size),
      nanoseconds: Platform.modificationTime(status))
  }

  /// The settings with the files that they name where they are.
  private func placed(_ settings: Settings) -> Settings {
    var settings = settings
    settings.servers = settings.servers.mapValues { server in
      var server = server
      server.caFile = server.caFile.map(placed)
      server.certFile = server.certFile.map(placed)
      server.keyFile = server.keyFile.map(placed)
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

  /// Changes the text, and replaces the file.
  public func change(_ change: SettingChange, of known: LoadedSettings) throws(Failure) -> LoadedSettings? {
    var status = stat()
    let version = stat(path, &status) == 0 ? Self.version(status) : nil
    let known = version == known.version ? known : load()
    if let failure = known.failure, !known.isMissing { throw failure }
    let new: [UInt8]?
    do throws(SettingsProblems) { new = try changed(known.bytes, change) } catch {
      throw failure(of: error, change, isOld: error.problems == known.problems)
    }
    guard let new else { return nil }
    return new == known.bytes ? known : loaded(new, try replace(with: new))
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

  /// The keys of those sources that ask with one.
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
    func missing(_ message: String, _ remedy: String) -> SourceKey {
      .missing(
        Failure(
          .config, .denied, message, hint: "\(remedy), or change servers.\(source).apiKey in \(path)",
          code: .own(.missingKey), path: path))
    }
    func variableKey(_ name: String) -> SourceKey? {
      environment[name].flatMap { $0.isEmpty ? nil : .given($0, from: "the environment variable \(name)") }
    }
    switch settings.servers[source]?.apiKey {
    case .literal(let value)?: return .given(value, from: "servers.\(source).apiKey in \(path)")
    case .environment(let name)?:
      return variableKey(name) ?? missing("the environment variable \(name) is not set", "set it")
    case .file(let file)?:
      guard let bytes = read(file) else {
        return missing("the key file \(file) cannot be read: \(lastError())", "make it readable")
      }
      let line = String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
      return line.isEmpty
        ? missing("the first line of the key file \(file) is empty", "write the key there")
        : .given(line, from: "the file \(file)")
    case .command(let words)?:
      switch SecretCommand(words: words, environment: environment).firstLine() {
      case .success(let line): return .given(line, from: "the command '\(words[0])'")
      case .failure(let problem):
        return missing(problem.message, "try it in a terminal: \(words.joined(separator: " "))")
      }
    case nil: return variableKey(variable) ?? .absent
    }
  }

  /// The value of a secret.
  ///
  /// - Parameter place: where the settings name it, for errors.
  /// - Throws: `Failure`, `config`, if its variable is not set, or its file cannot be read.
  public func value(of secret: Settings.Secret, at place: String) throws(Failure) -> String {
    func missing(_ message: String) -> Failure {
      Failure(.config, .config, message, hint: "change \(place) in \(path)", code: .own(.missingSecret), path: path)
    }
    switch secret {
    case .literal(let value): return value
    case .environment(let name):
      guard let value = environment[name], !value.isEmpty else {
        throw missing("the environment variable \(name) is not set")
      }
      return value
    case .file(let file):
      let file = placed(file)
      guard let bytes = read(file) else { throw missing("the file \(file) cannot be read: \(lastError())") }
      let line = String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
      if line.isEmpty { throw missing("the first line of the file \(file) is empty") }
      return line
    case .command(let words):
      do throws(SecretCommand.Problem) {
        return try SecretCommand(words: words, environment: environment).firstLine().get()
      } catch {
        throw missing(error.message)
      }
    }
  }

  private func read(_ path: String) -> [UInt8]? {
    var status = stat()
    return read(path, &status)
  }

  /// - Parameter status: the file before it was read; one that is changed meanwhile has another version.
  private func read(_ path: String, _ status: inout stat) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = buffer.withUnsafeMutableBytes { Platform.readFile(descriptor, $0) }
      if count < 0, errno == EINTR { continue }
      if count < 0 { return nil }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// Writes beside the file and renames; a link stays a link, and the file keeps its mode. Where root writes, it keeps its
  /// owner as well, and a new file belongs to the owner of its folder.
  ///
  /// - Returns: the status of the new file.
  private func replace(with bytes: [UInt8]) throws(Failure) -> stat {
    let target = resolvingLinks(path)
    let folder = target.lastIndex(of: "/").map { String(target[..<$0]) } ?? "."
    try makeFolders(folder)
    var status = stat()
    let isThere = stat(target, &status) == 0
    let mode = isThere ? status.st_mode & 0o777 : 0o600
    if !isThere, stat(folder.isEmpty ? "/" : folder, &status) != 0 { throw cannotWrite(.cannotCreate) }
    let temporary = "\(target).\(getpid()).new"
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw cannotWrite(.cannotCreate) }
    Ownership(status)?.give(descriptor)
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + written, bytes.count - written) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let error = cannotWrite(.inputOutput)
        close(descriptor)
        unlink(temporary)
        throw error
      }
      written += count
    }
    let isOnDisk = fchmod(descriptor, mode) == 0 && sync(descriptor) == 0 && fstat(descriptor, &status) == 0
    let code = errno
    guard close(descriptor) == 0, isOnDisk, rename(temporary, target) == 0 else {
      let error = cannotWrite(.inputOutput, isOnDisk ? errno : code)
      unlink(temporary)
      throw error
    }
    try syncFolder(folder)
    return status
  }

  /// Brings the new file's name to the disk.
  private func syncFolder(_ folder: String) throws(Failure) {
    let descriptor = open(folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw cannotWrite(.inputOutput) }
    defer { close(descriptor) }
    // Some file systems have nothing to sync in a folder, and say so.
    if sync(descriptor) != 0, errno != EINVAL { throw cannotWrite(.inputOutput) }
  }

  private func resolvingLinks(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private func makeFolders(_ folder: String) throws(Failure) {
    guard !folder.isEmpty, access(folder, F_OK) != 0 else { return }
    if let slash = folder.lastIndex(of: "/") { try makeFolders(String(folder[..<slash])) }
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw cannotWrite(.cannotCreate) }
    var parent = stat()
    if stat(folder + "/..", &parent) == 0 { Ownership(parent)?.give(folder) }
  }

  private func cannotWrite(_ reason: Failure.Reason, _ number: Int32 = errno) -> Failure {
    Failure(
      .config, reason, "the config file \(path) cannot be written", number: number,
      code: SystemError(number).isFull ? .store(.full) : .own(.config), path: path)
  }

  private func lastError(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }
}
