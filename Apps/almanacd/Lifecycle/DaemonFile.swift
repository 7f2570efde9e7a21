import Glibc
import Logging
import Models
import Ports

/// `daemon.json` in the store's folder: the address of the daemon that runs on this store.
struct DaemonFile: Sendable {
  private let folder: String
  private var path: String { folder + "/daemon.json" }

  /// The file of a store.
  init(folder: String) { self.folder = folder }

  /// Says where the daemon is; it works without the file as well.
  func write(url: String, socket: String?, coder: any RecordCoder) {
    var fields: JSONObject = ["pid": .int(Int(getpid())), "url": .string(url)]
    fields.append("socket", socket)
    fields.append("version", DaemonVersion.current)
    // A copy of the store contains this file too: the folder's identity distinguishes the two.
    fields.append("store", folder)
    if let place = FileStamp.place(of: folder) {
      fields.append("device", place.device)
      fields.append("inode", Int(place.inode))
    }
    let bytes = coder.encode(fields) + [0x0A]
    let new = path + ".new"
    let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return }
    let count = Glibc.write(descriptor, bytes, bytes.count)
    close(descriptor)
    if count == bytes.count { rename(new, path) } else { unlink(new) }
  }

  /// The daemon ends.
  func remove() { unlink(path) }
}

/// The Unix socket's file: who may connect is who may write to it.
struct SocketFile {
  /// Where it is.
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
