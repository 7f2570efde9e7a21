import CLibrary
import Logging
import Models
import Ports

/// Replaces small files in the store's folder, whole or not at all.
enum SmallFile {
  /// Writes beside the file, then renames. Where that fails, nothing is left beside it.
  ///
  /// - Throws: `Failure` as `failure` makes it.
  static func replace(_ path: String, with bytes: [UInt8]) throws(Failure) {
    let new = path + ".new"
    let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure(path, errno) }
    // A write that is shorter than asked has no error of its own: there was no room for the rest.
    let count = write(descriptor, bytes, bytes.count)
    var number = count == bytes.count ? 0 : count < 0 ? errno : ENOSPC
    if number == 0, fsync(descriptor) != 0 { number = errno }
    close(descriptor)
    if number == 0, rename(new, path) != 0 { number = errno }
    guard number != 0 else { return }
    unlink(new)
    throw failure(path, number)
  }

  /// The error of a file that cannot be written: `inputOutput`, with the code `full` where there is no room.
  static func failure(_ path: String, _ number: Int32) -> Failure {
    let error = SystemError(number)
    return Failure(
      .store, .inputOutput, "cannot write the file: \(error.text.lowercased()) (\(path))",
      hint: error.suggestion ?? "let the folder belong to the user that runs almanacd, and be writable for it",
      code: .store(error.isFull ? .full : .cannotWrite), path: path)
  }
}

/// The Unix socket's file: who may connect is who may write to it.
struct SocketFile {
  let path: String

  /// Sets group and permission bits; until then, and where the group cannot be set, only the owner may connect.
  func open(to group: String?, mode: Int?, _ logger: Logger) {
    chmod(path, 0o600)
    if let group {
      guard let id = Self.id(of: group) else {
        return logger.error("the socket is open to its owner only", metadata: ["why": "there is no group '\(group)'"])
      }
      guard chown(path, uid_t.max, id) == 0 else {
        return logger.error(
          "the socket is open to its owner only",
          metadata: [
            "why": "\(String(cString: strerror(errno)))", "group": "\(group)",
            "hint": "the user that runs almanacd must be a member of the group",
          ])
      }
    }
    if let mode { chmod(path, mode_t(mode)) }
  }

  private static func id(of group: String) -> gid_t? {
    getgrnam(group).map { $0.pointee.gr_gid } ?? gid_t(group)
  }
}
