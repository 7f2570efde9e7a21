import CLibrary
public import Models

/// Where the daemon that keeps a store can be reached: `daemon.json` in the store's folder, or in that of its state.
public struct DaemonPlace: Hashable, Sendable {
  public var process: Int?
  public var url: String
  /// The path of its Unix socket.
  public var socket: String?
  /// The absolute path of its config file.
  public var config: String?
  public var version: String?
  /// The store: an absolute path, or an address.
  public var store: String?
  /// The folder for which the file was written; a copy of it is in another one.
  public var folder: FileIdentity?

  /// The place of a daemon that runs in this process.
  public init(url: String, socket: String?, config: String?, version: String, store: String, folder: FileIdentity?) {
    process = Int(getpid())
    (self.url, self.socket, self.config) = (url, socket, config)
    (self.version, self.store, self.folder) = (version, store, folder)
  }

  /// Reads the members of the file; `nil` without an address.
  public init?(fields: JSONObject) {
    guard let url = fields["url"]?.string else { return nil }
    (self.url, process) = (url, fields["pid"]?.int)
    (socket, config) = (fields["socket"]?.string, fields["config"]?.string)
    (version, store) = (fields["version"]?.string, fields["store"]?.string)
    if let device = fields["device"]?.string, let inode = fields["inode"]?.int {
      folder = FileIdentity(device: device, inode: UInt64(truncatingIfNeeded: inode))
    }
  }

  public var fields: JSONObject {
    [
      "pid": .of(process), "url": .of(url), "socket": .of(socket), "config": .of(config), "version": .of(version),
      "store": .of(store), "device": .of(folder?.device),
      "inode": .of(folder.map { Int(truncatingIfNeeded: $0.inode) }),
    ]
  }

  public func isOf(_ path: String) -> Bool { folder != nil && FileIdentity(of: path) == folder }

  /// The process of the daemon, if it runs and keeps the store in a folder.
  public func process(keeping folder: String) -> Int? {
    guard let process, isOf(folder) else { return nil }
    // Another program may have the number of a daemon that was killed.
    return kill(pid_t(truncatingIfNeeded: process), 0) == 0 || errno == EPERM ? process : nil
  }

  /// The daemon that runs, and the path at which it expects the store that was moved to a folder: it writes nothing. `nil`
  /// if the store was not moved, or no daemon keeps it.
  public func displaced(to folder: String) -> (process: Int, path: String)? {
    guard let process = process(keeping: folder), let store, !isOf(store) else { return nil }
    return (process, store)
  }

  /// Whether the daemon of a store in a folder runs and reads a config file, so that it takes up what changes there.
  public func reads(config file: String, for folder: String) -> Bool {
    guard let config, process(keeping: folder) != nil, let identity = FileIdentity(of: file) else { return false }
    return identity == FileIdentity(of: config)
  }
}

/// What distinguishes a file or a folder from its copies.
public struct FileIdentity: Hashable, Sendable {
  /// The numbers of the device, `MAJOR:MINOR`.
  public let device: String
  /// The number of the file on the device.
  public let inode: UInt64

  init(device: String, inode: UInt64) { (self.device, self.inode) = (device, inode) }

  /// The identity of what is at a path; `nil` if there is nothing.
  public init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    // As makedev(3) packs them.
    let (low, high) = (UInt64(status.st_dev) & 0xFFFF_FFFF, UInt64(status.st_dev) >> 32)
    let (major, minor) = ((low >> 8 & 0xFFF) | (high << 12 & 0xFFFF_F000), (low & 0xFF) | (low >> 12 & 0xFFFF_FF00))
    self.init(device: "\(major):\(minor)", inode: UInt64(status.st_ino))
  }
}
