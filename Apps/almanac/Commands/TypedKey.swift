import Glibc
import Models
import Ports

/// A key that a person types: kept outside the config file, so that this file can be shown and copied.
struct TypedKey {
  /// The source whose key it is.
  let source: SourceName
  let services: any AlmanacServices

  /// The key that a setting holds; `nil` where it is not the key of a source.
  init?(setting: String, _ services: any AlmanacServices) {
    let parts = setting.split(separator: ".", omittingEmptySubsequences: false)
    let source = services.sources.first { parts.count == 3 && parts[1] == $0.name.rawValue }
    guard parts.count == 3, parts[0] == "servers", parts[2] == "apiKey", let source, source.key != nil else {
      return nil
    }
    self.source = source.name
    self.services = services
  }

  /// Writes the key into a file beside the config file that only its owner can read.
  ///
  /// - Returns: the setting that names the file.
  func keepInFile(_ key: String) throws(Failure) -> JSONValue {
    let config = services.settings.path
    let folder = (config.lastIndex(of: "/").map { config[..<$0] + "/" } ?? "") + "keys"
    let path = "\(folder)/\(source)"
    try Self.makeFolders(String(folder))
    let temporary = "\(path).\(getpid()).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure(path, .cannotCreate) }
    defer { close(descriptor) }
    if let code = Descriptor(descriptor).write(Array("\(key)\n".utf8)) {
      unlink(temporary)
      errno = code
      throw Self.failure(path, .inputOutput)
    }
    guard fsync(descriptor) == 0, rename(temporary, path) == 0 else {
      defer { unlink(temporary) }
      throw Self.failure(path, .inputOutput)
    }
    return .object(["file": .string("keys/\(source)")])
  }

  /// Gives the key to the keyring of the system.
  ///
  /// - Returns: the setting that names the command which prints it.
  func keepInKeyring(_ key: String) throws(Failure) -> JSONValue {
    let attributes = ["service", "almanac", "source", source.rawValue]
    let words = ["secret-tool", "store", "--label=Almanac: \(source)"] + attributes
    let command = words.map { ShellWord.quoted($0) }.joined(separator: " ")
    guard let pipe = popen("\(command) >&2", "w") else { throw Self.noKeyring }
    // A program that does not read ends its pipe, and must not end this one.
    signal(SIGPIPE, SIG_IGN)
    fputs(key, pipe)
    guard pclose(pipe) == 0 else { throw Self.noKeyring }
    return .object(["command": .array((["secret-tool", "lookup"] + attributes).map { .string($0) })])
  }

  /// Asks the server whether it takes the key, and says so.
  ///
  /// - Returns: 77 where it refuses the key.
  func prove() async -> ExitStatus {
    let probe = await services.probe(source)
    let terminal = services.terminal
    terminal.status([])
    guard let failure = probe.failure else {
      terminal.note("\(source) takes the key")
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

  private static func makeFolders(_ path: String) throws(Failure) {
    var parts = ""
    for part in path.split(separator: "/", omittingEmptySubsequences: false) {
      parts += parts.isEmpty && !path.hasPrefix("/") ? String(part) : "/\(part)"
      let folder = parts.replacing("//", with: "/")
      if folder != "/", mkdir(folder, 0o700) != 0, errno != EEXIST { throw failure(folder, .cannotCreate) }
    }
  }

  private static func failure(_ path: String, _ reason: Failure.Reason) -> Failure {
    Failure(
      .config, reason, "the key cannot be written to '\(path)': \(String(cString: strerror(errno)))",
      hint: "nothing was changed", path: path)
  }

  private static let noKeyring = Failure(
    .config, .config, "the keyring did not take the key",
    hint: "--keyring needs secret-tool (libsecret) and an unlocked keyring; without it the key is kept in a file",
    code: "keyring")
}
