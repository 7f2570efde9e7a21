import AlmanacTesting
import Models
import Persistence
import Ports
import Testing

@Suite("A published file with records that the store has lost is kept")
struct LostCommitTests {
  private let disk = SimulatedDisk()
  private let events = RecordedEvents()

  private func open() throws(StoreError) -> JSONFileStore {
    try JSONFileStore(
      system: disk, time: ManualTime(),
      suggestions: StoreSuggestions(repair: "REPAIR", load: { "LOAD \($0)" }, takeChanges: { "TAKE \($0)" }),
      events: events)
  }

  private var warnings: [String] {
    events.events.compactMap { if case .warning(let message) = $0 { message.description } else { nil } }
  }

  private func file(_ name: String) -> String? { disk.contents(name).map { String(decoding: $0, as: UTF8.self) } }

  private func put(_ id: String, in collection: String = "people") -> [Step] {
    [Step(collection: collection, id: id, value: "1")]
  }

  /// Makes `a`, `b` and `c` three commits, publishes them, and cuts the journal after the first one, or within the second,
  /// as in a copy of the folder: the mark tells of another file.
  private func cutStore(withinCommit: Bool = false) async throws -> String {
    let store = try open()
    _ = try await store.apply(put("a"))
    let journal = try #require(try disk.names().first { $0.hasPrefix("journal.") })
    let end = try #require(disk.contents(journal)).count
    for id in ["b", "c"] { _ = try await store.apply(put(id)) }
    try await store.publish(.complete)
    let bytes = try #require(disk.contents(journal))
    try disk.remove(journal)
    disk.plant(journal, Array(bytes[..<(withinCommit ? end + 20 : end)]))
    return line("a", "1") + "\n" + line("b", "1") + "\n" + line("c", "1") + "\n"
  }

  private let message =
    "holds 2 records of commits that the store has lost: it was published after commit 3, and the store ends with commit 1"

  @Test("the first writer keeps it, says so once, and writes the store's own", arguments: [false, true])
  func writer(withinCommit: Bool) async throws {
    let published = try await cutStore(withinCommit: withinCommit)
    let store = try open()
    _ = try await store.apply(put("d"))
    for id in ["e", "f", "g"] { _ = try await store.apply(put(id)) }
    try await store.publish(.complete)
    #expect(file("people.jsonl.changed") == published)
    #expect(file("people.jsonl") == ["a", "d", "e", "f", "g"].map { line($0, "1") + "\n" }.joined())
    let said = warnings.filter { $0.contains(message) }
    #expect(said.count == 1 && said[0].contains("TAKE /simulated/people.jsonl.changed"), "\(warnings)")
    // What the file has more than the store is what was changed in it.
    #expect(try open().bases(ofFile: "people.jsonl.changed").last == 1)
    #expect(try open().verify() == [])
    try await open().publish(.complete)
    #expect(try disk.names().filter { $0.hasSuffix(".changed") } == ["people.jsonl.changed"])
  }

  @Test("the check names it as lost, and the repair keeps it", arguments: [false, true])
  func repaired(withinCommit: Bool) async throws {
    let published = try await cutStore(withinCommit: withinCommit)
    let found = try #require(try open().verify().first { $0.path.hasSuffix("/people.jsonl") })
    #expect(found.severity == .damage && found.message == message, "\(found)")
    #expect(found.suggestion?.hasPrefix("LOAD /simulated/people.jsonl") == true)
    #expect(try open().changedFiles() == [.people])
    let done = try #require(try await open().repair().first { $0.path.hasSuffix("/people.jsonl") })
    #expect(done.severity == .loss && done.message == message, "\(done)")
    #expect(done.suggestion?.contains("LOAD /simulated/people.jsonl.changed") == true)
    #expect(file("people.jsonl.changed") == published && file("people.jsonl") == line("a", "1") + "\n")
    #expect(try open().verify() == [])
  }

  @Test("commits that were not published are missed aloud, once", arguments: [false, true])
  func unpublished(withinCommit: Bool) async throws {
    _ = try await open().apply(put("a"))
    let journal = try #require(try disk.names().first { $0.hasPrefix("journal.") })
    let end = try #require(disk.contents(journal)).count
    _ = try await open().apply(put("b"))
    let bytes = try #require(disk.contents(journal))
    try disk.remove(journal)
    disk.plant(journal, Array(bytes[..<(withinCommit ? end + 20 : end)]))
    let found = try await open().recover()
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.contains("bytes are missing") == true && found.first?.contains("commits are lost") == true)
    #expect(try await open().recover() == [])
  }

  @Test("also where nothing is left of its collection")
  func wholeCollection() async throws {
    let store = try open()
    _ = try await store.apply(put("o", in: "apps"))
    let journal = try #require(try disk.names().first { $0.hasPrefix("journal.") })
    let kept = try #require(disk.contents(journal))
    _ = try await store.apply(put("a"))
    try await store.publish(.complete)
    try disk.remove(journal)
    disk.plant(journal, kept)
    #expect(try open().verify().filter { $0.severity == .damage }.map(\.path) == ["/simulated/people.jsonl"])
    _ = try await open().apply(put("b"))
    try await open().publish(.complete)
    #expect(file("people.jsonl.changed") == line("a", "1") + "\n")
    #expect(file("apps.jsonl.changed") == nil, "nothing of it was lost")
  }
}
