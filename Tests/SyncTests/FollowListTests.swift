import AlmanacTesting
import Foundation
import Models
import Parsing
import Persistence
import Ports
import Sync
import Testing

/// The follows of a store that two machines share, each with a config file of its own.
@Suite struct FollowListTests {
  private struct Machine {
    let settings: SettingsFile
    let list: FollowList

    init(_ folder: String, _ name: String, _ store: (any RecordStore)?) {
      let settings = SettingsFile(
        path: "\(folder)/\(name).json", isRequired: false, format: JSONSettingsFormat(), environment: [:],
        sync: { _ in 0 })
      self.settings = settings
      var stored: (@Sendable () -> StoredFollows)?
      if let store { stored = { StoredFollows(store: store, coder: JSONRecordCoder()) } }
      list = FollowList(
        settings: settings, store: stored,
        check: { follow throws(FollowError) in try Self.check(follow) })
    }

    /// Paths are in lower case, and a limit is at most 50.
    static func check(_ follow: Follow) throws(FollowError) -> Follow {
      if follow.limit ?? 1 > 50 {
        throw FollowError(follow: follow.path, message: "the limit is too large", allowed: "at most 50")
      }
      var follow = follow
      follow.path = follow.path.lowercased()
      return follow
    }
  }

  private static func with(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/almanac-follows-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
  }

  private struct Dice: RandomNumberGenerator {
    let source: SeededRandom
    mutating func next() -> UInt64 { source.next() }
  }

  private static let paths = ["users/ada", "users/bo", "app-store/us/top-paid", "people"]

  private static func change(_ random: inout some RandomNumberGenerator) -> FollowChange {
    let path = paths.randomElement(using: &random) ?? ""
    var change = FollowChange(Bool.random(using: &random) ? path : path.uppercased())
    if Bool.random(using: &random) { change.limit = Int.random(in: 1...60, using: &random) }
    if Bool.random(using: &random) { change.every = Interval(seconds: Int.random(in: 1...9, using: &random) * 60) }
    if Bool.random(using: &random) { change.isPaused = Bool.random(using: &random) }
    if Int.random(in: 0..<4, using: &random) == 0 { change.removed = ["limit", "every"] }
    return change
  }

  /// The rule, said once more: what is named replaces what was there.
  private static func entry(_ change: FollowChange, _ old: Follow?) -> Follow {
    var follow = old ?? Follow(path: change.path.lowercased())
    if change.removed.contains("limit") { follow.limit = nil }
    if change.removed.contains("every") { follow.every = nil }
    if let limit = change.limit { follow.limit = limit }
    if let every = change.every { follow.every = every }
    if let isPaused = change.isPaused { follow.isPaused = isPaused }
    return follow
  }

  private static let count = ProcessInfo.processInfo.environment["ALMANAC_HISTORIES"].flatMap { Int($0) } ?? 12

  @Test("random histories of two config files and one store equal their model", arguments: 0..<count)
  func histories(seed: Int) async throws {
    try await Self.with { folder in
      var random = Dice(source: SeededRandom(seed: UInt64(seed)))
      let store = InMemoryRecordStore(time: ManualTime())
      let machines = ["a", "b"].map { Machine(folder, $0, store) }
      var configs: [[ExactString: Follow]] = [[:], [:]]
      var stored: [ExactString: Follow] = [:]
      for step in 0..<60 {
        let at = Int.random(in: 0..<2, using: &random)
        let change = Self.change(&random)
        let path = change.path.lowercased().exact
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
          // Somebody edits the file.
          let follow = Follow(path: change.path.lowercased(), limit: 7)
          let settings = machines[at].settings
          _ = try settings.change(.follow([follow]), of: settings.load())
          configs[at][path] = follow
        case 1, 2:
          let ended = try await machines[at].list.unfollow(change.path)
          if configs[at].removeValue(forKey: path) != nil {
            #expect(ended == .config, "\(step)")
          } else {
            #expect(ended == (stored.removeValue(forKey: path) == nil ? nil : .store), "\(step)")
          }
        default:
          let isInConfig = configs[at][path] != nil
          let old = isInConfig ? configs[at][path] : stored[path]
          let new = Self.entry(change, old)
          do {
            let (follow, earlier) = try await machines[at].list.follow(change)
            #expect((change.limit ?? 1) <= 50 && follow.fields == new.fields, "\(step): \(follow.fields)")
            #expect(earlier?.fields == old?.fields && follow.origin == (isInConfig ? .config : .store), "\(step)")
            if isInConfig { configs[at][path] = new } else { stored[path] = new }
          } catch let failure as Failure {
            #expect((change.limit ?? 1) > 50 && failure.reason == .usage, "\(step): \(failure)")
          }
        }
        for (machine, config) in zip(machines, configs) {
          let all = try StoredFollows(store: store, coder: JSONRecordCoder()).all()
          #expect(all.map(\.fields) == stored.values.sorted { $0.$path < $1.$path }.map(\.fields), "\(step)")
          let seen = try machine.settings.load().strict().adding(storeFollows: all)
          let expected = config.merging(stored) { own, _ in own }
          let listed = Dictionary(uniqueKeysWithValues: seen.follows.map { ($0.$path, $0.fields) })
          #expect(listed == expected.mapValues(\.fields), "\(step)")
          for follow in seen.follows {
            #expect(follow.origin == (config[follow.$path] == nil ? .store : .config), "\(step)")
          }
          #expect(Set(seen.followsInBoth.map(\.$path)) == Set(config.keys).intersection(stored.keys), "\(step)")
          // Once more changes nothing, also after a follow of the store has ended.
          #expect(seen.adding(storeFollows: all) == seen && seen.adding(storeFollows: []).follows.count == config.count)
        }
      }
    }
  }

  @Test("a store in a folder keeps no follows: they are in the config file, without an origin")
  func folder() async throws {
    try await Self.with { folder in
      let machine = Machine(folder, "a", nil)
      let (follow, earlier) = try await machine.list.follow(FollowChange("users/ada"))
      #expect(follow.origin == nil && earlier == nil && follow.listed == ["follow": "users/ada"])
      #expect(try machine.settings.load().strict().follows == [follow])
      #expect(try await machine.list.unfollow("users/ada") == .config)
      #expect(try await machine.list.unfollow("users/ada") == nil)
    }
  }

  @Test(
    "unfollow notes that a follow ended, also one of a config file unless the store has it, until it is pulled again")
  func ended() async throws {
    try await Self.with { folder in
      let bench = Bench()
      bench.server.set("one", ["a": "1"])
      let path = "fake/card/one"
      let machines = ["a", "b"].map { Machine(folder, $0, bench.store) }
      func isEnded() throws -> Bool { try bench.record(.state, "follow/\(path)")?["ended"]?.bool == true }
      _ = try machines[0].settings.change(.follow([Follow(path: path)]), of: machines[0].settings.load())
      _ = try await machines[1].list.follow(FollowChange(path))
      // One that was never pulled had listed nothing.
      #expect(try await machines[1].list.unfollow(path) == .store && bench.ids(.state).isEmpty)
      _ = try await machines[1].list.follow(FollowChange(path))
      _ = try await bench.sync(path)
      #expect(try await machines[0].list.unfollow(path) == .config && !isEnded())
      #expect(try await machines[1].list.unfollow(path) == .store && isEnded())
      bench.time.advance(by: .seconds(60))
      #expect(try await bench.sync(path).follows.map(\.status) == [.unchanged])
      #expect(try !isEnded())
      _ = try machines[0].settings.change(.follow([Follow(path: path)]), of: machines[0].settings.load())
      #expect(try await machines[0].list.unfollow(path) == .config && isEnded())
    }
  }

  @Test("an entry that a later version wrote is read with what it names, and none without a path is")
  func entries() throws {
    let fields: JSONObject = ["follow": "a/b", "limit": 3, "every": "2h", "paused": true, "later": "x"]
    let follow = Follow(fields: fields)
    #expect(follow?.fields == fields && follow?.options == ["later": "x"])
    #expect(Follow(fields: ["limit": 3]) == nil)
  }

  @Test("a follow that this machine cannot ask for fails here alone, and the store does not keep it")
  func localBlockers() async throws {
    let bench = Bench()
    bench.server.set("one", ["a": "1"])
    let follow = Follow(path: "fake/card/one")
    let reason = Failure(.config, .config, "there is no account here")
    let poor = SyncEngine(
      store: bench.store, sources: bench.sources, transport: bench.transport, coder: bench.coder, time: bench.time,
      random: SeededRandom(), events: bench.events, localBlocker: { _ in reason })
    #expect(try await poor.sync([follow], SyncOptions()).follows.map(\.error) == [reason])
    let ids = try bench.ids(.state)
    #expect(bench.server.now.seen.isEmpty && ids.allSatisfy { !$0.hasPrefix("follow/") })
    #expect(try poor.status([follow]).follows.map(\.error) == [reason])
    #expect(try bench.engine.status([follow]).follows.map(\.error) == [nil])
    #expect(try await bench.engine.sync([follow], SyncOptions()).follows.map(\.status) == [.ok])
    // What another machine fetched is there, and this one still says why it cannot.
    let status = try poor.status([follow]).follows[0]
    #expect(status.error == reason && status.lastSuccess != nil && status.failures == 0)
    var paused = follow
    paused.isPaused = true
    #expect(try poor.status([paused]).follows.map(\.error) == [nil])
  }
}
