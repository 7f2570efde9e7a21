import Foundation
public import Models

/// Recorded samples, which are stored beside the checkout on some machines.
public enum Fixtures {
  /// The folder: `ALMANAC_FIXTURES`, or `../shared/fixtures` from the package's folder; `nil` if there is none.
  public static let folder: String? = {
    let environment = ProcessInfo.processInfo.environment["ALMANAC_FIXTURES"]
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let path = environment ?? root.appending(path: "shared/fixtures").path
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }()

  /// The reason for skipping tests that need the samples.
  public static let reason = "the recorded samples are not on this machine (../shared/fixtures, or ALMANAC_FIXTURES)"

  /// The names of a folder's files, sorted; empty if the samples are missing.
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
  /// A catalog of all record types, as if one source filled all collections.
  public static let everything = CollectionCatalog([
    SourceDescriptor(
      name: SourceName(rawValue: "all"), summary: "every kind of record", forms: [],
      collections: [
        .init(App.self, columns: ["id", "name"], media: ["thumbnailURL"]), .init(ChartSnapshot.self, columns: ["id"]),
        .init(Photo.self, columns: ["id"], media: ["thumbnailURL"]),
        .init(Owner.self, columns: ["id"], media: ["iconURL"]), .init(Profile.self, columns: ["id"]),
        .init(Person.self, columns: ["id", "fullName"]),
      ])
  ])
}
