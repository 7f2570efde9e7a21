import CLibrary
import Models

extension ZIPArchive {
  /// Opens the archive in a file. Only what is asked for is read.
  static func open(_ path: String) throws(Problem) -> ZIPArchive {
    let file = ArchiveFile(path)
    guard let length = file.length else { throw .notThere }
    return try ZIPArchive(length: length) { file.bytes($0, $1) }
  }
}

/// A file that is closed when nobody reads it any more.
private final class ArchiveFile {
  private let file: Int32

  init(_ path: String) { file = Platform.openFile(path, O_RDONLY | O_CLOEXEC) }

  deinit { if file >= 0 { Platform.closeFile(file) } }

  var length: Int? {
    var status = stat()
    return file >= 0 && fstat(file, &status) == 0 ? Int(status.st_size) : nil
  }

  func bytes(_ offset: Int, _ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let step = bytes.withUnsafeMutableBytes {
        pread(file, $0.baseAddress! + done, count - done, off_t(offset + done))
      }
      guard step > 0 else { return nil }
      done += step
    }
    return bytes
  }
}
