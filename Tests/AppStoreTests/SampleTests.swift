import AlmanacTesting
import AppStore
import Foundation
import Models
import Ports
import Testing

/// Recorded feeds, read a second time by Foundation to compare.
@Suite struct SampleTests {
  @Test(.enabled(if: Fixtures.folder != nil, Comment(rawValue: Fixtures.reason)))
  func everyAppOfARecordedFeedComesThrough() async throws {
    var feeds = 0
    for folder in ["appstore-legacy", "appstore-v1v2"] {
      for name in Fixtures.names(folder) where name.hasSuffix(".json") {
        let body = try Fixtures.bytes("\(folder)/\(name)")
        guard let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any],
          let feed = object["feed"] as? [String: Any]
        else { continue }
        let ids = Self.ids(feed)
        let shelf = Shelf()
        let page = try await shelf.pull(Follow(path: "app-store/us/top-free"), ScriptedTransport([Feed.answer(body)]))
        let rejected = Set(page.rejects.kept.map(\.index))
        let expected = ids.enumerated().filter { !rejected.contains($0.offset) }.compactMap(\.element)
        var seen: Set<String> = []
        let ranks = expected.filter { seen.insert($0).inserted }
        if !ids.isEmpty && rejected.count == ids.count { continue }
        #expect(try shelf.snapshots().map(\.ranks) == [ranks], "\(name)")
        #expect(try shelf.charts.top("app-store/us/top-free", limit: nil).allSatisfy { !$0.artist.isEmpty }, "\(name)")
        feeds += 1
      }
    }
    #expect(feeds >= 8)
  }

  private static func ids(_ feed: [String: Any]) -> [String?] {
    if let results = feed["results"] as? [[String: Any]] { return results.map { $0["id"] as? String } }
    let entries = feed["entry"] as? [[String: Any]] ?? (feed["entry"] as? [String: Any]).map { [$0] } ?? []
    return entries.map { entry in
      let id = entry["id"] as? [String: Any]
      return (id?["attributes"] as? [String: Any])?["im:id"] as? String
    }
  }
}
