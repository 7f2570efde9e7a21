import AlmanacTesting
import CLibrary
import Foundation
import Models
import Persistence
import Ports
import Testing

@Suite("A store in a real folder")
struct RealFolderTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.path + "/store" }

  private func open(readOnly: Bool = false) throws(StoreError) -> JSONFileStore {
    try JSONFileStore(folder: path, readOnly: readOnly, time: ManualTime())
  }

  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

  private func mode(_ path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as! Int
  }

  @Test func readingMakesNothing() throws {
    #expect(try open().snapshot().sequence == 0)
    #expect(try open(readOnly: true).changes(since: nil, limit: 1) == [])
    #expect(try open().verify() == [])
    #expect(try open().statistics().records == 0)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func anEmptyPathIsRefused() async throws {
    await expectError(.unsuitablePlace) { _ = try JSONFileStore(folder: "") }
  }

  @Test func writingMakesFilesForTheOwnerOnly() async throws {
    let store = try open()
    _ = try await store.apply([
      Step(collection: "people", id: "b", value: "1"), Step(collection: "people", id: "a", value: "2"),
    ])
    let statistics = try await store.compact()
    #expect(statistics.records == 2)
    #expect(statistics.journalBytes == 0)
    #expect(try mode(path) == 0o700)
    for name in try names() {
      #expect(try mode(path + "/" + name) == (name.hasSuffix(".jsonl") ? 0o400 : 0o600), "\(name)")
    }
    let published = try String(contentsOfFile: path + "/people.jsonl", encoding: .utf8)
    #expect(published == line("a", "2") + "\n" + line("b", "1") + "\n")
    #expect(try !names().contains { $0.hasPrefix(".") })
  }

  @Test func whatWasReadCanBeWritten() async throws {
    try await open().put("a")
    let store = try open()
    #expect(try store.snapshot().count(.people) == 1)
    #expect(try await store.put("b").sequence == 2)
    #expect(try await store.put("c").sequence == 3)
  }

  @Test func aReadOnlyStoreIsReadAndNotChanged() async throws {
    try await open().put("a")
    let before = try names()
    let store = try open(readOnly: true)
    #expect(try store.snapshot().count(.people) == 1)
    await expectError(.cannotWrite) { try await store.put("b") }
    await expectError(.cannotWrite) { _ = try await store.compact() }
    #expect(try names() == before)
  }

  @Test("the store may be a link; one that leads elsewhere later has moved the store")
  func linkedStore() async throws {
    for name in ["real", "other"] {
      try FileManager.default.createDirectory(atPath: folder.path + "/" + name, withIntermediateDirectories: true)
    }
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path + "/real")
    let store = try open()
    try await store.put("a")
    #expect(FileManager.default.fileExists(atPath: folder.path + "/real/manifest"))
    #expect(try open().snapshot().count(.people) == 1)
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path + "/other")
    await expectError(.moved) { try await store.put("b") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/other").isEmpty)
  }

  @Test(
    "a folder with other files becomes no store",
    arguments: ["notes.txt", "people.jsonl", "state.jsonl", "manifest", "journal.txt", "media", ".profile"])
  func foreignFolder(name: String) async throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try (line("a", "1") + "\n").write(toFile: path + "/" + name, atomically: false, encoding: .utf8)
    await expectError(.unsuitablePlace) { _ = try open() }
    await expectError(.unsuitablePlace) { _ = try open(readOnly: true) }
    #expect(try names() == [name])
    // What a process left that was killed while it made the store, and what a system puts into each folder.
    try FileManager.default.removeItem(atPath: path + "/" + name)
    for name in ["lock", "manifest.new", "lost+found"] { try Data().write(to: URL(filePath: path + "/" + name)) }
    try await open().put("a")
    // A store is one, whatever is beside it.
    try Data().write(to: URL(filePath: path + "/notes.txt"))
    #expect(try open().snapshot().count(.people) == 1)
    // Also without its manifest, or with a damaged one: it can be repaired.
    try Data("damage".utf8).write(to: URL(filePath: path + "/manifest"))
    await expectError(.damaged) { _ = try open().snapshot() }
    _ = try await open().repair()
    #expect(try open().snapshot().count(.people) == 1)
  }

  @Test func aLinkInPlaceOfAFileIsNotFollowed() async throws {
    try await open().put("a")
    try FileManager.default.moveItem(atPath: path + "/manifest", toPath: folder.path + "/elsewhere")
    try FileManager.default.createSymbolicLink(
      atPath: path + "/manifest", withDestinationPath: folder.path + "/elsewhere")
    await expectError(.cannotRead) { _ = try open().snapshot() }
  }

  @Test("what root writes belongs to the owner of the folder", .enabled(if: geteuid() == 0, "needs root"))
  func ownerOfTheFolder() async throws {
    let (owner, group): (uid_t, gid_t) = (65_534, 65_533)
    #expect(chown(folder.path, owner, group) == 0)
    let store = try open()
    try await store.put("a")
    _ = try await store.compact()
    let media = try MediaFolder(folder: path + "/media")
    _ = try await media.keep([1, 2, 3], type: "image/png", for: "http://a/b.png")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    #expect(paths.count > 8)
    for name in paths {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
      #expect(attributes[.ownerAccountID] as? Int == Int(owner), "\(name)")
      #expect(attributes[.groupOwnerAccountID] as? Int == Int(group), "\(name)")
    }
  }

  /// What an operator does with a folder that is in use.
  enum Swap: CaseIterable { case moved, deleted, replaced, restored, lockReplaced }

  private func perform(_ swap: Swap) throws {
    let files = FileManager.default
    switch swap {
    case .moved: try files.moveItem(atPath: path, toPath: folder.path + "/old")
    case .deleted: try files.removeItem(atPath: path)
    case .replaced:
      try files.moveItem(atPath: path, toPath: folder.path + "/old")
      try files.createDirectory(atPath: path, withIntermediateDirectories: false)
    case .restored:
      try files.moveItem(atPath: path, toPath: folder.path + "/old")
      try files.copyItem(atPath: folder.path + "/old", toPath: path)
    case .lockReplaced:
      try files.moveItem(atPath: path + "/lock", toPath: path + "/lock.old")
      try files.copyItem(atPath: path + "/lock.old", toPath: path + "/lock")
    }
  }

  @Test("a store whose folder was moved, deleted or replaced takes no writes", arguments: Swap.allCases)
  func swapped(swap: Swap) async throws {
    let store = try open()
    try await store.put("a")
    try store.checkPlace()
    try perform(swap)
    await expectError(.moved) { try await store.put("b") }
    await expectError(.moved) { _ = try await store.compact() }
    await expectError(.moved) { try store.checkPlace() }
    // Readers keep what they have open, unless it was deleted.
    if swap != .deleted { #expect(try store.snapshot().count(.people) == 1) }
    if swap == .restored {
      #expect(try open().snapshot().count(.people) == 1)
      try await open().put("c")
    }
  }

  @Test("a write during which the folder is replaced is refused")
  func swappedDuringAWrite() async throws {
    let store = try open()
    try await store.put("a")
    await expectError(.moved) {
      _ = try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Bool in
        try transaction.put(Array(#"{"id":"b"}"#.utf8), id: "b", in: .people)
        do { try perform(.restored) } catch { throw StoreError(.aborted, "\(error)") }
        return true
      }
    }
    #expect(try open().snapshot().count(.people) == 1)
  }

  @Test("a folder that is moved back is used again")
  func movedBack() async throws {
    let store = try open()
    try await store.put("a")
    try perform(.moved)
    await expectError(.moved) { try await store.put("b") }
    try FileManager.default.moveItem(atPath: folder.path + "/old", toPath: path)
    #expect(try await store.put("b").sequence == 2)
  }

  @Test("a folder that was given to another user is not called moved: the error says who may look at it")
  func givenAway() async throws {
    let store = try open()
    try await store.put("a")
    // Root sees everything; for this thread alone, files are looked at as another user.
    #expect(chmod(path, geteuid() == 0 ? 0o700 : 0) == 0)
    typealias SetUser = @convention(c) (uid_t) -> Int32
    let setUser = unsafeBitCast(try #require(dlsym(nil, "setfsuid")), to: SetUser.self)
    if geteuid() == 0 { _ = setUser(65_534) }
    defer {
      if geteuid() == 0 { _ = setUser(0) }
      chmod(path, 0o700)
    }
    #expect { try store.checkPlace() } throws: { error in
      guard let error = error as? StoreError else { return false }
      return error.code == .cannotRead && error.message.contains("ermission denied")
        && error.hint?.contains(geteuid() == 0 ? "check who owns" : "chmod u+rwx") == true
    }
    // What is in memory is not shown as what the store has.
    #expect { try store.snapshot() } throws: { ($0 as? StoreError)?.code == .cannotRead }
  }

  @Test("a follower of the changes hears that the folder was moved, deleted or replaced", arguments: Swap.allCases)
  func swappedUnderAFollower(swap: Swap) async throws {
    let store = try open()
    try await store.put("a")
    let changes = try open(readOnly: true).changes(after: nil)
    var batches = 0
    await expectError(.moved) {
      for try await batch in changes {
        batches += 1
        if batches == 1 {
          #expect(batch.count == 1)
          try perform(swap)
        }
      }
    }
    #expect(batches == 1)
  }

  @Test func aNewerFormatIsRefused() async throws {
    try await open().put("a")
    try "almanac-store 3.0\nwhatever\n".write(toFile: path + "/manifest", atomically: false, encoding: .utf8)
    await expectError(.newerFormat) { _ = try open().snapshot() }
    await expectError(.newerFormat) { try await open().put("b") }
    await expectError(.newerFormat) { _ = try await open().repair() }
    #expect(try String(contentsOfFile: path + "/manifest", encoding: .utf8).hasPrefix("almanac-store 3.0"))
  }

  @Test func statisticsReadTheManifestAlsoWhereTheStoreIsKnown() async throws {
    let store = try open()
    try await store.put("a")
    #expect(try store.statistics().records == 1)
    let whole = try String(contentsOfFile: path + "/manifest", encoding: .utf8)
    for (text, code) in [("almanac-store 9.0\n", StoreError.Code.newerFormat), (String(whole.dropLast(3)), .damaged)] {
      try text.write(toFile: path + "/manifest", atomically: true, encoding: .utf8)
      await expectError(code) { _ = try store.statistics() }
    }
    try FileManager.default.removeItem(atPath: path + "/manifest")
    await expectError(.damaged) { _ = try store.statistics() }
    try whole.write(toFile: path + "/manifest", atomically: true, encoding: .utf8)
    #expect(try store.statistics().records == 1)
  }

  @Test("an error names the file of the store that is missing", arguments: [".records", ".sums", "journal."])
  func missingFile(kind: String) async throws {
    let store = try open()
    try await store.put("a")
    _ = try await store.compact()
    try await store.put("b", "2")
    // The journal that is appended to is the last one.
    let name = try #require(try names().last { $0.hasSuffix(kind) || $0.hasPrefix(kind) })
    try FileManager.default.removeItem(atPath: path + "/" + name)
    let calls: [() async throws -> Void] = [
      { _ = try open().snapshot() }, { _ = try open().changes(since: nil, limit: 1) },
      { try await open().put("c") },
      { _ = try StoreBackup().make(of: path, in: folder.path + "/backup") },
    ]
    for call in calls { await expectError(.damaged, path: path + "/" + name, call) }
  }

  @Test("a store that nobody uses any more has renewed the files that people read")
  func publishedAtEnd() async throws {
    let file = path + "/people.jsonl"
    try await write("a")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == line("a", "1") + "\n")
    try await write("b")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "\(line("a", "1"))\n\(line("b", "1"))\n")
    #expect(try open().behind() == [])
  }

  private func write(_ id: String) async throws { try await open().put(id) }

  @Test func aLostManifestIsNamedAndMadeAgain() async throws {
    let store = try open()
    try await store.put("a")
    _ = try await store.compact()
    _ = try await store.apply([
      Step(collection: "people", id: "b", value: "2"), Step(collection: "people", id: "a", value: nil),
    ])
    try FileManager.default.removeItem(atPath: path + "/manifest")
    await expectError(.damaged) { _ = try open().snapshot() }
    await expectError(.damaged) { try await open().put("c") }
    #expect(try open().verify().map(\.path) == [path + "/manifest"])
    _ = try await open().repair()
    #expect(try open().snapshot().contents() == ["people": ["b": line("b", "2")]])
    #expect(try open().verify() == [])
  }

  @Test func aPublishedFileThatSomebodyEditedIsNamedAndKept() async throws {
    let store = try open()
    try await store.put("a")
    _ = try await store.compact()
    try FileManager.default.removeItem(atPath: path + "/people.jsonl")
    try "mine\n".write(toFile: path + "/people.jsonl", atomically: false, encoding: .utf8)
    #expect(try store.verify().filter { $0.severity == .damage }.map(\.path) == [path + "/people.jsonl"])
    #expect(try store.snapshot().count(.people) == 1)
    _ = try await store.repair()
    #expect(try String(contentsOfFile: path + "/people.jsonl", encoding: .utf8) == line("a", "1") + "\n")
    #expect(try String(contentsOfFile: path + "/people.jsonl.changed", encoding: .utf8) == "mine\n")
    let cursor = try store.changes(since: nil, limit: 10).last?.cursor
    #expect(try open().changes(since: cursor, limit: 10) == [], "a repair of a published file leaves the change feed")
  }

  @Test("a link or a folder in the place of a published file is kept too", arguments: [true, false])
  func linkInPlaceOfAPublishedFile(isLink: Bool) async throws {
    let store = try open()
    try await store.put("a")
    try await store.publish(.quick)
    try FileManager.default.removeItem(atPath: path + "/people.jsonl")
    if isLink {
      try "mine\n".write(toFile: folder.path + "/mine", atomically: false, encoding: .utf8)
      try FileManager.default.createSymbolicLink(
        atPath: path + "/people.jsonl", withDestinationPath: folder.path + "/mine")
    } else {
      try FileManager.default.createDirectory(atPath: path + "/people.jsonl", withIntermediateDirectories: false)
    }
    try await store.put("b")
    try await store.publish(.quick)
    #expect(try String(contentsOfFile: path + "/people.jsonl", encoding: .utf8).split(separator: "\n").count == 2)
    #expect(FileManager.default.fileExists(atPath: path + "/people.jsonl.changed"))
  }

  @Test("a folder that must exist and does not is an error, and is not made")
  func missingFolder() async throws {
    await expectError(.cannotRead) { _ = try JSONFileStore(folder: path, mustExist: true) }
    #expect(!FileManager.default.fileExists(atPath: path))
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    #expect(try JSONFileStore(folder: path, mustExist: true).snapshot().sequence == 0)
  }

  @Test("an id that cannot be one is named")
  func ids() async throws {
    let store = try open()
    for (id, words) in [
      ("", "is empty"), (String(repeating: "x", count: 1025), "has 1025: 'xxx"), ("a\nb", #"has some: "a\nb""#),
    ] {
      await expectError(.invalidRecord, saying: words) { try await store.put(id) }
    }
  }

  @Test("a failed call of the system is a sentence, with a remedy")
  func errorTexts() async throws {
    let disk = InMemoryFileSystem()
    disk.plant("lock", [])
    try disk.makeReadOnly(try disk.open("lock", .read))
    let store = try JSONFileStore(system: disk, time: ManualTime())
    await #expect { try await store.put("a") } throws: { error in
      guard let error = error as? StoreError else { return false }
      return error.code == .cannotWrite && error.description == "cannot open the file: permission denied (/memory/lock)"
        && error.hint == "check who owns the file, and its permissions"
    }
  }

  @Test(
    "a line that somebody appends to a published file does not reach the store",
    arguments: ["compact", "load", "repair", "an older version"])
  func appendedLine(after how: String) async throws {
    let store = try open()
    try await store.put("a")
    switch how {
    case "compact": _ = try await store.compact()
    case "load":
      var limits = Limits()
      limits.loadBuffer = 10
      let small = try JSONFileStore(system: RealFileSystem(path: path), time: ManualTime(), limits: limits)
      _ = try await small.load(["b", "c", "d"].map { Step(collection: "people", id: $0, value: "1") })
    case "repair":
      try FileManager.default.removeItem(atPath: path + "/manifest")
      _ = try await store.repair()
    default:
      // Once the published file was a second name of the collection file.
      _ = try await store.compact()
      let records = try #require(try names().first { $0.hasSuffix(".records") })
      try FileManager.default.removeItem(atPath: path + "/people.jsonl")
      try FileManager.default.linkItem(atPath: "\(path)/\(records)", toPath: path + "/people.jsonl")
      _ = try await store.apply([Step(collection: "apps", id: "a", value: "1")])
      try await store.publish(.quick)
    }
    let before = try open().snapshot().contents()
    let file = try #require(FileHandle(forUpdatingAtPath: path + "/people.jsonl"))
    try file.seekToEnd()
    try file.write(contentsOf: Data((line("z", "mine") + "\n").utf8))
    try file.close()
    #expect(try open().snapshot().contents() == before)
    let finding = try #require(try open().verify().first)
    #expect(finding.path == path + "/people.jsonl" && finding.message == "changed from outside: 1 record")
    try await open().put("y")
    _ = try await open().compact()
    let kept = try String(contentsOfFile: path + "/people.jsonl.changed", encoding: .utf8)
    #expect(kept.hasSuffix(line("z", "mine") + "\n"), "\(how)")
    #expect(try open().snapshot().count(.people) == before["people"]!.count + 1)
  }

  @Test("a collection file that is too long to be copied cannot be written to under its published name")
  func longFile() async throws {
    var limits = Limits()
    limits.copyMost = 100
    let store = try JSONFileStore(system: RealFileSystem(path: path), time: ManualTime(), limits: limits)
    _ = try await store.apply((0..<20).map { Step(collection: "people", id: "a\($0)", value: "1") })
    _ = try await store.compact()
    let published = try FileManager.default.attributesOfItem(atPath: path + "/people.jsonl")
    let records = try FileManager.default.attributesOfItem(
      atPath: path + "/" + #require(try names().first { $0.hasSuffix(".records") }))
    let isLink = published[.systemFileNumber] as! Int == records[.systemFileNumber] as! Int
    // Where the file system shares blocks, it is a file of its own.
    #expect(!isLink || published[.posixPermissions] as! Int == 0o400)
    #expect(try open().verify() == [] && store.behind() == [])
    try await open().put("b")
    _ = try await open().compact()
    #expect(try open().snapshot().count(.people) == 21)
  }

  @Test func anOldCursorExpiresAndAFreshOneDoesNot() async throws {
    var limits = Limits()
    limits.keptJournal = 500
    let store = try JSONFileStore(system: RealFileSystem(path: path), time: ManualTime(), limits: limits)
    try await store.put("a")
    let early = try store.changes(since: nil, limit: 1)[0].cursor
    for round in 0..<5 {
      let value = String(repeating: "x", count: 200)
      try await store.put("b\(round)", value)
      _ = try await store.compact()
    }
    await expectError(.cursorExpired) { _ = try store.changes(since: early, limit: 1) }
    var last: ChangeCursor?
    while let next = try store.changes(since: last, limit: 2).last?.cursor { last = next }
    try await store.put("c")
    _ = try await store.compact()
    #expect(try store.changes(since: last, limit: 5).map(\.id) == ["c"])
  }
}
