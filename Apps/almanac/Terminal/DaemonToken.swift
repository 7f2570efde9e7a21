import Glibc
import Models

/// The secret that the daemon keeps in the store's folder.
struct DaemonToken {
  /// The store's folder.
  let folder: String

  /// Reads it.
  func read() throws(Failure) -> String {
    let path = "\(folder)/token"
    guard access(path, F_OK) == 0 else {
      throw Failure(
        .config, .notFound, "there is no token of the daemon in \(folder)",
        hint: "start 'almanacd' once with the same --store; it makes the token", path: path)
    }
    let bytes = try InputFile(path: path).read()
    return String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
  }
}
