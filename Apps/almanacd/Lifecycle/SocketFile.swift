import Glibc
import Logging

/// The Unix socket's file: who may connect is who may write to it.
struct SocketFile {
  /// Where it is.
  let path: String

  /// Sets group and permission bits; until then, and where the group cannot be set, only the owner may connect.
  func open(to group: String?, mode: Int?, _ logger: Logger) {
    chmod(path, 0o600)
    if let group {
      guard let id = Self.id(of: group) else {
        return logger.error("the socket stays closed to others", metadata: ["why": "there is no group '\(group)'"])
      }
      guard chown(path, uid_t.max, id) == 0 else {
        return logger.error(
          "the socket stays closed to others",
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
