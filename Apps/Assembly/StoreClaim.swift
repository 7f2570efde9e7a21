import CLibrary
public import Models
import Persistence
import Ports

/// Says to other programs on this machine that a daemon keeps the store at a path, also while the store is not there.
///
/// A program that finds no store at its path makes a new one. Where a daemon waits for a store that was moved away, that
/// would hide the old one. A claim is a socket in the abstract name space (unix(7)): it needs no folder that could be
/// moved or cannot be written, and it ends with its process.
public final class StoreClaim: Sendable {
  private let descriptor: Int32

  /// Claims the path until the value is released; `nil` where another process has claimed it, or where the system has no
  /// such sockets.
  public init?(_ path: String) {
    #if os(Linux)
      guard let descriptor = Self.opened() else { return nil }
      guard Self.call(bind, descriptor, path) else {
        close(descriptor)
        return nil
      }
      self.descriptor = descriptor
    #else
      return nil
    #endif
  }

  deinit { close(descriptor) }

  public static func exists(_ path: String) -> Bool {
    #if os(Linux)
      guard let descriptor = opened() else { return false }
      defer { close(descriptor) }
      return call(connect, descriptor, path)
    #else
      return false
    #endif
  }

  /// Why no store may be made at a path: a daemon keeps the one that was there. `nil` where it is there, or none is kept.
  public static func problem(at path: String) -> Failure? {
    // The file of the daemon is in every store that it keeps, also in one of an earlier version, which has no manifest.
    // What cannot be seen may be there: opening the store says why.
    for name in ["manifest", "daemon.json"] {
      guard access("\(path)/\(name)", F_OK) != 0, errno == ENOENT || errno == ENOTDIR else { return nil }
    }
    guard exists(path) else { return nil }
    return Failure(
      .store, .inputOutput,
      "the store \(path) was moved or deleted while almanacd keeps it; a new one is not made in its place",
      hint:
        "move it back, or put a backup there with \(command: "restore"); to begin with an empty store, stop almanacd first",
      code: .store(.moved), path: path)
  }

  #if os(Linux)
    private static func opened() -> Int32? {
      let descriptor = socket(AF_UNIX, SocketType.datagram | SocketType.closeOnExec, 0)
      return descriptor < 0 ? nil : descriptor
    }

    private static func call(
      _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ descriptor: Int32, _ path: String
    ) -> Bool {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      let name = Array("\0almanacd/\(digest(of: place(path)))".utf8)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
      let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
      return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { function(descriptor, $0, length) == 0 }
      }
    }
  #endif

  /// The path as every program spells it: the folder of the store may be missing, the one that it is in is not.
  private static func place(_ path: String) -> String {
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    guard let real = realpath(folder, nil) else { return path }
    defer { free(real) }
    return String(cString: real) + "/" + path[(slash.map { path.index(after: $0) } ?? path.startIndex)...]
  }

  /// 64 bits: a name has 107 bytes at most, and two paths of one machine with the same digest are as good as
  /// impossible.
  private static func digest(of text: String) -> String {
    var hash = StableHash()
    hash.add(text.utf8)
    return String(hash.value, radix: 16)
  }
}
