import Foundation

/// The recorded samples outside the repository, if they are present.
enum Samples {
  /// The folder: `ALMANAC_FIXTURES`, or `../shared/fixtures` seen from the project's root.
  static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["ALMANAC_FIXTURES"] { return URL(filePath: path) }
    return URL(filePath: #filePath)  // Tests/ParsingTests/Corpus/Samples.swift
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "../shared/fixtures").standardizedFileURL
  }()

  /// Whether the samples are there; tests that need them are skipped where they are not.
  static let areThere = FileManager.default.fileExists(atPath: folder.path)

  /// Why such tests are skipped.
  static let reason = "no samples at ../shared/fixtures; set ALMANAC_FIXTURES to their folder"

  /// The bytes of one sample.
  static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appending(path: path)))
  }

  /// The names of a folder's files, in order.
  static func names(in path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: path).path).sorted()
  }
}
