import Glibc
import Models
import Ports

/// Where the daemon that keeps a store can be reached, as it wrote it into `daemon.json` in the store's folder.
struct DaemonPlace {
  /// The store's folder.
  let folder: String
  /// Reads the file.
  let coder: any RecordCoder

  /// The address; `nil` where no daemon has written one.
  ///
  /// - Throws: `Failure`, `notFound` where the file came here with a copy of another store: its daemon keeps that one.
  func url() throws(Failure) -> String? {
    let path = "\(folder)/daemon.json"
    guard let bytes = try? InputFile(path: path).read(), let fields = try? coder.decode(bytes),
      let url = fields["url"]?.string
    else { return nil }
    guard let device = fields["device"]?.string, let inode = fields["inode"]?.int else { return url }
    var status = stat()
    guard stat(folder, &status) == 0 else { return nil }
    // As makedev(3) packs them.
    let (low, high) = (UInt64(status.st_dev) & 0xFFFF_FFFF, UInt64(status.st_dev) >> 32)
    let (major, minor) = ((low >> 8 & 0xFFF) | (high << 12 & 0xFFFF_F000), (low & 0xFF) | (low >> 12 & 0xFFFF_FF00))
    guard device != "\(major):\(minor)" || UInt64(inode) != UInt64(status.st_ino) else { return url }
    let other = fields["store"]?.string
    throw Failure(
      .config, .notFound,
      "no daemon keeps the store in \(folder): it is a copy of the one \(other.map { "in \($0)" } ?? "that \(url) keeps")",
      hint: "start 'almanacd --store \(folder)'\(other.map { ", or look at the other one with --store \($0)" } ?? "")",
      path: path)
  }
}
