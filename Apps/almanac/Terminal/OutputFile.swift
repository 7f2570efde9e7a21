import Glibc
import Models

/// A file that a command writes: whole, or not at all.
struct OutputFile {
  /// Where; `-` is standard output.
  let path: String

  /// Writes an answer there, and says so where it is a file.
  func write(_ bytes: [UInt8], for terminal: Terminal) throws(Failure) {
    if path == "-" { return terminal.write(bytes) }
    try write(bytes)
    terminal.note("wrote \(path)")
  }

  /// Writes beside the file and renames, where there is a file or nothing yet; a link stays one. Pipes and devices
  /// take the bytes as they come.
  func write(_ bytes: [UInt8]) throws(Failure) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return try replace(path, mode: nil, bytes) }
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let target = realpath(path, nil) else {
      return try fill(path, O_CREAT | O_TRUNC, mode: nil, bytes)
    }
    defer { free(target) }
    try replace(String(cString: target), mode: status.st_mode & 0o777, bytes)
  }

  private func replace(_ target: String, mode: mode_t?, _ bytes: [UInt8]) throws(Failure) {
    let temporary = "\(target).\(getpid()).new"
    do throws(Failure) {
      try fill(temporary, O_CREAT | O_EXCL, mode: mode, bytes)
      guard rename(temporary, target) == 0 else { throw failure(.inputOutput) }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// Opens and writes; what is a file is on the disk afterwards.
  private func fill(_ target: String, _ flags: Int32, mode: mode_t?, _ bytes: [UInt8]) throws(Failure) {
    let descriptor = open(target, O_WRONLY | O_CLOEXEC | flags, 0o644)
    guard descriptor >= 0 else { throw failure(.cannotCreate) }
    defer { close(descriptor) }
    if let mode { fchmod(descriptor, mode) }
    guard Descriptor(descriptor).write(bytes) == nil, fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else {
      throw failure(.inputOutput)
    }
  }

  private func failure(_ reason: Failure.Reason) -> Failure {
    Failure(
      .store, reason, "'\(path)' cannot be written: \(String(cString: strerror(errno)))", path: path)
  }
}

/// A file that a command reads.
struct InputFile {
  /// Where; `-` is standard input.
  let path: String

  /// The whole file.
  func read() throws(Failure) -> [UInt8] {
    let descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure() }
    defer { if descriptor > 0 { close(descriptor) } }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 262_144)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure() }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  private func failure() -> Failure {
    let code = errno
    return Failure(
      .config, code == EACCES || code == EPERM ? .denied : .notFound,
      "'\(path)' cannot be read: \(String(cString: strerror(code)))", path: path)
  }
}
