import CLibrary
public import Models
import Ports

/// The folder `keys` beside the config file. It has the keys and passwords that a person gave to a program, outside the
/// config file, so that this file can be shown and copied.
public struct KeyFolder: Sendable {
  public let path: String

  public init(beside config: String) {
    path = (config.lastIndex(of: "/").map { String(config[...$0]) } ?? "") + "keys"
  }

  /// The name of the file of a source's key, or of the password of its account: `carddav-home`.
  public static func name(of source: SourceName, account: String? = nil) -> String {
    "\(source)\(account.map { "-\($0)" } ?? "")"
  }

  /// The setting that names a file of the folder.
  public static func setting(_ name: String) -> JSONValue { .object(["file": .string("keys/\(name)")]) }

  /// Writes a key into a file that only its owner can read.
  ///
  /// - Parameter kind: what it is, for messages: `key` or `password`.
  /// - Returns: the setting that names the file.
  public func keep(_ key: String, as name: String, kind: String = "key") throws(Failure) -> JSONValue {
    try makeFolders(kind)
    try Self.replace("\(path)/\(name)", by: key, kind: kind)
    return Self.setting(name)
  }

  /// Replaces a file by one that only its owner can read.
  public static func replace(_ path: String, by key: String, kind: String) throws(Failure) {
    let temporary = "\(path).\(getpid()).new"
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure(path, kind, .cannotCreate) }
    let isWritten = Descriptor(file).write(Array("\(key)\n".utf8)) == nil && fsync(file) == 0
    let number = errno
    guard close(file) == 0, isWritten, rename(temporary, path) == 0 else {
      if !isWritten { errno = number }
      defer { unlink(temporary) }
      throw failure(path, kind, .inputOutput)
    }
  }

  private func makeFolders(_ kind: String) throws(Failure) {
    var parts = ""
    for part in path.split(separator: "/", omittingEmptySubsequences: false) {
      parts += parts.isEmpty && !path.hasPrefix("/") ? String(part) : "/\(part)"
      let folder = parts.replacing("//", with: "/")
      if folder != "/", mkdir(folder, 0o700) != 0, errno != EEXIST { throw Self.failure(folder, kind, .cannotCreate) }
    }
  }

  private static func failure(_ path: String, _ kind: String, _ reason: Failure.Reason) -> Failure {
    Failure(
      .config, reason, "the \(kind) cannot be written to '\(path)'", number: errno,
      hint: "nothing was changed", path: path)
  }
}
