import Foundation
import Models

/// A recording on the disk.
struct SeedFile {
  /// Where.
  let path: String

  /// The whole file.
  func read() throws(Failure) -> [UInt8] {
    do { return Array(try Data(contentsOf: URL(filePath: path))) } catch {
      throw Failure(
        .recording, .notFound, "the recording \(path) cannot be read: \(error.localizedDescription)", path: path)
    }
  }
}
