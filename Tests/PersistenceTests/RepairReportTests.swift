import AlmanacTesting
import Models
import Persistence
import Ports
import Testing

@Suite("A repair says what it did, once, and what to do next")
struct RepairReportTests {
  private let disk = SimulatedDisk()

  private func open() throws(StoreError) -> JSONFileStore {
    try JSONFileStore(
      system: disk, time: ManualTime(), suggestions: StoreSuggestions(repair: "REPAIR", load: { "LOAD \($0)" }))
  }

  private func put(_ ids: [String], in collection: String = "people") -> [Step] {
    ids.map { Step(collection: collection, id: $0, value: String(repeating: "v", count: 50)) }
  }

  private func name(_ suffix: String) throws -> String {
    try #require(try disk.names().sorted().first { $0.contains(suffix) })
  }

  private func overwrite(_ name: String, _ range: Range<Int>, with byte: UInt8 = 0x20) throws {
    // A published file is read-only, so it is replaced, as editors do.
    let kept = name.hasSuffix(".jsonl") ? disk.contents(name) : nil
    if kept != nil { try disk.remove(name) }
    let file = try disk.open(name, kept == nil ? .write : .create)
    defer { disk.close(file) }
    if let kept { _ = try kept.withUnsafeBytes { try disk.write(file, $0, at: 0) } }
    try Array(repeating: byte, count: range.count).withUnsafeBytes {
      _ = try disk.write(file, $0, at: range.lowerBound)
    }
  }

  /// Two hundred people in the collection file, none of them in the journal any more.
  private func compacted() async throws -> String {
    var limits = Limits()
    limits.keptJournal = 0
    let store = try JSONFileStore(system: disk, time: ManualTime(), limits: limits)
    _ = try await store.apply(put((100..<300).map { "p\($0)" }))
    _ = try await store.compact()
    _ = try await store.apply(put(["a"], in: "apps"))
    _ = try await store.compact()
    return try name("people.0")
  }

  @Test("damaged blocks of a file are one finding, and one line of the repair, which counts what is lost")
  func blocks() async throws {
    let records = try await compacted()
    try overwrite(records, 2000..<9000)
    let found = try open().verify()
    #expect(found.map(\.severity) == [.damage])
    #expect(found.first?.offset == 1024 && found.first?.message.hasPrefix("8192 bytes") == true, "\(found)")
    #expect(found.first?.suggestion == "REPAIR" && found.first?.collection == .people)
    let done = try await open().repair()
    // The published copy is what was written.
    #expect(try open().snapshot().count(.people) == 200)
    #expect(done.map(\.severity) == [.note, .note], "\(done)")
    #expect(done[1].message.hasPrefix("the change feed begins anew after commit 2"))
    #expect(
      done[0].message.hasSuffix(
        "records of people: all recovered from the journal, the previous and the published file"))
    #expect(done[0].suggestion == "the damaged file is kept as \(records).damaged")
    #expect(try open().verify() == [])
    #expect(done.allSatisfy { !($0.suggestion ?? "").contains("REPAIR") }, "what was just done is not advised")
  }

  @Test(
    "what only a published file of an earlier time has is offered for loading, but of what the program keeps for itself"
  )
  func otherView() async throws {
    for collection in ["people", "state"] {
      let disk = SimulatedDisk()
      var limits = Limits()
      limits.keptJournal = 0
      let store = try JSONFileStore(system: disk, time: ManualTime(), limits: limits)
      _ = try await store.apply(put((100..<300).map { "p\($0)" }, in: collection))
      _ = try await store.compact()
      let records = try #require(try disk.names().first { $0.hasPrefix("\(collection).0") && $0.hasSuffix(".records") })
      let view = try #require(disk.contents("\(collection).jsonl"))
      try disk.remove(records)
      try disk.remove("\(collection).jsonl")
      let file = try disk.open("\(collection).jsonl", .create)
      _ = try Array(view.prefix(view.count / 2)).withUnsafeBytes { try disk.write(file, $0, at: 0) }
      disk.close(file)
      let repaired = try JSONFileStore(
        system: disk, time: ManualTime(), suggestions: StoreSuggestions(repair: "REPAIR", load: { "LOAD \($0)" }))
      let done = try await repaired.repair()
      let advice = done.compactMap(\.suggestion).joined(separator: "\n")
      #expect(advice.contains("LOAD") == (collection == "people"), "\(done)")
      #expect(advice.contains("\(collection).jsonl.damaged"), "\(done)")
    }
  }

  @Test("a published file that is damaged itself is kept, and not offered for loading")
  func damagedView() async throws {
    let records = try await compacted()
    try overwrite(records, 2000..<9000)
    try overwrite("people.jsonl", 4000..<4100, with: 0)
    let done = try await open().repair()
    let view = try #require(done.first { $0.path.hasSuffix("/people.jsonl") })
    #expect(view.message.contains("that cannot be read"), "\(view.message)")
    #expect(view.suggestion == "the damaged file is kept as people.jsonl.damaged")
  }

  @Test("a lost commit is named with the records that can still be read of it")
  func commits() async throws {
    for number in 1...3 { _ = try await open().apply(put(["p\(number)", "q\(number)"])) }
    let journal = try name("journal.")
    let size = try #require(disk.contents(journal)).count
    try overwrite(journal, size / 3 + 20..<size / 3 + 30)
    let done = try await open().repair()
    #expect(done.map(\.severity) == [.loss, .note], "\(done)")
    #expect(done[0].message.hasSuffix("commit 2 is lost; what can still be read of it names people/p2, people/q2"))
  }

  @Test("a manifest that was missing or damaged was made anew, from files that are named", arguments: [true, false])
  func manifest(isMissing: Bool) async throws {
    _ = try await open().apply(put(["a"]))
    if isMissing { try disk.remove("manifest") } else { try overwrite("manifest", 5..<9) }
    let done = try await open().repair()
    #expect(done.map(\.severity) == [.note, .note], "\(done)")
    #expect(done[0].message.hasPrefix("the manifest was \(isMissing ? "missing" : "damaged") and was made anew from"))
    #expect(done[0].message.contains("journal.0000000000000001"))
    #expect(done[0].suggestion == (isMissing ? nil : "the damaged file is kept as manifest.damaged"))
  }

  /// Leaves the beginning of a transaction in the journal; where it is.
  private func truncatedWrite() throws -> (journal: String, end: Int) {
    let journal = try name("journal.")
    let end = try #require(disk.contents(journal)).count
    let file = try disk.open(journal, .write)
    defer { disk.close(file) }
    try Array("{\"commit\":".utf8).withUnsafeBytes { _ = try disk.write(file, $0, at: end) }
    return (journal, end)
  }

  @Test(
    "a write reports the unfinished transaction that it cuts off first, and what is known of the others",
    arguments: [false, true])
  func truncatedTailOfAWrite(isCopy: Bool) async throws {
    _ = try await open().apply(put(["a"]))
    let (journal, end) = try truncatedWrite()
    // The mark tells of the file of which this one is a copy.
    if isCopy {
      let bytes = try #require(disk.contents(journal))
      try disk.remove(journal)
      disk.plant(journal, bytes)
    }
    let events = RecordedEvents()
    let store = try JSONFileStore(system: disk, time: ManualTime(), events: events)
    _ = try await store.apply(put(["b"]))
    _ = try await store.apply(put(["c"]))
    let messages = events.events.compactMap { if case .warning(let message) = $0 { message.description } else { nil } }
    #expect(messages.count == 1 && messages[0].contains("cut.\(journal).\(end)"), "\(messages)")
    let rest = isCopy ? "so a commit may be incomplete" : "every commit that was reported as done is there"
    #expect(messages[0].hasSuffix(rest), "\(messages)")
  }

  @Test("a repair does not advise itself, also where commits of the change feed are gone")
  func noAdviceToRepair() async throws {
    let store = try open()
    _ = try await store.apply(put(["a"]))
    _ = try await store.compact()
    _ = try await store.apply(put(["b"]))
    for name in try disk.names() where name.hasPrefix("journal.") { try disk.remove(name) }
    let told = try open().verify().compactMap(\.suggestion?.description)
    #expect(told.contains { $0.hasPrefix("REPAIR; readers") }, "\(told)")
    let done = try await open().repair()
    #expect(!done.contains { $0.suggestion?.description.contains("REPAIR") == true }, "\(done)")
  }

  @Test("a file of checksums that is missing is named, and not the file of the records")
  func missingSums() async throws {
    let records = try await compacted()
    let sums = records.replacing(".records", with: ".sums")
    try disk.remove(sums)
    let found = try open().verify()
    #expect(found.map(\.message) == ["the file with the checksums is missing"], "\(found)")
    #expect(found.first?.path.hasSuffix(sums) == true, "\(found)")
    let done = try await open().repair()
    #expect(done.contains { $0.path.hasSuffix(sums) && $0.message.contains("missing, and was written") }, "\(done)")
    #expect(try done.allSatisfy { $0.severity == .note } && open().verify().isEmpty, "\(done)")
  }

  @Test("a write that was broken off is cut off, and where its bytes are is said")
  func truncatedTail() async throws {
    _ = try await open().apply(put(["a"]))
    let (journal, end) = try truncatedWrite()
    #expect(
      try open().verify().first?.suggestion == "the next write cuts them off and keeps them as cut.\(journal).\(end)")
    let done = try await open().repair()
    #expect(done.map(\.suggestion) == ["cut off; the bytes are kept as cut.\(journal).\(end)"])
    #expect(disk.contents("cut.\(journal).\(end)") == Array("{\"commit\":".utf8))
  }
}
