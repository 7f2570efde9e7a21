import Persistence

/// A call that a store might forget, by what it is for.
enum Mutant: String, CaseIterable, Sendable {
  case syncOfJournal, syncOfRecords, syncOfSums, syncOfManifest, syncOfCutBytes
  case syncOfNamesBeforeManifest, syncOfNamesAfterManifest, syncOfPublishedNames
  case renameOfManifest, renameOfPublishedName, linkOfPublishedName
  case writeOfMark, writeOfJournal, writeOfRecords, writeOfSums, writeOfManifest
  case truncateAfterFailure, removalOfOldFiles
  case syncOfView, writeOfView, renameOfView

  /// For the simulated disk.
  var forgets: SimulatedDisk.Forgetting { { matches($0, $1, lastRename: $2) } }

  private func matches(_ call: String, _ name: String, lastRename: String) -> Bool {
    switch self {
    case .syncOfJournal: call == "sync" && name.hasPrefix("journal.")
    case .syncOfRecords: call == "sync" && name.hasSuffix(".records")
    case .syncOfSums: call == "sync" && name.hasSuffix(".sums")
    case .syncOfManifest: call == "sync" && name == "manifest.new"
    case .syncOfCutBytes: call == "sync" && name.hasPrefix("cut.")
    case .syncOfNamesBeforeManifest: call == "syncFolder" && lastRename != "manifest" && !isPublished(lastRename)
    case .syncOfNamesAfterManifest: call == "syncFolder" && lastRename == "manifest"
    case .syncOfPublishedNames: call == "syncFolder" && isPublished(lastRename)
    case .renameOfManifest: call == "rename" && name == "manifest"
    case .renameOfPublishedName: call == "rename" && isPublished(name)
    case .linkOfPublishedName: call == "link"
    case .writeOfMark: call == "write" && name == "lock"
    case .writeOfJournal: call == "write" && name.hasPrefix("journal.")
    case .writeOfRecords: call == "write" && name.hasSuffix(".records")
    case .writeOfSums: call == "write" && name.hasSuffix(".sums")
    case .writeOfManifest: call == "write" && name == "manifest.new"
    case .truncateAfterFailure: call == "truncate"
    case .removalOfOldFiles: call == "remove"
    case .syncOfView: call == "sync" && name.hasSuffix(".jsonl.new")
    case .writeOfView: call == "write" && name.hasSuffix(".jsonl.new")
    case .renameOfView: call == "rename" && isPublished(name)
    }
  }

  private func isPublished(_ name: String) -> Bool { name.hasSuffix(".jsonl") }
}
