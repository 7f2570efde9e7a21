import CLibrary
import Frontend
import Models
import Ports

/// A key that a person types: kept outside the config file, so that this file can be shown and copied.
struct TypedKey {
  let source: SourceName
  /// The name of the file that keeps it, in the folder `keys`.
  let file: String
  /// The account whose password it is; `nil` for the key of a source.
  let account: String?
  let services: CompositionRoot

  var kind: String { account == nil ? "key" : "password" }

  init(account: String?, of source: SourceName, _ services: CompositionRoot) {
    self.source = source
    file = KeyFolder.name(of: source, account: account)
    self.account = account
    self.services = services
  }

  /// The key or the password that a setting holds; `nil` for another setting.
  init?(setting: String, _ services: CompositionRoot) {
    let parts = setting.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 2, parts[0] == "servers",
      let source = services.sources.first(where: { $0.name.rawValue == parts[1] })?.name
    else { return nil }
    if parts.count == 5, parts[2] == "accounts", parts[4] == "password", Settings.Account.isName(parts[3]) {
      self.init(account: parts[3], of: source, services)
    } else if parts.count == 3, parts[2] == "apiKey" {
      self.init(account: nil, of: source, services)
    } else {
      return nil
    }
  }

  /// Whether requests to the source carry it.
  var isUsed: Bool { account != nil || services.sources.first { $0.name == source }?.key != nil }

  /// Keeps it in the keyring if that is asked for, or if the old one is there, and otherwise in a file.
  ///
  /// - Returns: the setting that names the place.
  func keep(_ key: String, inKeyring: Bool, old: [KeptKey]) throws(Failure) -> JSONValue {
    let isThere = old.contains { $0.source == file && $0.isInKeyring }
    return inKeyring || isThere ? try keepInKeyring(key) : try keepInFile(key)
  }

  /// Writes the key into a file beside the config file that only its owner can read.
  ///
  /// - Returns: the setting that names the file.
  func keepInFile(_ key: String) throws(Failure) -> JSONValue {
    try KeyFolder(beside: services.settingsFile.path).keep(key, as: file, kind: kind)
  }

  /// Replaces a file by one that only its owner can read.
  func write(_ key: String, to path: String) throws(Failure) { try KeyFolder.replace(path, by: key, kind: kind) }

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
    return .object(["command": .texts(KeptKey.keyring("lookup", file))])
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
        probe.isOnlyReached ? "the \(kind) is kept; \(command: "sync") tries it" : "\(source) takes the \(kind)")
      return .done
    }
    guard failure.reason == .denied, probe.account == account else {
      terminal.note("the \(kind) was not tried: \(failure.message); \(command: "doctor") tries it")
      return .done
    }
    var refusal = failure
    refusal.message = "\(source) refuses the \(kind): \(failure.message)"
    let setting = account.map { "accounts.\($0).password" } ?? "apiKey"
    refusal.hint = "it is kept; \(command: "config", "set", "servers.\(source).\(setting)") asks for another one"
    terminal.report(refusal)
    return ExitStatus(failure.reason)
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
  let kind: String

  /// The keys that the config file names now, also where the file has mistakes.
  static func all(_ services: CompositionRoot) -> [KeptKey] {
    let servers = (try? services.coder.decode(services.settings.bytes))?["servers"]?.object ?? [:]
    return servers.members.flatMap { server in
      let accounts = (server.value.object?["accounts"]?.object ?? [:]).members.compactMap { account in
        kept("\(server.key)-\(account.key)", account.value.object?["password"], "password")
      }
      return accounts + [kept(server.key, server.value.object?["apiKey"], "key")].compactMap(\.self)
    }
  }

  private static func kept(_ name: String, _ setting: JSONValue?, _ kind: String) -> KeptKey? {
    if setting == KeyFolder.setting(name) { return KeptKey(source: name, isInKeyring: false, kind: kind) }
    let command = setting?.object?["command"]?.array?.compactMap(\.string)
    return command == keyring("lookup", name) ? KeptKey(source: name, isInKeyring: true, kind: kind) : nil
  }

  /// Removes those keys of a list that the config file does not name any more.
  static func removeUnused(_ keys: [KeptKey], _ services: CompositionRoot) {
    let left = all(services)
    let text = String(decoding: services.settings.bytes, as: UTF8.self)
    for key in keys where !left.contains(key) {
      // The name of the file may stand in another setting.
      if key.isInKeyring || !text.contains("keys/\(key.source)\"") { key.remove(services) }
    }
  }

  private func remove(_ services: CompositionRoot) {
    let terminal = services.terminal
    if isInKeyring {
      let command = Self.keyring("clear", source).map { ShellWord.quoted($0) }.joined(separator: " ")
      if system("\(command) >/dev/null 2>&1") == 0 { return terminal.note("the \(kind) is removed from the keyring") }
      return terminal.complain("warning: the \(kind) is still in the keyring; '\(command)' removes it")
    }
    let path = "\(KeyFolder(beside: services.settingsFile.path).path)/\(source)"
    if unlink(path) == 0 { return terminal.note("the \(kind) in \(path) is removed") }
    if errno != ENOENT {
      terminal.complain("warning: the \(kind) is still in \(path): \(String(cString: strerror(errno)))")
    }
  }

  /// A command about a key in the keyring of the system.
  static func keyring(_ verb: String, _ source: String, _ options: String...) -> [String] {
    ["secret-tool", verb] + options + ["service", "almanac", "source", source]
  }
}
