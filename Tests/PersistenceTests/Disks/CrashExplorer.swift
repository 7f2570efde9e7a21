import AlmanacTesting
import Models
import Persistence
import Ports
import Synchronization

/// Lets a store live on a simulated disk, and looks at what a power cut or a kill before each call would leave.
struct CrashExplorer {
  struct Violation: Error, CustomStringConvertible { let description: String }

  /// Disks as they would be after a crash, with what a store on them may hold.
  private final class Images: Sendable {
    struct Image: Sendable {
      let disk: SimulatedDisk
      let place: String
      let isKilled: Bool
      /// For what follows.
      let chance: Chance
    }

    private let state: Mutex<(images: [Image], chance: Chance, calls: Int)>

    init(seed: UInt64) { state = Mutex(([], Chance(seed), 0)) }

    /// Takes so many images before each of some of the calls.
    func watch(_ disk: SimulatedDisk, every: Int, each: Int) {
      disk.onChange { [self, unowned disk] (call, name) throws(FileFailure) in
        let isChosen = state.withLock { state in
          state.calls += 1
          return state.chance.below(every) == 0
        }
        guard isChosen else { return }
        for number in 0..<each {
          var chance = Chance(state.withLock { $0.chance.next() })
          // Who is killed before names are on the disk leaves the most to others.
          let isKilled = chance.below(call == "syncFolder" ? 2 : 6) == 0
          let image = isKilled ? disk.killed() : disk.crashed(&chance)
          let place = "before \(call) \(name), image \(number)"
          state.withLock { $0.images.append(Image(disk: image, place: place, isKilled: isKilled, chance: chance)) }
        }
      }
    }

    func take() -> [Image] {
      state.withLock { state in
        defer { state.images = [] }
        return state.images
      }
    }
  }

  let seed: UInt64
  var commits = 12
  /// One call in so many is looked at, with so many images.
  var every = 1
  var each = 2
  var forgotten: Mutant?
  /// Whether the store keeps its history, from the first commit or from a later opening on.
  private var keepsHistory: Bool { seed % 3 != 0 }

  /// Runs one life of a store; how many crash states were looked at.
  func run() async throws -> Int {
    var chance = Chance(seed)
    let disk = SimulatedDisk(forgets: forgotten?.forgets)
    let images = Images(seed: seed ^ 0xABCD)
    images.watch(disk, every: every, each: each)
    var model = StoreModel()
    var store = try open(disk, keepsHistory: keepsHistory && seed % 2 == 0)
    var count = 0
    // A store that has committed nothing since it was opened publishes nothing.
    var publishes = false
    for _ in 0..<commits {
      let mustFold = chance.below(6) == 0
      let before = model.states.count
      if mustFold {
        let manifest = disk.contents("manifest")
        _ = try await store.compact()
        try Self.checkPublished(disk, model.newest)
        // With nothing to compact, nothing is removed.
        if let manifest, disk.contents("manifest") != manifest { try Self.checkFiles(disk) }
      } else if chance.below(5) == 0 {
        let records = chance.records()
        let next = model.newest.after(records)
        if next != model.newest { model.states.append(next) }
        _ = try await store.load(records)
      } else {
        // A first commit that is long becomes collection files at once.
        let steps = model.states.count == 1 && seed % 4 == 1 ? Self.long : chance.steps()
        let next = model.newest.after(steps)
        if next != model.newest { model.states.append(next) }
        let committed = try await store.apply(steps)
        let newest = UInt64(model.states.count - 1)
        if let sequence = committed.sequence, sequence != newest {
          throw Violation(description: "seed \(seed): commit \(sequence), expected \(newest)")
        }
      }
      publishes = publishes || mustFold || model.states.count > before
      if chance.below(3) == 0 {
        try await store.publish(.quick)
        if publishes {
          do { try Self.checkViews(disk, model.newest, besides: store.behind()) } catch {
            throw Violation(description: "seed \(seed): \(error)")
          }
        }
      }
      if chance.below(5) == 0 {
        store = try open(disk)
        publishes = false
      }
      let allowed = model.acknowledged..<model.states.count
      for image in images.take() {
        count += 1
        do { count += try await check(image, model, allowed) } catch {
          throw Violation(
            description:
              "seed \(seed), commit \(model.acknowledged + 1), \(image.place): \(error) \((try? image.disk.names().sorted()) ?? [])"
          )
        }
      }
      model.acknowledged = model.states.count - 1
      if mustFold {
        var chance = Chance(chance.next())
        try Self.checkPublished(disk.crashed(&chance), model.newest)
      }
      guard try store.snapshot().contents() == model.newest else {
        throw Violation(description: "seed \(seed): the store does not hold what was committed")
      }
    }
    disk.onChange(nil)
    return count
  }

  private static let long = (0..<30).map { number in
    Step(collection: Step.collections[number % 3], id: "l\(number)", value: String(repeating: "l", count: 60))
  }

  private func open(_ disk: SimulatedDisk, keepsHistory: Bool? = nil) throws(StoreError) -> JSONFileStore {
    try JSONFileStore(
      system: disk, history: keepsHistory ?? self.keepsHistory ? .keep() : nil, time: ManualTime(), limits: .tiny)
  }

  /// Compares two of the states that were, not in every disk: that takes longer than all else.
  private func checkPast(_ disk: SimulatedDisk, _ store: JSONFileStore, _ model: StoreModel, upTo sequence: Int) throws
  {
    var chance = Chance(seed ^ UInt64(disk.contents("manifest")?.count ?? 0) ^ UInt64(sequence))
    guard keepsHistory, sequence > 0, chance.below(3) == 0 else { return }
    for commit in [chance.below(sequence), chance.below(sequence)] {
      let past: any StoreSnapshot
      do { past = try store.snapshot(at: UInt64(commit)) } catch {
        // The history began later, or nobody has written since it was asked for.
        if error.code == .notKept { continue }
        throw error
      }
      guard try past.contents() == model.states[commit] else {
        throw Violation(description: "commit \(commit) is not what it was, after \(sequence)")
      }
    }
  }

  /// Looks at a store after a crash, writes to it, and lets it crash again, while it recovers too.
  private func check(_ image: Images.Image, _ model: StoreModel, _ allowed: Range<Int>) async throws -> Int {
    var chance = image.chance
    var count = 0
    if image.isKilled || chance.below(8) == 0 { count += try await checkShown(image.disk, model, allowed, &chance) }
    let disk = image.disk
    // Not always: what a reader brings to the disk the writer need not, and both must.
    let found = chance.flip(128) ? try look(disk, model, allowed) : allowed.lowerBound
    let images = Images(seed: chance.next())
    images.watch(disk, every: 6, each: 1)
    let steps = [Step(collection: "people", id: "after", value: "crash \(model.states.count)")]
    let store = try open(disk)
    let sequence = try await store.apply(steps).sequence.map(Int.init) ?? 0
    // A transaction that was whole when its process was killed may be taken over by the next writer.
    guard sequence > found, allowed.contains(sequence - 1) else {
      throw Violation(description: "the next commit is \(sequence), after a state of \(found)")
    }
    // What a killed writer left behind, the next one renews.
    try await store.publish(.quick)
    let behind = try store.behind()
    var again = model
    again.states.removeLast(again.states.count - sequence)
    again.states.append(again.newest.after(steps))
    disk.onChange(nil)
    try Self.checkViews(disk, again.newest, besides: behind)
    try checkCutBytes(disk)
    let findings = try store.verify()
    if !findings.isEmpty { throw Violation(description: "verify: \(findings)") }
    for image in images.take() {
      count += 1
      do { _ = try look(image.disk, again, found..<sequence + 1) } catch {
        throw Violation(description: "second crash \(image.place): \(error)")
      }
    }
    let last = disk.crashed(&chance)
    _ = try look(last, again, sequence..<sequence + 1)
    try checkCutBytes(last)
    return count + 1
  }

  /// What a reader or a writer is shown after a crash is still there after a power cut that comes at once.
  private func checkShown(
    _ disk: SimulatedDisk, _ model: StoreModel, _ allowed: Range<Int>, _ chance: inout Chance
  ) async throws -> Int {
    let read = disk.killed()
    let found = try look(read, model, allowed)
    for _ in 0..<3 {
      do { _ = try look(read.crashed(&chance), model, found..<allowed.upperBound) } catch {
        throw Violation(description: "a power cut after commit \(found) was shown: \(error)")
      }
    }
    // A writer takes over what is there, shows it, and has nothing to write.
    let written = disk.killed()
    let images = Images(seed: chance.next())
    images.watch(written, every: 6, each: 1)
    let seen = try await open(written).write { (transaction) throws(StoreError) in
      try transaction.contents(of: Step.collections.map { CollectionName(rawValue: $0) })
    }.value
    guard let shown = allowed.first(where: { model.states[$0] == seen }) else {
      throw Violation(description: "a writer was shown \(seen)")
    }
    for _ in 0..<3 {
      do { _ = try look(written.crashed(&chance), model, shown..<allowed.upperBound) } catch {
        throw Violation(description: "a power cut after a writer was shown commit \(shown): \(error)")
      }
    }
    let during = images.take()
    for image in during {
      do { _ = try look(image.disk, model, allowed) } catch {
        throw Violation(description: "second crash \(image.place), nothing shown: \(error)")
      }
    }
    return 6 + during.count
  }

  /// Reads everything; which of the model's states it is.
  private func look(_ disk: SimulatedDisk, _ model: StoreModel, _ allowed: Range<Int>) throws -> Int {
    let store = try open(disk)
    let snapshot = try store.snapshot()
    let sequence = Int(snapshot.sequence)
    guard allowed.contains(sequence) else {
      throw Violation(description: "holds commit \(sequence), allowed are \(allowed)")
    }
    let contents = try snapshot.contents()
    guard contents == model.states[sequence] else {
      throw Violation(description: "commit \(sequence): \(contents), expected \(model.states[sequence])")
    }
    try checkPast(disk, store, model, upTo: sequence)
    try Self.checkPublished(disk, nil)
    if let name = try disk.names().first(where: { $0.hasSuffix(".changed") }) {
      throw Violation(description: "\(name): nobody changed a published file")
    }
    for name in try disk.names() where name.hasSuffix(".jsonl") {
      let (bytes, collection) = (disk.contents(name)!, String(name.dropLast(6)))
      guard model.states[..<allowed.upperBound].contains(where: { $0.file(collection) == bytes }) else {
        throw Violation(description: "\(name) is of no commit: \(String(decoding: bytes, as: UTF8.self))")
      }
    }
    return sequence
  }

  /// Published files hold what was committed last, but for those that are told to be behind: large ones.
  private static func checkViews(
    _ disk: SimulatedDisk, _ newest: StoreModel.Contents, besides behind: [CollectionName]
  ) throws {
    for collection in Step.collections {
      let (found, expected) = (disk.contents(collection + ".jsonl"), newest.file(collection))
      if behind.contains(CollectionName(rawValue: collection)) {
        if found == expected { throw Violation(description: "\(collection).jsonl is told to be behind, and is not") }
        if expected.count <= 100 { throw Violation(description: "\(collection).jsonl is small, and behind") }
      } else if found ?? [] != expected {
        let text = String(decoding: found ?? [], as: UTF8.self)
        throw Violation(description: "\(collection).jsonl is not told to be behind, and holds \(text)")
      }
    }
  }

  /// Every published file is whole and sorted, and, after a fold, what was compacted.
  static func checkPublished(_ disk: SimulatedDisk, _ expected: StoreModel.Contents?) throws {
    for name in try disk.names() where name.hasSuffix(".jsonl") {
      // Bytes, not characters: this is looked at a million times.
      let bytes = disk.contents(name)!
      if bytes.isEmpty { continue }
      let lines = bytes.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let isWhole =
        bytes.last == UInt8(ascii: "\n")
        && lines.allSatisfy { $0.starts(with: "{\"id\":\"".utf8) && $0.last == UInt8(ascii: "}") }
      let ids = lines.map { $0.prefix { $0 != UInt8(ascii: ",") } }
      guard isWhole, zip(ids, ids.dropFirst()).allSatisfy({ $0.lexicographicallyPrecedes($1) }) else {
        throw Violation(description: "\(name) is truncated or not sorted: \(String(decoding: bytes, as: UTF8.self))")
      }
      guard let expected else { continue }
      let texts = Set(lines.map { String(decoding: $0, as: UTF8.self) })
      if texts != Set((expected[String(name.dropLast(6))] ?? [:]).values) {
        throw Violation(description: "\(name) is not what was compacted")
      }
    }
    for name in expected?.keys ?? [:].keys where disk.contents(name + ".jsonl") == nil {
      throw Violation(description: "\(name).jsonl is missing after a fold")
    }
  }

  /// After a fold there is no file that the manifest does not name.
  private static func checkFiles(_ disk: SimulatedDisk) throws {
    guard let text = disk.contents("manifest") else {
      // Nothing was ever written; or the rename is what is forgotten.
      if try disk.names().isEmpty { return }
      throw Violation(description: "a fold without a manifest")
    }
    let manifest = String(decoding: text, as: UTF8.self).split(separator: "\n")
    for name in try disk.names() {
      let words = name.split(separator: ".")
      let kinds: [String]
      switch words.last {
      case "records", "sums": kinds = ["collection \(words[0]) ", "kept \(words[0]) "]
      case "history", "hsums": kinds = ["history \(words[0]) "]
      case _ where words[0] == "journal": kinds = ["journal "]
      default: continue
      }
      let version = Int(words[1], radix: 16)!
      guard manifest.contains(where: { line in kinds.contains { line.hasPrefix("\($0)\(version) ") } }) else {
        throw Violation(description: "\(name) is never removed")
      }
    }
  }

  /// What was cut off a journal is kept, to the last byte.
  private func checkCutBytes(_ disk: SimulatedDisk) throws {
    for name in try disk.names() where name.hasPrefix("cut.") {
      let words = name.split(separator: ".")
      guard let journal = disk.contents("journal.\(words[2])"), let start = Int(words[3]) else { continue }
      let manifest = String(decoding: disk.contents("manifest")!, as: UTF8.self)
      guard manifest.contains(" \(start)\n") else { continue }
      if Array(journal[start...]) != disk.contents(name) { throw Violation(description: "\(name) is not what was cut") }
    }
  }
}

/// A call that a store might forget, by what it is for.
enum Mutant: String, CaseIterable, Sendable {
  case syncOfJournal, syncOfRecords, syncOfSums, syncOfManifest, syncOfCutBytes
  case syncOfNamesBeforeManifest, syncOfNamesAfterManifest, syncOfPublishedNames
  case renameOfManifest, renameOfPublishedName, linkOfPublishedName
  case writeOfMark, writeOfJournal, writeOfRecords, writeOfSums, writeOfManifest
  case truncateAfterFailure, removalOfOldFiles
  case syncOfView, writeOfView, renameOfView
  case syncOfRuns, writeOfRuns

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
    case .syncOfRuns: call == "sync" && name.hasSuffix(".history")
    case .writeOfRuns: call == "write" && name.hasSuffix(".hsums")
    case .syncOfView: call == "sync" && name.hasSuffix(".jsonl.new")
    case .writeOfView: call == "write" && name.hasSuffix(".jsonl.new")
    case .renameOfView: call == "rename" && isPublished(name)
    }
  }

  private func isPublished(_ name: String) -> Bool { name.hasSuffix(".jsonl") }
}
