public import Models

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The folder of definitions of sources: `sources` beside the config file, with one file `NAME.json` for each source.
public struct DefinitionFolder: Sendable {
  /// The folder.
  public let path: String

  /// The folder beside a config file.
  public init(beside config: String) {
    path = (config.lastIndex(of: "/").map { String(config[...$0]) } ?? "") + "sources"
  }

  /// The file of a source.
  public func file(of source: SourceName) -> String { "\(path)/\(source).json" }

  /// The sources that have a file, by name; none where there is no folder.
  public func names() -> [SourceName] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [SourceName] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(".json"), !name.hasPrefix("."), name.utf8.count > 5 {
        names.append(SourceName(rawValue: String(name.dropLast(5))))
      }
    }
    return names.sorted()
  }

  /// A whole file; less than 16 MiB.
  ///
  /// - Throws: `Failure` where it cannot be read.
  public static func bytes(of path: String) throws(Failure) -> [UInt8] {
    func failure(_ code: Int32) -> Failure {
      Failure(
        .config, code == EACCES || code == EPERM ? .denied : .notFound,
        "the file \(path) cannot be read: \(String(cString: strerror(code)))", code: "unreadable", path: path)
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < 1 << 24 {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(errno) }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
    throw failure(EFBIG)
  }
}
