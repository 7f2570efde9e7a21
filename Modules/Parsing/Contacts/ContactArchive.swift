import Models
import Ports

/// The files of a ZIP archive that somebody imports.
enum ContactArchive {
  /// What the files of an archive may be together: an archive of a few kilobytes can become many gigabytes.
  static let mostBytes = 256 << 20

  static func isOne(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) }

  /// The files in their order, without folders, and without what macOS adds to each of them.
  ///
  /// - Throws: `ParsingError`: `truncated` or `syntax` for a damaged archive; `limit` for one that is too large; `foreign` for
  ///   one that is encrypted, or is compressed in another way.
  static func files(of bytes: [UInt8]) throws(ParsingError) -> [(name: String, bytes: [UInt8])] {
    var (files, total): ([(name: String, bytes: [UInt8])], Int) = ([], 0)
    var current: ZIPArchive.Entry?
    do throws(ZIPArchive.Problem) {
      let archive = try ZIPArchive(length: bytes.count) { Array(bytes[$0..<($0 + $1)]) }
      for entry in archive.entries where !entry.name.hasSuffix("/") && !entry.name.hasPrefix("__MACOSX/") {
        current = entry
        files.append((entry.name, try archive.content(of: entry, most: mostBytes - total)))
        total += entry.size
      }
      return files
    } catch {
      throw Self.error(error, current, bytes.count)
    }
  }

  private static func error(_ problem: ZIPArchive.Problem, _ entry: ZIPArchive.Entry?, _ end: Int) -> ParsingError {
    let (offset, name) = (entry?.offset ?? 0, entry?.name ?? "")
    let expected = "'\(name)' stored, or compressed by DEFLATE"
    return switch problem {
    case .notThere, .noList:
      ParsingError(.truncated, offset: end, expected: "the directory of the ZIP archive", found: "the end")
    case .damaged(let place):
      ParsingError(.syntax, offset: place, expected: "a file of the ZIP archive", found: "damaged bytes")
    case .encrypted: ParsingError(.foreign, offset: offset, expected: expected, found: "an encrypted file")
    case .method(let method): ParsingError(.foreign, offset: offset, expected: expected, found: "the method \(method)")
    case .tooLarge:
      ParsingError(.limit, offset: offset, expected: "files of \(mostBytes >> 20) MiB together", found: "more")
    }
  }
}
