import Foundation

/// Finds the package that is meant.
package enum PackageRoot {
  /// The given folder, or the nearest folder above the current one that has a `Package.swift`.
  ///
  /// - Throws: `ArchlintError.usage` when there is none.
  package static func find(_ path: String?) throws(ArchlintError) -> String {
    let start = URL(fileURLWithPath: path ?? FileManager.default.currentDirectoryPath).standardizedFileURL.path
    var folder = start
    while true {
      if FileManager.default.fileExists(atPath: folder + "/Package.swift") { return folder }
      guard path == nil, folder != "/", !folder.isEmpty else { throw .usage("there is no Package.swift in \(start)") }
      folder = (folder as NSString).deletingLastPathComponent
    }
  }
}
