import Glibc
import Models
import Ports

/// A key that a person types: kept outside the config file, so that this file can be shown and copied.
struct TypedKey {
  /// The source whose key it is.
  let source: SourceName
  /// The name of the file that keeps it, in the folder `keys`.
  let file: String
  /// What it is, for messages: a key, or a password.
  let kind: String
  let services: any AlmanacServices

  /// The password of an account.
  init(account: String, of source: SourceName, _ services: any AlmanacServices) {
    self.source = source
    file = "\(source)-\(account)"
    kind = "password"
    self.services = services
  }

  /// The key that a setting holds; `nil` where it is not the key of a source.
  init?(setting: String, _ services: any AlmanacServices) {
    let parts = setting.split(separator: ".", omittingEmptySubsequences: false)
    let source = services.sources.first { parts.count == 3 && parts[1] == $0.name.rawValue }
    guard parts.count == 3, parts[0] == "servers", parts[2] == "apiKey", let source else {
      return nil
    }
    self.source = source.name
    file = source.name.rawValue
    kind = "key"
    self.services = services
  }

  /// Whether requests to the source carry a key.
  var isUsed: Bool { services.sources.first { $0.name == source }?.key != nil }

  /// Writes the key into a file beside the config file that only its owner can read.
  ///
  /// - Returns: the setting that names the file.
  func keepInFile(_ key: String) throws(Failure) -> JSONValue {
    let folder = KeptKey.folder(services)
    let path = "\(folder)/\(file)"
    try makeFolders(folder)
    let temporary = "\(path).\(getpid()).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(path, .cannotCreate) }
    defer { close(descriptor) }
    if let code = Descriptor(descriptor).write(Array("\(key)\n".utf8)) {
      unlink(temporary)
      errno = code
      throw failure(path, .inputOutput)
    }
    guard fsync(descriptor) == 0, rename(temporary, path) == 0 else {
      defer { unlink(temporary) }
      throw failure(path, .inputOutput)
    }
    return KeptKey.file(file)
  }

  /// Gives the key to the keyring of the system.
  ///
  /// - Returns: the setting that names the command which prints it.
  func keepInKeyring(_ key: String) throws(Failure) -> JSONValue {
    let command = KeptKey.keyring("store", file, "--label=Almanac: \(file)")
      .map { ShellWord.quoted($0) }.joined(separator: " ")
    guard let pipe = popen("\(command) >&2", "w") else { throw Self.noKeyring }
    // A program that does not read ends its pipe, and must not end this one.
    signal(SIGPIPE, SIG_IGN)
    fputs(key, pipe)
    guard pclose(pipe) == 0 else { throw Self.noKeyring }
    return .object(["command": .array(KeptKey.keyring("lookup", file).map { .string($0) })])
  }

  /// Asks the server whether it takes the key, and says so.
  ///
  /// - Returns: 77 where it refuses the key.
  func prove() async -> ExitStatus {
    let probe = await services.probe(source)
    let terminal = services.terminal
    terminal.status([])
    guard let failure = probe.failure else {
      terminal.note(
        probe.isOnlyReached ? "the key is kept; 'almanac sync' tries it" : "\(source) takes the key")
      return .done
    }
    guard failure.reason == .denied else {
      terminal.note("the key was not tried: \(Printable.text(failure.message)); 'almanac doctor' tries it")
      return .done
    }
    var refusal = failure
    refusal.message = "\(source) refuses the key: \(failure.message)"
    refusal.hint = "it is kept; 'almanac config set servers.\(source).apiKey' asks for another one"
    terminal.report(refusal)
    return ExitStatus(failure.reason)
  }

  private func makeFolders(_ path: String) throws(Failure) {
    var parts = ""
    for part in path.split(separator: "/", omittingEmptySubsequences: false) {
      parts += parts.isEmpty && !path.hasPrefix("/") ? String(part) : "/\(part)"
      let folder = parts.replacing("//", with: "/")
      if folder != "/", mkdir(folder, 0o700) != 0, errno != EEXIST { throw failure(folder, .cannotCreate) }
    }
  }

  private func failure(_ path: String, _ reason: Failure.Reason) -> Failure {
    Failure(
      .config, reason, "the \(kind) cannot be written to '\(path)'", number: errno,
      hint: "nothing was changed", path: path)
  }

  private static let noKeyring = Failure(
    .config, .config, "the keyring did not take the key",
    hint: "--keyring needs secret-tool (libsecret) and an unlocked keyring; without it the key is kept in a file",
    code: .own(.keyring))
}

/// A key or a password that a command keeps outside the config file, and that the config file names.
struct KeptKey: Hashable {
  /// The source whose key it is; for a password, with the account: `carddav-home`.
  let source: String
  /// Whether it is in the keyring of the system; otherwise in a file.
  let isInKeyring: Bool
  /// What it is, for messages.
  var kind = "key"

  /// The keys that the config file names now, also where the file has mistakes.
  static func all(_ services: any AlmanacServices) -> [KeptKey] {
    let servers = (try? services.coder.decode(services.settings.bytes))?["servers"]?.object ?? [:]
    return servers.members.flatMap { server in
      let accounts = (server.value.object?["accounts"]?.object ?? [:]).members.compactMap { account -> KeptKey? in
        let name = "\(server.key)-\(account.key)"
        return account.value.object?["password"] == file(name)
          ? KeptKey(source: name, isInKeyring: false, kind: "password") : nil
      }
      return accounts + [key(of: server)].compactMap(\.self)
    }
  }

  private static func key(of server: JSONObject.Member) -> KeptKey? {
    let setting = server.value.object?["apiKey"]
    if setting == file(server.key) { return KeptKey(source: server.key, isInKeyring: false) }
    let command = setting?.object?["command"]?.array?.compactMap(\.string)
    return command == keyring("lookup", server.key) ? KeptKey(source: server.key, isInKeyring: true) : nil
  }

  /// Removes those keys of a list that the config file does not name any more.
  static func removeUnused(_ keys: [KeptKey], _ services: any AlmanacServices) {
    let left = all(services)
    let text = String(decoding: services.settings.bytes, as: UTF8.self)
    for key in keys where !left.contains(key) {
      // The name of the file may stand in another setting.
      if key.isInKeyring || !text.contains("keys/\(key.source)\"") { key.remove(services) }
    }
  }

  private func remove(_ services: any AlmanacServices) {
    let terminal = services.terminal
    if isInKeyring {
      let command = Self.keyring("clear", source).map { ShellWord.quoted($0) }.joined(separator: " ")
      if system("\(command) >/dev/null 2>&1") == 0 { return terminal.note("the key is removed from the keyring") }
      return terminal.complain("warning: the key is still in the keyring; '\(command)' removes it")
    }
    let path = "\(Self.folder(services))/\(source)"
    if unlink(path) == 0 { return terminal.note("the \(kind) in \(path) is removed") }
    if errno != ENOENT {
      terminal.complain("warning: the \(kind) is still in \(path): \(String(cString: strerror(errno)))")
    }
  }

  /// The folder of the files, beside the config file.
  static func folder(_ services: any AlmanacServices) -> String {
    let config = services.settings.path
    return (config.lastIndex(of: "/").map { String(config[...$0]) } ?? "") + "keys"
  }

  /// The setting that names the file of a source's key.
  static func file(_ source: String) -> JSONValue { .object(["file": .string("keys/\(source)")]) }

  /// A command about a key in the keyring of the system.
  static func keyring(_ verb: String, _ source: String, _ options: String...) -> [String] {
    ["secret-tool", verb] + options + ["service", "almanac", "source", source]
  }
}
