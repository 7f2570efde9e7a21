import CLibrary
public import Models

/// The folder of definitions of sources: `sources` beside the config file, with one file `NAME.json` for each source.
public struct DefinitionFolder: Sendable {
  public let path: String

  public init(beside config: String) {
    path = (config.lastIndex(of: "/").map { String(config[...$0]) } ?? "") + "sources"
  }

  public func file(of source: SourceName) -> String { "\(path)/\(source).json" }

  /// The sources that have a file, by name; none where there is no folder.
  public func names() -> [SourceName] {
    let folder = RealFileSystem(path: path, isAnywhere: true, followsLink: true)
    guard (try? folder.openFolder(create: false)) == true, let names = try? folder.names() else { return [] }
    return names.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") && $0.utf8.count > 5 }
      .map { SourceName(rawValue: String($0.dropLast(5))) }.sorted()
  }

  /// A whole file; at most 16 MiB.
  public static func bytes(of path: String) throws(Failure) -> [UInt8] {
    do throws(FileFailure) { return try WholeFile.read(path, most: 1 << 24).bytes } catch {
      throw Failure(
        .config, [EACCES, EPERM].contains(error.number) ? .denied : .notFound,
        "the file \(path) cannot be read: \(error.reason)", code: .own(.unreadable), path: path)
    }
  }

  public func install(_ bytes: [UInt8], as source: SourceName) throws(Failure) { try replace(file(of: source), bytes) }

  /// Removes the definition of a source and its tokens. The server that may get its key stays remembered.
  ///
  /// - Parameter keepsFile: whether the file is kept in the folder `.removed`, in the place of an earlier one.
  /// - Returns: where it is kept.
  /// - Throws: `Failure` where it cannot be removed.
  public func remove(_ source: SourceName, keepsFile: Bool) throws(Failure) -> String? {
    let file = file(of: source)
    let kept = keepsFile ? "\(path)/.removed/\(source).json" : nil
    if keepsFile { mkdir("\(path)/.removed", 0o700) }
    guard (kept.map { rename(file, $0) } ?? unlink(file)) == 0 else {
      throw Failure(
        .config, .cannotCreate, "the file \(file) cannot be removed", number: errno, code: .own(.unwritable), path: file
      )
    }
    unlink("\(path)/.tokens/\(source)")
    return kept
  }

  // MARK: Servers that get keys

  /// The file of the servers that get keys, one line `SOURCE ORIGIN` each.
  private var trustFile: String { "\(path)/.trusted" }

  /// The server that gets the key of a source; `nil` where none got it yet.
  public func trustedOrigin(of source: SourceName) -> String? { trustedLines().first { $0.source == source }?.origin }

  public func trust(_ origin: String, for source: SourceName) throws(Failure) {
    // Another process may remember a server of another source now. Without the lock after 10 s, it is remembered as well.
    try? RealFileSystem.makeFolders(path, mode: 0o755)
    let lock = try? FolderLock.take(beside: trustFile)
    defer { lock?.release() }
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
    do throws(FileFailure) {
      try RealFileSystem.makeFolders(path, mode: 0o755)
      try RealFileSystem.makeFolders("\(path)/\(name)")
    } catch {
      throw Failure(
        .config, .cannotCreate, "the folder \(path)/\(name) cannot be created", number: error.number,
        code: .own(.unwritable), path: "\(path)/\(name)")
    }
  }

  /// Puts a new file in the place of one, whole or not at all. It is durable when the method returns.
  public func replace(_ file: String, _ bytes: [UInt8], mode: UInt32 = 0o644) throws(Failure) {
    do throws(FileFailure) { try WholeFile.replace(file, with: bytes, mode: mode_t(mode), folderMode: 0o755) } catch {
      throw Failure(
        .config, .cannotCreate, "the file \(file) cannot be written", number: error.number,
        hint: FolderPath.owning(file, error.number), code: .own(.unwritable), path: file)
    }
  }
}
