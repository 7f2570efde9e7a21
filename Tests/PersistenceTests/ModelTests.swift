import AlmanacTesting
import Foundation
import Models
import Persistence
import Ports
import Testing

@Suite("Random histories agree with a dictionary")
struct ModelTests {
  @Test func histories() async throws {
    let wanted = ProcessInfo.processInfo.environment["ALMANAC_HISTORIES"].flatMap { UInt64($0) } ?? 80
    for seed in 1...wanted { try await history(seed) }
    print("\(wanted) random histories: the store and the dictionary agree")
  }

  private func history(_ seed: UInt64) async throws {
    var chance = Chance(seed)
    let disk = SimulatedDisk()
    var store = try open(disk)
    var contents: StoreModel.Contents = [:]
    var held: [(snapshot: any StoreSnapshot, contents: StoreModel.Contents)] = []
    var follower = Follower()
    for _ in 0..<12 {
      switch chance.below(10) {
      case 0: _ = try await store.compact()
      case 1: store = try open(disk)
      case 2: held.append((try store.snapshot(), contents))
      case 3: try follower.follow(store, limit: 1 + chance.below(9))
      default:
        let steps = chance.steps()
        let result = try await store.apply(steps)
        let next = contents.after(steps)
        try #require((result.sequence != nil) == (next != contents), "seed \(seed)")
        contents = next
      }
      if chance.below(3) == 0 {
        // Another process reads it.
        try #require(open(disk).snapshot().contents() == contents, "seed \(seed)")
      }
      try #require(store.snapshot().contents() == contents, "seed \(seed)")
      try lookUp(store, contents, &chance, seed)
    }
    for (snapshot, contents) in held { try #require(snapshot.contents() == contents, "seed \(seed), a snapshot moved") }
    try follower.follow(store, limit: 7)
    try #require(follower.contents == contents, "seed \(seed), the feed leads elsewhere")
  }

  private func open(_ disk: SimulatedDisk) throws(StoreError) -> JSONFileStore {
    try JSONFileStore(system: disk, time: ManualTime(), limits: .tiny)
  }

  /// Single records and ranges.
  private func lookUp(
    _ store: JSONFileStore, _ contents: StoreModel.Contents, _ chance: inout Chance, _ seed: UInt64
  ) throws {
    let snapshot = try store.snapshot()
    for id in ["a", "b", "k\(chance.below(12))", "p/\(chance.below(6))", "nobody"] + LookAlikes.ids.prefix(6) {
      let found = try snapshot.record(.people, id).map { String(decoding: $0, as: UTF8.self) }
      try #require(found == contents["people"]?[id.spelledOut], "seed \(seed), \(id)")
    }
    let prefix = ["", "k", "k1", "p/", "q"][chance.below(5)]
    let after = chance.below(2) == 0 ? nil : ["a", "k1", "k3", "p/2", "zz"][chance.below(5)]
    let found = try snapshot.all(.people, ScanRange(prefix: prefix, after: after))
    let expected = (contents["people"] ?? [:]).filter { $0.key.hasPrefix(prefix) && $0.key > after ?? "" }
      .sorted { $0.key < $1.key }.map(\.value)
    try #require(found == expected, "seed \(seed), prefix '\(prefix)' after '\(after ?? "")'")
  }
}

/// Keeps a copy of a store by its change feed alone.
struct Follower {
  private(set) var contents: StoreModel.Contents = [:]
  private var cursor: ChangeCursor?

  /// Takes over all changes, in pieces; begins again where the cursor is too old.
  mutating func follow(_ store: JSONFileStore, limit: Int) throws {
    while true {
      do throws(StoreError) {
        let changes = try store.changes(since: cursor, limit: limit)
        for change in changes {
          let name = change.collection.rawValue
          contents[name, default: [:]][change.id.spelledOut] = change.record.map { String(decoding: $0, as: UTF8.self) }
          if contents[name]!.isEmpty { contents[name] = nil }
        }
        guard let last = changes.last else { return }
        cursor = last.cursor
      } catch {
        guard error.code == .cursorExpired else { throw error }
        contents = [:]
        cursor = nil
      }
    }
  }
}
