import CLibrary
import Frontend
import Models

/// A file that a command writes: whole, or not at all.
struct OutputFile {
  /// Where; `-` is standard output.
  let path: String

  /// What gives the pieces of an answer.
  typealias Body = (_ take: ([UInt8]) -> Bool) throws(Failure) -> Void

  /// Writes an answer there, and says so where it is a file.
  func write(_ bytes: [UInt8], for terminal: Terminal) throws(Failure) {
    try write(for: terminal) { _ = $0(bytes) }
  }

  /// Writes an answer piece by piece, so that it may be longer than memory, and says so where it is a file.
  ///
  /// - Parameter body: gives each piece to its argument, which answers whether more is wanted: not after a write that
  ///   failed, nor when the reader has left.
  func write(for terminal: Terminal, _ body: Body) throws(Failure) {
    if path == "-" {
      return try body { piece in
        terminal.write(piece)
        return terminal.hasReader && terminal.failure == nil
      }
    }
    let count = try write(body)
    terminal.answer.done(["file": .string(path), "bytes": .int(count)], note: "wrote \(path)")
  }

  func write(_ bytes: [UInt8]) throws(Failure) {
    _ = try write { _ = $0(bytes) }
  }

  /// Writes beside the file and renames, where there is a file or nothing yet; a link stays one. Pipes and devices
  /// take the bytes as they come.
  ///
  /// - Returns: how many bytes were written.
  func write(_ body: Body) throws(Failure) -> Int {
    var status = stat()
    guard lstat(path, &status) == 0 else { return try replace(path, mode: nil, body) }
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let target = realpath(path, nil) else {
      return try fill(path, O_CREAT | O_TRUNC, mode: nil, body)
    }
    defer { free(target) }
    return try replace(String(cString: target), mode: status.st_mode & 0o777, body)
  }

  private func replace(_ target: String, mode: mode_t?, _ body: Body) throws(Failure) -> Int {
    let temporary = "\(target).\(getpid()).new"
    do throws(Failure) {
      let count = try fill(temporary, O_CREAT | O_EXCL, mode: mode, body)
      guard rename(temporary, target) == 0 else { throw failure(.inputOutput) }
      return count
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// Opens and writes; what is a file is on the disk afterwards.
  private func fill(_ target: String, _ flags: Int32, mode: mode_t?, _ body: Body) throws(Failure) -> Int {
    let descriptor = open(target, O_WRONLY | O_CLOEXEC | flags, 0o644)
    guard descriptor >= 0 else { throw failure(.cannotCreate) }
    defer { close(descriptor) }
    if let mode { fchmod(descriptor, mode) }
    var (buffer, problem): ([UInt8], Int32?) = ([], nil)
    var count = 0
    func flush() -> Bool {
      problem = problem ?? Descriptor(descriptor).write(buffer)
      buffer.removeAll(keepingCapacity: true)
      return problem == nil
    }
    try body { piece in
      buffer += piece
      count += piece.count
      return buffer.count < 65_536 || flush()
    }
    if flush(), fsync(descriptor) != 0, errno != EINVAL, errno != EROFS { problem = errno }
    if let problem {
      errno = problem
      throw failure(.inputOutput)
    }
    return count
  }

  private func failure(_ reason: Failure.Reason) -> Failure {
    Failure(.store, reason, "'\(path)' cannot be written", number: errno, path: path)
  }
}

struct InputFile {
  /// Where; `-` is standard input.
  let path: String

  func read() throws(Failure) -> [UInt8] {
    let pieces = try open()
    var bytes: [UInt8] = []
    while let piece = try pieces.read() { bytes += piece }
    return bytes
  }

  func open() throws(Failure) -> Pieces {
    let descriptor = path == "-" ? 0 : CLibrary.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure() }
    return Pieces(file: self, descriptor: descriptor)
  }

  final class Pieces {
    private let file: InputFile
    private let descriptor: Int32

    fileprivate init(file: InputFile, descriptor: Int32) {
      self.file = file
      self.descriptor = descriptor
    }

    deinit { if descriptor > 0 { close(descriptor) } }

    func read() throws(Failure) -> [UInt8]? {
      var code: Int32 = 0
      let piece = [UInt8](unsafeUninitializedCapacity: 1 << 20) { buffer, size in
        var count = CLibrary.read(descriptor, buffer.baseAddress, buffer.count)
        while count < 0, errno == EINTR { count = CLibrary.read(descriptor, buffer.baseAddress, buffer.count) }
        if count < 0 { code = errno }
        size = max(count, 0)
      }
      if code != 0 { throw file.failure(code) }
      return piece.isEmpty ? nil : piece
    }
  }

  private func failure(_ code: Int32 = errno) -> Failure {
    Failure(
      .config, code == EACCES || code == EPERM ? .denied : .notFound,
      "'\(path)' cannot be read: \(String(cString: strerror(code)))", path: path)
  }
}

enum FolderNames {
  /// The names; `nil` where the folder cannot be read.
  static func all(in folder: String) -> [String]? {
    guard let entries = opendir(folder) else { return nil }
    defer { closedir(entries) }
    var names: [String] = []
    while let entry = readdir(entries) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
