import CLibrary
import Dispatch

/// Reports changes of files in some folders, so that they need not be polled (inotify(7)).
///
/// It reports only changes made on this machine. Callers also poll at long intervals, because a folder can be on a network
/// file system.
final class FolderWatch: Sendable {
  enum Change {
    /// Any write, and a file that takes its place by its name.
    case written
    /// A file that was written and closed, takes its place by its name, or is gone: no half of a file is seen.
    case complete

    fileprivate var mask: UInt32 {
      switch self {
      // Also what happens when the folder itself is moved or deleted.
      case .written: UInt32(IN_MODIFY | IN_MOVED_TO | IN_DELETE | IN_MOVE_SELF | IN_DELETE_SELF)
      case .complete: UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM)
      }
    }
  }

  /// Yields after changes; changes before the first iteration are one element. For one consumer, whose end stops the watch.
  let changes: AsyncStream<Void>

  /// Watches these folders, also one that comes later; `nil` where the system has no watch left.
  init?(_ folders: [String], for change: Change) {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    guard Self.watch(folders, change, descriptor) else {
      close(descriptor)
      return nil
    }
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    // A dispatch source may be cancelled from anywhere; this platform's overlay does not say so.
    nonisolated(unsafe) let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
    source.setEventHandler {
      guard Self.drain(descriptor) else { return }
      // A folder may be there now, or another one in its place.
      Self.watch(folders, change, descriptor)
      continuation.yield()
    }
    source.setCancelHandler { close(descriptor) }
    continuation.onTermination = { _ in source.cancel() }
    source.activate()
    changes = stream
  }

  /// Watches each folder, or the nearest one above it that is there, in which it will appear.
  @discardableResult
  private static func watch(_ folders: [String], _ change: Change, _ descriptor: Int32) -> Bool {
    // Twice: a folder may come before the one above it is watched.
    for folder in folders + folders {
      var (place, mask) = (folder, change.mask)
      while inotify_add_watch(descriptor, place, mask | UInt32(IN_ONLYDIR) | UInt32(IN_MASK_ADD)) < 0 {
        let above = FileStamp.folder(place)
        if above == place { return false }
        (place, mask) = (above, UInt32(IN_CREATE | IN_MOVED_TO))
      }
    }
    return true
  }

  /// Takes what is there; names do not matter. `false` where files were begun, and nothing else.
  private static func drain(_ descriptor: Int32) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      var isNews = false
      while case let count = read(descriptor, buffer.baseAddress, buffer.count), count > 0 {
        var place = 0
        while place < count {
          // The mask, and the length of the name; inotify(7) has the places of the fields.
          let mask = buffer.load(fromByteOffset: place + 4, as: UInt32.self)
          isNews = isNews || mask & UInt32(IN_CREATE) == 0 || mask & UInt32(IN_ISDIR) != 0
          place += 16 + Int(buffer.load(fromByteOffset: place + 12, as: UInt32.self))
        }
      }
      return isNews
    }
  }
}

/// What changes when a file is written or replaced.
struct FileStamp: Hashable, Sendable {
  /// Inode, size, and when content and entry changed; empty where there is no file.
  private let facts: [UInt64]

  /// The file as it is now; a link counts as what it leads to.
  init(_ path: String) {
    // STATX_MTIME, STATX_CTIME, STATX_INO and STATX_SIZE; the places of these fields are in statx(2).
    facts = withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { buffer in
      guard fileStatus(AT_FDCWD, path, 0, 0x3C0, buffer.baseAddress!) == 0 else { return [] }
      return [32, 40, 96, 112].map { buffer.load(fromByteOffset: $0, as: UInt64.self) }
        + [104, 120].map { UInt64(buffer.load(fromByteOffset: $0, as: UInt32.self)) }
    }
  }

  /// Whether the content is the same, as far as inode, size and time of the last write tell.
  func hasSameContent(as other: FileStamp) -> Bool {
    facts.count == other.facts.count && [0, 1, 3, 5].allSatisfy { facts.isEmpty || facts[$0] == other.facts[$0] }
  }

  /// Whether the file was written to where it had been written before, and not only lengthened.
  func isRewritten(since other: FileStamp) -> Bool {
    guard facts.count == 6, other.facts.count == 6, facts[0] == other.facts[0] else { return false }
    return facts[1] < other.facts[1] || facts[1] == other.facts[1] && !hasSameContent(as: other)
  }

  /// The names in a folder; none where it cannot be read.
  static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// The bytes of all files in a folder and in the folders within it.
  static func bytes(in folder: String, depth: Int = 3) -> Int {
    var bytes = 0
    for name in names(in: folder) {
      let path = folder + "/" + name
      bytes += FileStamp(path).facts.dropFirst().first.map { Int(truncatingIfNeeded: $0) } ?? 0
      if depth > 1 { bytes += Self.bytes(in: path, depth: depth - 1) }
    }
    return bytes
  }

  /// What distinguishes a file or folder from its copies; `nil` if there is none.
  static func place(of path: String) -> (device: String, inode: UInt64)? {
    withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { buffer in
      // STATX_INO; the device is always there.
      guard fileStatus(AT_FDCWD, path, 0, 0x100, buffer.baseAddress!) == 0 else { return nil }
      let device = [136, 140].map { String(buffer.load(fromByteOffset: $0, as: UInt32.self)) }
      return (device.joined(separator: ":"), buffer.load(fromByteOffset: 32, as: UInt64.self))
    }
  }

  /// The folders in which the file, and where it is a link what it leads to, can be replaced.
  static func folders(_ path: String) -> [String] {
    var folders = [folder(path)]
    if let whole = realpath(path, nil) {
      defer { free(whole) }
      let real = folder(String(cString: whole))
      if real != folders[0] { folders.append(real) }
    }
    return folders
  }

  fileprivate static func folder(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

/// `statx(2)`, without its struct: NIO's own modules hold a second one, and a member of either is refused.
@_silgen_name("statx")
private func fileStatus(
  _ folder: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32, _ mask: UInt32, _ buffer: UnsafeMutableRawPointer
) -> Int32
