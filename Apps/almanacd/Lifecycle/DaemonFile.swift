import Glibc
import Models
import Ports

/// `daemon.json` in the store's folder: where the daemon that keeps this store can be reached, as long as it runs.
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
    // A copy of the store takes this file along: which folder it was written for tells the two apart.
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
