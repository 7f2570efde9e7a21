import AlmanacTesting
import Foundation
import Models
import Persistence
import Ports
import Testing

@Suite("A store keeps its history as its policies say, through damage and kills")
struct HistoryTests {
  private let time = ManualTime()
  private let system = InMemoryFileSystem()

  private func open(_ history: HistorySetting? = .keep(), _ limits: Limits = .tiny) throws -> JSONFileStore {
    try JSONFileStore(system: system, history: history, time: time, limits: limits)
  }

  private func put(_ store: JSONFileStore, _ id: String, _ members: String) async throws {
    _ = try await store.write { (transaction) throws(StoreError) in
      try transaction.put(Array("{\"id\":\"\(id)\",\(members)}".utf8), id: id, in: .people)
    }
  }

  private func text(_ store: JSONFileStore, _ commit: UInt64, _ id: String = "a") throws -> String? {
    try store.snapshot(at: commit).record(.people, id).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func withoutAHistoryTheFormatStays() async throws {
    let store = try open(nil)
    try await put(store, "a", "\"n\":1")
    try await put(store, "a", "\"n\":2")
    #expect(String(decoding: system.contents("manifest")!, as: UTF8.self).hasPrefix("almanac-store 1.0\n"))
    #expect(throws: StoreError.self) { try store.snapshot(at: 1) }
    // What the journal holds becomes history, without causes, once somebody asks for it.
    let later = try open()
    try await put(later, "a", "\"n\":3")
    _ = try await later.compact()
    #expect(String(decoding: system.contents("manifest")!, as: UTF8.self).hasPrefix("almanac-store 2.0\n"))
    #expect(
      try (0...3).map { try text(later, $0) } == [
        nil, #"{"id":"a","n":1}"#, #"{"id":"a","n":2}"#, #"{"id":"a","n":3}"#,
      ])
    #expect(try later.origin(of: 2)?.cause == nil)
    // A program that does not ask goes on with it.
    try await put(try open(nil), "a", "\"n\":4")
    _ = try await open(nil).compact()
    #expect(try text(open(nil), 3) == #"{"id":"a","n":3}"#)
  }

  /// Also in a store whose history began without them. What is not kept is read as it is now.
  @Test(arguments: [false, true]) func aProgramMayBeginToKeepItsOwn(isInJournal: Bool) async throws {
    func write(_ value: Int, _ keep: HistoryPolicy.Keep) async throws -> JSONFileStore {
      let store = try open(.policies { HistoryPolicy($0 == .cards ? keep : .forever) })
      _ = try await store.write { (transaction) throws(StoreError) in
        try transaction.put(Array(#"{"id":"a","n":\#(value)}"#.utf8), id: "a", in: .cards)
      }
      if !isInJournal { _ = try await store.compact() }
      return store
    }
    _ = try await write(1, .none)
    _ = try await write(2, .none)
    _ = try await write(3, .days(30))
    let store = try await write(4, .days(30))
    func card(_ commit: UInt64) throws -> String? {
      try store.snapshot(at: commit).record(.cards, "a").map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(try card(3) == #"{"id":"a","n":3}"#)
    #expect(try card(2) == #"{"id":"a","n":2}"#)
    // A journal still has what a compaction would not have kept.
    #expect(try card(1) == #"{"id":"a","n":\#(isInJournal ? 1 : 4)}"#)
    let kept: [UInt64] = isInJournal ? [4, 3, 2, 1] : [4, 3]
    #expect(try store.history(.cards, "a", before: nil, limit: 9).map(\.commit) == kept)
    time.set(by: 31 * 86_400)
    #expect(try card(3) == #"{"id":"a","n":4}"#)
    #expect(try store.verify() == [])
  }

  @Test func keepsForDays() async throws {
    let store = try open(.keep(.days(2)))
    for day in 1...6 {
      try await put(store, "a", "\"n\":\(day)")
      _ = try await store.compact()
      time.set(by: 86_400)
    }
    #expect(try text(store, 5) == #"{"id":"a","n":5}"#)
    #expect(throws: StoreError.self) { try text(store, 3) }
    #expect(system.allText.contains(#""was":{"n":1}"#) == false)
    #expect(try store.histories().map(\.changes) == [3])
    #expect(try open(nil).verify() == [])
  }

  @Test func keepsOneValueADayOfDailyFields() async throws {
    let store = try open(.keep(daily: ["stars"]), Limits())
    for hour in 0..<72 {
      try await put(store, "a", "\"stars\":\(hour),\"name\":\"\(hour < 30 ? "old" : "new")\"")
      if hour >= 45, hour % 5 == 4 { _ = try await store.compact() }
      // The addition, three days, the change of the name, and the rest of its day.
      if hour == 49 { #expect(try store.history(.people, "a", before: nil, limit: 100).count == 6) }
      time.set(by: 3600)
    }
    _ = try await store.compact()
    let changes = try store.history(.people, "a", before: nil, limit: 100)
    // The addition, five runs of one day and one name, the change of the name, and what is not joined yet.
    #expect(changes.count < 11, "\(changes.count)")
    for commit in UInt64(1)...72 {
      let stars = try #require(try text(store, commit)).split(separator: ":")[2].prefix { $0.isNumber }
      // Never a later value, and none of an earlier day than the one before.
      #expect(Int(stars)! < Int(commit) && Int(stars)! >= Int(commit) - 49)
      #expect(try text(store, commit)!.contains(commit <= 30 ? "old" : "new"))
    }
    #expect(try store.verify() == [])
  }

  @Test func leavesOutQuietFields() async throws {
    let store = try open(.keep(quiet: ["at"]))
    try await put(store, "a", "\"at\":1,\"n\":1")
    try await put(store, "a", "\"at\":2,\"n\":1")
    try await put(store, "a", "\"at\":3,\"n\":2")
    _ = try await store.compact()
    #expect(try (1...2).map { try text(store, $0) } == [#"{"id":"a","n":1}"#, #"{"id":"a","n":1}"#])
    #expect(try store.history(.people, "a", before: nil, limit: 9).map(\.commit) == [3, 1])
    // Loosening brings nothing back, and invents nothing.
    try await store.setPolicy(.forever, of: .people)
    try await put(store, "a", "\"at\":4,\"n\":2")
    try await put(store, "a", "\"at\":5,\"n\":2")
    _ = try await store.compact()
    #expect(try text(store, 2) == #"{"id":"a","n":1}"#)
    #expect(try text(store, 4) == #"{"id":"a","at":4,"n":2}"#)
    try await store.setPolicy(.none, of: .people)
    #expect(throws: StoreError.self) { try text(store, 4) }
    #expect(try system.names().filter { $0.hasPrefix("people") && $0.hasSuffix(".history") } == [])
    try await store.setPolicy(.forever, of: .people)
    try await put(store, "a", "\"n\":9")
    #expect(try text(store, 5) == #"{"id":"a","at":5,"n":2}"#)
  }

  /// Whether they were asked for before, and compacted since, or made by another object.
  @Test func originsOfManyCommits() async throws {
    let (store, other) = (try open(), try open())
    for number in 1...20 {
      _ = try await (number % 2 == 0 ? store : other).write { (transaction) throws(StoreError) in
        try transaction.put(Array(#"{"id":"a","n":\#(number)}"#.utf8), id: "a", in: .people)
        transaction.explain(ChangeCause(.edit, tool: .command("c\(number)")))
      }
      if number % 7 == 0 { _ = try await other.compact() }
      for commit in 1...number {
        #expect(try store.origin(of: UInt64(commit))?.cause?.tool == .command("c\(commit)"), "\(commit) of \(number)")
      }
      #expect(try store.origin(of: UInt64(number + 1)) == nil)
    }
  }

  /// Kills an erasure at every call: nothing of it is done, or the next writer completes it.
  @Test func erasesAllOrNothing() async throws {
    let disk = SimulatedDisk()
    func open(_ disk: SimulatedDisk) throws -> JSONFileStore {
      try JSONFileStore(system: disk, history: .keep(), time: ManualTime(), limits: .tiny)
    }
    let secret = "SECRET"
    func apply(_ store: JSONFileStore, _ number: Int, _ id: String, _ value: String) async throws {
      _ = try await store.write { (transaction) throws(StoreError) in
        try transaction.put(Array(line(id, value).utf8), id: id, in: .people)
        transaction.explain(ChangeCause(.sync, moved: id == "x" ? [.init(.people, from: "SECRET-ID", to: "x")] : []))
      }
      if number % 5 == 0 { _ = try await store.compact() }
    }
    let store = try open(disk)
    for number in 0..<22 {
      try await apply(
        store, number, ["a", "SECRET-ID", "x", "z"][number % 4], number % 4 == 1 ? "\(secret)\(number)" : "v\(number)")
    }
    try await store.publish(.complete)
    let before = try (0...22).map { try store.snapshot(at: $0).contents() }
    let images = Images()
    disk.onChange { (call, name) throws(FileFailure) in images.add(disk.killed()) }
    let erased = try await store.erase { (_) throws(StoreError) in [RecordName(.people, "SECRET-ID")] }
    disk.onChange(nil)
    images.add(disk.killed())
    #expect(erased.records == 1 && erased.changes == 6 && erased.remaining == [])
    var (done, undone) = (0, 0)
    for image in images.all {
      let isNamed = image.text("manifest").contains("\nerase ")
      let store = try open(image)
      let isDone = try isNamed || store.snapshot().record(.people, "SECRET-ID") == nil
      try await apply(store, 1, "after", "1")
      if isDone {
        done += 1
        for name in try image.names() {
          let text = image.text(name)
          #expect(!text.contains(secret), "\(name) holds it: \(text)")
          #expect(!text.contains("\nerase "))
        }
      } else {
        undone += 1
      }
      #expect(try store.verify() == [])
      for commit in 0...22 {
        var expected = before[commit]
        if isDone { expected["people"]?["SECRET-ID"] = nil }
        if expected["people"]?.isEmpty == true { expected["people"] = nil }
        #expect(try store.snapshot(at: UInt64(commit)).contents() == expected, "commit \(commit), done \(isDone)")
      }
    }
    #expect(done > 20 && undone > 3, "\(done) \(undone)")
  }

  private static let lives = ProcessInfo.processInfo.environment["ALMANAC_HISTORIES"].flatMap { UInt64($0) } ?? 1

  /// Damage in any file: a past state is right or refused, before and after the repair, and a run never blocks the present.
  @Test(arguments: 1...lives)
  func damagedAnywhere(_ seed: UInt64) async throws {
    let disk = SimulatedDisk()
    func open(_ disk: SimulatedDisk) throws -> JSONFileStore {
      try JSONFileStore(system: disk, history: .keep(), time: ManualTime(), limits: .tiny)
    }
    let store = try open(disk)
    var states: [StoreModel.Contents] = [[:]]
    var chance = Chance(seed)
    for number in 0..<40 {
      let steps = chance.steps()
      if try await store.apply(steps).sequence != nil { states.append(states.last!.after(steps)) }
      if number % 4 == 3, number < 36 { _ = try await store.compact() }
    }
    /// How many states are readable; each of them must be what it was.
    func look(_ store: JSONFileStore, upTo last: Int, _ place: String) throws -> Int {
      var readable = 0
      for commit in 0..<last {
        do {
          let contents = try store.snapshot(at: UInt64(commit)).contents(
            of: Step.collections.map { .init(rawValue: $0) })
          #expect(contents == states[commit], "\(place): commit \(commit)")
          readable += 1
        } catch { #expect([.damaged, .notKept, .notFound].contains(error.code), "\(place): \(error)") }
      }
      return readable
    }
    var (blocks, readable, all) = (0, 0, 0)
    let manifest = disk.text("manifest")
    for name in try disk.names().sorted() where name != "lock" && !name.hasSuffix(".jsonl") && name != "published" {
      let words = name.split(separator: ".")
      // Nothing is read from the files of the generation before.
      if words.count == 3, manifest.contains("\nkept \(words[0]) \(Int(words[1], radix: 16)!) ") { continue }
      let size = disk.contents(name)!.count
      for offset in stride(from: 0, to: size, by: max(100, size / 2)) {
        blocks += 1
        let copy = disk.killed()
        var bytes = copy.contents(name)!
        bytes[offset] ^= 1
        // Runs are read-only.
        try copy.remove(name)
        let file = try copy.open(name, .create)
        _ = try bytes.withUnsafeBytes { try copy.write(file, $0, at: 0) }
        copy.close(file)
        let isRun = name.hasSuffix(".history") || name.hasSuffix(".hsums")
        let findings = try open(copy).verify()
        #expect(!findings.isEmpty, "\(name) \(offset): not found")
        _ = try? look(open(copy), upTo: states.count, "\(name) \(offset)")
        if isRun {
          let other = copy.killed()
          #expect(try open(other).snapshot().contents() == states.last)
          let steps = [Step(collection: "people", id: "after", value: "1")]
          #expect(try await open(other).apply(steps).sequence == UInt64(states.count))
        }
        let told = try await open(copy).repair()
        #expect(try open(copy).verify() == [], "\(name) \(offset): \(told)")
        let repaired = try open(copy)
        let present = try repaired.snapshot()
        if isRun {
          #expect(try present.contents() == states.last)
          // A list has what is known, and the loss is told.
          for name in Step.collections {
            try repaired.history(.init(rawValue: name), in: 1...present.sequence) { change in
              // Texts that Swift takes for one are several ids.
              guard change.id.utf8.allSatisfy({ $0 < 0x80 }) else { return .next }
              let after = change.after.map { String(decoding: $0, as: UTF8.self) }
              #expect(after == states[Int(change.commit)][name]?[change.id], "\(name) \(offset): \(change)")
              return .next
            }
          }
          let isTold = told.contains { $0.severity == .loss && $0.collection != nil }
          #expect(try repaired.histories().contains { $0.lost != nil } == isTold, "\(name) \(offset): \(told)")
        }
        let (sequence, contents) = (Int(present.sequence), try present.contents())
        readable += try look(repaired, upTo: min(sequence, states.count), "repaired \(name) \(offset): \(told)")
        all += states.count - 1
        try await repaired.put("after")
        _ = try await repaired.compact()
        #expect(try repaired.snapshot(at: UInt64(sequence)).contents() == contents, "\(name) \(offset)")
        #expect(try repaired.verify() == [])
      }
    }
    print("damaged histories: \(blocks) damages, after repairs \(readable) of \(all) states are readable")
  }

  /// A gap of a collection file that is filled with exactly what was there costs no state, and a lost manifest no file.
  @Test func whatIsRecoveredKeepsItsHistory() async throws {
    let disk = SimulatedDisk()
    func open() throws -> JSONFileStore { try JSONFileStore(system: disk, history: .keep(), time: time) }
    for value in ["old", "new"] {
      _ = try await open().apply((100..<300).map { Step(collection: "people", id: "p\($0)", value: value) })
      _ = try await open().compact()
    }
    let records = try #require(try disk.names().sorted().last { $0.hasPrefix("people.") && $0.hasSuffix(".records") })
    try disk.remove(records)
    #expect(try await open().repair().allSatisfy { $0.severity == .note })
    #expect(try open().histories().allSatisfy { $0.lost == nil })
    #expect(try open().history(.people, "p123", before: nil, limit: 9).count == 2)
    try disk.remove("manifest")
    let runs = try disk.names().filter { $0.hasSuffix(".history") }
    let told = try await open().repair()
    #expect(told.contains { $0.severity == .loss }, "\(told)")
    #expect(!runs.isEmpty && runs.allSatisfy { disk.contents("\($0).damaged") != nil })
  }

  /// In real memory: what the repair reads of a journal must not be used after its file is closed.
  @Test func aDamagedFileIsRepairedWithTheCommitsAfterIt() async throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/store"
    let store = try JSONFileStore(folder: path, history: .keep(), time: time)
    func put(_ ids: [String], _ value: String, _ store: JSONFileStore) async throws {
      _ = try await store.write { (transaction) throws(StoreError) in
        for id in ids { try transaction.put(Array(line(id, value).utf8), id: id, in: .people) }
        transaction.explain(ChangeCause(.edit, tool: .command("people edit")))
      }
    }
    try await put((100..<300).map { "p\($0)" }, String(repeating: "v", count: 200), store)
    _ = try await store.compact()
    try await put(["p100"], "edited", store)
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: path).first {
        $0.hasPrefix("people.") && $0.hasSuffix(".records")
      })
    var bytes = try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)"))
    bytes.replaceSubrange(bytes.count / 2..<bytes.count / 2 + 30, with: Data(repeating: 0x2A, count: 30))
    try FileManager.default.removeItem(atPath: "\(path)/\(name)")
    try bytes.write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    _ = try await JSONFileStore(folder: path, history: .keep(), time: time).repair()
    let repaired = try JSONFileStore(folder: path, history: .keep(), time: time)
    #expect(try repaired.verify() == [])
    #expect(try repaired.snapshot().count(.people) > 190)
    #expect(try text(repaired, 2, "p100") == line("p100", "edited"))
  }

  /// What a person used is stored as one text, as in stores of earlier versions.
  @Test(
    arguments: [
      (.command("people edit"), "people edit"), (.request("PATCH"), "PATCH"), (.page, "page"),
    ] as [(ChangeCause.Tool, String)])
  func theToolOfAChangeIsKept(_ tool: ChangeCause.Tool, _ text: String) async throws {
    let folder = TemporaryFolder()
    let store = try JSONFileStore(folder: folder.path + "/store", history: .keep(), time: time)
    let cause = ChangeCause(.edit, tool: tool)
    _ = try await store.write { (transaction) throws(StoreError) in
      try transaction.put(Array(line("a", "1").utf8), id: "a", in: .people)
      transaction.explain(cause)
    }
    #expect(try store.origin(of: 1)?.cause?.tool == tool)
    #expect(cause.fields["command"]?.string == text)
  }

  private static let jq = "/usr/bin/jq"

  /// The files of the history in their folder, as other programs read them, and in a backup.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: jq))) func publishedAndBackedUp() async throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/store"
    let store = try JSONFileStore(folder: path, history: .keep(), time: time)
    for number in 0..<3 {
      _ = try await store.write { (transaction) throws(StoreError) in
        try transaction.put(Array(line("a", "\(number)").utf8), id: "a", in: .people)
        transaction.explain(ChangeCause(.edit, tool: .command("people edit")))
      }
      _ = try await store.compact()
    }
    let command = "\(Self.jq) -c '.id as $i|.changes[]|{id:$i}+.' history/people.*.jsonl"
    #expect(
      try Tool.run("sh", ["-c", command], in: path).output == """
        {"id":"a","commit":1,"added":true}
        {"id":"a","commit":2,"was":{"value":"0"}}
        {"id":"a","commit":3,"was":{"value":"1"}}

        """)
    _ = try StoreBackup(time: time).make(of: path, in: folder.path + "/backup")
    let backup = try JSONFileStore(folder: folder.path + "/backup", mustExist: true, readOnly: true, time: time)
    #expect(try backup.snapshot(at: 2).contents() == ["people": ["a": line("a", "1")]])
    #expect(
      try backup.origin(of: 2) == CommitOrigin(at: time.now, cause: ChangeCause(.edit, tool: .command("people edit"))))
    #expect(try backup.verify() == [])
    // Erased, no file has it, whatever its name.
    #expect(try await store.erase { _ in [RecordName(.people, "a")] } == ErasedRecords(records: 1, changes: 3))
    let left = try FileManager.default.subpathsOfDirectory(atPath: path).filter {
      FileManager.default.contents(atPath: "\(path)/\($0)")?.range(of: Data("\"value\"".utf8)) != nil
    }
    #expect(left == [])
  }

  private final class Images: @unchecked Sendable {
    // Used by one task.
    private(set) var all: [SimulatedDisk] = []
    func add(_ disk: SimulatedDisk) { all.append(disk) }
  }
}

extension SimulatedDisk {
  fileprivate func text(_ name: String) -> String { String(decoding: contents(name) ?? [], as: UTF8.self) }
}

extension InMemoryFileSystem {
  /// All files, one after another.
  fileprivate var allText: String {
    ((try? names()) ?? []).map { String(decoding: contents($0) ?? [], as: UTF8.self) }.joined()
  }
}
