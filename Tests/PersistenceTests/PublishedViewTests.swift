import AlmanacTesting
import Foundation
import Models
import Persistence
import Ports
import Synchronization
import Testing

@Suite("The files that people read follow the commits")
struct PublishedViewTests {
  private let disk = SimulatedDisk()

  private let events = RecordedEvents()

  private func open() throws(StoreError) -> JSONFileStore {
    try JSONFileStore(
      system: disk, time: ManualTime(), limits: .tiny,
      suggestions: StoreSuggestions(load: { "LOAD \($0)" }, takeChanges: { "TAKE \($0)" }), events: events)
  }

  private var warnings: [String] {
    events.events.compactMap { if case .warning(let message) = $0 { message.description } else { nil } }
  }

  private func put(_ id: String, _ value: String = "1", in collection: String = "people") -> Step {
    Step(collection: collection, id: id, value: value)
  }

  private func file(_ collection: String = "people") -> String? {
    disk.contents(collection + ".jsonl").map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("a commit leaves them alone, and publishing renews what was committed")
  func renewed() async throws {
    let store = try open()
    for number in 0..<3 { _ = try await store.apply([put("a", "\(number)")]) }
    #expect(file() == nil)
    #expect(try store.behind() == [.people])
    try await store.publish(.quick)
    #expect(file() == line("a", "2") + "\n")
    #expect(try open().behind() == [])
    try await store.put("a", nil)
    try await store.publish(.quick)
    #expect(file() == "")
    #expect(try open().behind() == [])
  }

  @Test("what does not change is not written again")
  func unchanged() async throws {
    let store = try open()
    _ = try await store.apply([put("a"), put("o", in: "outbox")])
    try await store.publish(.quick)
    let changes = Calls()
    disk.onChange { (call, name) throws(FileFailure) in changes.add(call, name) }
    try await store.publish(.quick)
    #expect(changes.names == [])
    _ = try await store.apply([put("b")])
    try await store.publish(.quick)
    #expect(changes.names.contains("people.jsonl") && !changes.names.contains("outbox.jsonl"))
  }

  @Test("the next process that commits renews what a killed one left, whichever collection it changes")
  func leftBehind() async throws {
    _ = try await open().apply([put("a")])
    #expect(try open().behind() == [.people])
    let next = try open()
    try await next.publish(.quick)
    #expect(file() == nil, "a process that only reads writes nothing")
    _ = try await next.apply([put("o", in: "outbox")])
    try await next.publish(.quick)
    #expect(file() == line("a", "1") + "\n")
    #expect(try open().behind() == [])
  }

  @Test("the next process that commits publishes what a compaction wrote that was killed before it did")
  func killedBetweenManifestAndNames() async throws {
    let store = try open()
    _ = try await store.apply([put("a")])
    _ = try await store.compact()
    // A compaction takes the mark away before it names the new files in the manifest.
    try disk.remove("people.jsonl")
    let lock = try disk.open("lock", .write)
    try disk.truncate(lock, to: 0)
    disk.close(lock)
    _ = try await open().apply([put("o", in: "outbox")])
    #expect(file() == line("a", "1") + "\n")
  }

  @Test("the first writer after a start of the machine removes what an unfinished compaction left")
  func leftovers() async throws {
    let steps = [Step(collection: "people", id: "a", value: "1")]
    _ = try await JSONFileStore(system: disk, time: ManualTime()).apply(steps)
    var chance = Chance(1)
    let files = disk.crashed(&chance)
    // The mark of the last commit is never synced, and may be there: only the start of the machine differs.
    files.plant("lock", try #require(disk.contents("lock")))
    let names = ["people.0000000000000009.records", "people.0000000000000009.sums"]
    for name in names { files.plant(name, [0x7B]) }
    _ = try await JSONFileStore(system: files, time: ManualTime()).apply([
      Step(collection: "people", id: "a", value: "2")
    ])
    for name in names { #expect(files.contents(name) == nil) }
  }

  @Test("a program that only reads renews what others committed, if it is asked for more than quick work")
  func othersCommits() async throws {
    for effort in [PublishEffort.background, .complete] {
      _ = try await open().apply([put("a", "\(effort)")])
      let reader = try open()
      try await reader.publish(effort)
      #expect(file() == line("a", "\(effort)") + "\n")
      let changes = Calls()
      disk.onChange { (call, name) throws(FileFailure) in changes.add(call, name) }
      try await reader.publish(effort)
      disk.onChange(nil)
      #expect(changes.names == [], "what is current is not even locked")
    }
  }

  @Test("a large collection is renewed where a good part of it was written, and by compaction")
  func large() async throws {
    let long = String(repeating: "x", count: 200)
    let store = try open()
    _ = try await store.apply((0..<4).map { put("k\($0)", long) })
    try await store.publish(.quick)
    #expect(try store.behind() == [], "all of it was just written")
    _ = try await store.apply([put("k1", "short")])
    try await store.publish(.quick)
    #expect(try store.behind() == [.people])
    #expect(file()?.contains("short") == false)
    #expect(try store.verify() == [], "an older file is no damage")
    _ = try await store.compact()
    #expect(try store.behind() == [])
    #expect(file()?.contains("short") == true)
  }

  @Test("a large collection is renewed once its small commits add up")
  func addedUp() async throws {
    let long = String(repeating: "x", count: 200)
    let store = try open()
    _ = try await store.apply((0..<4).map { put("k\($0)", long) })
    _ = try await store.compact()
    var published = 0
    for number in 0..<8 {
      _ = try await store.apply([put("k1", "short \(number)")])
      try await store.publish(.quick)
      if try store.behind().isEmpty { published += 1 }
    }
    #expect(published > 0 && published < 5)
  }

  @Test("and where the file is so old that renewing it takes little of the time")
  func aged() async throws {
    let long = String(repeating: "x", count: 200)
    let time = ManualTime()
    var limits = Limits.tiny
    limits.publishPace = 100
    let store = try JSONFileStore(system: disk, time: time, limits: limits)
    _ = try await store.apply((0..<4).map { put("k\($0)", long) })
    _ = try await store.compact()
    for (age, isBehind) in [(5, true), (30, false)] {
      disk.age("people.jsonl", modified: time.now.secondsSinceEpoch - age)
      _ = try await store.apply([put("k1", "\(age)")])
      try await store.publish(.quick)
      #expect(try store.behind() == (isBehind ? [.people] : []), "\(age) s")
    }
  }

  @Test("and when the program ends")
  func ended() async throws {
    let long = String(repeating: "x", count: 200)
    let store = try open()
    _ = try await store.apply((0..<4).map { put("k\($0)", long) })
    _ = try await store.compact()
    _ = try await store.apply([put("k1", "short")])
    try await store.publish(.background)
    #expect(try store.behind() == [.people])
    try await store.publish(.complete)
    #expect(try store.behind() == [])
    #expect(file()?.contains("short") == true)
  }

  @Test("a missing file is behind, an edited one is told, and both are put back")
  func editedFile() async throws {
    let store = try open()
    _ = try await store.apply([put("a")])
    try await store.publish(.quick)
    disk.plant("people.jsonl", Array("mine\n".utf8))
    #expect(try store.behind() == [.people])
    #expect(try store.verify().map(\.severity) == [.damage])
    _ = try await store.repair()
    #expect(file() == line("a", "1") + "\n")
    #expect(try store.verify() == [])
    try disk.remove("people.jsonl")
    #expect(try store.verify() == [])
    #expect(try store.behind() == [.people])
    _ = try await store.repair()
    #expect(file() == line("a", "1") + "\n")
    #expect(try store.behind() == [])
  }

  @Test("an edited file of the store's own state is quarantined and written again, and no import is advised")
  func editedSourceState() async throws {
    let store = try open()
    _ = try await store.apply([put("a", in: "state")])
    _ = try await store.compact()
    _ = try await store.apply([put("b", in: "state")])
    disk.plant("state.jsonl", Array((line("a", "2") + "\n").utf8))
    let found = try store.verify()
    #expect(found.map(\.severity) == [.damage])
    #expect(found.first?.suggestion?.contains("LOAD") == false, "\(found)")
    let done = try await store.repair()
    #expect(done.map(\.severity) == [.note], "\(done)")
    #expect(done.first?.suggestion?.contains("state.jsonl.changed") == true, "\(done)")
    #expect(try store.verify() == [])
  }

  /// What a commit, a compaction or a repair does with a file that somebody changed.
  private func renew(_ how: String, value: String = "1") async throws {
    let store = try open()
    switch how {
    case "commit":
      _ = try await store.apply([put("b", value)])
      try await store.publish(.quick)
    case "commit elsewhere":
      _ = try await store.apply([put("o", in: "outbox")])
      try await store.publish(.quick)
    case "compact": _ = try await store.compact()
    case "load": _ = try await store.load((0..<20).map { put("l\($0)") })
    default: _ = try await store.repair()
    }
  }

  @Test(
    "a file that was changed from outside is kept under another name, and that is said once",
    arguments: ["commit", "commit elsewhere", "compact", "load", "repair"],
    ["a record more", "not a record", "a record less", "the same size", "a folder's copy"])
  func changedFile(_ how: String, _ change: String) async throws {
    let first = try open()
    _ = try await first.apply([put("a"), put("c")])
    // The file of a compaction is a copy of the collection file, one of a commit is written out of the journal.
    if how != "commit" { _ = try await first.compact() }
    try await first.publish(.quick)
    let published = try #require(file())
    let changed =
      switch change {
      case "a record more": published + line("z", "mine") + "\n"
      case "not a record": published + "mine"
      case "a record less": line("c", "1") + "\n"
      case "the same size": published.replacing("1", with: "2")
      default: published
      }
    disk.plant("people.jsonl", Array(changed.utf8))
    try await renew(how)
    let kept = try disk.names().filter { $0.hasPrefix("people.jsonl.") }
    // A repair acts on what a check finds, which takes lines away for an older file.
    let isSeen = how != "repair" || ["a record more", "not a record", "the same size"].contains(change)
    if change == "a folder's copy" || !isSeen && change != "a record less" {
      #expect(kept == [] && warnings == [])
      return
    }
    #expect(kept == ["people.jsonl.changed"])
    #expect(disk.contents("people.jsonl.changed") == Array(changed.utf8))
    if how != "repair" {
      try #require(warnings.count == 1)
      #expect(warnings[0].hasPrefix("/simulated/people.jsonl was changed from outside, and is kept as"))
      #expect(warnings[0].contains("TAKE /simulated/people.jsonl.changed"))
      #expect(warnings[0].contains("not all of its lines are records") == (change == "not a record"))
    }
    let whole = try open().snapshot().contents()["people"]!
    #expect(file() == whole.sorted { $0.key < $1.key }.map { $0.value + "\n" }.joined())
    // The next change is kept beside the first.
    disk.plant("people.jsonl", Array("mine\n".utf8))
    try await renew("commit", value: "2")
    try await renew("compact")
    #expect(disk.contents("people.jsonl.changed") == Array(changed.utf8))
    #expect(disk.contents("people.jsonl.2.changed") == Array("mine\n".utf8))
    let said = warnings.count
    try await renew("compact")
    #expect(warnings.count == said, "nothing was changed since")
  }

  /// An editor may have read the file before the last publication: both states are named, also after later ones.
  @Test func theStatesAreKnownThatAKeptFileMayHaveBeenMadeOf() async throws {
    let store = try open()
    for value in ["1", "2", "3"] {
      _ = try await store.apply([put("a", value)])
      try await store.publish(.quick)
    }
    #expect(try store.bases(ofFile: "people.jsonl") == [2, 3])
    disk.plant("people.jsonl", Array((line("a", "mine") + "\n").utf8))
    for value in ["4", "5", "6"] {
      _ = try await store.apply([put("a", value)])
      try await store.publish(.quick)
    }
    _ = try await store.compact()
    #expect(try open().bases(ofFile: "people.jsonl.changed") == [2, 3])
    #expect(try open().bases(ofFile: "people.jsonl").last == 6 && open().bases(ofFile: "other.jsonl") == [])
    try disk.remove("people.jsonl.changed")
    _ = try await open().apply([put("b")])
    _ = try await open().compact()
    #expect(try open().bases(ofFile: "people.jsonl.changed") == [])
  }

  @Test("a change is found without the log too, and an older file of the store is not one")
  func withoutLog() async throws {
    let store = try open()
    _ = try await store.apply([put("a")])
    try await store.publish(.quick)
    let old = try #require(disk.contents("people.jsonl"))
    _ = try await store.apply([put("a", "2")])
    try await store.publish(.quick)
    disk.plant("people.jsonl", old)
    try disk.remove("published")
    _ = try await store.compact()
    #expect(warnings == [])
    disk.plant("people.jsonl", old + Array((line("z", "mine") + "\n").utf8))
    try disk.remove("published")
    _ = try await open().apply([put("b")])
    _ = try await open().compact()
    #expect(warnings.count == 1 && disk.contents("people.jsonl.changed") != nil)
  }

  @Test("an error at any call of publishing touches no record, and the file is the old one or the new one")
  func errors() async throws {
    var failed = 0
    for fault in [SimulatedDisk.Fault.inputOutput, .full, .lateWrite] {
      for call in 1... {
        let inner = SimulatedDisk()
        let first = try JSONFileStore(system: inner, time: ManualTime(), limits: .tiny)
        _ = try await first.apply([put("a")])
        try await first.publish(.quick)
        let faulty = inner.failing(fault, at: call)
        do throws(StoreError) {
          let store = try JSONFileStore(system: faulty, time: ManualTime(), limits: .tiny)
          _ = try await store.apply([put("b")])
          let before = faulty.fired
          do throws(StoreError) { try await store.publish(.quick) } catch {
            #expect(before == nil && faulty.fired != nil)
            failed += 1
            _ = try await store.apply([put("c")])
          }
        } catch {
          // The commit itself met the fault: other tests are about that.
          continue
        }
        let old = line("a", "1") + "\n"
        let found = String(decoding: inner.contents("people.jsonl")!, as: UTF8.self)
        #expect([old, old + line("b", "1") + "\n"].contains(found), "call \(call)")
        #expect(inner.contents("people.jsonl.new") == nil, "call \(call)")
        #expect(try JSONFileStore(system: inner, time: ManualTime(), limits: .tiny).snapshot().count(.people) >= 2)
        if faulty.fired == nil { break }
      }
    }
    #expect(failed > 5)
  }

  @Test("a copy of the store without hard links is current, and no damage")
  func copied() async throws {
    let folder = TemporaryFolder()
    let store = try JSONFileStore(folder: folder.path + "/store", time: ManualTime())
    _ = try await store.apply([put("a"), put("o", in: "outbox")])
    _ = try await store.compact()
    _ = try await store.apply([put("b")])
    try await store.publish(.quick)
    let copy = folder.path + "/copy"
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path + "/store") {
      let bytes = try Data(contentsOf: URL(filePath: "\(folder.path)/store/\(name)"))
      try bytes.write(to: URL(filePath: "\(copy)/\(name)"))
    }
    let other = try JSONFileStore(folder: copy, time: ManualTime())
    #expect(try other.behind() == [])
    #expect(try other.verify().filter { $0.severity == .damage } == [])
  }
}

/// The names of files that were changed.
private final class Calls: Sendable {
  private let state = Mutex<[String]>([])
  var names: [String] { state.withLock { $0 } }
  func add(_ call: String, _ name: String) {
    // Who writes next leaves its number in the lock's file.
    if name != "lock" { state.withLock { $0.append(name) } }
  }
}
