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
        "the file \(path) cannot be read: \(String(cString: strerror(code)))", code: .own(.unreadable), path: path)
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

  /// Writes a definition; the folder is created if needed.
  ///
  /// - Throws: `Failure` where it cannot be written.
  public func install(_ bytes: [UInt8], as source: SourceName) throws(Failure) { try replace(file(of: source), bytes) }

  /// Removes the definition of a source and its tokens. The server that may get its key stays remembered.
  ///
  /// - Throws: `Failure` where it cannot be removed.
  public func remove(_ source: SourceName) throws(Failure) {
    let file = file(of: source)
    guard unlink(file) == 0 else {
      throw Failure(
        .config, .cannotCreate, "the file \(file) cannot be removed", number: errno, code: .own(.unwritable), path: file
      )
    }
    unlink("\(path)/.tokens/\(source)")
  }

  // MARK: Servers that get keys

  /// The file of the servers that get keys, one line `SOURCE ORIGIN` each.
  private var trustFile: String { "\(path)/.trusted" }

  /// The server that gets the key of a source; `nil` where none got it yet.
  public func trustedOrigin(of source: SourceName) -> String? {
    trustedLines().first { $0.source == source }?.origin
  }

  /// Remembers which server gets the key of a source.
  ///
  /// - Throws: `Failure` where it cannot be written.
  public func trust(_ origin: String, for source: SourceName) throws(Failure) {
    var lines = trustedLines().filter { $0.source != source }
    lines.append((source, origin))
    let text = lines.sorted { $0.source < $1.source }.map { "\($0.source) \($0.origin)\n" }.joined()
    try replace(trustFile, Array(text.utf8))
  }

  private func trustedLines() -> [(source: SourceName, origin: String)] {
    let bytes = (try? Self.bytes(of: trustFile)) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      return words.count == 2 ? (SourceName(rawValue: words[0]), words[1]) : nil
    }
  }

  /// Creates a folder in the folder that only its owner can read.
  ///
  /// - Throws: `Failure` where it cannot be created.
  func makeFolder(_ name: String) throws(Failure) {
    for end in path.indices.dropFirst() where path[end] == "/" { mkdir(String(path[..<end]), 0o755) }
    mkdir(path, 0o755)
    if mkdir("\(path)/\(name)", 0o700) != 0, errno != EEXIST {
      throw Failure(
        .config, .cannotCreate, "the folder \(path)/\(name) cannot be created", number: errno, code: .own(.unwritable),
        path: "\(path)/\(name)")
    }
  }

  /// Puts a new file in the place of one, whole or not at all. It is durable when the method returns.
  func replace(_ file: String, _ bytes: [UInt8], mode: mode_t = 0o644) throws(Failure) {
    func failure() -> Failure {
      Failure(
        .config, .cannotCreate, "the file \(file) cannot be written", number: errno, code: .own(.unwritable), path: file
      )
    }
    for end in path.indices.dropFirst() where path[end] == "/" { mkdir(String(path[..<end]), 0o755) }
    if mkdir(path, 0o755) != 0, errno != EEXIST { throw failure() }
    let temporary = "\(file).\(getpid()).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw failure() }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    let isWhole = rest.isEmpty && fsync(descriptor) == 0
    close(descriptor)
    guard isWhole, rename(temporary, file) == 0 else {
      let problem = failure()
      unlink(temporary)
      throw problem
    }
    // The new name is durable once its folder is.
    let folder = open(String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw failure() }
    defer { close(folder) }
    if fsync(folder) != 0 { throw failure() }
  }
}
