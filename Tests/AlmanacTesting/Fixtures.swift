import Foundation
public import Models

/// Samples that others recorded; they lie beside the checkout on machines that have them.
public enum Fixtures {
  /// The folder: `ALMANAC_FIXTURES`, or `../shared/fixtures` from the package's folder; `nil` where there is none.
  public static let folder: String? = {
    let environment = ProcessInfo.processInfo.environment["ALMANAC_FIXTURES"]
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let path = environment ?? root.appending(path: "shared/fixtures").path
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }()

  /// Why tests that need the samples are skipped.
  public static let reason = "the recorded samples are not on this machine (../shared/fixtures, or ALMANAC_FIXTURES)"

  /// The names of a folder's files, sorted; empty where the samples are not there.
  public static func names(_ subfolder: String) -> [String] {
    guard let folder else { return [] }
    return ((try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(subfolder)")) ?? []).sorted()
  }

  /// A file's bytes.
  public static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: "\(folder ?? "")/\(path)")))
  }
}

extension CollectionCatalog {
  /// Every type of record, as if one source filled all collections.
  public static let everything = CollectionCatalog([
    SourceDescriptor(
      name: SourceName(rawValue: "all"), summary: "every kind of record", forms: [],
      collections: [
        .init(App.self, columns: ["id"], media: ["thumbnailURL"]), .init(ChartSnapshot.self, columns: ["id"]),
        .init(Photo.self, columns: ["id"], media: ["thumbnailURL"]),
        .init(Owner.self, columns: ["id"], media: ["iconURL"]), .init(Profile.self, columns: ["id"]),
        .init(Person.self, columns: ["id"]),
      ])
  ])
}
