import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

/// A second sync that finds nothing new, by what it leaves on the disk. (A chart is seen again, and its
/// `lastObservedAt` moves with it: that is one record more for each chart that is followed.)
@Suite struct QuietSyncTests {
  private struct Stand: Equatable {
    var size: Int
    var changed: Date
  }

  private func stand(_ folder: String) throws -> [String: Stand] {
    var files: [String: Stand] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let facts = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
      guard facts[.type] as? FileAttributeType == .typeRegular else { continue }
      files[name] = Stand(size: facts[.size] as? Int ?? 0, changed: facts[.modificationDate] as? Date ?? .distantPast)
    }
    return files
  }

  @Test func aQuietSyncWritesTheTimesOfTheFollowsAndNothingElse() async throws {
    var options = UpstreamOptions()
    options.userIDs = ["u0", "u1", "u2", "u3"]
    let upstream = try Upstream(options)
    let almanac = try Program("almanac")
    defer {
      almanac.clean()
      upstream.stop()
    }
    let servers = ["users", "people"].flatMap { ["--server", "\($0)=\(upstream.url)"] }
    let paths = options.userIDs.map { "users/\($0)" } + ["people"]
    let sync = ["sync", "--format", "json"] + paths + servers
    #expect(try await almanac.run(sync).status == 0)
    #expect(try await almanac.run("compact").status == 0)
    let before = try stand(almanac.store)
    let runs = try await almanac.run("list", "runs", "--format", "json").records().count
    let quiet = try await almanac.run(sync).object()
    for follow in quiet["follows"] as? [[String: Any]] ?? [] { #expect(follow["status"] as? String == "unchanged") }
    let after = try stand(almanac.store)
    // Collections stand untouched; what grew is the journal, by one commit.
    let changed = after.filter { before[$0.key] != $0.value }.keys.sorted()
    #expect(Set(before.keys) == Set(after.keys))
    #expect(changed.allSatisfy { $0.hasPrefix("journal") || $0 == "lock" }, "\(changed)")
    let grown = changed.reduce(0) { $0 + (after[$1]?.size ?? 0) - (before[$1]?.size ?? 0) }
    // Nothing at all where it is still the same second.
    #expect(grown < 161 + 400 * paths.count, "\(grown) bytes")
    #expect(try await almanac.run("list", "runs", "--format", "json").records().count == runs)
    print("a quiet sync of \(paths.count) follows: \(grown) bytes of the journal, 0 of any collection")
  }
}
