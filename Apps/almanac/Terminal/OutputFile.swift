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

  /// Writes beside the file and renames.
  func write(_ bytes: [UInt8]) throws(Failure) {
    let temporary = "\(path).\(getpid()).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure(.cannotCreate) }
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + done, bytes.count - done) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      done += count
    }
    let whole = done == bytes.count && fsync(descriptor) == 0
    let problem = failure(.inputOutput)
    close(descriptor)
    guard whole, rename(temporary, path) == 0 else {
      unlink(temporary)
      throw whole ? failure(.inputOutput) : problem
    }
  }

  private func failure(_ reason: Failure.Reason) -> Failure {
    Failure(.store, reason, "\(path) cannot be written: \(String(cString: strerror(errno)))", path: path)
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
      .config, code == ENOENT ? .notFound : .denied, "\(path) cannot be read: \(String(cString: strerror(code)))",
      path: path)
  }
}
