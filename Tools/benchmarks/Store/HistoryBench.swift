import Models
import Persistence
import Ports

/// Measures what a history costs, and how fast the past is read: repositories of which a quarter changes at each sync.
enum HistoryBench {
  private static let collection = CollectionName(rawValue: "repos")
  private static let page = 500

  /// - Parameter keeps: whether a history is kept; without one, the same work is measured for the ratio.
  static func run(
    _ folder: String, repos: Int, syncs: Int, keeps: Bool, _ report: (String, Int, String) -> Void
  ) async throws(StoreError) {
    let store = try JSONFileStore(folder: folder, history: keeps ? .keep() : nil)
    var stars = Array(repeating: 0, count: repos)
    var changes = 0
    var begun = StoreBench.now()
    for sync in 0..<syncs {
      for first in stride(from: 0, to: repos, by: page) {
        changes += try await store.write { (transaction) throws(StoreError) in
          for number in first..<min(first + page, repos) where sync == 0 || (number &* 31 &+ sync) % 4 == 0 {
            stars[number] += 1 + sync % 3
            let id = Sample.id(number)
            try transaction.put(record(id, stars[number]), id: id, in: collection)
          }
          transaction.explain(ChangeCause(.sync, follow: "github/repos/apple", run: "\(sync)"))
        }.records
      }
    }
    _ = try await store.compact()
    report("ingest", (StoreBench.now() - begun) / max(1, changes), "ns")
    guard keeps else { return }
    let kept = try store.histories()
    report("size", kept.reduce(0) { $0 + $1.bytes } / max(1, kept.reduce(0) { $0 + $1.changes }), "bytes")
    let last = try store.snapshot().sequence
    let lookups = min(repos, 2000)
    for (name, commit) in [("now", last), ("past", last / 2)] {
      let snapshot = try store.snapshot(at: commit)
      begun = StoreBench.now()
      for number in 0..<lookups { _ = try snapshot.record(collection, Sample.id(number * 7919 % repos)) }
      report("lookup-\(name)", (StoreBench.now() - begun) / lookups, "ns")
    }
    begun = StoreBench.now()
    for number in 0..<lookups { _ = try store.history(collection, Sample.id(number), before: nil, limit: 1000) }
    report("history", (StoreBench.now() - begun) / lookups, "ns")
    for (name, commit) in [("recent", last * 99 / 100), ("middle", last / 2), ("first", 1)] {
      begun = StoreBench.now()
      try store.snapshot(at: commit).scan(collection, .all) { (_: RawSpan) throws(StoreError) in .next }
      report("scan-\(name)", StoreBench.now() - begun, "ns")
    }
    begun = StoreBench.now()
    try store.history(collection, in: last * 99 / 100...last) { (_) throws(StoreError) in .next }
    report("diff", StoreBench.now() - begun, "ns")
  }

  private static func record(_ id: String, _ stars: Int) -> [UInt8] {
    Array(
      """
      {"id":"\(id)","name":"repository-\(id)","about":"\(String(repeating: "what it is for ", count: 6))",\
      "stars":\(stars),"forks":7,"pushedAt":"2026-11-\(10 + stars % 20)T09:00:00Z","language":"Swift",\
      "license":"Apache-2.0","topics":["swift","server"]}
      """.utf8)
  }
}
